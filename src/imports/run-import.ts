import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import type { Origin, TimeBasis } from '../domain/evidence/reading.ts'
import { isChartFeed } from '../sources/apple/chart-feeds.ts'
import { isItunesAnswer } from '../sources/apple/itunes.ts'
import type { Database } from '../storage/database.ts'
import type { Harvest, ReadingContext, Rejection } from './harvest.ts'
import { bytesOf, type Input, inputsOf, TruncatedError } from './input-file.ts'
import { fromFileName, type MappedKind, type Mapping } from './mapping.ts'
import { type Piece, piecesOf } from './pieces.ts'
import { type Format, readers } from './readers.ts'
import { RejectionFile } from './rejections.ts'
import { parseDocument, UnreadableError } from './rows.ts'
import { type ReadPayload, storeReadings } from './store-readings.ts'
import { statedTime, timeInName } from './times.ts'

export type ImportKind = MappedKind | 'organic' | 'paid-ads'

export interface ImportOrder {
  kind: ImportKind
  /** Paths relative to `directory`; `-` is standard input. */
  paths: readonly string[]
  directory: string
  stdin?: Readable
  /** Where rejected records are written. */
  rejectedFile: string
  country?: string
  /** RFC 3339 or a date. */
  observedAt?: string
  format?: ImportFormat
  mapping?: Mapping
  /** Charts only: for files that do not name their chart. */
  chart?: string
  category?: string
  device?: string
  origin?: Origin
}

export const importFormats = ['itunes-search', 'itunes-lookup', 'json', 'ndjson', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]

/** Counts of records: apps for a catalogue, places for charts. `read` is the sum of the other three. */
export interface ImportSummary {
  kind: ImportKind
  files: number
  read: number
  stored: number
  unchanged: number
  rejected: number
  /** Where rejected records stand; null when there are none. */
  rejectedFile: string | null
  /** Files whose time was known only by their modification time. */
  weaklyDated: number
}

export type ImportProgress = (done: number, total: number, file: string) => void

/** Records stored in one transaction: enough to be fast, few enough that readers of an embedded store wait briefly. */
const batchRecords = 500
/** Bytes after which a transaction is stored however few records it has: they are held in memory until then. */
const batchBytes = 16 * 1024 * 1024

/**
 * Imports files of any size in bounded memory. Every payload is stored with all that follows from it or not at all;
 * one stored before is passed over, so an import that was cut off is simply run again.
 * @throws when a file cannot be opened or the store fails; what was stored until then stays
 */
export async function runImport(
  db: Database,
  order: ImportOrder,
  onProgress: ImportProgress,
  signal?: AbortSignal,
): Promise<ImportSummary> {
  const inputs = await inputsOf(order.paths, order.directory, order.stdin)
  const total = inputs.reduce((sum, input) => sum + input.bytes, 0)
  await using rejections = new RejectionFile(order.rejectedFile)
  const summary: ImportSummary = {
    kind: order.kind,
    files: inputs.length,
    read: 0,
    stored: 0,
    unchanged: 0,
    rejected: 0,
    rejectedFile: null,
    weaklyDated: 0,
  }
  const store = new Batches(db, summary)
  let done = 0
  for (const input of inputs) {
    const refuse = async (rejection: Rejection) => {
      summary.rejected++
      await rejections.add(input.name, rejection)
    }
    const before = done
    const progress = (bytes: number) => {
      done += bytes
      onProgress(done, total, basename(input.name))
    }
    let weak = false
    for await (const payload of payloadsOf(input, order, progress, refuse)) {
      signal?.throwIfAborted()
      weak ||= payload.timeBasis === 'file-modified'
      for (const rejection of payload.harvest.rejected) await refuse(rejection)
      await store.add(payload)
    }
    if (weak) summary.weaklyDated++
    if (input.bytes > 0) done = before + input.bytes
    onProgress(done, total, basename(input.name))
  }
  await store.end()
  summary.read = summary.stored + summary.unchanged + summary.rejected
  summary.rejectedFile = rejections.count > 0 ? order.rejectedFile : null
  return summary
}

/** A place of a chart is a fifth of the work of an app: charts of one day show the same apps again and again. */
function weightOf({ sightings, charts }: Harvest): number {
  return charts.reduce((sum, chart) => sum + chart.storeIds.length / 5, sightings.length)
}

/** Payloads on their way into the store: while one batch is written, the next is read. */
class Batches {
  readonly #db: Database
  readonly #summary: ImportSummary
  #gathered: ReadPayload[] = []
  #records = 0
  #bytes = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Database, summary: ImportSummary) {
    this.#db = db
    this.#summary = summary
  }

  async add(payload: ReadPayload): Promise<void> {
    this.#gathered.push(payload)
    this.#records += weightOf(payload.harvest)
    this.#bytes += payload.bytes.byteLength
    if (this.#records >= batchRecords || this.#bytes >= batchBytes) await this.#write()
  }

  async end(): Promise<void> {
    await this.#write()
    await this.#writing
  }

  async #write(): Promise<void> {
    await this.#writing
    const batch = this.#gathered
    this.#gathered = []
    this.#records = 0
    this.#bytes = 0
    if (batch.length === 0) return
    this.#writing = storeReadings(this.#db, batch).then((fresh) => {
      for (const [index, payload] of batch.entries()) {
        const { records, rejected } = payload.harvest
        if (fresh[index]) this.#summary.stored += records - rejected.length
        else this.#summary.unchanged += records - rejected.length
      }
    })
    this.#writing.catch(() => {})
  }
}

