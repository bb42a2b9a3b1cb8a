import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { ensureMonths, monthOfId } from '../../storage/months.ts'
import { type Dictionary, type PackedPayload, type Payload, rawPayload } from './packed-payload.ts'
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

/** Columns of payloads, from which `withDictionaries` makes a `PackedPayload`. */
export const packedColumns = sql`
  content, to_char(month, 'YYYY-MM') as month, encode(dictionary_hash, 'hex') as "dictionaryHash"`

export interface Packed {
  content: Uint8Array
  /** `YYYY-MM`. */
  month: string
  /** In hex. */
  dictionaryHash: string | null
}

/** A payload that others are compressed with is not stored, as after a restore of a part of a store. */
class LostPayloadError extends Error {
  constructor(hash: string, month: string) {
    super(
      `The payload ${hash} of ${month}, which others of its month were packed with, is lost: restore the table "payloads" from a backup.`,
    )
  }
}

/** For `catch`: undefined where bytes were lost. @throws any other error */
export function unlessLost(error: unknown): undefined {
  if (!(error instanceof LostPayloadError)) throw error
}

interface NamedPayload {
  hash: string
  /** `YYYY-MM`. */
  month: string
}

const nameOf = ({ hash, month }: NamedPayload) => `${month} ${hash}`

/** Those of the payloads that are stored, by `nameOf`. */
async function payloadsOf(
  db: Database,
  named: readonly NamedPayload[],
): Promise<Map<string, Packed & { hash: string }>> {
  const sent = named.map(({ hash, month }) => ({ hash, month: `${month}-01` }))
  const found = await rows(
    db,
    sql<Packed & { hash: string }>`
      select encode(payload_hash, 'hex') as hash, ${packedColumns}
      from payloads where (payload_hash, month) in (
        select decode(hash, 'hex'), month
        from json_to_recordset(${JSON.stringify(sent)}::json) as named(hash text, month date))`,
  )
  return new Map(found.map((one) => [nameOf(one), one]))
}

/**
 * Adds to payloads what each was compressed with: a statement for each link of the longest chain, of which there are five at
 * most, unless the same bytes were stored again later.
 * @param known payloads that were read before, by `nameOf`
 * @throws LostPayloadError
 */
