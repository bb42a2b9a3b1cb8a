import { sql } from 'kysely'
import { ratingScaleOf } from '../src/domain/aso/pages/rating-scale-runs.ts'
import { type Difficulty, difficultyOf } from '../src/domain/aso/scores/difficulty.ts'
import type { RatingScale } from '../src/domain/aso/scores/rating-scale.ts'
import { type Database, rows } from '../src/storage/database.ts'
import type { BacktestContext } from './backtest.ts'

/** Days within which a number of ratings is taken for that of a page. */
const nearDays = 30
/** Days between the two pages of a span. */
export const [fewestDays, mostDays] = [60, 180] as const
/** Maximum terms, those with most pages first, and the compared places of a page. */
const [mostTerms, placesRead] = [300, 10]

/** Two pages of a term, months apart. */
export interface PageSpan {
  termId: number
  term: string
  country: string
  /** The first places of either, best first; null where nothing could be read. */
  early: (string | null)[]
  late: (string | null)[]
  /** The difficulty of the early page, computed with the ratings of that time and today's names. */
  difficulty: Difficulty
  /** The number of ratings in the middle of the early page. */
  medianRatings: number
  /** The rank of each app on the late page. */
  lateRatings: ReadonlyMap<string, number>
  scale: RatingScale | null
}

interface SpanRow {
  termId: number
  term: string
  country: string
  requested: number | null
  earlyDay: string
  lateDay: string
  early: (string | null)[]
  late: (string | null)[]
}

/** The newest page of each term, with the oldest one of the months before; terms whose early page has no difficulty are left out. */
export async function pageSpans({ db, signal, progress }: BacktestContext): Promise<PageSpan[]> {
  const found = await rows(
    db,
    sql<SpanRow>`
      select t.term_id as "termId", n.term, n.country, e.requested, e.day::text as "earlyDay", l.day::text as "lateDay",
        to_json(e.store_ids::text[]) as early, to_json(l.store_ids[1:${sql.lit(placesRead)}]::text[]) as late
      from term_states t join term_names n using (term_id)
      join result_pages l on l.term_id = t.term_id and l.captured_at = t.page_at
      cross join lateral (
        select * from result_pages p
        where p.term_id = t.term_id and p.depth > 0 and p.counts
          and p.captured_at >= l.captured_at - make_interval(days => ${sql.lit(mostDays)})
          and p.captured_at <= l.captured_at - make_interval(days => ${sql.lit(fewestDays)})
        order by p.captured_at limit 1
      ) e
      where t.pages > 1 and l.depth > 0
      order by t.pages desc, t.term_id limit ${mostTerms}`,
  )
  const countries = [...new Set(found.map(({ country }) => country))]
  const scales = new Map(
    await Promise.all(countries.map(async (country) => [country, await ratingScaleOf(db, country)] as const)),
  )
  const spans: PageSpan[] = []
  for (const [index, { requested, earlyDay, lateDay, ...span }] of found.entries()) {
    signal.throwIfAborted()
    progress(index, found.length)
    const { term, country, early, late } = span
    const then = await ratedApps(db, country, early, earlyDay)
    const places = early.map((storeId) => {
      const app = then.get(storeId ?? '')
      return storeId === null ? null : { storeId, name: app?.name ?? '', ratingCount: app?.ratings }
    })
    const scale = scales.get(country) ?? null
    const difficulty = difficultyOf({ term, country, places, requested, stated: null }, scale)
    if (!difficulty) continue
    const ratings = early
      .slice(0, placesRead)
      .flatMap((storeId) => then.get(storeId ?? '')?.ratings ?? [])
      .sort((one, other) => one - other)
    const now = await ratedApps(db, country, late, lateDay)
    spans.push({
      ...span,
      early: early.slice(0, placesRead),
      difficulty,
      medianRatings: ratings[ratings.length >> 1] ?? 0,
      lateRatings: new Map(
        [...now].flatMap(([id, app]) => (app.ratings === undefined ? [] : [[id, app.ratings]])),
      ),
      scale,
    })
  }
  return spans
}

/** Names of apps, and how many ratings they had about a day, where that was observed. */
async function ratedApps(db: Database, country: string, storeIds: readonly (string | null)[], day: string) {
  const sent = `{${storeIds
    .slice(0, placesRead)
    .filter((storeId) => storeId !== null)
    .join(',')}}`
  const found = await rows(
    db,
    sql<{ storeId: string; name: string; ratings: number | null }>`
      select r.store_id::text as "storeId", r.name, o.rating_count::float8 as ratings
      from unnest(${sent}::bigint[]) asked(store_id)
      join app_records r on r.store_id = asked.store_id and r.country = ${country}
      left join lateral (
        select rating_count from rating_observations o
        where o.store_id = r.store_id and o.country = r.country
          and o.day between ${day}::date - ${sql.lit(nearDays)} and ${day}::date + ${sql.lit(nearDays)}
        order by abs(o.day - ${day}::date), o.day limit 1
      ) o on true`,
  )
  return new Map(found.map(({ storeId, name, ratings }) => [storeId, { name, ratings: ratings ?? undefined }]))
}
