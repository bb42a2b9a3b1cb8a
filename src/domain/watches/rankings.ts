import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintOf } from '../../storage/ids.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { mainSurface } from '../../vocabulary/search-surfaces.ts'
import { dayNumber, dayOfNumber } from '../aso/pages/rank-days.ts'
import { toldRank, toolHistories } from '../aso/pages/tool-ranks.ts'
import { genres } from '../catalogue/genres.ts'
import { type RankCapture, rankEvents, type WatchedRanking } from './rank-events.ts'
import type { FoundEvent, RankWatch, Watch } from './watch.ts'

/** Captures before the stored position that are read again, to find the last usable one for each app. */
const lookedBack = 6
/** Captures after the position that are compared at once. */
const comparedAtOnce = 500
/** A capture later than this comes from a wrong clock, and is not compared until its time has come. */
const ahead = sql`now() + interval '1 day'`

interface Found extends WatchedRanking {
  /** Of a keyword. */
  termId?: number
  /** A query of its captures, for `capturesAround`. */
  captures: RawBuilder<unknown>
  /** Null for a ranking that appeared after the watch was added. */
  place: Date | null
}

/** The first position of a ranking that appeared after the watch was added: its first capture since then, or its newest. */
const firstPlace = (captures: RawBuilder<unknown>, since: Date) => sql<{ place: Date | null }>`
  select coalesce(min(captured_at) filter (where captured_at >= ${since}), max(captured_at)) as place
  from (${captures}) c where captured_at <= ${ahead}`

/** Sets the positions of a new watch to the newest stored captures, so that it begins with later ones. */
export async function startWatchAtNewest(
  db: Database,
  watch: Watch & { definition: RankWatch },
): Promise<void> {
  const newest =
    watch.definition.in === 'charts'
      ? sql`select ranking, newest_captured_at as captured_at from (${chartsOfWatch(watch.definition)}) one`
      : sql`
        with one as materialized (${termsOfWatch(watch)}),
        paged as materialized (
          select s.term_id, (select max(p.captured_at) from result_pages p where p.term_id = s.term_id) as captured_at
          from term_states s where s.term_id in (select term_id from one)
        )
        select one.ranking, paged.captured_at from one join paged using (term_id)`
  await sql`
    insert into watch_places (watch_id, ranking, captured_at)
    select ${watch.watchId}::uuid, ranking, least(captured_at, ${ahead})
    from (${newest}) newest where captured_at is not null`.execute(db)
}

/** Events in all captures since the last comparison. Moves the position up to which the watch has compared each ranking. */
export async function eventsInRanks(
  db: Database,
  watch: Watch & { definition: RankWatch },
  apps: ReadonlyMap<string, string>,
): Promise<FoundEvent[]> {
  const found: FoundEvent[] = []
  for (const ranking of await changedRankings(db, watch)) {
    let place = ranking.place
    if (place === null) {
      const [first] = await rows(db, firstPlace(ranking.captures, watch.since))
      if (!first?.place) continue
      place = first.place
    }
    for (;;) {
      const captures = await capturesAround(db, ranking.captures, place, [...apps.keys()])
      const events = rankEvents(watch.definition, ranking, captures, place, apps)
      found.push(...(await besideTools(db, watch.definition.country, ranking, events)))
      const fresh = captures.filter(({ capturedAt }) => capturedAt > (place as Date)).length
      place = captures.at(-1)?.capturedAt ?? place
      if (fresh < comparedAtOnce) break
    }
    await sql`
      insert into watch_places (watch_id, ranking, captured_at) values (${watch.watchId}::uuid, ${ranking.name}, ${place})
      on conflict (watch_id, ranking) do update set captured_at = excluded.captured_at`.execute(db)
  }
  return found
}

/**
 * Events of a keyword with what other tools told of the app until then, apart from the captures that were compared: nothing is compared
 * with it.
 */
async function besideTools(
  db: Database,
  country: string,
  { termId }: Found,
  events: FoundEvent[],
): Promise<FoundEvent[]> {
  if (termId === undefined || events.length === 0) return events
  const told = await toolHistories(db, [...new Set(events.map(storeIdOf))], country, [termId])
  return events.map((event) => {
    const observed = dayNumber(event.observedAt.toISOString().slice(0, 10))
    const otherTools = told(storeIdOf(event), termId).flatMap(({ tool, device, from, to, at, reading }) => {
      let day = Math.min(observed, to)
      while (day >= from && at(day) === 0) day--
      const { readingId } = reading
      return day < from
        ? []
        : [
            {
              tool: tool || null,
              device: device || null,
              day: dayOfNumber(day),
              rank: toldRank(at(day)),
              readingId,
            },
          ]
    })
    return otherTools.length === 0 ? event : { ...event, evidence: { ...event.evidence, otherTools } }
  })
}

