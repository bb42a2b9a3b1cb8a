import { isDeepStrictEqual } from 'node:util'
import { knownIdentities, type ReadingOfPayload, readingsOfPayloads } from '../domain/evidence/queries.ts'
import { payloadHash } from '../domain/evidence/reading.ts'
import type { FormatName } from '../ingest/formats.ts'
import { statedTime } from '../ingest/times.ts'
import type { Database } from '../storage/database.ts'
import type { ImportRequest } from './import-request.ts'
import type { Input } from './input-file.ts'
import type { Part } from './parts.ts'
import type { Piece } from './piece.ts'
import { contextOf, timeInFileName } from './read-piece.ts'

/** The stored reading of a piece: what parsing and storing it again would answer. */
export type KnownPiece = Pick<ReadingOfPayload, 'records' | 'timeBasis'>

/** Bytes of pieces that are looked up together: some 150 charts, or 8 pieces of long files. */
const lookedUpBytes = 4 * 1024 * 1024

/**
 * Recognises pieces that were imported before in the same way, and had nothing to be told about: they need not be parsed.
 * All others are left to the parser, also where it will find a reading that is stored. What comes in over a pipe may wait for its
 * sender at any place, so where one is among the inputs nothing is held back to be looked up together.
 */
export async function* recognised(
  db: Database,
  request: ImportRequest,
  inputs: readonly Input[],
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part & { known?: KnownPiece }> {
  if (!isRecognisable(request) || inputs.some(isPipe)) return yield* parts
  let gathered: Part[] = []
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

/** Files of other kinds are told about as a whole, or change before they are stored. */
const isRecognisable = ({ kind }: ImportRequest) => kind === 'charts' || kind === 'catalogue'

const isPipe = ({ isKept }: Input) => !isKept

async function* lookedUp(db: Database, request: ImportRequest, parts: readonly Part[]) {
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
        ? stored.get(hashes[index] ?? '')?.find((reading) => isReadAlike(reading, piece, input, request))
        : undefined
    yield known ? { ...part, known } : part
  }
}

/** Whether an import of the piece would lead to this very reading, with no record refused. */
function isReadAlike(reading: ReadingOfPayload, piece: Piece, input: Input, request: ImportRequest): boolean {
  const format = formatsOf(piece, request).find((name) => name === reading.format)
  if (!format || reading.rejected > 0 || reading.origin !== (request.origin ?? 'imported')) return false
  const named = timeInFileName(input, request)
  const context: unknown = JSON.parse(JSON.stringify(contextOf(piece, format, request, input, named)))
  return isDeepStrictEqual(reading.context, context) && isTimedAlike(reading, input, request, named)
}

/** The formats in which a piece is parsed without a note about it; between several the bytes decide. */
function formatsOf({ layout }: Piece, { kind, mapping, format }: ImportRequest): FormatName[] {
  if (kind === 'charts')
    return layout === 'document' && !mapping ? ['chart-feed', 'chart-rows'] : ['chart-rows']
  if (mapping) return ['app-rows']
  return layout === 'lines' ? [format === 'itunes-lookup' ? 'itunes-lookup' : 'itunes-search'] : []
}

/** Whether the time of the reading is what an import would find: see `timeOf` of pieces. */
function isTimedAlike(
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
