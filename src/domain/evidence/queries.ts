import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { monthOfId } from '../../storage/months.ts'
import type { PackedPayload } from './packed-payload.ts'
import { type Packed, packedColumns, withDictionaries } from './payload-queries.ts'
import type { NamedReading, ProvidedBy } from './reading.ts'

export interface StoredReading extends PackedPayload {
  readingId: string
  /** `Reading.key`. */
  key: string
  format: string
  source: string
  origin: string
  country: string | null
  observedAt: Date
  timeBasis: string
  context: Record<string, unknown>
  broughtBy: ProvidedBy | null
}

/** The account that provided a reading; null where none did. @param readings the alias of the table in the statement */
const broughtBy = (readings: RawBuilder<unknown>) => sql`
  case when ${readings}.account_id is not null
    then json_build_object('accountId', ${readings}.account_id, 'door', ${readings}.door) end`

/** The accounts that provided these readings, where any did. */
export async function accountsThatProvided(
  db: Database,
  readingIds: readonly string[],
): Promise<ReadonlyMap<string, ProvidedBy>> {
  if (readingIds.length === 0) return new Map()
  const found = await rows(
    db,
    sql<{ readingId: string; broughtBy: ProvidedBy }>`
      select reading_id as "readingId", ${broughtBy(sql`r`)} as "broughtBy" from readings r
      where reading_id in (select json_array_elements_text(${JSON.stringify(readingIds)}::json)::uuid)
        and account_id is not null`,
  )
  return new Map(found.map((reading) => [reading.readingId, reading.broughtBy]))
}

/** The stored ones of these readings, by their ids. */
export async function readingsByIds(
  db: Database,
  readingIds: readonly string[],
): Promise<ReadonlyMap<string, NamedReading>> {
  if (readingIds.length === 0) return new Map()
  const found = await rows(
    db,
    sql<NamedReading>`
      select ${namedReadingColumns(sql`r`)} from readings r
      where reading_id in (select json_array_elements_text(${JSON.stringify(readingIds)}::json)::uuid)`,
  )
  return new Map(found.map((reading) => [reading.readingId, reading]))
}

/**
 * Stored readings with their payloads.
 * @param query selects the columns it is given of readings joined with their payloads
 */
