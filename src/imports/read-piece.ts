import { basename } from 'node:path'
import { scrubTokens } from '../ingest/ads/scrub-tokens.ts'
import { dated, lacksYear } from '../ingest/mapping/mapped-values.ts'
import { fromFileName, type Mapping } from '../ingest/mapping/mapping.ts'
import type { ParsedPayload, ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { isSalesReport } from '../ingest/sales-days.ts'
import { namesPublication, statedTime, timeInName } from '../ingest/times.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { pageSubject } from '../suppliers/apple/app-page.ts'
import { isChartFeed } from '../suppliers/apple/chart-feeds.ts'
import { itunesResults } from '../suppliers/apple/itunes.ts'
import { type FormatName, formats, parsePayload } from '../suppliers/formats.ts'
import { madeOn } from '../suppliers/own-files/keyword-ranks.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { presets } from '../suppliers/post-forms.ts'
import { withoutLater } from '../suppliers/reparse.ts'
import { isRankTool } from '../vocabulary/keyword-rank-tools.ts'
import type { TimeBasis } from '../vocabulary/provenance.ts'
import { otherLanguageOf } from '../vocabulary/read-language.ts'
import { storefrontOf, supportedLocalizations } from '../vocabulary/storefronts.ts'
import type { ImportRequest } from './import-request.ts'
import type { Input } from './input-file.ts'
import type { FilePiece } from './piece.ts'

/** Parses one piece, or says why it is refused as a whole. */
export function readPiece(piece: FilePiece, input: Input, request: ImportRequest): ParsedInput | Rejection {
  try {
    const scrubs = request.kind === 'paid-ads'
    // Answers of ad libraries can contain the caller's token.
    const payload = new RawPayload(scrubs ? scrubTokens(piece.bytes) : piece.bytes)
    const format = formatOf(piece, payload, request)
    const named = timeInFileName(input, request)
    const context = parserContextOf(piece, format, request, input, named)
    const parsed = withNote(untilNow(parsePayload(format, payload, context, piece.from)), context)
    const time = timeOf(parsed, input, request, named)
    if ('reason' in time) return time
    return {
      bytes: payload.bytes,
      format,
      context,
      origin: request.origin ?? 'imported',
      country: listsIn(parsed)[0]?.country ?? context.country,
      ...time,
      parsed: withoutLater(parsed, time.observedAt, time.timeBasis),
    }
  } catch (error) {
    if (error instanceof UnfitPayload) return { position: `line ${piece.from}`, reason: error.message }
    throw error
  }
}

/** Says so where the storefront does not support the language: allowed, since Apple's table changes. */
function withNote(parsed: ParsedPayload, { country, language }: ReadingContext): ParsedPayload {
  if (!language || !country || supportedLocalizations(country).some((one) => one === language)) return parsed
  const note = `"${language}" is not among the localizations that Apple names for "${country}"; it is kept all the same`
  return { ...parsed, notes: [...(parsed.notes ?? []), note] }
}

/** Ranks of days to come are refused: the newest day of a file is its time. */
function untilNow(parsed: ParsedPayload): ParsedPayload {
  if (!parsed.toolRanks) return parsed
  const past = withoutLater(parsed, new Date(), 'stated')
  return past === parsed ? parsed : { ...past, ...madeOn(past.toolRanks ?? []) }
}

function formatOf(piece: FilePiece, payload: RawPayload, request: ImportRequest): FormatName {
  if (request.kind === 'sales') return salesFormatOf(piece, request)
  if (request.kind === 'organic') return 'organic-posts'
  if (request.kind === 'keyword-ranks') return 'keyword-rank-rows'
  if (request.kind === 'paid-ads') return 'paid-ads'
  if (request.kind === 'charts') {
    return piece.layout === 'document' && !request.mapping && isChartFeed(payload.document())
      ? 'chart-feed'
      : 'chart-rows'
  }
  const isPage = piece.layout === 'document' && isSavedPage(piece.bytes)
  if (request.language && (request.mapping || piece.layout === 'csv'))
    throw new UnfitPayload('--language is for saved pages and answers of Apple, not for tables')
  if (isPage && !request.mapping) return 'app-page'
  if (request.mapping) return 'app-rows'
  if (piece.layout === 'csv') throw new UnfitPayload('a table needs a mapping: pass --map FILE')
  if (piece.layout === 'document' && !itunesResults(payload.document()) && !request.format) {
    throw new UnfitPayload(
      'not an answer of the iTunes Search or Lookup API; other JSON needs a mapping: pass --map FILE',
    )
  }
  return request.format === 'itunes-lookup' ? 'itunes-lookup' : 'itunes-search'
}

function salesFormatOf(piece: FilePiece, request: ImportRequest): FormatName {
  const [header = ''] = piece.bytes
    .subarray(0, 16 * 1024)
    .toString('utf8')
    .split(/\r?\n/, 1)
  // Rows of one day in two pieces would not be added up.
  if (piece.part > 1) throw new UnfitPayload('a table of sales over 8 MiB; import it day by day')
  return request.mapping || piece.layout !== 'csv' || !isSalesReport(header) ? 'sales-rows' : 'asc-sales'
}

/** What the parser of a piece must know beside its bytes. */
export function parserContextOf(
  piece: FilePiece,
  format: FormatName,
  request: ImportRequest,
  input: Input,
  named: string | undefined,
): ReadingContext {
  const { mapping } = request
  const page = format === 'app-page' ? pageSubject(piece.bytes) : {}
  const country = request.country ?? page.country ?? (request.kind === 'catalogue' ? 'us' : null)
  const language = request.language ?? (country && page.lang && otherLanguageOf(page.lang, country))
  const isOther = language && country && storefrontOf(country).language !== language
  const context: ReadingContext = {
    layout: piece.layout,
    country,
    ...(page.storeId ? { storeId: page.storeId } : {}),
    ...(isOther ? { language } : {}),
    ...(namesRecords(format, request.format) ? { preset: request.format } : {}),
  }
  if (!formats[format].isMappable) return context
  const { chart, category, device, app, requested } = request
  const day = request.observedAt ?? named
  const reported =
    format === 'chart-rows'
      ? { chart, category, device, capturedAt: day }
      : format === 'keyword-rank-rows'
        ? { storeId: app, device, requested: requested?.toString(), day }
        : {}
  const fallbacks = { ...defined(reported), ...valuesFromFileName(mapping, input.name) }
  if (format === 'chart-rows' && request.observedAt) fallbacks.capturedAt = request.observedAt
  return {
    ...context,
    ...(format === 'chart-rows' && piece.part > 1 ? { continues: true as const } : {}),
    ...(mapping ? { fields: mapping.fields, constants: mapping.constants, document: mapping.document } : {}),
    ...(mapping?.separators ? { separators: mapping.separators } : {}),
    ...(mapping?.dates ? { dates: mapping.dates } : {}),
    ...(mapping?.numbers ? { numbers: mapping.numbers } : {}),
    ...(mapping?.list && piece.layout === 'document' ? { list: mapping.list } : {}),
    ...(Object.keys(fallbacks).length > 0 ? { fallbacks } : {}),
  }
}

const isSavedPage = (bytes: Uint8Array) =>
  Buffer.from(bytes.subarray(0, 1024)).toString('utf8').trimStart().startsWith('<') &&
  Buffer.from(bytes).includes('serialized-server-data')

/** Whether the format that was asked for is the form of the records, and not the layout of the file. */
const namesRecords = (format: FormatName, asked: ImportRequest['format']): asked is NonNullable<typeof asked> =>
  asked !== undefined &&
  ((format === 'organic-posts' && asked in presets) || (format === 'keyword-rank-rows' && isRankTool(asked)))

function defined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The time in the file name, as text: by the mapping's pattern, or the first date in it. */
export function timeInFileName(input: Input, request: ImportRequest): string | undefined {
  const name = basename(input.name)
  if (request.kind === 'organic' && namesPublication(name)) return undefined
  const mapped = valuesFromFileName(request.mapping, name).capturedAt
  const time = mapped ? statedTime(mapped) : timeInName(name)
  return time?.day ?? time?.at.toISOString()
}

const listsIn = ({ charts, listRanks = [] }: ParsedPayload) => [...charts, ...listRanks]

/**
 * When a payload was observed, from the best evidence: the operator, the payload, the file name, the file's modification
 * time.
 */
function timeOf(
  parsed: ParsedPayload,
  input: Input,
  request: ImportRequest,
  named: string | undefined,
): { observedAt: Date; timeBasis: TimeBasis } | Rejection {
  const lists = listsIn(parsed)
  const captures = lists.flatMap(({ capturedAt }) => (capturedAt ? [capturedAt] : []))
  const reported = request.observedAt ? statedTime(request.observedAt)?.at : undefined
  const inName = named ? statedTime(named)?.at : undefined
  if (captures.length > 0) {
    const newest = captures.reduce((one, other) => (other > one ? other : one))
    const basis =
      newest.getTime() === reported?.getTime()
        ? 'stated'
        : newest.getTime() === inName?.getTime()
          ? 'file-name'
          : 'payload'
    return { observedAt: newest, timeBasis: basis }
  }
  if (reported) return { observedAt: reported, timeBasis: 'stated' }
  if (parsed.madeAt) return { observedAt: parsed.madeAt, timeBasis: 'payload' }
  // Without a rank there is nothing whose time matters.
  if (parsed.toolRanks) return { observedAt: new Date(), timeBasis: 'clock' }
  if (inName) return { observedAt: inName, timeBasis: 'file-name' }
  if (lists.length > 0) {
    return { position: 'document', reason: 'no capture time: give --observed-at, or a date in the file name' }
  }
  if (input.modifiedAt) return { observedAt: input.modifiedAt, timeBasis: 'file-modified' }
  return { observedAt: new Date(), timeBasis: 'clock' }
}

/**
 * The values that a mapping extracts from a file name, by field; dates in the formats it names. A format without a year
 * uses the year of a date in the name.
 * @throws UnfitPayload for a date in none of its formats
 */
export function valuesFromFileName(mapping: Mapping | undefined, file: string): Record<string, string> {
  if (!mapping) return {}
  const name = basename(file)
  const groups = fromFileName(mapping, name)
  const inName = lacksYear(mapping) ? timeInName(name)?.at.getUTCFullYear() : undefined
  const year = groups.year ?? mapping.constants.year ?? inName?.toString()
  return {
    ...Object.fromEntries(
      Object.entries(groups).map(([field, text]) => [field, String(dated(field, text, mapping, year))]),
    ),
    ...(year === undefined ? {} : { year }),
  }
}
