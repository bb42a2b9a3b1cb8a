import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { RankListEntry, RankListOfReading, RankOrDepth } from './capture.ts'

/** The ranks from lists with gaps (`ListRanks`), in a table of their own that nothing else reads. */

/** A chart at an instant. */
export type ChartInstant = ChartIdentity & { capturedAt: Date }

/** Charts and instants as rows, to join by `isAt`. */
export const instantsAsRows = (instants: readonly ChartInstant[]) => sql`
  json_to_recordset(${JSON.stringify(
    instants.map(({ country, kind, categoryId, device, capturedAt }) => ({
      country,
      kind,
      categoryId,
      device,
      capturedAt,
    })),
  )}::json) as sent(country text, kind text, "categoryId" integer, device text, "capturedAt" timestamptz)`

const isAt = sql`
  t.country = sent.country and t.kind = sent.kind and t.category_id = sent."categoryId" and t.device = sent.device
  and t.captured_at = sent."capturedAt"`

const identityOfRow = sql`t.country, t.kind, t.category_id as "categoryId", t.device`

/** A list with its chart and instant. */
export type StoredRankList = ChartInstant & RankListOfReading

/** The stored lists of charts at instants; unordered. */
export function storedRankLists(db: Database, instants: readonly ChartInstant[]): Promise<StoredRankList[]> {
  return rows(
    db,
    sql<StoredRankList>`
      select ${identityOfRow}, t.captured_at as "capturedAt", min(t.reading_id::text) as "readingId",
        t.reading_key as "readingKey", min(t.read_as) as "readAs", min(t.day)::text as day,
        bool_and(t.may_join) as "mayJoin",
        json_agg(json_build_object('storeId', t.store_id::text, 'rank', t.rank, 'depth', t.depth)) as ranks
      from ${instantsAsRows(instants)} join told_ranks t on ${isAt}
      group by t.country, t.kind, t.category_id, t.device, t.captured_at, t.reading_key`,
  )
}

export async function insertRankLists(db: Database, lists: readonly StoredRankList[]): Promise<void> {
  if (lists.length === 0) return
  await sql`
    insert into told_ranks (store_id, country, kind, category_id, device, captured_at, day, rank, depth, reading_id,
      reading_key, read_as, may_join)
    select "storeId", country, kind, "categoryId", device, "capturedAt", day, rank, depth, "readingId", "readingKey",
      "readAs", "mayJoin"
    from json_to_recordset(${JSON.stringify(rowsOf(lists))}::json) as sent("storeId" bigint, country text, kind text,
      "categoryId" integer, device text, "capturedAt" timestamptz, day date, rank smallint, depth smallint,
      "readingId" uuid, "readingKey" text, "readAs" text, "mayJoin" boolean)
    on conflict do nothing`.execute(db)
}

export async function removeRankLists(db: Database, lists: readonly StoredRankList[]): Promise<void> {
  if (lists.length === 0) return
  await sql`
    delete from told_ranks t
    using json_to_recordset(${JSON.stringify(rowsOf(lists))}::json) as sent("storeId" bigint, country text, kind text,
      "categoryId" integer, device text, "capturedAt" timestamptz, "readingKey" text)
    where t.store_id = sent."storeId" and ${isAt} and t.reading_key = sent."readingKey"`.execute(db)
}

const rowsOf = (lists: readonly StoredRankList[]) =>
  lists.flatMap(({ ranks, ...list }) => ranks.map((told) => ({ ...list, ...told })))

/** The requested charts of one storefront. */
export interface ChartsAsked {
  country: string
  only: Partial<Omit<ChartIdentity, 'country'>>
}

const isAsked = ({ country, only }: ChartsAsked) => sql`
  t.country = ${country}
  and (${only.kind ?? null}::text is null or t.kind = ${only.kind ?? null})
  and (${only.categoryId ?? null}::int is null or t.category_id = ${only.categoryId ?? null})
  and (${only.device ?? null}::text is null or t.device = ${only.device ?? null})`

const isWithin = (from: string, to: string): RawBuilder<unknown> => sql`
  t.day between ${from}::date and ${to}::date
  and t.captured_at >= ${from}::date - interval '2 days' and t.captured_at < ${to}::date + interval '3 days'`

/** The rank of one app in a list. */
export type RankListEntryOfApp = ChartInstant & RankOrDepth & { day: string; readingId: string; readAs: string }