export async function storedReadings(
  db: Database,
  query: (columns: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<StoredReading[]> {
  const columns = sql`
    reading_id as "readingId", reading_key as key, format, source, origin, country, observed_at as "observedAt", time_basis as "timeBasis",
    context, ${packedColumns}, case when account_id is not null
      then json_build_object('accountId', account_id, 'door', door) end as "broughtBy"`
  return withDictionaries(db, await rows(db, query(columns) as RawBuilder<Packed & StoredReading>))
}

/** The columns of a `NamedReading`. @param readings the alias of the table in the statement */
export const namedReadingColumns = (readings: RawBuilder<unknown>) =>
  sql`${readings}.reading_id as "readingId", ${readings}.source, ${readings}.origin, ${readings}.time_basis as "timeBasis"`

/** The columns of a `KeyedReading` for one of its records: a time other than the reading's was stated by the record. */
export const namedReadingAt = (readings: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  sql`${readings}.reading_id as "readingId", ${readings}.reading_key as key, ${readings}.source, ${readings}.origin,
  case when ${at} = ${readings}.observed_at then ${readings}.time_basis else 'payload' end as "timeBasis",
  ${broughtBy(readings)} as "broughtBy"`

/** The identities, in hex, of those of the readings that are already stored. */
export async function knownIdentities(db: Database, identities: readonly string[]): Promise<Set<string>> {
  if (identities.length === 0) return new Set()
  const found = await rows(
    db,
    sql<{ identity: string }>`
      select encode(identity, 'hex') as identity
      from reading_identities
      where identity in (select decode(value, 'hex') from json_array_elements_text(${JSON.stringify(identities)}::json))`,
  )
  return new Set(found.map((row) => row.identity))
}

/** A reading of a payload, by its identity. */
export interface ReadingOfPayload {
  /** SHA-256 of the bytes, in hex. */
  payloadHash: string
  /** In hex. */
  identity: string
  format: string
  origin: string
  observedAt: Date
  timeBasis: string
  context: Record<string, unknown>
  /** Number of records, including rejected ones. */
  records: number
  rejected: number
}

/** All readings of these payloads that are not user-provided, unordered. */
export async function readingsOfPayloads(db: Database, hashes: readonly string[]): Promise<ReadingOfPayload[]> {
  if (hashes.length === 0) return []
  return rows(
    db,
    sql<ReadingOfPayload>`
      select encode(payload_hash, 'hex') as "payloadHash", encode(identity, 'hex') as identity, format, origin,
        observed_at as "observedAt", time_basis as "timeBasis", context, records, rejected
      from readings
      where payload_hash = any(${hashes.map((hash) => `\\x${hash}`)}::bytea[]) and account_id is null`,
  )
}

export interface NewReading {
  readingId: string
  key: string
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
  broughtBy?: ProvidedBy | null
}

/**
 * Stores readings whose payloads are stored.
 * @returns the identities, in hex, of those that no other writer stored in the meantime
 */
export async function insertReadings(db: Database, readings: readonly NewReading[]): Promise<Set<string>> {
  const claimed = await claimIdentities(db, readings)
  const fresh = readings
    .filter(({ identity }) => claimed.has(identity))
    .map((reading) => ({ ...reading, month: `${monthOfId(reading.readingId)}-01` }))
  await sql`
    insert into readings (reading_id, payload_hash, month, format, source, origin, country, observed_at, time_basis, context,
      identity, reading_key, records, rejected, account_id, door)
    select r."readingId", decode(r."payloadHash", 'hex'), r.month, r.format, r.source, r.origin, r.country, r."observedAt",
      r."timeBasis", r.context, decode(r.identity, 'hex'), r.key, r.records, r.rejected,
      (r."broughtBy" ->> 'accountId')::uuid, r."broughtBy" ->> 'door'
    from json_to_recordset(${JSON.stringify(fresh)}::json) as r(
      "readingId" uuid, "payloadHash" text, month date, format text, source text, origin text, country text,
      "observedAt" timestamptz, "timeBasis" text, context jsonb, identity text, key text, records integer,
      rejected integer, "broughtBy" jsonb)`.execute(db)
  return claimed
}

/** The first writer to claim an identity stores the reading; a second one waits, and finds it claimed. */
async function claimIdentities(
  db: Database,
  readings: readonly Pick<NewReading, 'readingId' | 'identity'>[],
): Promise<Set<string>> {
  const sent = readings.map(({ readingId, identity }) => ({ readingId, identity }))
  const claimed = await rows(
    db,
    sql<{ identity: string }>`
      insert into reading_identities (identity, reading_id)
      select decode(identity, 'hex'), "readingId"
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent("readingId" uuid, identity text)
      order by identity
      on conflict (identity) do nothing
      returning encode(identity, 'hex') as identity`,
  )
  return new Set(claimed.map((row) => row.identity))
}

/** Selects the readings to derive from, without those already processed. */
interface ReadingsFilter {
  formats: readonly string[]
  /** Only those with greater ids. */
  after: string | undefined
  /** Skips ids in this table, among those from `from` on. */
  unless: { ids: RawBuilder<unknown>; from: string }
}

/**
 * Readings with their payloads, without withdrawn ones, in the order they were stored, which is that of their ids. Fewer
 * than `count` when their payloads exceed `bytes`, but at least one while there are any.
 */
export function readingsToDerive(
  db: Database,
  { formats, after, unless }: ReadingsFilter,
  count: number,
  bytes: number,
): Promise<StoredReading[]> {
  const later = after ? sql`reading_id > ${after}::uuid` : sql`true`
  return storedReadings(
    db,
    (columns) => sql`
      with known as materialized (select reading_id from ${unless.ids} where ${later})
      select ${columns}
      from (
        select r.*, p.content, p.dictionary_hash, sum(p.content_bytes) over (order by r.reading_id) - p.content_bytes as before
        from (
          select * from readings r
          where ${later} and withdrawn_at is null and format = any(${[...formats]}::text[])
            and (reading_id < ${unless.from}::uuid
              or not exists (select 1 from known where known.reading_id = r.reading_id))
          order by reading_id limit ${count}
        ) r
        join payloads p using (payload_hash, month)
      ) batch
      where before < ${bytes}
      order by reading_id`,
  )
}

/** The smallest id that a reading stored at a time can have. */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Readings withdrawn at a time or later, in the order they were stored. */
export function withdrawnSince(db: Database, since: Date): Promise<StoredReading[]> {
  return storedReadings(
    db,
    (columns) => sql`
      select ${columns} from readings join payloads using (payload_hash, month)
      where withdrawn_at >= ${since} order by reading_id`,
  )
}

export async function storedReadingOf(db: Database, readingId: string): Promise<StoredReading | undefined> {
  const [found] = await storedReadings(
    db,
    (columns) => sql`
      select ${columns}
      from readings join payloads using (payload_hash, month) where reading_id = ${readingId}::uuid`,
  )
  return found
}

/**
 * Takes the shared lock of writers of readings. A transaction that may store readings after taking other locks calls this
 * first.
 */
export async function lockReadingsForWriting(db: Database): Promise<void> {
  await sql`lock table readings in row exclusive mode`.execute(db)
}

/**
 * Takes the exclusive lock on readings: waits for writers, and blocks new ones until the transaction ends. Must be taken
 * before any other lock; taken later, it can deadlock.
 */
export async function lockReadings(db: Database): Promise<void> {
  await sql`lock table readings in share mode`.execute(db)
}

/** @param formats only readings of these; all when left out */
export async function countReadings(db: Database, formats?: readonly string[]): Promise<number> {
  const which = formats ? sql`format = any(${[...formats]}::text[])` : sql`true`
  const found = await rows(
    db,
    sql<{ count: number }>`select count(*)::int as count from readings where withdrawn_at is null and ${which}`,
  )
  return found[0]?.count ?? 0
}
