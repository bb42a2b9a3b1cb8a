import { sql } from 'kysely'
import { createKey } from '../src/domain/accounts/keys.ts'
import type { Database } from '../src/storage/database.ts'
import { madeUpReading } from './chart-store.ts'
import { benchStoreId } from './generate.ts'

/** How much an ASO store holds. */
export interface AsoLoad {
  /** Keywords of the tracked app, each with a page of `depth` on every day. */
  keywords: number
  days: number
  depth: number
  /** Terms with a page on the last day, the keywords among them. */
  terms: number
}

/** The app that is tracked, and its rivals; they stand on most pages, the first rival on two of three. */
const ownApp = String(benchStoreId(0))
export const rivals = [1, 2, 3, 4].map((app) => String(benchStoreId(app)))
export const lastDay = '2026-11-20'
export const benchAccount = 'bench-aso'
/** Terms called `storing 0` and so on, of the storefront gb. */
export const storedTerms = 10

/** Apps that share the pages of a term, more than a page holds: its tail comes and goes. */
const appsOfTerm = 260
const catalogue = 20_000
/** Different orders of one day's pages. */
const orders = 30

/**
 * Fills an empty store with made-up evidence, straight into the tables as if `storePages` had written it; the ranks are
 * those of the pages.
 */
export async function fillAso(db: Database, load: AsoLoad): Promise<void> {
  const readingId = await madeUpReading(db)
  await createKey(db, { name: 'bench', scopes: ['context:read'], account: benchAccount })
  await db.connection().execute(async (held) => {
    await fillApps(held, readingId)
    await fillTerms(held, load)
    await orderPages(held, load)
    await fillPages(held, load, readingId)
    await fillRanks(held, load)
    await fillNewest(held, load)
    await fillOthers(held)
    await countMonths(held)
    await fillHints(held, load, readingId)
    await trackApps(held, load)
  })
  await sql`vacuum analyze`.execute(db)
}

export async function countPages(db: Database): Promise<number> {
  const { rows } = await sql<{ pages: number }>`select count(*)::int as pages from result_pages`.execute(db)
  return rows[0]?.pages ?? 0
}

async function fillApps(db: Database, readingId: string): Promise<void> {
  await sql`
    insert into app_records (store_id, country, name, sort_name, subtitle, developer, icon_url, description, rating,
      rating_count, first_observed_at, last_observed_at, since, evidence)
    select ${benchStoreId(0)}::bigint + app, 'us', 'Topic' || app % 400 || ' Word' || app % 97 || ' App ' || app,
      'topic' || app, 'Word' || app % 53 || ' and topic' || app % 71, 'Maker ' || app / 3,
      'https://bench.invalid/' || app, repeat('Word' || app % 97 || ' helps with topic' || app % 400 || ' every day. ', 60),
      4.5, 1000 + app, ${lastDay}::date - 365, ${lastDay}::date, '{}', jsonb_build_array(jsonb_build_object(
        'readingId', ${readingId}::text, 'source', 'catalogue-file', 'origin', 'sample',
        'observedAt', ${`${lastDay}T00:00:00.000Z`}::text, 'timeBasis', 'stated', 'fields',
        '["name","subtitle","developer","iconUrl","description","rating","ratingCount"]'::jsonb))
    from generate_series(0, ${sql.lit(catalogue - 1)}) as app`.execute(db)
}

async function fillTerms(db: Database, { terms, keywords, days, depth }: AsoLoad): Promise<void> {
  await sql`
    insert into term_names (country, term, half)
    select 'us', 'topic' || n % 400 || ' word' || n % 97 || ' ' || n, 'topic' || n % 400
    from generate_series(1, ${terms}) as n`.execute(db)
  await sql`
    insert into term_states (term_id, page_at, page_day, page_depth, pages, deepest, first_results_at, difficulty, difficulty_formula,
      autocomplete, autocomplete_formula, opportunity, opportunity_formula)
    select n, ${`${lastDay}T06:00:00Z`}::timestamptz, ${lastDay}::date, ${sql.lit(depth)},
      case when n <= ${sql.lit(keywords)} then ${sql.lit(days)} else 1 end, ${sql.lit(depth)}, ${lastDay}::date - 364, n * 7 % 101, 'difficulty/5', n * 11 % 101, 'autocomplete/2', n * 13 % 101, 'opportunity/5'
    from generate_series(1, ${terms}) as n`.execute(db)
  await sql`
    insert into term_words (country, word, term_id)
    select distinct country, word, term_id from terms, string_to_table(term, ' ') as word`.execute(db)
}