export async function withDictionaries<Row extends Packed>(
  db: Database,
  packed: readonly Row[],
  known = new Map<string, Packed & { hash: string }>(),
): Promise<(Omit<Row, 'month' | 'dictionaryHash'> & PackedPayload)[]> {
  const linkOf = ({ month, dictionaryHash }: Packed) =>
    dictionaryHash === null ? [] : [{ hash: dictionaryHash, month }]
  const links = new Map(known)
  for (let wanted = packed.flatMap(linkOf); wanted.length > 0; ) {
    const missing = new Map(wanted.filter((one) => !links.has(nameOf(one))).map((one) => [nameOf(one), one]))
    const found = missing.size > 0 ? await payloadsOf(db, [...missing.values()]) : new Map<string, never>()
    for (const [name, one] of missing) {
      const link = found.get(name)
      if (!link) throw new LostPayloadError(one.hash, one.month)
      links.set(name, link)
    }
    wanted = [...new Map(wanted.map((one) => [nameOf(one), one])).keys()].flatMap((name) =>
      linkOf(links.get(name) as Packed),
    )
  }
  const whole = new Map<string, PackedPayload>()
  const dictionaryOf = (row: Packed): PackedPayload | undefined => {
    const [link] = linkOf(row)
    if (!link) return undefined
    const made = whole.get(nameOf(link))
    if (made) return made
    const stored = links.get(nameOf(link)) as Packed
    const dictionary = { content: stored.content, dictionary: dictionaryOf(stored) }
    whole.set(nameOf(link), dictionary)
    return dictionary
  }
  return packed.map((row) => {
    const { month: _, dictionaryHash: __, ...rest } = row
    return { ...rest, dictionary: dictionaryOf(row) }
  })
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

/**
 * Stores new payloads in the partition of their readings' month, which is created for the readings as well, in one order
 * everywhere, so that writers cannot deadlock.
 */
export async function insertPayloads(
  db: Database,
  payloads: readonly (Payload & { readingId: string })[],
): Promise<void> {
  // All contents go as one value, which the driver sends as bytes; each is cut out of it.
  let at = 1
  const sent = payloads.map(({ readingId, hash, content, bytes, dictionary }) => {
    const from = at
    at += content.byteLength
    return {
      hash,
      month: `${monthOfId(readingId)}-01`,
      from,
      length: content.byteLength,
      bytes,
      dictionary: dictionary?.hash,
    }
  })
  const contents = Buffer.concat(payloads.map(({ content }) => content))
  await ensureMonths(
    db,
    ['payloads', 'readings'],
    payloads.map(({ readingId }) => monthOfId(readingId)),
  )
  await sql`
    insert into payloads (payload_hash, month, content, content_bytes, dictionary_hash)
    select decode(hash, 'hex'), month, substring(${contents}::bytea from "from" for length), bytes, decode(dictionary, 'hex')
    from json_to_recordset(${JSON.stringify(sent)}::json)
      as sent(hash text, month date, "from" integer, length integer, bytes integer, dictionary text)
    order by hash, month
    on conflict (payload_hash, month) do nothing`.execute(db)
}

/** The last payload of a subject and month, and what it depends on. */
export interface PayloadChain {
  /** Payloads of the subject and month since one was packed alone, itself not counted. */
  position: number
  /** What it was compressed with, the first packed alone, each with the one before it; itself last. */
  path: Dictionary[]
}

/**
 * What new payloads of these subjects, in hex, are compressed with in a month, `YYYY-MM`, by subject; without those of which
 * something was lost.
 */
export async function payloadChains(
  db: Database,
  month: string,
  subjects: readonly string[],
): Promise<Map<string, PayloadChain>> {
  if (subjects.length === 0) return new Map()
  const day = `${month}-01`
  const found = await rows(
    db,
    sql<{ subject: string; position: number; path: string[] }>`
      select encode(subject, 'hex') as subject, position, array(select encode(hash, 'hex') from unnest(path) hash) as path
      from payload_dictionaries
      where subject in (select decode(value, 'hex') from json_array_elements_text(${JSON.stringify(subjects)}::json))
        and month = ${day}::date`,
  )
  if (found.length === 0) return new Map()
  const stored = await payloadsOf(
    db,
    found.flatMap(({ path }) => path.map((hash) => ({ hash, month }))),
  )
  const packed = (await withDictionaries(db, [...stored.values()], stored).catch(unlessLost)) ?? []
  const byHash = new Map([...stored.values()].map(({ hash }, at) => [hash, packed[at]]))
  const chains = new Map<string, PayloadChain>()
  for (const { subject, position, path } of found) {
    const links = path.map(async (hash) => {
      const link = byHash.get(hash)
      return link && { hash, month, raw: await rawPayload(link) }
    })
    const read = (await Promise.allSettled(links)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    const whole = read.filter((one) => one !== undefined)
    if (whole.length === path.length) chains.set(subject, { position, path: whole })
  }
  return chains
}

/** Keeps the last payload of each subject, in hex, of a month, `YYYY-MM`; of several of one the last. */
export async function keepPayloadChains(
  db: Database,
  chains: readonly (PayloadChain & { subject: string; month: string })[],
): Promise<void> {
  if (chains.length === 0) return
  const last = new Map(
    chains.map(({ subject, month, position, path }) => [
      subject,
      {
        subject,
        month: `${month}-01`,
        position,
        path: `{${path.map(({ hash }) => `\\\\x${hash}`).join(',')}}`,
      },
    ]),
  )
  await sql`
    insert into payload_dictionaries (subject, month, position, path)
    select decode(subject, 'hex'), month, position, path::bytea[]
    from json_to_recordset(${JSON.stringify([...last.values()])}::json)
      as sent(subject text, month date, position smallint, path text)
    order by subject
    on conflict (subject) do update set month = excluded.month, position = excluded.position, path = excluded.path`.execute(
    db,
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
