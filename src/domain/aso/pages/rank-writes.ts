import { sql } from 'kysely'
import type { Database } from '../../../storage/database.ts'
import { placesParameter } from './page-writes.ts'

/** The position of a day in the rows of ranks and depths. */
interface DaySlot {
  termId: number
  country: string
  day: string
}

const slotOf = ({ day }: { day: string }) => ({
  month: `${day.slice(0, 7)}-01`,
  slot: Number(day.slice(8)),
})

/** An array over a month's days with one value set. */
const monthWith = (slot: number, value: ReturnType<typeof sql>) =>
  sql`array_fill(null::smallint, array[${slot - 1}::int]) || ${value}::smallint || array_fill(null::smallint, array[${31 - slot}::int])`

/** Sets the ranks and the depth of a day from a page. */
export async function setRanksOfDay(
  db: Database,
  where: DaySlot,
  storeIds: readonly (string | null)[],
): Promise<void> {
  const { termId, country, day } = where
  const { month, slot } = slotOf(where)
  await sql`
    with depth as (
      insert into depth_months as m (term_id, month, depths)
      values (${termId}, ${month}::date, ${monthWith(slot, sql`${storeIds.length}`)})
      on conflict (term_id, month) do update set depths[${sql.lit(slot)}] = ${storeIds.length}
    )
    insert into rank_months as m (store_id, country, month, term_id, ranks, best, best_day)
    select place.store_id, ${country}, ${month}::date, ${termId}, ${monthWith(slot, sql`place.rank`)}, place.rank, ${day}::date
    from unnest(${placesParameter(storeIds)}) with ordinality as place(store_id, rank)
    where place.store_id is not null
    on conflict (store_id, country, month, term_id) do update
      set ranks[${sql.lit(slot)}] = excluded.best, best = least(m.best, excluded.best),
        best_day = case when excluded.best < m.best or (excluded.best = m.best and excluded.best_day < m.best_day)
          then excluded.best_day else m.best_day end`.execute(db)
}

/** Removes the ranks of a day from apps of a page that no longer counts. */
export async function clearRanksOfDay(
  db: Database,
  where: DaySlot,
  storeIds: readonly string[],
): Promise<void> {
  const { termId, country } = where
  const { month, slot } = slotOf(where)
  await sql`
    update rank_months set ranks[${sql.lit(slot)}] = null
    where store_id = any(${placesParameter(storeIds)}) and country = ${country} and month = ${month}::date
      and term_id = ${termId}`.execute(db)
}

/** Records the ranks of a page that is not the last one of its day: the best rank covers every page. */
export async function recordBestRanks(
  db: Database,
  { termId, country, day }: DaySlot,
  storeIds: readonly (string | null)[],
): Promise<void> {
  await sql`
    insert into rank_months as m (store_id, country, month, term_id, ranks, best, best_day)
    select place.store_id, ${country}, date_trunc('month', ${day}::date)::date, ${termId},
      array_fill(null::smallint, array[31]), place.rank, ${day}::date
    from unnest(${placesParameter(storeIds)}) with ordinality as place(store_id, rank)
    where place.store_id is not null
    on conflict (store_id, country, month, term_id) do update set best = excluded.best, best_day = excluded.best_day
      where (excluded.best, excluded.best_day) < (m.best, m.best_day)`.execute(db)
}

/** Recomputes the best ranks of a month for apps of a page that is no longer stored. */
export async function recomputeBestRanks(
  db: Database,
  { termId, country, day }: DaySlot,
  storeIds: readonly (string | null)[],
): Promise<void> {
  const shown = placesParameter(storeIds.filter((storeId) => storeId !== null))
  const month = sql`date_trunc('month', ${day}::date)::date`
  await sql`
    with tops as (
      select app.store_id, top.rank, top.day
      from unnest(${shown}) as app(store_id)
      left join lateral (
        select array_position(p.store_ids, app.store_id) as rank, p.day
        from result_pages p
        where p.term_id = ${termId} and date_trunc('month', p.day)::date = ${month} and p.counts
          and app.store_id = any(p.store_ids)
        order by 1, 2 limit 1
      ) top on true
    ), gone as (
      delete from rank_months m using tops
      where m.store_id = tops.store_id and m.country = ${country} and m.month = ${month} and m.term_id = ${termId}
        and tops.rank is null
    )
    update rank_months m set best = tops.rank, best_day = tops.day from tops
    where m.store_id = tops.store_id and m.country = ${country} and m.month = ${month} and m.term_id = ${termId}
      and tops.rank is not null`.execute(db)
}

/** Removes the depth of a day without a page. */
export async function clearDepthOfDay(db: Database, where: DaySlot): Promise<void> {
  const { month, slot } = slotOf(where)
  await sql`
    update depth_months set depths[${sql.lit(slot)}] = null
    where term_id = ${where.termId} and month = ${month}::date`.execute(db)
}

/** The months, by their first day, of the newest page of a term before and after a write; null without a page. */
export interface NewestMonth {
  country: string
  before: string | null
  after: string | null
}

/** Counts newest pages by storefront and month, once a transaction: other writers of the storefront wait for its end. */
export async function countPageMonths(db: Database, changes: readonly NewestMonth[]): Promise<void> {
  const sums = new Map<string, number>()
  const add = (country: string, month: string | null, terms: number) => {
    const key = `${country} ${month}`
    if (month !== null) sums.set(key, (sums.get(key) ?? 0) + terms)
  }
  for (const { country, before, after } of changes) {
    add(country, before, -1)
    add(country, after, 1)
  }
  const sent = [...sums].flatMap(([key, terms]) => {
    const [country = '', month] = key.split(' ')
    return terms === 0 ? [] : [{ country, month, terms }]
  })
  if (sent.length === 0) return
  // In one order everywhere, so that writers cannot deadlock.
  await sql`
    insert into page_months as counted (country, month, terms)
    select country, month, terms
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent(country text, month date, terms integer)
    order by country, month
    on conflict (country, month) do update set terms = counted.terms + excluded.terms`.execute(db)
  const left = new Set(sent.filter(({ terms }) => terms < 0).map(({ country }) => country))
  if (left.size > 0)
    await sql`delete from page_months where terms = 0 and country = any(${[...left]}::text[])`.execute(db)
}
