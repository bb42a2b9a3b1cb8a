import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import type { Ground } from '../creatives/grounds.ts'
import { namedReading, namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading } from '../evidence/reading.ts'
import type { Known, Stated } from '../facts/merge.ts'
import type { Metric, PostFields } from './post.ts'

/** A post as last observed, what is usual for its author, and what one account wrote when saving it. */
export interface PostRow extends Known<PostFields> {
  postNumber: string
  postId: string
  network: Network
  /** Every reader makes an address where the source states none. */
  facts: Stated<PostFields> & { url: string }
  firstObservedAt: Date
  lastObservedAt: Date
  observationCount: number
  medianViews: number | null
  postsMeasured: number
  /** Null when the account has not saved it. */
  savedAt: Date | null
  note: string | null
  tags: string[] | null
}

/** Posts by their numbers, in no order; numbers of nothing are left out. */
export function postsByNumber(
  db: Database,
  accountId: string,
  postNumbers: readonly string[],
): Promise<PostRow[]> {
  return rows(
    db,
    sql<PostRow>`
      select p.post_number::text as "postNumber", p.post_id as "postId", p.network, p.facts, p.evidence,
        p.first_observed_at as "firstObservedAt", p.last_observed_at as "lastObservedAt",
        p.observation_count as "observationCount", a.median_views as "medianViews",
        coalesce(a.posts_measured, 0) as "postsMeasured", s.saved_at as "savedAt", s.note, to_json(s.tags) as tags
      from posts p
      left join post_authors a on a.network = p.network and a.author = p.author
      left join saved_posts s on s.account_id = ${accountId} and s.post_id = p.post_id
      where p.post_number = any(${postNumbers}::bigint[])`,
  )
}

/** Counts at one observation, and its reading. Null is hidden or not carried. */
export interface MetricsRow extends KeyedReading {
  postNumber: string
  observedAt: Date
  views: number | null
  likes: number | null
  comments: number | null
  shares: number | null
  saves: number | null
  /** Those the source says are hidden; null where it says of none. */
  hidden: Metric[] | null
}

const metricsColumns = sql`
  m.post_number::text as "postNumber", m.observed_at as "observedAt", m.views::float8 as views,
  m.likes::float8 as likes, m.comments::float8 as comments, m.shares::float8 as shares, m.saves::float8 as saves,
  to_json(m.hidden) as hidden,
  ${namedReadingAt(sql`r`, sql`m.observed_at`)}`

/** The newest observation of each post. */
export function newestMetrics(db: Database, postNumbers: readonly string[]): Promise<MetricsRow[]> {
  return rows(
    db,
    sql<MetricsRow>`
      select ${metricsColumns}
      from unnest(${postNumbers}::bigint[]) as asked(post_number)
      cross join lateral (
        select * from post_metrics where post_number = asked.post_number order by observed_at desc limit 1
      ) m
      join readings r using (reading_id)`,
  )
}

/** The newest observations of one post, newest first. */
export function metricsHistory(db: Database, postNumber: string, limit: number): Promise<MetricsRow[]> {
  return rows(
    db,
    sql<MetricsRow>`
      select ${metricsColumns}
      from post_metrics m join readings r using (reading_id)
      where m.post_number = ${postNumber}::bigint
      order by m.observed_at desc
      limit ${limit}`,
  )
}

/** All observations of these posts, newest first. */
export function metricsHistories(db: Database, postNumbers: readonly string[]): Promise<MetricsRow[]> {
  return rows(
    db,
    sql<MetricsRow>`
      select ${metricsColumns}
      from post_metrics m join readings r using (reading_id)
      where m.post_number = any(${postNumbers}::bigint[])
      order by m.observed_at desc`,
  )
}

/** A ground with the reading it was found in, or with the time the operator decided it. */
export type GroundRow = {
  postNumber: string
  storeId: string
  kind: Ground['kind'] | 'manual' | 'declared-handle'
  foundIn: Ground['foundIn'] | 'decision'
  text: string
  /** Of the observation that shows it, or of the decision. */
  recordedAt: Date
} & (FoundGround | DecidedGround)

interface FoundGround extends KeyedReading {
  /** Of the whole reading. */
  observedAt: Date
  decidedAt: null
}

type DecidedGround = { [Name in keyof KeyedReading]: null } & { observedAt: null; decidedAt: Date }

/** Why posts belong to apps, in no order. */
export function groundsOfPosts(db: Database, postNumbers: readonly string[]): Promise<GroundRow[]> {
  return rows(
    db,
    sql<GroundRow>`
      select g.post_number::text as "postNumber", g.store_id::text as "storeId", g.kind, g.found_in as "foundIn", g.text,
        g.recorded_at as "recordedAt", g.decided_at as "decidedAt", r.observed_at as "observedAt",
        r.reading_key as key, ${namedReading(sql`r`)}
      from post_links g left join readings r using (reading_id)
      where g.post_number = any(${postNumbers}::bigint[])`,
  )
}
