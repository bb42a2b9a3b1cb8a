import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Origin, TimeBasis } from '../../vocabulary/provenance.ts'
import type { PackedPayload } from './packed-payload.ts'
import { type Packed, packedColumns, withDictionaries } from './payload-queries.ts'

/** A reading to be exported, with its stored payload. */
export interface ExportedReading extends PackedPayload {
  readingId: string
  /** The identity of the reading, in hex: equal for equal readings. */
  identity: string
  format: string
  origin: Origin
  country: string | null
  observedAt: Date
  timeBasis: TimeBasis
  context: Record<string, unknown>
  /** Size of the payload before compression. */
  bytes: number
}

/** The beginning of every line of an export, which no other file has. */
export const exportLinePrefix = '{"identity":"'

/** Selects the exported readings. */
interface ReadingFilter {
  formats: readonly string[]
  /** Whether to leave out readings whose search term is unknown. */
  ofTerms: boolean
}

/**
 * Readings after the given one, in the order they were stored, without withdrawn ones and those whose payload was removed.
 * Fewer than `count` when their payloads exceed `bytes`, but at least one while there are any.
 */
export async function exportedReadingsAfter(
  db: Database,
  { formats, ofTerms }: ReadingFilter,
  after: string | undefined,
  count: number,
  bytes: number,
): Promise<ExportedReading[]> {
  const later = after ? sql`reading_id > ${after}::uuid` : sql`true`
  const termKnown = ofTerms ? sql`context ? 'term'` : sql`true`
  const found = await rows(
    db,
    sql<Packed & ExportedReading>`
      select reading_id as "readingId", encode(identity, 'hex') as identity, format, origin, country,
        observed_at as "observedAt", time_basis as "timeBasis", context, ${packedColumns}, content_bytes as bytes
      from (
        select r.*, p.content, p.content_bytes, p.dictionary_hash,
          sum(p.content_bytes) over (order by r.reading_id) - p.content_bytes as before
        from (
          select * from readings r
          where ${later} and ${termKnown} and withdrawn_at is null
            and format in (select json_array_elements_text(${JSON.stringify(formats)}::json))
            and exists (select from payloads p where p.payload_hash = r.payload_hash and p.month = r.month)
          order by reading_id limit ${count}
        ) r
        join payloads p using (payload_hash, month)
      ) batch
      where before < ${bytes}
      order by reading_id`,
  )
  return withDictionaries(db, found)
}

/**
 * Texts are untrusted, and spreadsheets treat one that begins like this as a formula, also in full width, and after blanks
 * or invisible characters. Source: OWASP, "CSV Injection".
 */
const formula = /^'*[\s\p{Cf}]*[=+\-@\t\r\n＝＋－＠]/u

/** A text as a safe cell: prefixed with an apostrophe where a spreadsheet could treat it as a formula. */
export const escapeFormulaCell = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Reverses `escapeFormulaCell`. */
export const unescapeFormulaCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
