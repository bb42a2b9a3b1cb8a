import type { SourceName } from '../domain/evidence/reading.ts'
import { type AdRow, adRecordsIn } from './ad-records/ad-documents.ts'
import type { RefusedAd } from './ad-records/ad-refusal.ts'
import { mappedAdRecord } from './ad-records/mapped-record.ts'
import { readAdRecord } from './ad-records/read-ad-record.ts'
import type { Harvest, ReadingContext, Rejection } from './harvest.ts'
import { aroundOf, nameForm, unlessUnreadable } from './mapped-values.ts'
import { parseDocument, rowsOf, UnreadableError } from './rows.ts'

/** The ads of a file or an answer. @throws UnreadableError */
export function readAds(source: SourceName, bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const { rows, rejected } = context.fields
    ? mappedRows(bytes, context, from)
    : context.layout === 'document'
      ? adRecordsIn(parseDocument(bytes))
      : lineRows(bytes, context, from)
  const ads = []
  for (const { position, record } of rows) {
    const ad = readAdRecord(record)
    if ('reason' in ad) rejected.push({ position, reason: told(ad, context), record })
    else ads.push(ad)
  }
  return { source, sightings: [], charts: [], ads, rejected, records: ads.length + rejected.length }
}

function told({ reason, message }: RefusedAd, { fields }: ReadingContext): string {
  const [field = ''] = /^\w+/.exec(message) ?? []
  const [, value] = /is "(.*)"\.$/s.exec(message) ?? []
  const isForm = reason === 'impossible-date' && fields?.[field] !== undefined
  const map = reason === 'unknown-form' && !fields ? ' Other forms need a mapping: pass --map FILE.' : ''
  return `${reason}: ${isForm ? `${message.replace(/\.$/, '')}${nameForm(field, value)}.` : message}${map}`
}

/** Each line is a record, or a whole answer. */
function lineRows(bytes: Uint8Array, context: ReadingContext, from: number) {
  if (context.layout === 'csv') throw new UnreadableError('a table needs a mapping: pass --map FILE')
  const { rows, rejected } = rowsOf(bytes, context, from)
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
      if (!(error instanceof UnreadableError)) throw error
      rejected.push({ position, reason: `unknown-form: ${error.message}`, record })
      return []
    }
  })
  return { rows: records, rejected }
}

function mappedRows(
  bytes: Uint8Array,
  context: ReadingContext,
  from: number,
): { rows: AdRow[]; rejected: Rejection[] } {
  const { rows, rejected } = rowsOf(bytes, context, from)
  const held = { ...context.fallbacks, ...aroundOf(bytes, context), ...context.constants }
  const mapped = rows.flatMap(({ position, record }): AdRow[] => {
    const ad = unlessUnreadable(() => mappedAdRecord(record, context, held))
    if (typeof ad !== 'string') return [{ position, record: ad }]
    rejected.push({ position, reason: `bad-value: ${ad}`, record })
    return []
  })
  return { rows: mapped, rejected }
}
