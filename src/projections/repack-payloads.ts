import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { compressPayload, payloadHash, rawPayload } from '../domain/evidence/packed-payload.ts'
import {
  type Packed,
  type PayloadChain,
  packedColumns,
  withDictionaries,
} from '../domain/evidence/payload-queries.ts'
import { lockReadingsForWriting, type StoredReading, storedReadings } from '../domain/evidence/queries.ts'
import type { ReadingContext } from '../ingest/parsed-payload.ts'
import { type Database, firstRow, inTransaction, rows } from '../storage/database.ts'
import { idsOfMonth } from '../storage/months.ts'
import type { FormatName } from '../suppliers/formats.ts'
import { reparse } from '../suppliers/reparse.ts'
import { nextOf, subjectOf } from './pack-payloads.ts'

/** Readings that are looked at together. */
const atATime = 20

/** Months that were stored before payloads were packed with each other, `YYYY-MM`, oldest first, of those that ended days ago. */
export async function monthsToRepack(db: Database, now: Date, daysToSettle: number): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ month: string }>`
      select to_char(month, 'YYYY-MM') as month from payload_months_to_pack
      where month + interval '1 month' < ${now}::timestamptz at time zone 'UTC' - make_interval(days => ${daysToSettle})
      order by 1`,
  )
  return found.map(({ month }) => month)
}

/** A month is packed, and its table without free space. */
export async function removeMonthToRepack(db: Database, month: string): Promise<void> {
  await sql`delete from payload_months_to_pack where month = ${`${month}-01`}::date`.execute(db)
}

/**
 * Packs the payloads of a month with each other, as new ones are: each in a transaction of its own, so that an interruption loses
 * nothing, and a second run does the rest. What others were packed with stays as it is, so that none depends on itself. Works half
 * of the time: others use the machine as well.
 * @returns whether it was done; false where another process is at it
 */
export function repackPayloads(db: Database, month: string, signal: AbortSignal): Promise<boolean> {
  return inTransaction(db, async (held) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
    const turn = await firstRow(
      held,
      sql<{
        free: boolean
      }>`select pg_try_advisory_xact_lock(hashtext('rivalscope payloads of months')) as free`,
    )
    if (!turn?.free) return false
    const used = await usedAsDictionaries(db, month)
    for (const hashes of (await hashesBySubject(db, month, signal)).values()) {
      let chain: PayloadChain | undefined
      for (const hash of hashes)
        await atHalfSpeed(signal, async () => {
          chain = await repack(db, { hash, month }, chain, used.has(hash))
        })
    }
    return true
  })
}

/** Hashes of the payloads of a month that others were packed with. */
async function usedAsDictionaries(db: Database, month: string): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ hash: string }>`
      select distinct encode(dictionary_hash, 'hex') as hash from payloads
      where month = ${`${month}-01`}::date and dictionary_hash is not null`,
  )
  return new Set(found.map(({ hash }) => hash))
}

/** Hashes of the payloads of a month that are packed alone, in the order they were stored, by subject. */
async function hashesBySubject(
  db: Database,
  month: string,
  signal: AbortSignal,
): Promise<Map<string, Set<string>>> {
  const { from, before } = idsOfMonth(month)
  const found = new Map<string, Set<string>>()
  let batch: StoredReading[] = []
  do {
    const after = batch.at(-1)?.readingId
    batch = await storedReadings(
      db,
      (columns) => sql`
        select ${columns} from readings join payloads using (payload_hash, month)
        where month = ${`${month}-01`}::date and dictionary_hash is null
          and reading_id >= ${from}::uuid and reading_id < ${before}::uuid and ${after ? sql`reading_id > ${after}::uuid` : sql`true`}
        order by reading_id limit ${atATime}`,
    )
    for (const stored of batch)
      await atHalfSpeed(signal, async () => {
        const { hash, subject } = await subjectOfStored(stored)
        if (subject !== undefined) found.set(subject, (found.get(subject) ?? new Set()).add(hash))
      })
  } while (batch.length === atATime)
  return found
}

async function subjectOfStored(stored: StoredReading): Promise<{ hash: string; subject: string | undefined }> {
  const bytes = await rawPayload(stored)
  const read = await reparse(stored)
  const { format, context, country, broughtBy } = stored
  const subject =
    read &&
    subjectOf({
      bytes,
      format: format as FormatName,
      context: context as unknown as ReadingContext,
      country,
      parsed: read.parsed,
      ...(broughtBy ? { broughtBy } : {}),
    })
  return { hash: payloadHash(bytes), subject }
}

/** @param chain of the payloads before it @param isUsed whether another one was packed with it @returns the chain with it */
async function repack(
  db: Database,
  { hash, month }: { hash: string; month: string },
  chain: PayloadChain | undefined,
  isUsed: boolean,
): Promise<PayloadChain | undefined> {
  const first = sql`${`${month}-01`}::date`
  const found = await firstRow(
    db,
    sql<Packed>`
      select ${packedColumns} from payloads where payload_hash = decode(${hash}, 'hex') and month = ${first}`,
  )
  // Removed meanwhile, or packed by a service of this version.
  if (!found || found.dictionaryHash !== null) return chain
  const [packed] = await withDictionaries(db, [found])
  if (!packed) return chain
  const payload = { hash, month, raw: await rawPayload(packed) }
  const { dictionary, ...next } = nextOf(isUsed ? undefined : chain, payload)
  if (!dictionary) return next
  const { content } = await compressPayload(payload.raw, hash, dictionary)
  await inTransaction(db, async (transaction) => {
    // Whoever removes the month waits for this, and then packs what stays alone.
    await lockReadingsForWriting(transaction)
    const isThere = await firstRow(
      transaction,
      sql`select from payloads where payload_hash = decode(${dictionary.hash}, 'hex') and month = ${first}`,
    )
    if (isThere)
      await sql`
        update payloads set content = ${content}, dictionary_hash = decode(${dictionary.hash}, 'hex')
        where payload_hash = decode(${hash}, 'hex') and month = ${first}`.execute(transaction)
  })
  return next
}

/** Does something, and then rests for as long as it took. @throws when stopped */
async function atHalfSpeed(signal: AbortSignal, perform: () => Promise<void>): Promise<void> {
  signal.throwIfAborted()
  const start = performance.now()
  await perform()
  await setTimeout(performance.now() - start, undefined, { signal })
}
