import type { AdSighting } from '../../domain/paid-ads/ad.ts'
import type { PayloadFormat } from '../format.ts'
import { aroundOf, nameForm, unlessUnreadable } from '../mapping/mapped-values.ts'
import { isExportedAd, observationsOf } from '../own/exported-ad.ts'
import { adOfRow, holdsBrought, isExportedRow, tableNote } from '../own/exported-table.ts'
import { mappedAdRecord } from '../own/mapped-ad.ts'
import type { ReadingContext, Rejection } from '../parsed-payload.ts'
import type { RawPayload } from '../raw-payload.ts'
import { rowsOf } from '../rows.ts'
import { UnfitPayload } from '../unfit-payload.ts'
import { unreadableIn } from '../unreadable.ts'
import { type AdRow, adRecordsIn } from './ad-documents.ts'
import { AdRefusal, type RefusedAd } from './ad-refusal.ts'
import { readAdRecord } from './read-ad-record.ts'

/** Paid ads of any known form, detected per record, or read by a mapping; also saved answers of ad libraries. */
export const adsFormat: PayloadFormat = {
  supplier: 'ads',
  isMappable: true,
  parse(payload, context, from) {
    const { rows, rejected } = context.fields
      ? mappedRows(payload, context, from)
      : context.layout === 'document'
        ? adRecordsIn(payload.document())
        : lineRows(payload, context, from)
    const found = rows.map((row) =>
      isExportedAd(row.record)
        ? readExported(row.position, row.record, context)
        : readOne(row.position, row.record, context),
    )
    const ads = found.flatMap((one) => one.ads ?? [])
    rejected.push(...found.flatMap((one) => one.rejected ?? []))
    const isTable = context.layout === 'csv' && !context.fields
    const withBrought = found.filter(({ hasBrought }) => hasBrought).length
    return {
      source: 'paid-ads-file',
      // Records from another store state the time of each observation.
      ...(found.length > 0 && found.every(({ isWhole }) => isWhole) ? newestOf(ads) : {}),
      ...{ sightings: [], charts: [], ads, rejected, records: ads.length + rejected.length },
      ...unreadableIn(ads),
      notes: [
        ...(withBrought > 0 ? [`of ${withBrought} of its ads, what accounts brought is left out`] : []),
        ...(isTable ? [tableNote] : []),
      ],
    }
  },
}

interface ReadRow {
  ads?: AdSighting[]
  rejected?: Rejection
  isWhole?: boolean
  hasBrought?: boolean
}

function readOne(position: string, record: unknown, context: ReadingContext): ReadRow {
  const ad = readAdRecord(record)
  return 'reason' in ad ? { rejected: { position, reason: reported(ad, context), record } } : { ads: [ad] }
}

function readExported(position: string, record: Record<string, unknown>, context: ReadingContext): ReadRow {
  try {
    const { ads, hasBrought } = observationsOf(record)
    if (ads.length > 0) return { ads, hasBrought, isWhole: true }
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

const broughtInTable =
  'an account brought a part of it, and a table does not tell which: export it as NDJSON, and import that'

/** Each line is a record, or a whole answer; without a mapping, only tables of our own exports have known columns. */
function lineRows(payload: RawPayload, context: ReadingContext, from: number) {
  const { rows, rejected } = rowsOf(payload, context, from)
  if (context.layout === 'csv') {
    const ours = rows.flatMap(({ position, record }) => (isExportedRow(record) ? [{ position, record }] : []))
    if (ours.length < rows.length || ours.length === 0)
      throw new UnfitPayload('a table needs a mapping: pass --map FILE')
    const brought = ours.filter(({ record }) => holdsBrought(record))
    rejected.push(...brought.map((row) => ({ ...row, reason: broughtInTable })))
    const shown = ours.filter(({ record }) => !holdsBrought(record))
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