const storeIdOf = ({ evidence }: FoundEvent) => String(evidence.storeId)

async function changedRankings(db: Database, watch: Watch & { definition: RankWatch }): Promise<Found[]> {
  const places = sql`left join watch_places p on p.watch_id = ${watch.watchId}::uuid and p.ranking = one.ranking`
  if (watch.definition.in === 'charts') {
    const charts = await rows(
      db,
      sql<ChartIdentity & { chartId: number; place: Date | null }>`
        select one.chart_id as "chartId", one.country, one.kind, one.category_id as "categoryId", one.device,
          p.captured_at as place
        from (${chartsOfWatch(watch.definition)}) one ${places}
        where p.captured_at is null or p.captured_at < one.newest_captured_at
        order by one.chart_id`,
    )
    return charts.map((chart) => ({
      name: `chart ${chart.chartId}`,
      words: chartInWords(chart),
      page: (storeId) =>
        `/apps/${storeId}/ranks?country=${chart.country}&categoryId=${chart.categoryId}&device=${chart.device}`,
      place: chart.place,
      captures: sql`select captured_at, reading_id, store_ids, true as counts from chart_snapshots
        where chart_id = ${chart.chartId}`,
    }))
  }
  const terms = await rows(
    db,
    sql<{ termId: number; term: string; country: string; place: Date | null }>`
      select one.term_id as "termId", one.term, one.country, p.captured_at as place
      from (${termsOfWatch(watch)}) one ${places}
      order by one.term_id`,
  )
  return terms.map(({ termId, term, country, place }) => ({
    name: `term ${termId}`,
    termId,
    words: `results for "${term}" (${country})`,
    page: (storeId) => `/apps/${storeId}/keywords?country=${country}&q=${encodeURIComponent(term)}`,
    place,
    captures: sql`select captured_at, reading_id, store_ids, counts from result_pages where term_id = ${termId}`,
  }))
}

/** The stored charts of a watch, as a query. */
export const chartsOfWatch = ({ country, chart, category, device }: RankWatch) => sql`
  select c.*, 'chart ' || c.chart_id as ranking from charts c
  where c.country = ${country}
    and (${chart ?? null}::text is null or c.kind = ${chart ?? null})
    and (${category ?? null}::int is null or c.category_id = ${category ?? null})
    and (${device ?? null}::text is null or c.device = ${device ?? null})`

/** The terms of a watch, as a query. */
export const termsOfWatch = ({
  accountId,
  definition: { country, term },
}: Watch & { definition: RankWatch }) => sql`
  select n.term_id, n.term, n.country, 'term ' || n.term_id as ranking from term_names n
  where n.country = ${country} and n.surface = ${mainSurface} and ${
    term === undefined
      ? sql`n.term_id in (
          select k.term_id from tracked_keywords k join tracked_apps a using (app_id)
          where a.account_id = ${accountId}::uuid and a.country = ${country})`
      : sql`n.term = ${term}`
  }`

/** Oldest first: some up to the position, and those after it. */
function capturesAround(
  db: Database,
  captures: RawBuilder<unknown>,
  place: Date,
  storeIds: readonly string[],
): Promise<RankCapture[]> {
  return rows(
    db,
    sql<RankCapture>`
      select c.captured_at as "capturedAt", c.reading_id as "readingId", cardinality(c.store_ids) as depth,
        array_position(c.store_ids, null) is not null as "hasGaps", not c.counts as suspect, (
          select coalesce(json_object_agg(app, place), '{}')
          from (
            select app, array_position(c.store_ids, ${bigintOf(sql`app`)}) as place
            from json_array_elements_text(${JSON.stringify(storeIds)}::json) as app) found
          where place is not null) as ranks
      from (
        (select * from (${captures}) s where captured_at <= ${place} order by captured_at desc limit ${lookedBack})
        union all
        (select * from (${captures}) s where captured_at > ${place} and captured_at <= ${ahead}
          order by captured_at limit ${comparedAtOnce})
      ) c
      order by c.captured_at`,
  )
}

const genreNames = new Map(genres.map(({ id, name }) => [id, name]))

/** Such as `top-free of Games (iphone, us)`. */
export function chartInWords(chart: ChartIdentity): string {
  const { country, kind, categoryId, device } = chart
  const genre = genreNames.get(categoryId)
  return genre ? `${kind} of ${genre} (${device}, ${country})` : chartName(chart)
}