/** Which of its 260 apps a term's page shows in which place: some orders for each day, alike for all terms. */
async function orderPages(db: Database, { days, depth }: AsoLoad): Promise<void> {
  await sql`
    create temporary table orders as
    select day, o, (array_agg(k order by k + 25 * (hashint8(k * 1009 + day * 31 + o * 7) & 1023) / 1023.0))[1:${sql.lit(depth)}] as places
    from generate_series(0, ${sql.lit(days - 1)}) as day, generate_series(0, ${sql.lit(orders - 1)}) as o,
      generate_series(1, ${sql.lit(appsOfTerm)}) as k
    where day = ${sql.lit(days - 1)} or o = 0
    group by day, o`.execute(db)
}

/** The app that is number `k` of a term's 260. */
const appOf = sql`
  case when k = 1 + n * 13 % 230 and (n <= keywords or n % 2 = 0) then ${ownApp}::bigint
    when k = 1 + n * 29 % 230 and n % 3 <> 0 then ${rivals[0]}::bigint
    when k = 1 + n * 31 % 230 and n % 5 <> 0 then ${rivals[1]}::bigint
    when k = 1 + n * 37 % 230 and n % 7 <> 0 then ${rivals[2]}::bigint
    when k = 1 + n * 41 % 230 and n % 2 <> 0 then ${rivals[3]}::bigint
    else ${benchStoreId(10)}::bigint + (n * 61 + k * 7) % ${sql.lit(catalogue - 10)} end`

/** The terms by number, how they are ordered on the last day, and what their apps are, in the order of `k`. */
const termApps = ({ keywords }: AsoLoad) => sql`
  select n as term_id, (array_agg(${appOf} order by k)) as apps
  from (select term_id as n, ${sql.lit(keywords)} as keywords from terms) terms, generate_series(1, ${sql.lit(appsOfTerm)}) as k
  group by n`

async function fillPages(db: Database, load: AsoLoad, readingId: string): Promise<void> {
  // Uncompressed: places are read from these arrays one by one.
  await sql`create temporary table term_apps (term_id integer, apps bigint[])`.execute(db)
  await sql`alter table term_apps alter column apps set storage plain`.execute(db)
  await sql`insert into term_apps ${termApps(load)}`.execute(db)
  await sql`
    insert into result_pages (term_id, captured_at, day, depth, requested, store_ids, reading_id, known_depth)
    select t.term_id, date + interval '6 hours', date, ${sql.lit(load.depth)}, 200,
      array(select t.apps[k] from unnest(o.places) with ordinality as place(k, rank) order by rank), ${readingId}::uuid,
      ${sql.lit(load.depth)}
    from orders o
    join term_apps t on o.o = case when t.term_id <= ${sql.lit(load.keywords)} then 0 else t.term_id % ${sql.lit(orders)} end
      and (t.term_id <= ${sql.lit(load.keywords)} or o.day = ${sql.lit(load.days - 1)}),
      lateral (select ${lastDay}::date - ${sql.lit(load.days - 1)} + o.day as date) dated
    order by t.term_id, date`.execute(db)
}

/** Ranks by month: computed once for each order, since all keywords share it. */
async function fillRanks(db: Database, { keywords, days, depth }: AsoLoad): Promise<void> {
  await sql`
    create temporary table ranked as
    select o, k, date_trunc('month', date)::date as month, extract(day from date)::int as slot, rank::smallint as rank, date
    from orders, unnest(places) with ordinality as place(k, rank),
      lateral (select ${lastDay}::date - ${sql.lit(days - 1)} + orders.day as date) dated`.execute(db)
  const monthsOf = (condition: ReturnType<typeof sql>) => sql`
    select o, k, month, min(rank) as best, (array_agg(date order by rank, date))[1] as best_day,
      (select array_agg(at.rank order by each.slot) from generate_series(1, 31) as each(slot)
        left join ranked at on at.o = r.o and at.k = r.k and at.month = r.month and at.slot = each.slot) as ranks
    from ranked r where ${condition} group by o, k, month`
  await sql`create index on ranked (o, k, month, slot)`.execute(db)
  await sql`analyze ranked`.execute(db)
  await sql`
    create temporary table months as
    select *, 'year' as of from (${monthsOf(sql`o = 0`)}) year
    union all
    select o, k, date_trunc('month', ${lastDay}::date)::date, rank, ${lastDay}::date,
      array_fill(null::smallint, array[extract(day from ${lastDay}::date)::int - 1]) || rank
        || array_fill(null::smallint, array[31 - extract(day from ${lastDay}::date)::int]), 'day'
    from ranked where date = ${lastDay}::date`.execute(db)
  await sql`
    insert into rank_months (store_id, country, month, term_id, ranks, best, best_day)
    select distinct on (store_id, month, term_id) store_id, 'us', month, term_id, ranks, best, best_day
    from (
      select t.apps[m.k] as store_id, m.month, t.term_id, m.ranks, m.best, m.best_day
      from term_apps t
      join months m on (t.term_id <= ${sql.lit(keywords)} and m.of = 'year')
        or (t.term_id > ${sql.lit(keywords)} and m.of = 'day' and m.o = t.term_id % ${sql.lit(orders)})
    ) ranks
    order by store_id, month, term_id`.execute(db)
  await sql`
    insert into depth_months (term_id, month, depths)
    select term_id, month, (select array_agg(case when day between ${lastDay}::date - ${sql.lit(days - 1)} and ${lastDay}::date
        and (term_id <= ${sql.lit(keywords)} or day = ${lastDay}::date) then ${sql.lit(depth)}::smallint end order by day)
      from generate_series(month, month + 30, interval '1 day') as day)
    from (select distinct term_id, month from rank_months) held`.execute(db)
}

