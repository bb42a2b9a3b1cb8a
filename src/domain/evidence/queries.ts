import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

export interface StoredReading {
  readingId: string
  format: string
  source: string
  origin: string
  country: string | null
  observedAt: Date
  timeBasis: string
  context: Record<string, unknown>
  content: Uint8Array
}

/** Which of these readings are stored already: their identities in hex. */
export async function knownIdentities(db: Database, identities: readonly string[]): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ identity: string }>`
      select encode(identity, 'hex') as identity
      from readings
      where identity in (select decode(value, 'hex') from json_array_elements_text(${JSON.stringify(identities)}::json))`,
  )
  return new Set(found.map((row) => row.identity))
}

/** One compressed payload at most is sent per statement, since drivers hold parameters in memory twice. */
export async function insertPayload(
  db: Database,
  payload: { hash: Uint8Array; content: Uint8Array; bytes: number },
): Promise<void> {
  await sql`
    insert into payloads (payload_hash, content, content_bytes)
    values (${payload.hash}, ${payload.content}, ${payload.bytes})
    on conflict (payload_hash) do nothing`.execute(db)
}

export interface NewReading {
  readingId: string
  payloadHash: string
  format: string
  source: string
  origin: string
  country: string | null
  observedAt: Date
  timeBasis: string
  context: Record<string, unknown>
  identity: string
  records: number
  rejected: number
}

export async function insertReadings(db: Database, readings: readonly NewReading[]): Promise<void> {
  await sql`
    insert into readings (reading_id, payload_hash, format, source, origin, country, observed_at, time_basis, context,
      identity, records, rejected)
    select r."readingId", decode(r."payloadHash", 'hex'), r.format, r.source, r.origin, r.country, r."observedAt",
      r."timeBasis", r.context, decode(r.identity, 'hex'), r.records, r.rejected
    from json_to_recordset(${JSON.stringify(readings)}::json) as r(
      "readingId" uuid, "payloadHash" text, format text, source text, origin text, country text,
      "observedAt" timestamptz, "timeBasis" text, context jsonb, identity text, records integer, rejected integer)
    on conflict (identity) do nothing`.execute(db)
}

/** Readings with their payloads in the order they were observed, after the given one. */
export function readingsAfter(
  db: Database,
  after: { observedAt: Date; readingId: string } | undefined,
  count: number,
): Promise<StoredReading[]> {
  const from = after ?? {
    observedAt: new Date(-8.64e15 / 2),
    readingId: '00000000-0000-0000-0000-000000000000',
  }
  return rows(
    db,
    sql<StoredReading>`
      select r.reading_id as "readingId", r.format, r.source, r.origin, r.country, r.observed_at as "observedAt",
        r.time_basis as "timeBasis", r.context, p.content
      from readings r join payloads p using (payload_hash)
      where (r.observed_at, r.reading_id) > (${from.observedAt}, ${from.readingId}::uuid)
      order by r.observed_at, r.reading_id
      limit ${count}`,
  )
}

export async function countReadings(db: Database): Promise<number> {
  const found = await rows(db, sql<{ count: number }>`select count(*)::int as count from readings`)
  return found[0]?.count ?? 0
}
