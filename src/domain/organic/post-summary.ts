import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { NotMeasured } from '../../vocabulary/facts.ts'
import { networks } from '../../vocabulary/networks.ts'
import { matchesCondition } from '../creatives/search/condition.ts'
import { conditionOfFilters } from '../creatives/search/searched-kind.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading, ObservedReading } from '../evidence/reading.ts'
import { notMeasured } from '../facts/fact.ts'
import { metricsHiddenBy } from './post.ts'
import { type PostFilters, searchablePosts } from './post-search.ts'
import { type ComputedNumber, minOutlierScore } from './scores.ts'

/** Summary figures of posts. */
interface PostSummary {
  posts: number
  /** Weeks by their Monday, oldest first, including those without a post in between. */
  postsByWeek: { weekStartsOn: string; posts: number }[]
  views: { total: Summed; measuredPosts: number }
  medianEngagementRate: ComputedNumber
  /** Number of different authors. */
  creators: number
  outliers: Summed
}

type Summed =
  | { state: 'measured'; value: number }
  | NotMeasured<'hidden-upstream' | 'not-carried' | 'too-little-evidence'>

interface SummaryRow {
  posts: number
  views: number
  measuredPosts: number
  engagement: number | null
  /** Posts with a rate of engagement. */
  rated: number
  creators: number
  /** Posts that can be compared with the usual views of their author, and the outliers among them. */
  compared: number
  outliers: number
  /** Whether any of the posts hides its views. */
  hidden: boolean | null
  /** Mondays with numbers of posts, oldest first. */
  weeks: [string, number][] | null
}

/** Publication times before are implausible: such posts count, but in no week. */
const earliest = Date.UTC(2000, 0, 1) / 1000
const latest = Date.UTC(2100, 0, 1) / 1000

const networksHidingViews = networks.filter((network) => metricsHiddenBy(network).includes('views'))

/** Summarises all posts that match the filters, in one statement. */
export async function summaryOfPosts(db: Database, filters: PostFilters): Promise<PostSummary> {
  const condition = conditionOfFilters(searchablePosts, filters)
  if (!condition) return summaryOf(undefined)
  return summaryOf(
    await firstRow(
      db,
      sql<SummaryRow>`
        with found as materialized (
          select s.published, t.views, t.engagement, t.outlier, p.network, p.author, p.post_number
          from post_search s
          join post_sort_keys t on t.post_number = s.post_number
          join posts p on p.post_number = s.post_number
          where ${matchesCondition({ ...condition, terms: [...condition.terms, ...condition.hints] })}
        ), hiding as materialized (
          -- Asked only where no views are measured.
          select count(*) as posts from found f join post_metrics m on m.post_number = f.post_number
          where 'views' = any(m.hidden) and not exists (select from found where views >= 0)
        )
        select count(*)::int as posts,
          coalesce(sum(views) filter (where views >= 0), 0) as views,
          count(*) filter (where views >= 0)::int as "measuredPosts",
          percentile_cont(0.5) within group (order by engagement) filter (where engagement >= 0) as engagement,
          count(*) filter (where engagement >= 0)::int as rated,
          count(distinct (network, author)) filter (where author is not null)::int as creators,
          count(*) filter (where outlier >= 0)::int as compared,
          count(*) filter (where outlier >= ${minOutlierScore})::int as outliers,
          bool_or(network = any(${networksHidingViews}::text[])) or (select posts > 0 from hiding) as hidden,
          (
            select json_agg(json_build_array(week, posts) order by week)
            from (
              select date_trunc('week', to_timestamp(published) at time zone 'UTC')::date::text as week,
                count(*)::int as posts
              from found where published >= ${earliest} and published < ${latest}
              group by 1
            ) by_week
          ) as weeks
        from found`,
    ),
  )
}

export const medianEngagementRateFormula = 'median-engagement-rate/1'

function summaryOf(row: SummaryRow | undefined): PostSummary {
  const engagement = row?.engagement ?? null
  const {
    posts: searchablePosts = 0,
    views = 0,
    measuredPosts = 0,
    compared = 0,
    outliers = 0,
    rated = 0,
  } = row ?? {}
  const unseen = searchablePosts === 0 ? 'too-little-evidence' : row?.hidden ? 'hidden-upstream' : 'not-carried'
  return {
    posts: searchablePosts,
    postsByWeek: withQuietWeeks(row?.weeks ?? []),
    views: { total: measuredPosts === 0 ? notMeasured(unseen) : measured(views), measuredPosts },
    medianEngagementRate:
      engagement === null
        ? notMeasured('too-little-evidence')
        : {
            state: 'measured',
            value: Math.round(engagement * 10_000) / 10_000,
            // A median of what happened to be known says of how much.
            formula:
              rated < searchablePosts
                ? `${medianEngagementRateFormula} (${rated} of ${searchablePosts} posts)`
                : medianEngagementRateFormula,
          },
    creators: row?.creators ?? 0,
    outliers:
      compared > 0 ? measured(outliers) : notMeasured(measuredPosts === 0 ? unseen : 'too-little-evidence'),
  }
}

const measured = (value: number) => ({ state: 'measured', value }) as const

const week = 7 * 86_400_000

function withQuietWeeks(weeks: readonly (readonly [string, number])[]): PostSummary['postsByWeek'] {
  const [first, last] = [weeks[0], weeks.at(-1)]
  if (!first || !last) return []
  const counts = new Map(weeks)
  const length = (Date.parse(last[0]) - Date.parse(first[0])) / week + 1
  return Array.from({ length }, (_, index) => {
    const weekStartsOn = new Date(Date.parse(first[0]) + index * week).toISOString().slice(0, 10)
    return { weekStartsOn, posts: counts.get(weekStartsOn) ?? 0 }
  })
}

/** The newest observation of any post linked to an app: one row, or none. */
export const newestSightingOf = (storeId: string) => sql<ObservedReading & KeyedReading>`
  with newest as materialized (
    -- Answered from indexes alone; the rows of posts are wide.
    select post_number, (select max(observed_at) from post_metrics where post_number = g.post_number) as observed_at
    from post_links g where store_id = ${bigintId(storeId)}
    order by observed_at desc, post_number limit 1
  ), m as materialized (
    select m.observed_at, m.reading_id from newest join post_metrics m using (post_number, observed_at)
  )
  select m.observed_at as "observedAt", ${namedReadingAt(sql`r`, sql`m.observed_at`)}
  from m join readings r using (reading_id)`