async function fillNewest(db: Database, { depth }: AsoLoad): Promise<void> {
  await sql`
    insert into newest_pages (term_id, country, captured_at, shown, top)
    select p.term_id, t.country, p.captured_at,
      (select json_agg(json_build_object('name', 'Topic' || id % 400 || ' Word' || id % 97 || ' App', 'rating', 4.5,
        'ratingCount', 1000 + id % 100000) order by rank)
      from unnest(p.store_ids) with ordinality as place(id, rank)), p.store_ids[1:10]
    from result_pages p join terms t on t.term_id = p.term_id and t.page_at = p.captured_at
    where p.depth = ${sql.lit(depth)}`.execute(db)
}

/** Terms of another storefront that have a year of pages already, to which others are added. */
async function fillOthers(db: Database): Promise<void> {
  await sql`
    insert into term_names (country, term, half)
    select 'gb', 'storing ' || term_id - 1, 'storing' from term_names where term_id <= ${storedTerms}`.execute(
    db,
  )
  await sql`
    insert into term_states (term_id, page_at, page_day, page_depth, pages, deepest, first_results_at)
    select o.term_id, s.page_at, s.page_day, s.page_depth, s.pages, s.deepest, s.first_results_at
    from term_states s join term_names o on o.country = 'gb' and o.term = 'storing ' || s.term_id - 1`.execute(
    db,
  )
  await sql`
    insert into result_pages (term_id, captured_at, day, depth, requested, store_ids, reading_id, known_depth)
    select o.term_id, p.captured_at, p.day, p.depth, p.requested, p.store_ids, p.reading_id, p.known_depth
    from result_pages p join terms o on o.country = 'gb' and o.term = 'storing ' || p.term_id - 1`.execute(db)
}

async function countMonths(db: Database): Promise<void> {
  await sql`
    insert into page_months (country, month, terms)
    select country, date_trunc('month', page_day::timestamp)::date, count(*) from terms where page_day is not null group by 1, 2`.execute(
    db,
  )
}

async function fillHints(db: Database, { keywords }: AsoLoad, readingId: string): Promise<void> {
  await sql`
    insert into hint_answers (country, typed, observed_at, terms, reading_id)
    select distinct on (typed) 'us', left(t.term, letters) as typed, ${lastDay}::date, array(
      select term from terms o where o.term_id between t.term_id and t.term_id + 9 order by term_id), ${readingId}::uuid
    from terms t, unnest(array[4, 6, 8, 100]) as letters
    where t.term_id <= ${sql.lit(keywords)}
    order by typed, t.term_id`.execute(db)
}

async function trackApps(db: Database, { keywords }: AsoLoad): Promise<void> {
  await sql`
    insert into tracked_apps (app_id, account_id, store_id, country, role)
    select ('01980000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, account_id, id::bigint, 'us',
      case when number = 1 then 'own' else 'rival' end
    from accounts, unnest(${[ownApp, ...rivals]}::text[]) with ordinality as app(id, number)
    where name = ${benchAccount}`.execute(db)
  await sql`
    insert into tracked_keywords (keyword_id, app_id, term_id)
    select ('01980000-0000-7000-9000-' || lpad(term_id::text, 12, '0'))::uuid, '01980000-0000-7000-8000-000000000001', term_id
    from terms where term_id <= ${sql.lit(keywords)}`.execute(db)
}

/** The tracked app. */
export const trackedAppId = '01980000-0000-7000-8000-000000000001'