async function* payloadsOf(
  input: Input,
  order: ImportOrder,
  progress: (bytes: number) => void,
  refuse: (rejection: Rejection) => Promise<void>,
): AsyncGenerator<ReadPayload> {
  try {
    const layout = layoutAsked(order.format)
    for await (const piece of piecesOf(bytesOf(input, progress), layout, order.mapping?.list)) {
      if ('reason' in piece) await refuse(piece)
      else {
        const payload = readPiece(piece, input, order)
        if ('reason' in payload) await refuse(payload)
        else yield payload
      }
    }
  } catch (error) {
    if (!(error instanceof TruncatedError)) throw error
    await refuse({ position: 'end of file', reason: error.message })
  }
}

function layoutAsked(format: ImportFormat | undefined) {
  if (format === 'csv') return 'csv'
  if (format === 'ndjson') return 'lines'
  return format ? 'document' : undefined
}

/** Reads one piece, or says why it is refused as a whole. */
function readPiece(piece: Piece, input: Input, order: ImportOrder): ReadPayload | Rejection {
  try {
    const format = formatOf(piece, order)
    const named = timeInFileName(input, order)
    const context = contextOf(piece, format, order, input, named)
    const harvest = readers[format](piece.bytes, context, piece.from)
    const time = timeOf(harvest, input, order, named)
    if ('reason' in time) return time
    return {
      bytes: piece.bytes,
      format,
      context,
      origin: order.origin ?? 'imported',
      country: harvest.charts[0]?.country ?? context.country,
      ...time,
      harvest,
    }
  } catch (error) {
    if (error instanceof UnreadableError) return { position: `line ${piece.from}`, reason: error.message }
    throw error
  }
}

function formatOf(piece: Piece, order: ImportOrder): Format {
  if (order.kind === 'organic') return 'organic-posts'
  if (order.kind === 'paid-ads') return 'paid-ads'
  if (order.kind === 'charts') {
    return piece.layout === 'document' && !order.mapping && isChartFeed(parseDocument(piece.bytes))
      ? 'chart-feed'
      : 'chart-rows'
  }
  if (order.mapping) return 'app-rows'
  if (piece.layout === 'csv') throw new UnreadableError('a table needs a mapping: pass --map FILE')
  if (piece.layout === 'document' && !isItunesAnswer(parseDocument(piece.bytes)) && !order.format) {
    throw new UnreadableError(
      'not an answer of the iTunes Search or Lookup API; other JSON needs a mapping: pass --map FILE',
    )
  }
  return order.format === 'itunes-lookup' ? 'itunes-lookup' : 'itunes-search'
}

function contextOf(
  piece: Piece,
  format: Format,
  order: ImportOrder,
  input: Input,
  named: string | undefined,
): ReadingContext {
  const { mapping } = order
  const context: ReadingContext = {
    layout: piece.layout,
    country: order.country ?? (order.kind === 'charts' ? null : 'us'),
  }
  if (format !== 'chart-rows' && format !== 'app-rows') return context
  const { chart, category, device } = order
  const told = format === 'chart-rows' ? { chart, category, device, capturedAt: order.observedAt ?? named } : {}
  const fallbacks = { ...defined(told), ...(mapping ? fromFileName(mapping, basename(input.name)) : {}) }
  if (format === 'chart-rows' && order.observedAt) fallbacks.capturedAt = order.observedAt
  return {
    ...context,
    ...(format === 'chart-rows' && piece.part > 1 ? { continues: true as const } : {}),
    ...(mapping ? { fields: mapping.fields, constants: mapping.constants, document: mapping.document } : {}),
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
  const mapped = order.mapping ? fromFileName(order.mapping, name).capturedAt : undefined
  const time = mapped ? statedTime(mapped) : timeInName(name)
  return time?.day ?? time?.at.toISOString()
}

/** When a payload was observed, by the best that is known: told by the operator, the payload, its name, its file. */
function timeOf(
  harvest: Harvest,
  input: Input,
  order: ImportOrder,
  named: string | undefined,
): { observedAt: Date; timeBasis: TimeBasis } | Rejection {
  const captures = harvest.charts.flatMap((chart) => (chart.capturedAt ? [chart.capturedAt] : []))
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
  if (harvest.madeAt) return { observedAt: harvest.madeAt, timeBasis: 'payload' }
  if (inName) return { observedAt: inName, timeBasis: 'file-name' }
  if (harvest.charts.length > 0) {
    return { position: 'document', reason: 'no capture time: give --observed-at, or a date in the file name' }
  }
  if (input.modifiedAt) return { observedAt: input.modifiedAt, timeBasis: 'file-modified' }
  return { observedAt: new Date(), timeBasis: 'clock' }
}
