import { basename } from 'node:path'
import { exportLinePrefix } from '../domain/evidence/exported-reading.ts'
import { objectsIn, type Recognised as RecognisedFormat, type Sample } from '../ingest/format.ts'
import { isMapping } from '../ingest/mapping/mapping.ts'
import { statedTime, timeInName } from '../ingest/times.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { namesShown } from '../ingest/unreadable.ts'
import { exportedFormats } from '../projections/projections.ts'
import { nearForm } from '../suppliers/ads-table.ts'
import { formats } from '../suppliers/formats.ts'
import { isExportedRow, savedOfRow } from '../suppliers/own-files/exported-table.ts'
import { foreplayAd } from '../suppliers/own-files/foreplay-ad.ts'
import {
  isDayColumn,
  isKeywordColumn,
  isRankColumn,
  type ListColumn,
  listColumns,
} from '../vocabulary/list-columns.ts'
import { isLocalizationColumn, type OwnTextField, ownTextNamed } from '../vocabulary/own-listing.ts'
import { localizationNamed } from '../vocabulary/read-language.ts'
import { competitorIn } from './account-lists.ts'
import { CapturesTables, isCapturesTable } from './captures-table.ts'
import { TruncatedError } from './decompress.ts'
import type { ImportKind } from './import-request.ts'
import type { Input } from './input-file.ts'
import { UnfitFileError } from './json-limits.ts'
import { isOfFastlane, ownRecordsIn } from './own-listing.ts'
import { pageContext } from './page-context.ts'
import { readyMadeFor } from './ready-made.ts'
import { type Beginning, beginningIn } from './sample.ts'
import { isSwiped } from './swipe-file.ts'

/** What `rivalscope import` takes after its name: kinds of evidence, and what belongs to an account. */
export type AnyKind = ImportKind | 'saved' | 'keywords' | 'competitors' | 'listing'

/** What a file is taken for. */
export interface Recognised {
  kind: AnyKind
  /** In a few words: `posts as tiktok has them`. */
  of: string
  /** Columns of a table that are not read; empty where that is not known. */
  unread: readonly string[]
  /** The mapping that it is imported with, where one is needed. */
  map?: string
}

/**
 * What a file is: `meant` holds the imports that it takes, in their order (the posts of a saved item before its mark). Of `several` kinds
 * that it could be none is guessed. `why` says why there is none.
 */
export type Recognition =
  | { meant: readonly Recognised[] }
  | { several: readonly Recognised[] }
  | { why: string }

/** Recognises files one after the other; captures tables among them tell which searches the others answer. */
export class Recogniser {
  readonly #captures: CapturesTables
  readonly #encoding: string | undefined

