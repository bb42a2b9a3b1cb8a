import { basename } from 'node:path'
import { scrubTokens } from '../ingest/ads/scrub-tokens.ts'
import { isChartFeed } from '../ingest/apple/chart-feeds.ts'
import { isItunesAnswer } from '../ingest/apple/itunes.ts'
import { isSalesReport } from '../ingest/apple/sales-report.ts'
import { type FormatName, formats } from '../ingest/formats.ts'
import { withoutLater } from '../ingest/later-dates.ts'
import { parsePayload } from '../ingest/parse-payload.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import { presets } from '../ingest/posts/post-forms.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import type { ReadPayload } from '../ingest/read-payload.ts'
import { statedTime, timeInName } from '../ingest/times.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import type { TimeBasis } from '../vocabulary/provenance.ts'
import type { ImportOrder } from './import-order.ts'
import type { Input } from './input-file.ts'
import type { Piece } from './piece.ts'
import { toldByName } from './told-by-name.ts'

/** Reads one piece, or says why it is refused as a whole. */
export function readPiece(piece: Piece, input: Input, order: ImportOrder): ReadPayload | Rejection {
  try {
    const scrubs = order.kind === 'paid-ads'
    // Answers of ad libraries can hold the token of whoever asked.
    const payload = new RawPayload(scrubs ? scrubTokens(piece.bytes) : piece.bytes)
    const format = formatOf(piece, payload, order)
    const named = timeInFileName(input, order)
    const context = contextOf(piece, format, order, input, named)
    const parsed = parsePayload(format, payload, context, piece.from)
    const time = timeOf(parsed, input, order, named)
    if ('reason' in time) return time
    return {
      bytes: payload.bytes,
      format,
      context,
      origin: order.origin ?? 'imported',
      country: parsed.charts[0]?.country ?? context.country,
      ...time,
      parsed: withoutLater(parsed, time.observedAt, time.timeBasis),
    }
  } catch (error) {
    if (error instanceof UnfitPayload) return { position: `line ${piece.from}`, reason: error.message }
    throw error
  }
}

function formatOf(piece: Piece, payload: RawPayload, order: ImportOrder): FormatName {
  if (order.kind === 'sales') return salesFormatOf(piece, order)
  if (order.kind === 'organic') return 'organic-posts'
  if (order.kind === 'paid-ads') return 'paid-ads'
  if (order.kind === 'charts') {
    return piece.layout === 'document' && !order.mapping && isChartFeed(payload.document())
      ? 'chart-feed'
      : 'chart-rows'
  }
  if (order.mapping) return 'app-rows'
  if (piece.layout === 'csv') throw new UnfitPayload('a table needs a mapping: pass --map FILE')
  if (piece.layout === 'document' && !isItunesAnswer(payload.document()) && !order.format) {
    throw new UnfitPayload(
      'not an answer of the iTunes Search or Lookup API; other JSON needs a mapping: pass --map FILE',
    )
  }
  return order.format === 'itunes-lookup' ? 'itunes-lookup' : 'itunes-search'
}

function salesFormatOf(piece: Piece, order: ImportOrder): FormatName {
  const [header = ''] = piece.bytes
    .subarray(0, 16 * 1024)
    .toString('utf8')
    .split(/\r?\n/, 1)
  if (order.mapping || piece.layout !== 'csv' || !isSalesReport(header)) return 'sales-rows'
  if (piece.part > 1) throw new UnfitPayload('a sales report over 8 MiB; import it day by day')
  return 'asc-sales'
}

function contextOf(
  piece: Piece,
  format: FormatName,
  order: ImportOrder,
  input: Input,
  named: string | undefined,
): ReadingContext {
  const { mapping } = order
  const context: ReadingContext = {
    layout: piece.layout,
    country: order.country ?? (order.kind === 'catalogue' ? 'us' : null),
    ...(format === 'organic-posts' && order.format && order.format in presets ? { preset: order.format } : {}),
  }
  if (!formats[format].isMappable) return context
  const { chart, category, device } = order
  const told = format === 'chart-rows' ? { chart, category, device, capturedAt: order.observedAt ?? named } : {}
  const fallbacks = { ...defined(told), ...toldByName(mapping, input.name) }
  if (format === 'chart-rows' && order.observedAt) fallbacks.capturedAt = order.observedAt
  return {
    ...context,
    ...(format === 'chart-rows' && piece.part > 1 ? { continues: true as const } : {}),
    ...(mapping ? { fields: mapping.fields, constants: mapping.constants, document: mapping.document } : {}),
    ...(mapping?.separators ? { separators: mapping.separators } : {}),
    ...(mapping?.dates ? { dates: mapping.dates } : {}),
    ...(mapping?.list && piece.layout === 'document' ? { list: mapping.list } : {}),
    ...(Object.keys(fallbacks).length > 0 ? { fallbacks } : {}),
  }
}

function defined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The time the file name tells, as text: by the mapping's pattern, or the first date in it. */
function timeInFileName(input: Input, order: ImportOrder): string | undefined {
  const name = basename(input.name)
  const mapped = toldByName(order.mapping, name).capturedAt
  const time = mapped ? statedTime(mapped) : timeInName(name)
  return time?.day ?? time?.at.toISOString()
}

/** When a payload was observed, by the best that is known: told by the operator, the payload, its name, its file. */
function timeOf(
  parsed: ParsedPayload,
  input: Input,
  order: ImportOrder,
  named: string | undefined,
): { observedAt: Date; timeBasis: TimeBasis } | Rejection {
  const captures = parsed.charts.flatMap((chart) => (chart.capturedAt ? [chart.capturedAt] : []))
  const told = order.observedAt ? statedTime(order.observedAt)?.at : undefined
  const inName = named ? statedTime(named)?.at : undefined
  if (captures.length > 0) {
    const newest = captures.reduce((one, other) => (other > one ? other : one))
    const basis =
      newest.getTime() === told?.getTime()
        ? 'stated'
        : newest.getTime() === inName?.getTime()
          ? 'file-name'
          : 'payload'
    return { observedAt: newest, timeBasis: basis }
  }
  if (told) return { observedAt: told, timeBasis: 'stated' }
  if (parsed.madeAt) return { observedAt: parsed.madeAt, timeBasis: 'payload' }
  if (inName) return { observedAt: inName, timeBasis: 'file-name' }
  if (parsed.charts.length > 0) {
    return { position: 'document', reason: 'no capture time: give --observed-at, or a date in the file name' }
  }
  if (input.modifiedAt) return { observedAt: input.modifiedAt, timeBasis: 'file-modified' }
  return { observedAt: new Date(), timeBasis: 'clock' }
}
