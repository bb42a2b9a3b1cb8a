import type { AdForm, AdRow } from '../ingest/ads/ad-draft.ts'
import { namesIn } from '../ingest/ads/ad-values.ts'
import { writtenValue } from '../ingest/mapping/written-values.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { nested, type Row } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { supplierRow } from '../vocabulary/suppliers.ts'
import { adForms, tablesWithoutAds } from './registry.ts'

/**
 * The rows of a table that a collector or a library wrote, as the records its columns stand for: `snapshot/body/text` and
 * `snapshot.body.text` are a text within a text, and a cell may hold a list as programs write it. Empty cells are not carried.
 * @throws UnfitPayload for a table that is none of these, with what it is
 */
export function adTable(rows: readonly Row[]): { rows: AdRow[]; rejected: Rejection[] } {
  refuseOthers(Object.keys(Object(rows[0]?.record)))
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
  refuseTableWithoutAds(columns)
  const header = headerOf(columns)
  const found = formsOf(header)
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

const headerOf = (columns: readonly string[]) =>
  nested(
    columns.map((name) => [name, 'x']),
    true,
  )

const formsOf = (header: Record<string, unknown>) =>
  adForms.filter(({ platform, is }) => platform && is(header))

function refuseTableWithoutAds(columns: readonly string[]): void {
  const found = tablesWithoutAds.find(({ is }) => is(columns))
  if (found) throw new UnfitPayload(`this is ${found.reason}`)
}

/** Whose ads a table has, by its columns; undefined for any other table. @throws UnfitPayload for one that a library has beside ads */
export function tableOfAds(columns: readonly string[]): string | undefined {
  refuseTableWithoutAds(columns)
  const [platform] = formsOf(headerOf(columns)).flatMap((form) => form.platform ?? [])
  return platform && `ads of ${supplierRow(platform).label}`
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

/** The record that a row stands for, or the column whose list breaks off. */
function recordOf(row: Record<string, string>): Record<string, unknown> | string {
  const cells: [string, unknown][] = []
  for (const [column, cell] of Object.entries(row)) {
    if (blank.test(cell)) continue
    const value = writtenValue(cell)
    if (value === undefined) return column
    cells.push([column, value ?? wholeNumber(column, cell)])
  }
  return nested(cells, true)
}

/** Without its `.0`, which tables get where a cell of a column of ids is empty. */
const wholeNumber = (column: string, cell: string) =>
  /id$/i.test(column) && /^\d{1,15}\.0$/.test(cell) ? cell.slice(0, -2) : cell