  constructor(encoding: string | undefined) {
    this.#encoding = encoding
    this.#captures = new CapturesTables(
      async () => {},
      () => {},
      encoding,
    )
  }

  async recognise(input: Input): Promise<Recognition> {
    if (!input.isKept) return { why: 'a pipe, which can be read once: name its kind' }
    const ofFolder = isOfFastlane(input.name)
    if (ofFolder === 'other') return { why: 'of a fastlane folder, and no text of a listing' }
    if (ofFolder === 'text')
      return { meant: [{ kind: 'listing', of: 'a text of a fastlane folder', unread: [] }] }
    try {
      const beginning = await beginningIn(input, this.#encoding)
      return await this.#kindsOf(input, beginning)
    } catch (error) {
      const isUnfit = [UnfitPayload, UnfitFileError, TruncatedError].some((kind) => error instanceof kind)
      if (isUnfit && error instanceof Error) return { why: error.message }
      const { code } = Object(error) as { code?: unknown }
      if (code === 'EACCES' || code === 'ENOENT') return { why: `it cannot be read (${code})` }
      throw error
    }
  }

  async #kindsOf(input: Input, beginning: Beginning): Promise<Recognition> {
    if (beginning.records.length > 0 && beginning.records.every(isRejected))
      return { why: 'rejected records of an earlier import, with their reasons' }
    if (beginning.html !== undefined) {
      const [page] = formatsOf({ ...beginning, namesSearch: false })
      return page ? { meant: [page] } : { why: 'HTML or XML, which is none of the forms that are read' }
    }
    const [exported, other] = exportedReadings(beginning)
    if (exported) return other ? { several: [exported, other] } : { meant: [exported] }
    const listing = ownListing(beginning, input.name)
    if (listing) return { meant: [listing] }
    const sample: Sample = { ...beginning, namesSearch: await this.#namesSearch(input) }
    const found = formatsOf(sample)
    const swiped = swipeFile(beginning)
    if (swiped) return { meant: [swiped] }
    const saved = savedMarks(beginning)
    if (saved) return { meant: [...marked.flatMap((kind) => found.filter((one) => one.kind === kind)), saved] }
    const [one, ...others] = found
    if (one && others.length === 0) return { meant: [one] }
    if (one) return { several: found }
    const mapped = await readyMadeFor(beginning)
    if (mapped) {
      const { kind, path, fields } = mapped
      const unread = without(beginning.columns, fields)
      return { meant: [{ kind, of: `records for the mapping ${basename(path)}`, unread, map: path }] }
    }
    const list = listIn(beginning)
    if (!list) return { why: whyUnknown(beginning) }
    // The ranks in an export of keywords are of the day that its name tells.
    const isOfDay =
      list.kind === 'keywords' && beginning.columns.some(isRankColumn) && timeInName(basename(input.name))
    return isOfDay
      ? { several: [list, { kind: 'keyword-ranks', of: `ranks of the day in its name`, unread: [] }] }
      : { meant: [list] }
  }

  async #namesSearch(input: Input): Promise<boolean> {
    const request = { kind: 'search-results' as const, paths: [], directory: '', rejectedFile: '' }
    return typeof pageContext(input.name, request, await this.#captures.rowOf(input)) !== 'string'
  }
}

/** What the formats take a file for, each kind once. */
function formatsOf(sample: Sample): Recognised[] {
  const found = new Map<AnyKind, Recognised>()
  for (const { recognise, names } of Object.values(formats) as (typeof formats)[keyof typeof formats][]) {
    const is: RecognisedFormat | undefined = recognise?.(sample)
    if (is && !found.has(is.kind))
      found.set(is.kind, { ...is, unread: names ? without(sample.columns, Object.values(names).flat()) : [] })
  }
  if (isCapturesTable(sample.columns))
    found.set('search-results', {
      kind: 'search-results',
      of: 'a captures table, which explains saved result pages',
      unread: [],
    })
  return [...found.values()]
}

