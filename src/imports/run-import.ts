import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { payloadHash } from '../domain/evidence/packed-payload.ts'
import { knownIdentities, type ReadingOfPayload, readingsOfPayloads } from '../domain/evidence/queries.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { statedTime } from '../ingest/times.ts'
import { storeReadings } from '../projections/store-readings.ts'
import type { Database } from '../storage/database.ts'
import type { FormatName } from '../suppliers/formats.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { Batches } from './batches.ts'
import { CapturesTables } from './captures-table.ts'
import type { ImportKind, ImportRequest } from './import-request.ts'
import { type Input, inputsOf } from './input-file.ts'
import { type ImportProgress, type InputPart, inputParts } from './parts.ts'
import type { FilePiece } from './piece.ts'
import { readExported } from './read-exported.ts'
import { readPage } from './read-page.ts'
import { parserContextOf, readPiece, timeInFileName } from './read-piece.ts'
import { type RejectedLine, RejectionFile } from './rejections.ts'

/**
 * Counts of records: apps for a catalogue, places for charts and result pages, rows for sales, posts, ads. `read` is the sum of
 * all others.
 */
export interface ImportSummary {
  kind: ImportKind
  files: number
  read: number
  /** Records in new documents (files, or parts of them). */
  stored: number
  /** Records in documents that were stored before. */
  unchanged: number
  rejected: number
  /** Fields of accepted records that were present and could not be parsed, with their counts: they are "not measured". */
  unreadable: Record<string, number>
  /** Path of the rejected records; null when there are none. */
  rejectedFile: string | null
  /** The first of them, with the reason; null when there are none. */
  firstRejection: RejectedLine | null
  /** Files dated only by their modification time. */
  weaklyDated: number
  /**
   * Wrong claims of files about themselves, and parts that are not read, each with the name of its file; the first twenty.
   */
  notes: string[]
}

const mostNotes = 20

/**
 * Imports files of any size in bounded memory. Every payload is stored atomically with everything derived from it; a known
 * payload is skipped, so an interrupted import can simply be run again.
 * @throws when a file cannot be opened or the store fails; what was stored until then stays
 */
export async function runImport(
  db: Database,
  request: ImportRequest,
  onProgress: ImportProgress,
  signal?: AbortSignal,
): Promise<ImportSummary> {
  const found = await inputsOf(request.paths, request.directory, request.stdin)
  await using rejections = await RejectionFile.at(
    request.rejectedFile,
    found.map(({ name }) => name),
  )
  const summary: ImportSummary = {
    kind: request.kind,
    files: 0,
    read: 0,
    stored: 0,
    unchanged: 0,
    rejected: 0,
    unreadable: {},
    rejectedFile: null,
    firstRejection: null,
    weaklyDated: 0,
    notes: [],
  }
  const refuseIn = async (input: Input, rejection: Rejection) => {
    summary.rejected++
    await rejections.add(input.name, rejection)
  }
  const captures = new CapturesTables(refuseIn, (note) => summary.notes.push(note), request.encoding)
  const inputs = request.kind === 'search-results' ? await captures.takeFrom(found, request) : found
  summary.files = inputs.length
  const read = readerOf(request, captures)
  const store = new Batches(
    (payloads, turn) => storeReadings(db, payloads, turn),
    (batch, isNew) => {
      for (const [index, { parsed }] of batch.entries())
        summary[isNew[index] ? 'stored' : 'unchanged'] += parsed.records - parsed.rejected.length
    },
  )
  const weaklyDated = new Set<Input>()
  const parts = inputParts(inputs, request, onProgress)
  for await (const { input, piece, isExported, known } of recognised(db, request, inputs, parts)) {
    signal?.throwIfAborted()
    if (known) {
      summary.unchanged += known.records
      if (known.timeBasis === 'file-modified') weaklyDated.add(input)
    } else
      for await (const payload of readsOf({ input, piece, isExported }, request.kind, read)) {
        signal?.throwIfAborted()
        if ('reason' in payload) {
          await refuseIn(input, payload)
          continue
        }
        if (payload.timeBasis === 'file-modified') weaklyDated.add(input)
        for (const rejection of payload.parsed.rejected) await refuseIn(input, rejection)
        for (const [field, count] of Object.entries(payload.parsed.unreadable ?? {}))
          summary.unreadable[field] = (summary.unreadable[field] ?? 0) + count
        for (const note of payload.parsed.notes ?? [])
          if (summary.notes.length < mostNotes) summary.notes.push(`${basename(input.name)}: ${note}`)
        await store.add(payload)
      }
  }
  await store.end()
  summary.weaklyDated = weaklyDated.size
  summary.read = summary.stored + summary.unchanged + summary.rejected
  summary.rejectedFile = rejections.count > 0 ? request.rejectedFile : null
  summary.firstRejection = rejections.first
  if (rejections.written < rejections.count)
    summary.notes.push(
      `${request.rejectedFile}: holds the first ${rejections.written.toLocaleString('en')} of ${rejections.count.toLocaleString('en')} rejected records`,
    )
  return summary
}