/** The ranks of an app in lists between two days, both included; oldest first, of one instant the best rank last. */
export function rankListEntriesOfApp(
  db: Database,
  storeId: string,
  asked: ChartsAsked,
  from: string,
  to: string,
): Promise<RankListEntryOfApp[]> {
  return rows(
    db,
    sql<RankListEntryOfApp>`
      select ${identityOfRow}, t.captured_at as "capturedAt", t.day::text as day, t.rank, t.depth,
        t.reading_id as "readingId", t.read_as as "readAs"
      from told_ranks t
      where t.store_id = ${bigintId(storeId)} and ${isAsked(asked)} and ${isWithin(from, to)}
      order by t.captured_at, t.rank desc nulls first, t.depth, t.reading_key`,
  )
}

/** The newest day of a list with a rank of an app; undefined where there is none. */
export async function newestRankListDay(
  db: Database,
  storeId: string,
  asked: ChartsAsked,
): Promise<string | undefined> {
  const found = await firstRow(
    db,
    sql<{ day: string | null }>`
      select max(t.day)::text as day from told_ranks t where t.store_id = ${bigintId(storeId)} and ${isAsked(asked)}`,
  )
  return found?.day ?? undefined
}

/** Days of lists with any rank, between two days, both included; by `chartName`. */
export async function daysOfRankLists(
  db: Database,
  charts: readonly ChartIdentity[],
  from: string,
  to: string,
): Promise<Map<string, ReadonlySet<string>>> {
  if (charts.length === 0) return new Map()
  const found = await rows(
    db,
    sql<{ name: string; days: string[] }>`
      select concat_ws(' ', t.country, t.kind, t.category_id, t.device) as name, json_agg(distinct t.day) as days
      from json_to_recordset(${JSON.stringify(charts)}::json) as sent(country text, kind text, "categoryId" integer, device text)
      join told_ranks t on t.country = sent.country and t.kind = sent.kind and t.category_id = sent."categoryId"
        and t.device = sent.device
      where ${isWithin(from, to)}
      group by t.country, t.kind, t.category_id, t.device`,
  )
  return new Map(found.map(({ name, days }) => [name, new Set(days)]))
}

/** Number of apps with a rank in lists, in a chart and on a day; over all days when it is left out. */
export async function appsInRankLists(db: Database, chart: ChartIdentity, day?: string): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ apps: number }>`
      select count(distinct t.store_id)::int as apps from told_ranks t
      where t.country = ${chart.country} and t.kind = ${chart.kind} and t.category_id = ${chart.categoryId}
        and t.device = ${chart.device} and t.rank is not null and (${day ?? null}::date is null or t.day = ${day ?? null}::date)`,
  )
  return found?.apps ?? 0
}

/** Time of the newest list with a rank of an app in a storefront; undefined where there is none. */
export async function newestRankListTime(
  db: Database,
  storeId: string,
  country: string,
): Promise<Date | undefined> {
  const found = await firstRow(
    db,
    sql<{ at: Date | null }>`
      select max(captured_at) as at from told_ranks
      where store_id = ${bigintId(storeId)} and country = ${country} and rank is not null`,
  )
  return found?.at ?? undefined
}

/** Whether a list ever had a rank of the app, in any storefront. */
export async function everInRankList(db: Database, storeId: string): Promise<boolean> {
  const found = await firstRow(db, sql`select from told_ranks where store_id = ${bigintId(storeId)} limit 1`)
  return found !== undefined
}

/** The ranks in lists of a chart at an instant, as exported. */
export type ExportedRankList = ChartInstant & { day: string; ranks: RankListEntry[] }

/** The exported ranks in lists, by chart, instant and day, after the given one. */
export function exportedRankListsAfter(
  db: Database,
  after: ExportedRankList | undefined,
  limit: number,
): Promise<ExportedRankList[]> {
  const order = sql`t.country, t.kind, t.category_id, t.device, t.captured_at, t.day`
  const isBeyond = after
    ? sql`(${order}) > (${after.country}, ${after.kind}, ${after.categoryId}::int, ${after.device}, ${after.capturedAt}::timestamptz, ${after.day}::date)`
    : sql`true`
  return rows(
    db,
    sql<ExportedRankList>`
      select ${identityOfRow}, t.captured_at as "capturedAt", t.day::text as day,
        json_agg(json_build_object('storeId', t.store_id::text, 'rank', t.rank, 'depth', t.depth)
          order by t.rank, t.depth desc, t.store_id) as ranks
      from told_ranks t
      where ${isBeyond}
      group by ${order}
      order by ${order}
      limit ${limit}`,
  )
}
