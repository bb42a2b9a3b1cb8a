import { type RawBuilder, sql } from 'kysely'
import type { FormatName } from '../../ingest/formats.ts'
import { firstRow, rows } from '../../storage/database.ts'
import { bytesOfMonths, idsOfMonth, leaveOfMonth } from '../../storage/months.ts'
import { ads } from '../ads.ts'
import type { RetainedKind, StoredMonth } from './kind.ts'

/** Payloads of ads stay: when an account withdraws its own records of an ad, the ad is rebuilt from all payloads that show it. */
const formatsKept: readonly FormatName[] = ads.formats

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
export const payloads: RetainedKind = {
  unit: 'payloads',
  areas: [],
  async newest(db) {
    const found = await firstRow(
      db,
      sql<{ at: Date | null }>`
        select stored_at as at from readings order by reading_id desc limit 1`,
    )
    return found?.at ?? undefined
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
    const of = sql`payloads p where p.month = ${`${month}-01`}::date`
    const [gone] = await rows(
      db,
      sql<{ payloads: number }>`select count(*)::int as payloads from ${of} and not ${stays(month)}`,
    )
    await leaveOfMonth(
      db,
      'payloads',
      month,
      sql`select p.* from ${of} and ${stays(month)} order by payload_hash`,
    )
    return gone?.payloads ?? 0
  },
}
