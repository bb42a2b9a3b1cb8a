import { z } from 'zod'
import { exportLinePrefix } from '../domain/evidence/exported-reading.ts'
import { decompressPayload } from '../domain/evidence/packed-payload.ts'
import type { ReadingContext, Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { type Row, rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { type ExportedFormat, type ExportedKind, exportedFormats } from '../projections/projections.ts'
import { parsePayload } from '../suppliers/formats.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { didYouMeanCountry } from '../vocabulary/did-you-mean-country.ts'
import { storeIdForm } from '../vocabulary/ids.ts'
import { origins, timeBases } from '../vocabulary/provenance.ts'
import { isLocalization, isStorefront } from '../vocabulary/storefronts.ts'
import type { ImportKind } from './import-request.ts'
import type { FilePiece } from './piece.ts'
import { largestDocument } from './pieces.ts'

const Texts = z.record(z.string(), z.string())
const Lists = z.record(z.string(), z.array(z.string()))

/** Fields of the `ReadingContext` of answers about apps: all but those of ads, posts and inline records. */
const contextFields = {
  layout: z.enum(['document', 'lines', 'csv']),
  continues: z.literal(true).optional(),
  country: z.string().nullable(),
  fields: Texts.optional(),
  constants: Texts.optional(),
  fallbacks: Texts.optional(),
  term: z.string().optional(),
  requested: z.int().positive().optional(),
  capturedNotAfter: z.iso.datetime().optional(),
  chart: z
    .strictObject({ country: z.string(), kind: z.string(), categoryId: z.int(), device: z.string() })
    .optional(),
  storeId: z.string().optional(),
  // Far more than a lookup asks for.
  storeIds: z.array(z.string().regex(storeIdForm)).max(1_000).optional(),
  notFound: z.literal(true).optional(),
  language: z.string().optional(),
  list: z.string().optional(),
  document: Texts.optional(),
  separators: Lists.optional(),
  dates: Lists.optional(),
  numbers: Texts.optional(),
} satisfies Record<Exclude<keyof ReadingContext, 'adSearch' | 'run' | 'preset'>, z.ZodType>
const Context = z.strictObject(contextFields)

/** A line as written by `rivalscope export catalogue` and `result-pages`. */
const ExportedLine = z.strictObject({
  identity: z.string().regex(/^[0-9a-f]{64}$/),
  format: z.enum(Object.values(exportedFormats).flat() as [ExportedFormat, ...ExportedFormat[]]),
  origin: z.enum(origins),
  country: z.string().nullable(),
  observedAt: z.iso.datetime(),
  timeBasis: z.enum(timeBases),
  context: Context,
  payload: z.string().optional(),
  packed: z.base64().optional(),
})

/** The export that each kind of import accepts. */
const takenBack: Partial<Record<ImportKind, ExportedKind>> = {
  catalogue: 'catalogue',
  'search-results': 'result-pages',
}

/** A piece cut from a long document can be slightly over its limit. */
const mostUnpacked = 2 * largestDocument

/** Tolerance for wrong clocks, and for a date in any time zone. */
const dayAndZone = 36 * 3_600_000

/** Whether a file begins like an export of readings, and its bytes from the start. */
export async function peekForExport(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < exportLinePrefix.length) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const bytes = async function* () {
    try {
      if (head.length > 0) yield head
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  return { isExported: isExported(head), bytes: bytes() }
}

const isExported = (bytes: Buffer) =>
  bytes.subarray(0, exportLinePrefix.length).toString('latin1') === exportLinePrefix

/** The readings in a piece of an export, each as it was stored, or why it is refused. */
export async function* readExported(
  piece: FilePiece,
  kind: ImportKind,
): AsyncGenerator<ParsedInput | Rejection> {
  const { rows, rejected } = rowsOf(new RawPayload(piece.bytes), { layout: 'lines', country: null }, piece.from)
  yield* rejected
  for (const row of rows) {
    try {
      yield await readingIn(row, kind)
    } catch (error) {
      if (!(error instanceof UnfitPayload)) throw error
      yield { position: row.position, reason: error.message }
    }
  }
}

/** @throws UnfitPayload */
async function readingIn({ position, record }: Row, kind: ImportKind): Promise<ParsedInput> {
  const line = ExportedLine.safeParse(record)
  if (!line.success) {
    const issue = line.error.issues[0]
    throw new UnfitPayload(`not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`)
  }
  const { identity, format, origin, country, timeBasis } = line.data
  const taken = takenBack[kind]
  if (!taken || !(exportedFormats[taken] as readonly ExportedFormat[]).includes(format))
    throw new UnfitPayload(`a reading of "${format}": import ${importOf(format)} reads it`)
  for (const named of [country, line.data.context.country])
    if (named !== null && !isStorefront(named))
      throw new UnfitPayload(`"${named}" is not an App Store country${didYouMeanCountry(named)}`)
  const { language } = line.data.context
  if (language !== undefined && !isLocalization(language))
    throw new UnfitPayload(`"${language}" is not a localization of the App Store`)
  const observedAt = new Date(line.data.observedAt)
  if (observedAt.getTime() > Date.now() + dayAndZone)
    throw new UnfitPayload(`${line.data.observedAt} lies in the future`)
  const bytes = await payloadOf(line.data)
  // The schema matches the interface, except for the names of charts, which parsers only compare.
  const context = line.data.context as ReadingContext
  const parsed = parsePayload(format, bytes, context)
  const rejected = parsed.rejected.map((refused) => ({
    ...refused,
    position: `${position}, ${refused.position}`,
  }))
  return {
    identity,
    bytes,
    format,
    context,
    origin,
    country,
    observedAt,
    timeBasis,
    parsed: { ...parsed, rejected },
  }
}

const importOf = (format: ExportedFormat) =>
  (exportedFormats.catalogue as readonly ExportedFormat[]).includes(format) ? 'catalogue' : 'search-results'

async function payloadOf({ payload, packed }: z.infer<typeof ExportedLine>): Promise<Uint8Array> {
  if (payload !== undefined) return Buffer.from(payload)
  if (packed === undefined) throw new UnfitPayload('it holds no payload')
  try {
    return await decompressPayload(Buffer.from(packed, 'base64'), mostUnpacked)
  } catch {
    throw new UnfitPayload('its payload cannot be unpacked')
  }
}
