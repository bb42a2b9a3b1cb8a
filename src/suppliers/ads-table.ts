import type { AdForm, AdRow } from '../ingest/ads/ad-draft.ts'
import { namesIn } from '../ingest/ads/ad-values.ts'
import { writtenValue } from '../ingest/mapping/written-values.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import type { Row } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { adForms, tablesWithoutAds } from './registry.ts'

/**
 * The rows of a table that a collector or a library wrote, as the records its columns stand for: `snapshot/body/text` and
 * `snapshot.body.text` are a text within a text, and a cell may hold a list as programs write it. Empty cells are not carried.
 * @throws UnfitPayload for a table that is none of these, with what it is
 */
export function adTable(rows: readonly Row[]): { rows: AdRow[]; rejected: Rejection[] } {
  const columns = Object.keys(Object(rows[0]?.record))
  const other = tablesWithoutAds.find(({ is }) => is(columns))
  if (other) throw new UnfitPayload(`this is ${other.reason}`)
  refuseOthers(columns)
  const rejected: Rejection[] = []
  const records = rows.flatMap(({ position, record }): AdRow[] => {
    const read = recordOf(Object(record) as Record<string, string>)
    if (typeof read !== 'string') return [{ position, record: read }]
    rejected.push({ position, reason: `bad-value: ${read} holds a list that breaks off`, record })
    return []
  })
  return { rows: records, rejected }
}

/** @throws UnfitPayload unless the columns are those of one platform's ads */
function refuseOthers(columns: readonly string[]): void {
  const header = recordOf(Object.fromEntries(columns.map((name) => [name, 'x']))) as Record<string, unknown>
  const found = adForms.filter(({ platform, is }) => platform && is(header))
  const platforms = new Set(found.map(({ platform }) => platform))
  if (platforms.size === 1) return
  if (platforms.size > 1)
    throw new UnfitPayload(
      `the table has columns of ${found.map(({ label }) => label).join(' and of ')}: one table is of one tool`,
    )
  const near = nearForm(header)
  throw new UnfitPayload(
    near
      ? `the table looks like ${near.label}, but has no column ${near.ids?.join(' or ')}; it has ${namesIn(header)}`
      : 'a table needs a mapping: pass --map FILE',
  )
}

/** The form that a record would have if it named the ad; undefined where too little is of any. */
export const nearForm = (record: object): AdForm | undefined =>
  adForms.find(
    ({ ids = [], fields = [] }) =>
      ids.length > 0 &&
      !ids.some((name) => name in record) &&
      fields.filter((name) => name in record).length > 1,
  )

const blank = /^\s*(?:nan|null|none)?\s*$/i
const deepest = 12

/** The record that a row stands for, or the column whose list breaks off. */
function recordOf(row: Record<string, string>): Record<string, unknown> | string {
  const record: Tree = new Map()
  for (const [column, cell] of Object.entries(row)) {
    if (blank.test(cell)) continue
    const value = writtenValue(cell)
    if (value === undefined) return column
    put(record, pathOf(column), value ?? wholeNumber(column, cell))
  }
  return treeValue(record) as Record<string, unknown>
}

/** Without its `.0`, which tables get where a cell of a column of ids is empty. */
const wholeNumber = (column: string, cell: string) =>
  /id$/i.test(column) && /^\d{1,15}\.0$/.test(cell) ? cell.slice(0, -2) : cell

function pathOf(column: string): string[] {
  const path = column.split(/[/.]/)
  return path.length <= deepest && path.every((part) => /^[\w$-]+$/.test(part)) ? path : [column]
}

type Tree = Map<string, unknown>

function put(tree: Tree, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) return void tree.set(name, value)
  const known = tree.get(name)
  const inner = known instanceof Map ? known : new Map()
  if (inner !== known) tree.set(name, inner)
  put(inner, rest, value)
}

/** Numbers as names are places of a list. */
function treeValue(value: unknown): unknown {
  if (!(value instanceof Map)) return value
  const entries = [...value].map(([name, inner]): [string, unknown] => [name, treeValue(inner)])
  return entries.every(([name]) => /^\d{1,4}$/.test(name)) && entries.length > 0
    ? entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, inner]) => inner)
    : Object.fromEntries(entries)
}
