import { exactReference } from '../domain/catalogue/search-plan.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { namesShown } from '../ingest/unreadable.ts'
import { holdsUnprintable } from '../text/control-characters.ts'
import { type TrackedRole, trackedRoles } from '../vocabulary/app-relations.ts'
import { didYouMeanCountry, storefrontNamed } from '../vocabulary/did-you-mean-country.ts'
import { type ListColumn, listColumns, tagsIn } from '../vocabulary/list-columns.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'
import { TruncatedError } from './decompress.ts'
import { type Input, utf8BytesOf } from './input-file.ts'
import { UnfitFileError } from './json-limits.ts'
import { splitIntoPieces } from './pieces.ts'

/** Lists that people keep beside evidence: keywords of their apps, and the apps they compete with. */

/** A keyword of a list, as it is written there. */
export interface ListedKeyword {
  position: string
  term: string
  /** The app it is for, as the row names it; undefined where it names none. */
  app: AppReference | undefined
  country: StorefrontCode | undefined
  /** Undefined where the list has no such column, or the cell is empty. */
  tags: string[] | undefined
  note: string | undefined
}

/** An app of a list of competitors. */
export interface ListedApp {
  position: string
  app: AppReference
  country: StorefrontCode | undefined
  role: TrackedRole | undefined
}

export type AppReference = { storeId: string } | { bundleId: string }

/** An app that a line names: by an App Store address, or by its id or bundle id; undefined for any other text. */
export function competitorIn(line: string): AppReference | undefined {
  const reference = exactReference(line.trim().replace(/^"(.*)"$/, '$1'))
  // Short numbers are anything: ranks, years, counts.
  return reference && 'storeId' in reference && /^\d{1,5}$/.test(line.trim()) ? undefined : reference
}

/** The keywords of a list, in order: of a table with a column for them, or one a line. */
export const keywordsIn = (input: Input, encoding: string | undefined) =>
  listedIn(input, encoding, 'term', readKeyword)

/** The apps of a list, in order: of a table with a column for them, or one a line. */
export const competitorsIn = (input: Input, encoding: string | undefined) =>
  listedIn(input, encoding, 'app', readApp)

type Cells = Partial<Record<ListColumn, string>>

async function* listedIn<Listed>(
  input: Input,
  encoding: string | undefined,
  needed: 'term' | 'app',
  read: (position: string, cells: Cells) => Listed | string,
): AsyncGenerator<Listed | Rejection> {
  try {
    const bytes = utf8BytesOf(input, () => {}, encoding)
    for await (const piece of splitIntoPieces(bytes, undefined, undefined)) {
      if ('reason' in piece) {
        yield piece
        continue
      }
      const { rows, rejected } = rowsIn(piece, needed)
      yield* rejected
      for (const { position, cells } of rows) {
        const listed = read(position, cells)
        yield typeof listed === 'string' ? { position, reason: listed, record: cells } : listed
      }
    }
  } catch (error) {
    if (error instanceof UnfitFileError || error instanceof UnfitPayload)
      yield { position: 'document', reason: error.message }
    else if (error instanceof TruncatedError) yield { position: 'end of file', reason: error.message }
    else throw error
  }
}

/**
 * The rows of a table with the column that is needed, of JSON with that field, or lines that are one value each.
 * @throws UnfitPayload for a table without that column
 */
