import { type RawBuilder, sql } from 'kysely'
import { isCountedPage } from '../../domain/aso/pages/page-writes.ts'
import { compressPayload, rawPayload } from '../../domain/evidence/packed-payload.ts'
import {
  type Packed,
  packedColumns,
  unlessLost,
  withDictionaries,
} from '../../domain/evidence/payload-queries.ts'
import { bytesOnDisk } from '../../storage/colocation.ts'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bytesOfMonths, idsOfMonth, reduceMonthTo } from '../../storage/months.ts'
import type { FormatName } from '../../suppliers/formats.ts'
import { adsProjection } from '../ads.ts'
import { countedByMonth, type RetainedKind, type StoredMonth, withBytesOfRelatedTables } from './kind.ts'

/** Payloads of ads stay: when an account withdraws its own records of an ad, the ad is rebuilt from all payloads that show it. */
const formatsKept: readonly FormatName[] = adsProjection.formats

/** Whether a payload `p` of a month stays: those of ads, those that an account imported, and those waiting to replace another. */
function stays(month: string) {
  const { from, before } = idsOfMonth(month)
  const within = (id: RawBuilder<unknown>) => sql`${id} >= ${from}::uuid and ${id} < ${before}::uuid`
  return sql`exists (
    select 1 from readings r
    where r.payload_hash = p.payload_hash and ${within(sql`r.reading_id`)}
      and (r.account_id is not null or r.format = any(${[...formatsKept]}::text[])
        or r.reading_id in (select d.reading_id from duplicate_pages d where ${within(sql`d.reading_id`)})))`
}

/** Raw answers of upstreams and contents of files, by month of storage. Their readings stay, with time, source and hash. */
export const payloadRetention: RetainedKind = {
  unit: 'payloads',
  areas: [],
  async newest(db) {
    const found = await firstRow(
      db,
      sql<{ at: Date }>`
        select stored_at as at from readings order by reading_id desc limit 1`,
    )
    return found?.at
  },
  async months(db, until) {
    const months: StoredMonth[] = []
    for (const [month, bytes] of await bytesOfMonths(db, 'payloads')) {
      const goes = month < until ? sql`not ${stays(month)}` : sql`false`
      const counted = await rows(
        db,
        sql<{ going: boolean; payloads: number; bytes: number }>`
          select going, count(*)::int as payloads, sum(bytes)::float8 as bytes
          from (
            select octet_length(content) as bytes, ${goes} as going from payloads p where p.month = ${`${month}-01`}::date
          ) one
          group by going`,
      )
      const going = counted.find((one) => one.going)
      const stored = counted.reduce((sum, one) => sum + one.payloads, 0)
      const said = counted.reduce((sum, one) => sum + one.bytes, 0)
      const removable = going?.payloads ?? 0
      const removableBytes = going ? Math.round((bytes * going.bytes) / said) : 0
      if (stored > 0) months.push({ month, stored, bytes, removable, removableBytes })
    }
    return months
  },
  async remove(db, month) {
    await packAlone(db, month)
    const of = sql`payloads p where p.month = ${`${month}-01`}::date`
    const [gone] = await rows(
      db,
      sql<{ payloads: number }>`select count(*)::int as payloads from ${of} and not ${stays(month)}`,
    )
    await reduceMonthTo(
      db,
      'payloads',
      month,
      sql`select p.* from ${of} and ${stays(month)} order by payload_hash`,
    )
    return gone?.payloads ?? 0
  },
}

/** Packs what stays of a month without what it was packed with. What cannot be unpacked any more stays as it is. */
async function packAlone(db: Database, month: string): Promise<void> {
  const first = sql`${`${month}-01`}::date`
  const found = await rows(
    db,
    sql<Packed & { hash: string }>`
      select encode(payload_hash, 'hex') as hash, ${packedColumns} from payloads p
      where p.month = ${first} and p.dictionary_hash is not null and ${stays(month)}`,
  )
  for (const one of found) {
    const raw = await rawOf(db, one).catch(unlessLost)
    if (!raw) continue
    const { content } = await compressPayload(raw, one.hash)
    await sql`
      update payloads set content = ${content}, dictionary_hash = null
      where payload_hash = decode(${one.hash}, 'hex') and month = ${first}`.execute(db)
  }
}

