import type { AdSighting } from '../domain/paid-ads/ad.ts'
import type { AdRow } from '../ingest/ads/ad-draft.ts'
import { AdRefusal, isRecord, type RefusedAd } from '../ingest/ads/ad-values.ts'
import type { PayloadFormat } from '../ingest/format.ts'
import { aroundOf, nameForm, unlessUnreadable } from '../ingest/mapping/mapped-values.ts'
import { shown } from '../ingest/mapping/mapping.ts'
import type { ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import type { RawPayload } from '../ingest/raw-payload.ts'
import { rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { unreadableIn } from '../ingest/unreadable.ts'
import { adPlatforms } from '../vocabulary/ad-platforms.ts'
import { supplierRow } from '../vocabulary/suppliers.ts'
import { adTable, tableOfAds } from './ads-table.ts'
import { isExportedAd, observationsOf } from './own-files/exported-ad.ts'
import { adOfRow, holdsUserProvided, isExportedRow, tableNote } from './own-files/exported-table.ts'
import { mappedAdRecord } from './own-files/mapped-ad.ts'
import { isKnownForm, readAdRecord } from './read-ad-record.ts'
import { adAnswers, adForms, adLists } from './registry.ts'

/** Paid ads of any known form, detected per record, or read by a mapping; also saved answers of ad libraries. */
export const adsFormat: PayloadFormat = {
  isMappable: true,
  recognise({ layout, document, records, columns }) {
    const table = layout === 'csv' ? tableOfAds(columns) : undefined
    if (table) return { kind: 'paid-ads', of: table }
    const ads =
      layout === 'csv'
        ? records.filter((record) => isExportedRow(record) && columns.includes('archiveId'))
        : [...(layout === 'document' ? [document] : records)].flatMap(adsWithin)
    return ads.length > 0 ? { kind: 'paid-ads', of: ofPlatforms(ads) } : undefined
  },
  parse(payload, context, from) {
    const { rows, rejected } = context.fields
      ? mappedRows(payload, context, from)
      : context.layout === 'document'
        ? adRecordsIn(payload.document())
        : lineRows(payload, context, from)
    const found = (context.fields ? rows : joined(rows)).map((row) =>
      isExportedAd(row.record)
        ? readExported(row.position, row.record, context)
        : readOne(row.position, row.record, context),
    )
    const ads = found.flatMap((one) => one.ads ?? [])
    rejected.push(...found.flatMap((one) => one.rejected ?? []))
    const isTable = context.layout === 'csv' && found.some(({ isWhole }) => isWhole)
    const withUserProvided = found.filter(({ hasUserProvided }) => hasUserProvided).length
    return {
      source: 'paid-ads-file',
      // Records exported from another store state the time of each observation.
      ...(found.length > 0 && found.every(({ isWhole }) => isWhole) ? newestOf(ads) : {}),
      ...{ sightings: [], charts: [], ads, rejected, records: ads.length + rejected.length },
      ...unreadableIn(ads),
      notes: [
        ...(withUserProvided > 0
          ? [`of ${withUserProvided} of its ads, what accounts brought is left out`]
          : []),
        ...(isTable ? [tableNote] : []),
        ...(found.length + rejected.length === 0 ? [emptyNote] : []),
      ],
    }
  },
}

/** Whose ads they are, in words. */
function ofPlatforms(ads: readonly unknown[]): string {
  const named = ads.flatMap((ad) =>
    isRecord(ad) && typeof ad.platform === 'string' ? [ad.platform] : platformOf(ad),
  )
  const labels = [...new Set(named)].flatMap((name) => adPlatforms.filter((one) => one === name))
  return labels.length > 0 ? `ads of ${labels.map((one) => supplierRow(one).label).join(' and ')}` : 'ads'
}

function platformOf(record: unknown): string[] {
  const ad = readAdRecord(record)
  return 'platform' in ad ? [ad.platform] : []
}

/** The lists of ads that answers of libraries alone have, so that one is recognised when it is empty. */
const ownLists = [
  'ad_library_main',
  'search_results_connection',
  'collated_results',
  'materials',
  'ad_previews',
  'ad_creatives',
]

function adsWithin(record: unknown): unknown[] {
  try {
    const found = recordsIn(record, 0).filter((one) => isKnownForm(one) || isExported(one))
    const isEmptyAnswer =
      isRecord(record) &&
      JSON.stringify(record).length < 10_000 &&
      (adAnswers.some(({ is }) => is(record)) ||
        ownLists.some((name) => JSON.stringify(record).includes(`"${name}":`)))
    return found.length > 0 || !isEmptyAnswer ? found : [record]
  } catch (error) {
    if (error instanceof UnfitPayload) return []
    throw error
  }
}

const isExported = (record: unknown) => isRecord(record) && isExportedAd(record)

const emptyNote =
  'an answer without ads tells nothing by itself: libraries also answer so to whoever asks too often'

/** Rows of one ad as one, where a form has several for it. */
function joined(rows: readonly AdRow[]): readonly AdRow[] {
  return adForms.reduce((all, { is, joined: join }) => {
    const isSuch = ({ record }: AdRow) => isRecord(record) && is(record)
    if (!join || !all.some(isSuch)) return all
    const kept = new Map(join(all.filter(isSuch)).map((row) => [row.position, row]))
    return all.flatMap((row) => (isSuch(row) ? (kept.get(row.position) ?? []) : [row]))
  }, rows)
}

interface ReadRow {
  ads?: AdSighting[]
  rejected?: Rejection
  isWhole?: boolean
  hasUserProvided?: boolean
}

function readOne(position: string, record: unknown, context: ReadingContext): ReadRow {
  const ad = readAdRecord(record)
  return 'reason' in ad ? { rejected: { position, reason: reported(ad, context), record } } : { ads: [ad] }
}

function readExported(position: string, record: Record<string, unknown>, context: ReadingContext): ReadRow {
  try {
    const { ads, hasUserProvided } = observationsOf(record)
    if (ads.length > 0) return { ads, hasUserProvided, isWhole: true }
    const reason = 'only an account brought it, and no source showed it: whoever did can bring it again'
    return { rejected: { position, reason, record } }
  } catch (error) {
    if (!(error instanceof AdRefusal)) throw error
    const { reason, message } = error
    return { rejected: { position, reason: reported({ reason, message, archiveId: null }, context), record } }
  }
}

function newestOf(ads: readonly AdSighting[]): { madeAt?: Date } {
  const times = ads.map(({ observedAt }) => observedAt?.getTime() ?? 0)
  return times.length > 0 ? { madeAt: new Date(times.reduce((one, other) => Math.max(one, other))) } : {}
}

function reported({ reason, message }: RefusedAd, { fields }: ReadingContext): string {
  const [field = ''] = /^\w+/.exec(message) ?? []
  const [, value] = /is "(.*)"\.$/s.exec(message) ?? []
  const isForm = reason === 'impossible-date' && fields?.[field] !== undefined
  const map = reason === 'unknown-form' && !fields ? ' Other forms need a mapping: pass --map FILE.' : ''
  return `${reason}: ${isForm ? `${message.replace(/\.$/, '')}${nameForm(field, value)}.` : message}${map}`
}

const userProvidedInTable =
  'an account brought a part of it, and a table does not tell which: export it as NDJSON, and import that'

/** Each line is a record, or a whole answer; without a mapping, only tables of our own exports have known columns. */
function lineRows(payload: RawPayload, context: ReadingContext, from: number) {
  const { rows, rejected } = rowsOf(payload, context, from)
  if (context.layout === 'csv') {
    const ours = rows.flatMap(({ position, record }) => (isExportedRow(record) ? [{ position, record }] : []))
    if (ours.length < rows.length || ours.length === 0) {
      const table = adTable(rows)
      return { rows: table.rows, rejected: [...rejected, ...table.rejected] }
    }
    const brought = ours.filter(({ record }) => holdsUserProvided(record))
    rejected.push(...brought.map((row) => ({ ...row, reason: userProvidedInTable })))
    const shown = ours.filter(({ record }) => !holdsUserProvided(record))
    return { rows: shown.map(({ position, record }) => ({ position, record: adOfRow(record) })), rejected }
  }
  const records = rows.flatMap(({ position, record }): AdRow[] => {
    try {
      const found = adRecordsIn(record)
      const isOne = found.rows.length + found.rejected.length === 1
      const placed = <One extends { position: string }>(one: One): One => ({
        ...one,
        position: isOne ? position : `${position}, ${one.position}`,
      })
      rejected.push(...found.rejected.map(placed))
      return found.rows.map(placed)
    } catch (error) {
      if (!(error instanceof UnfitPayload)) throw error
      rejected.push({ position, reason: `unknown-form: ${error.message}`, record })
      return []
    }
  })
  return { rows: records, rejected }
}

function mappedRows(
  payload: RawPayload,
  context: ReadingContext,
  from: number,
): { rows: AdRow[]; rejected: Rejection[] } {
  const { rows, rejected } = rowsOf(payload, context, from)
  const held = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
  const mapped = rows.flatMap(({ position, record }): AdRow[] => {
    const ad = unlessUnreadable(() => mappedAdRecord(record, context, held))
    if (typeof ad !== 'string') return [{ position, record: ad }]
    rejected.push({ position, reason: `bad-value: ${ad}`, record })
    return []
  })
  return { rows: mapped, rejected }
}

/** Levels of nesting: a list of saved answers, each with its own list. */
const deepest = 8

/**
 * The records of a document: a record itself, a list of them, an answer of a library around its list, or a list of such
 * answers. Empty for an answer without records. An unreadable answer in a list is rejected by itself.
 * @throws UnfitPayload for an error answer, and for any other document
 */
function adRecordsIn(document: unknown): { rows: AdRow[]; rejected: Rejection[] } {
  const rows: AdRow[] = []
  const rejected: Rejection[] = []
  for (const [index, found] of recordsIn(document, 0).entries()) {
    const position = `record ${index + 1}`
    if (found instanceof Unreadable) rejected.push({ position, reason: found.reason, record: found.record })
    else rows.push({ position, record: found })
  }
  return { rows, rejected }
}

/** An answer among others that cannot be read. */
class Unreadable {
  readonly reason: string
  readonly record: unknown

  constructor(reason: string, record: unknown) {
    this.reason = reason
    this.record = record
  }
}

const unknown =
  'neither an ad, nor a list of ads, nor an answer of an ad library; other forms need a mapping: pass --map FILE'

function recordsIn(document: unknown, depth: number): unknown[] {
  if (depth > deepest) throw new UnfitPayload('answers within answers, nested too deep')
  if (Array.isArray(document))
    return document.flatMap((part) => {
      const list = isRecord(part) && !isKnownForm(part) && isAnswer(part)
      return list || Array.isArray(part) ? recordsOrWhyNot(part, depth + 1) : [part]
    })
  if (isKnownForm(document)) return [document]
  if (!isRecord(document)) throw new UnfitPayload(unknown)
  const error = errorIn(document)
  if (error) throw new UnfitPayload(error)
  const answer = adAnswers.find(({ is }) => is(document))
  if (answer) return [...answer.pageOf(document).records]
  const inner = listIn(document)
  if (inner === undefined) throw new UnfitPayload(unknown)
  return recordsIn(inner, depth + 1)
}

function recordsOrWhyNot(part: unknown, depth: number): unknown[] {
  try {
    return recordsIn(part, depth)
  } catch (error) {
    if (!(error instanceof UnfitPayload)) throw error
    return [new Unreadable(`unknown-form: ${error.message}`, part)]
  }
}

const isAnswer = (part: Record<string, unknown>) => errorIn(part) !== undefined || listIn(part) !== undefined

function listIn(document: Record<string, unknown>): unknown {
  const name = adLists.find((key) => typeof document[key] === 'object' && document[key] !== null)
  return name === undefined ? undefined : document[name]
}

/** The error an answer reports, whatever its status: libraries send errors with HTTP 200. */
function errorIn(document: Record<string, unknown>): string | undefined {
  const { error, errors, code, error_code, request_status = 'SUCCESS' } = document
  if (error_code !== undefined || request_status !== 'SUCCESS')
    return refusal(error_code, document.debug_message ?? document.display_message)
  const [first] = Array.isArray(errors) ? errors : [error]
  const reported = isRecord(first) ? first : typeof error === 'string' ? { message: error } : undefined
  if (reported && reported.code !== 'ok' && reported.code !== 0)
    return refusal(reported.code ?? reported.api_error_code, reported.message ?? reported.error_user_msg)
  if (typeof code === 'number' && code !== 0) return refusal(code, document.msg ?? document.message)
  return undefined
}

const refusal = (code: unknown, message: unknown) =>
  `the library answered with an error${code === undefined ? '' : ` ${shown(code).slice(0, 40)}`}: ${shown(message ?? 'no message').slice(0, 300)}`