/** Columns that are not read, by their names in small letters without blanks and marks. Those named after a day hold its ranks. */
function without(columns: readonly string[], read: readonly string[]): string[] {
  const known = new Set(read.map(plain))
  return columns.filter(
    (name) => plain(name) !== '' && !known.has(plain(name)) && statedTime(name.trim()) === undefined,
  )
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The readings of an export of ours: one of result pages holds searches and suggestions, one of the catalogue no suggestions. */
function exportedReadings({ layout, lines, records }: Beginning): Recognised[] {
  if (layout === 'csv' || !(lines[0] ?? JSON.stringify(records[0])).startsWith(exportLinePrefix)) return []
  const read = new Set(records.map((record) => String(Object(record).format)))
  const isOf = (kind: keyof typeof exportedFormats) =>
    [...read].every((format) => (exportedFormats[kind] as readonly string[]).includes(format))
  return [
    ...(isOf('catalogue')
      ? [{ kind: 'catalogue' as const, of: 'an export of the catalogue', unread: [] }]
      : []),
    ...(isOf('result-pages')
      ? [{ kind: 'search-results' as const, of: 'an export of result pages', unread: [] }]
      : []),
  ]
}

/** Rejected records that an import wrote. */
const isRejected = (record: unknown) =>
  ['file', 'position', 'reason'].every((name) => typeof Object(record)[name] === 'string')

/** The kinds whose items can be saved. */
const marked: readonly AnyKind[] = ['organic', 'paid-ads']

function savedMarks({ records }: Beginning): Recognised | undefined {
  const isSaved = records.some((record) => {
    const line: { saved?: unknown } = isExportedRow(record) ? savedOfRow(record) : Object(record)
    return typeof line.saved === 'object' && line.saved !== null && 'savedAt' in line.saved
  })
  return isSaved ? { kind: 'saved', of: 'what an account saved', unread: [] } : undefined
}

/** A swipe file of a tool that has nothing else: its import stores its ads, too. */
const swipeFile = ({ records }: Beginning): Recognised | undefined =>
  objectsIn(records).some((one) => isSwiped(one) || foreplayAd.is({ ...one }))
    ? { kind: 'saved', of: 'a swipe file', unread: [] }
    : undefined

/** Texts of an own listing in JSON or a table, of which at least one is seen by its owner alone or stands beside another. */
function ownListing({ layout, columns, records, document }: Beginning, path: string): Recognised | undefined {
  const name = basename(path).replace(/\.[^.]*$/, '')
  const found = ownRecordsIn(layout === 'document' ? document : records, name)
  const fields = new Set(
    found.flatMap(({ values }) => Object.keys(values).flatMap((one) => ownTextNamed(one) ?? [])),
  )
  const isOwn = ['subtitle', 'keyword-field', 'promotional-text', 'release-notes'].some((field) =>
    fields.has(field as OwnTextField),
  )
  if (found.length === 0 || !isOwn || !found.some(({ localization }) => localizationNamed(localization)))
    return undefined
  const unread = columns.filter((column) => !ownTextNamed(column) && !isLocalizationColumn(column))
  return { kind: 'listing', of: 'the texts of an own listing by language', unread }
}

/** Lists that people keep, which no format of evidence is. */
function listIn({ layout, columns, lines, records }: Beginning): Recognised | undefined {
  const named = columns.length > 0 ? columns : Object.keys(Object(records[0]))
  const header = listColumns(named)
  const read = (Object.keys(header) as ListColumn[]).flatMap((column) => named[header[column] ?? -1] ?? [])
  const isOfDays = named.some((name) => isDayColumn(name) || statedTime(name.trim()) !== undefined)
  if (layout !== 'document' && header.term !== undefined && !isOfDays)
    return { kind: 'keywords', of: 'a list of keywords', unread: without(named, read) }
  const isApps = header.app !== undefined && named.length === Object.keys(header).length
  const isLines = layout === 'csv' && lines.every((line) => competitorIn(line) !== undefined)
  if (isLines || (layout === 'csv' && isApps))
    return { kind: 'competitors', of: 'a list of apps', unread: isLines ? [] : without(named, read) }
  return undefined
}

/** Characters of a line that may be a keyword. */
const longestKeyword = 100

/** The message of an answer that is an error, as services send them with any status. */
function errorIn({ error, errors, code, msg, message }: Record<string, unknown>): string | undefined {
  const first = Object(Array.isArray(errors) ? errors[0] : error) as Record<string, unknown>
  const said = first.message ?? (typeof error === 'string' ? error : undefined)
  if (typeof said === 'string') return said.slice(0, 200)
  const other = msg ?? message
  return typeof code === 'number' && code !== 0 && typeof other === 'string' ? other.slice(0, 200) : undefined
}

function whyUnknown({ layout, columns, records, lines }: Beginning): string {
  const error = layout === 'document' ? errorIn(Object(records[0])) : undefined
  if (error) return `an error that a service answered, and nothing else: ${error}`
  if (layout === 'document' && isMapping(records[0]))
    return 'a mapping: pass it with --map to the import of the files that it is for'
  if (layout === 'csv' && columns.length === 1)
    return lines.every((line) => line.length <= longestKeyword)
      ? 'lines of text: if they are keywords, name the kind: rivalscope import keywords FILE'
      : 'a text'
  const names = layout === 'csv' ? columns : Object.keys(Object(records[0]))
  const near = nearForm(Object.fromEntries(names.map((name) => [name, ''])))
  if (near) return `like ${near.label}, but without ${near.ids?.join(' or ')}; it has ${namesShown(names, 12)}`
  const has = names.length > 0 ? `; it has ${namesShown(names, 12)}` : ''
  const isRanks = names.some(isKeywordColumn) && names.some(isDayColumn)
  return `${isRanks ? 'like keyword ranks, but with no column for the rank or the app' : 'no form that is known'}${has}. If you know what it is, name the kind and a mapping: rivalscope import KIND FILE --map FILE`
}