function rowsIn(
  { layout, bytes, from }: { layout: 'document' | 'lines' | 'csv'; bytes: Buffer; from: number },
  needed: 'term' | 'app',
): { rows: { position: string; cells: Cells }[]; rejected: Rejection[] } {
  const text = bytes.toString('utf8')
  const header = text.trimStart().split(/\r?\n/, 1)[0] ?? ''
  if (layout === 'csv' && !/[,;\t]/.test(header) && listColumns([header])[needed] === undefined) {
    const lines = text
      .split(/\r?\n/)
      .map((line, index) => ({ position: `line ${from + index}`, cells: { [needed]: line } }))
    return { rows: lines.filter(({ cells }) => cells[needed]?.trim() !== ''), rejected: [] }
  }
  const read = rowsOf(new RawPayload(bytes), { layout, country: null }, from)
  const names = Object.keys(Object(read.rows[0]?.record))
  const columns = listColumns(names)
  if (columns[needed] === undefined)
    throw new UnfitPayload(
      `no column for the ${needed === 'term' ? 'keyword' : 'app'}${names.length > 0 ? `; it has ${namesShown(names, 12)}` : ''}`,
    )
  const cellsIn = (record: unknown) => Object.values(Object(record)).filter((cell) => typeof cell === 'string')
  const next = [...read.rows, ...read.rejected].find(({ record }) => isHeader(cellsIn(record), needed))
  if (next) throw new UnfitPayload(`another table begins at ${next.position}: save each in a file of its own`)
  const rows = read.rows.map(({ position, record }) => ({ position, cells: cellsOf(record, names, columns) }))
  return { rows, rejected: read.rejected }
}

/** Whether the cells of a row are names of columns: then another table begins. */
function isHeader(cells: readonly string[], needed: 'term' | 'app'): boolean {
  const columns = listColumns(cells)
  return columns[needed] !== undefined && Object.keys(columns).length > 1
}

function cellsOf(record: unknown, names: readonly string[], columns: ReturnType<typeof listColumns>): Cells {
  const values = Object(record) as Record<string, unknown>
  const cells = (Object.keys(columns) as ListColumn[]).map((column) => {
    const value = values[names[columns[column] ?? -1] ?? '']
    return [column, Array.isArray(value) ? value.join(',') : String(value ?? '').trim()] as const
  })
  return Object.fromEntries(cells.filter(([, text]) => text !== ''))
}

const mostTags = 20
const longestTag = 50
const longestNote = 2_000

function readKeyword(position: string, cells: Cells): ListedKeyword | string {
  const { term, app: named, note } = cells
  if (term === undefined) return 'no keyword'
  const app = named === undefined ? undefined : exactReference(named)
  if (named !== undefined && !app)
    return `"${shortened(named)}" is neither an App Store id, a bundle id nor an App Store address`
  const country = countryIn(cells)
  if (typeof country === 'object') return country.reason
  const tags = cells.tags === undefined ? undefined : tagsIn(cells.tags)
  if (
    tags &&
    (tags.length > mostTags || tags.some((tag) => [...tag].length > longestTag || holdsUnprintable(tag)))
  )
    return `at most ${mostTags} tags of ${longestTag} characters: "${shortened(cells.tags ?? '')}"`
  if (
    note !== undefined &&
    ([...note].length > longestNote || holdsUnprintable(note.replaceAll(/[\r\n\t]/g, ' ')))
  )
    return `a note is a text of at most ${longestNote.toLocaleString('en')} characters`
  return { position, term, app: app ?? undefined, country, tags, note }
}

function readApp(position: string, cells: Cells): ListedApp | string {
  const { app: named, role } = cells
  if (named === undefined) return 'no app'
  const app = exactReference(named)
  if (!app) return `"${shortened(named)}" is neither an App Store id, a bundle id nor an App Store address`
  const country = countryIn(cells) ?? countryOfAddress(named)
  if (typeof country === 'object') return country.reason
  const known = trackedRoles.find((one) => one === role?.toLowerCase())
  if (role !== undefined && !known) return `role: "${shortened(role)}" is none of ${trackedRoles.join(', ')}`
  return { position, app, country, role: known }
}

function countryIn({ country }: Cells): StorefrontCode | undefined | { reason: string } {
  if (country === undefined) return undefined
  const found = storefrontNamed(country)
  return found ?? { reason: `"${shortened(country)}" is not an App Store country${didYouMeanCountry(country)}` }
}

/** The storefront of an App Store address, such as `https://apps.apple.com/de/app/id1`. */
function countryOfAddress(address: string): StorefrontCode | undefined {
  const code = /apple\.com\/([a-z]{2})\//i.exec(address)?.[1]
  return code === undefined ? undefined : storefrontNamed(code)
}

const shortened = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