/** What a part of a file holds, or why it is refused, with its position in the file. */
export async function* readsOf(
  { input, piece, isExported }: InputPart,
  kind: ImportKind,
  read: (piece: FilePiece, input: Input) => Promise<ParsedInput | Rejection>,
): AsyncGenerator<ParsedInput | Rejection> {
  if ('reason' in piece) return yield piece
  const placed = <One extends Rejection>(one: One): One =>
    piece.within ? { ...one, position: `${piece.within}, ${one.position}` } : one
  for await (const payload of isExported ? readExported(piece, kind) : [await read(piece, input)]) {
    if ('reason' in payload) yield placed(payload)
    else if (!piece.within) yield payload
    else yield { ...payload, parsed: { ...payload.parsed, rejected: payload.parsed.rejected.map(placed) } }
  }
}

/** How a piece is parsed: a saved page with the row of a captures table about it. */
export const readerOf =
  (request: ImportRequest, captures: CapturesTables) =>
  async (piece: FilePiece, input: Input): Promise<ParsedInput | Rejection> =>
    request.kind === 'search-results'
      ? readPage(piece, input, request, await captures.rowOf(input))
      : readPiece(piece, input, request)

/** The stored reading of a piece: what parsing and storing it again would answer. */
export type KnownPiece = Pick<ReadingOfPayload, 'records' | 'timeBasis'>

/** Bytes of pieces that are looked up together: some 150 charts, or 8 pieces of long files. */
const lookedUpBytes = 4 * 1024 * 1024

/**
 * Recognises pieces that were imported before in the same way and without remarks: they need not be parsed. All others are
 * parsed, even if their reading turns out to be stored. A pipe may block at any place, so where one is among the inputs
 * nothing is held back to be looked up together.
 */
async function* recognised(
  db: Database,
  request: ImportRequest,
  inputs: readonly Input[],
  parts: AsyncIterable<InputPart>,
): AsyncGenerator<InputPart & { known?: KnownPiece }> {
  if (!isRecognisable(request) || inputs.some(isPipe)) return yield* parts
  let gathered: InputPart[] = []
  let bytes = 0
  for await (const part of parts) {
    gathered.push(part)
    bytes += 'bytes' in part.piece ? part.piece.bytes.byteLength : 0
    if (bytes < lookedUpBytes) continue
    yield* lookedUp(db, request, gathered)
    gathered = []
    bytes = 0
  }
  yield* lookedUp(db, request, gathered)
}

/** Formats whose files have remarks about the whole file, or are changed before they are stored. */
const isRecognisable = ({ kind }: ImportRequest) => kind === 'charts' || kind === 'catalogue'

const isPipe = ({ isKept }: Input) => !isKept

async function* lookedUp(db: Database, request: ImportRequest, parts: readonly InputPart[]) {
  const hashes = parts.map(({ piece, isExported }) =>
    'bytes' in piece && !isExported ? payloadHash(piece.bytes) : undefined,
  )
  const readings = await readingsOfPayloads(
    db,
    hashes.filter((hash) => hash !== undefined),
  )
  const identities = await knownIdentities(
    db,
    readings.map(({ identity }) => identity),
  )
  const stored = Map.groupBy(
    readings.filter(({ identity }) => identities.has(identity)),
    ({ payloadHash }) => payloadHash,
  )
  for (const [index, part] of parts.entries()) {
    const { piece, input } = part
    const known =
      'bytes' in piece
        ? stored.get(hashes[index] ?? '')?.find((reading) => hasSameContext(reading, piece, input, request))
        : undefined
    yield known ? { ...part, known } : part
  }
}

/** Whether an import of the piece would lead to this very reading, with no record refused. */
function hasSameContext(
  reading: ReadingOfPayload,
  piece: FilePiece,
  input: Input,
  request: ImportRequest,
): boolean {
  const format = formatsOf(piece, request).find((name) => name === reading.format)
  if (!format || reading.rejected > 0 || reading.origin !== (request.origin ?? 'imported')) return false
  const named = timeInFileName(input, request)
  const context: unknown = JSON.parse(JSON.stringify(parserContextOf(piece, format, request, input, named)))
  return isDeepStrictEqual(reading.context, context) && hasSameTime(reading, input, request, named)
}

/** The formats in which a piece is parsed without a note about it; between several the bytes decide. */
function formatsOf({ layout }: FilePiece, { kind, mapping, format }: ImportRequest): FormatName[] {
  if (kind === 'charts')
    return layout === 'document' && !mapping ? ['chart-feed', 'chart-rows'] : ['chart-rows']
  if (mapping) return ['app-rows']
  return layout === 'lines' ? [format === 'itunes-lookup' ? 'itunes-lookup' : 'itunes-search'] : []
}

/** Whether the time of the reading is what an import would find: see `timeOf` of pieces. */
function hasSameTime(
  { observedAt, timeBasis }: ReadingOfPayload,
  { modifiedAt }: Input,
  request: ImportRequest,
  named: string | undefined,
): boolean {
  const isAt = (time: Date | undefined) => time?.getTime() === observedAt.getTime()
  if (request.observedAt) return timeBasis === 'stated' && isAt(statedTime(request.observedAt)?.at)
  if (timeBasis === 'payload') return true
  if (named) return timeBasis === 'file-name' && isAt(statedTime(named)?.at)
  return timeBasis === 'file-modified' && isAt(modifiedAt)
}