async function rawOf(db: Database, packed: Packed): Promise<Uint8Array | undefined> {
  const [whole] = await withDictionaries(db, [packed])
  return whole && rawPayload(whole)
}

/** Whether the newest page of a term, of `term_states`, is of a later month than the one that begins on a day. */
const goneBy = (first: ReturnType<typeof sql>) =>
  sql`coalesce(t.page_day >= ${first} + interval '1 month', false)`

/**
 * Result pages and the ranks in them, by the month of their storefront day. The month of the newest page of a term stays,
 * however old it is, and so do pages in doubt that no later one has settled.
 */
export const resultPageRetention: RetainedKind = {
  unit: 'pages',
  areas: ['keywords'],
  async newest(db) {
    const found = await firstRow(db, sql<{ at: Date | null }>`select max(captured_at) as at from result_pages`)
    return found?.at ?? undefined
  },
  async months(db, until) {
    const pages = await countedByMonth(
      db,
      'result_pages',
      {
        from: sql`result_pages p join term_states t using (term_id)`,
        month: sql`to_char(p.day, 'YYYY-MM')`,
        goes: goneBy(sql`date_trunc('month', p.day)`),
      },
      until,
    )
    return withBytesOfRelatedTables(pages, await bytesOfRanks(db))
  },
  async remove(db, month) {
    const first = sql`${`${month}-01`}::date`
    const gone = await rows(
      db,
      sql<{ term: number }>`
        delete from result_pages p using term_states t
        where t.term_id = p.term_id and ${goneBy(first)} and p.day >= ${first} and p.day < ${first} + interval '1 month'
        returning p.term_id as term`,
    )
    for (const table of [sql`rank_months`, sql`depth_months`])
      await sql`
        with old as materialized (select t.term_id from term_states t where ${goneBy(first)})
        delete from ${table} m using old where old.term_id = m.term_id and m.month = ${first}`.execute(db)
    const terms = sql`(select value::int from json_array_elements_text(${JSON.stringify([...new Set(gone.map(({ term }) => term))])}::json))`
    await sql`
      delete from duplicate_pages d
      where term_id in ${terms} and not exists (
        select 1 from result_pages p where p.term_id = d.term_id and p.captured_at = d.captured_at)`.execute(db)
    // Counts the remaining pages of each term and their depth, which say where an app that never ranked was looked for.
    await sql`
      update term_states t set pages = counted.pages, deepest = counted.deepest
      from (
        select p.term_id, count(*)::int as pages, max(p.depth) as deepest
        from result_pages p join term_states s on s.term_id = p.term_id
        where p.term_id in ${terms} and ${isCountedPage(sql`p`, sql`s`)} group by p.term_id
      ) counted
      where t.term_id = counted.term_id`.execute(db)
    return gone.length
  },
}

/** Bytes of the ranks and depths by month, in proportion to their rows. */
async function bytesOfRanks(db: Parameters<RetainedKind['newest']>[0]): Promise<ReadonlyMap<string, number>> {
  const bytesOf = new Map<string, number>()
  for (const [table, bytes] of await bytesOnDisk(db, ['rank_months', 'depth_months'])) {
    const found = await rows(
      db,
      sql<{ month: string; rows: number }>`
        select to_char(month, 'YYYY-MM') as month, count(*)::float8 as rows from ${sql.table(table)} group by 1`,
    )
    const all = found.reduce((sum, one) => sum + one.rows, 0)
    for (const { month, rows: some } of found)
      bytesOf.set(month, (bytesOf.get(month) ?? 0) + Math.round((bytes * some) / all))
  }
  return bytesOf
}
