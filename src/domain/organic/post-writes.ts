import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { metrics, type PostMetric } from '../../vocabulary/post-fields.ts'
import type { PostMetrics } from './post.ts'
import { minDetectedPosts, minLanguageShare } from './post-language.ts'
import type { MetricsPoint, PostState } from './post-state.ts'
import { ageLimitsSeconds, settledPostAge, type UsualAtAge } from './scores.ts'

/** Something of each metric, in a statement. */
const ofEach = (write: (metric: PostMetric) => RawBuilder<unknown>) =>
  sql.join(metrics.map((name) => write(name)))

export type StoredPost = PostState & { postNumber: string; author: string | null }

/** The stored posts among these ids, unordered. */
export function storedPosts(db: Database, postIds: readonly string[]): Promise<StoredPost[]> {
  return rows(
    db,
    sql<StoredPost>`
      select post_number::text as "postNumber", post_id as "postId", network, author, facts, evidence, unreadable,
        first_observed_at as "firstObservedAt", last_observed_at as "lastObservedAt",
        observation_count as "observationCount"
      from posts
      where post_id in (select value from json_array_elements_text(${JSON.stringify(postIds)}::json))`,
  )
}

/** The counts stored for these posts at these moments. */
export async function storedPoints(
  db: Database,
  asked: readonly { postNumber: string; observedAt: Date }[],
): Promise<(MetricsPoint & { postNumber: string })[]> {
  const found = await rows(
    db,
    sql<{ postNumber: string; observedAt: Date; readingId: string; key: string; counts: PostMetrics }>`
      with m as materialized (
        select m.*
        from json_to_recordset(${JSON.stringify(asked)}::json) as asked("postNumber" bigint, "observedAt" timestamptz)
        join post_metrics m on m.post_number = asked."postNumber" and m.observed_at = asked."observedAt"
      )
      select post_number::text as "postNumber", m.observed_at as "observedAt", reading_id as "readingId",
        r.reading_key as key,
        json_strip_nulls(json_build_object(${ofEach((name) => sql`${sql.lit(name)}, ${sql.ref(name)}`)},
          'hidden', to_json(hidden))) as counts
      from m join readings r using (reading_id)`,
  )
  return found.map(({ counts, ...row }) => ({ ...counts, ...row }))
}

/** Writes points; one of the same post and moment is replaced. */
export async function writePoints(
  db: Database,
  points: readonly (MetricsPoint & { postNumber: string })[],
): Promise<void> {
  await sql`
    insert into post_metrics (post_number, observed_at, ${ofEach((name) => sql.ref(name))}, hidden, reading_id)
    select "postNumber", "observedAt", ${ofEach((name) => sql.ref(name))}, hidden, "readingId"
    from json_to_recordset(${JSON.stringify(points)}::json) as sent("postNumber" bigint, "observedAt" timestamptz,
      ${ofEach((name) => sql`${sql.ref(name)} bigint`)}, hidden text[], "readingId" uuid)
    on conflict (post_number, observed_at) do update
      set ${ofEach((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)}, hidden = excluded.hidden, reading_id = excluded.reading_id`.execute(
    db,
  )
}

export interface AuthorKey {
  network: Network
  /** Lower case, without `@`. */
  author: string
}

/** The usual figures of an author. */
export interface AuthorFigures extends AuthorKey {
  /** Null where no views are measured. */
  medianViews: number | null
  postsMeasured: number
  usualAtAge: UsualAtAge[]
  /** Number of their stored posts. */
  posts: number
  /** The language they write in, now and before, ISO 639-1; null where it cannot be detected. */
  language: string | null
  languageBefore: string | null
}

/** Seconds between the publication of the post `p` and an observation; null where unknown. */
const ageSeconds = (observed: RawBuilder<unknown>) => sql`
  case when p.facts->>'publishedAt' ~ '^[12][0-9]{3}-'
    then extract(epoch from ${observed}.observed_at - (p.facts->>'publishedAt')::timestamptz) end`

/** The age of the post `p` at an observation, as an index of `ageNames`; null where unknown. @param observed its alias */
export const postAgeIndex = (observed: RawBuilder<unknown>) => sql`
  case when ${ageSeconds(observed)} >= 0
    then width_bucket(${ageSeconds(observed)}::double precision, ${sql.lit(`{${ageLimitsSeconds.join(',')}}`)}::double precision[])
  end`

/**
 * Recomputes the usual figures of these authors: the median of the newest measured views of each of their posts, of all, and
 * by the age at which they were observed. Groups are materialized once, however few authors the planner expects.
 * @returns those who have posts, unordered
 */
export async function refreshAuthors(db: Database, authors: readonly AuthorKey[]): Promise<AuthorFigures[]> {
  if (authors.length === 0) return []
  const sent = sql`json_to_recordset(${JSON.stringify(authors)}::json) as sent(network text, author text)`
  return rows(
    db,
    sql<AuthorFigures>`
      with observed as materialized (
        select p.network, p.author, p.post_number, m.views, m.observed_at, ${postAgeIndex(sql`m`)} as age
        from ${sent}
        join posts p on p.network = sent.network and p.author = sent.author collate "C"
        left join post_metrics m on m.post_number = p.post_number and m.views is not null
      ), newest as (
        select distinct on (post_number) network, author, views, age from observed
        order by post_number, observed_at desc nulls last
      ), figures as materialized (
        select network, author, percentile_cont(0.5) within group (order by views) as median_views,
          count(views)::int as measured, count(*)::int as posts
        from newest group by network, author
      ), newest_at_age as (
        select distinct on (post_number, age) network, author, views, age from observed
        where views is not null order by post_number, age, observed_at desc
      ), at_age as (
        select network, author, age, percentile_cont(0.5) within group (order by views) as median_views, count(*)::int as posts
        from newest_at_age group by network, author, age
      ), later as (
        select network, author, since, percentile_cont(0.5) within group (order by views) as median_views, count(*)::int as posts
        from newest cross join generate_series(0, ${settledPostAge}) as since
        where views is not null and age >= since
        group by network, author, since
      ), by_age as materialized (
        select a.network, a.author, json_agg(json_build_object('age', a.age, 'medianViews', a.median_views, 'posts', a.posts,
          'laterMedianViews', coalesce(l.median_views, 0), 'laterPosts', coalesce(l.posts, 0)) order by a.age) as usual
        from at_age a
        left join later l on l.network = a.network and l.author = a.author and l.since = least(a.age, ${settledPostAge})
        group by a.network, a.author
      ), told as (
        select p.network, p.author,
          split_part(lower(coalesce(p.facts->>'language', p.facts->>'detectedLanguage')), '-', 1) as language
        from ${sent}
        join posts p on p.network = sent.network and p.author = sent.author collate "C"
        where coalesce(p.facts->>'language', p.facts->>'detectedLanguage') is not null
      ), languages as materialized (
        select network, author, language
        from (
          select network, author, language, count(*) as posts, sum(count(*)) over (partition by network, author) as of_all
          from told group by network, author, language
        ) counted
        where of_all >= ${minDetectedPosts} and posts >= of_all * ${minLanguageShare}::double precision
      ), usual as materialized (
        select f.*, coalesce(b.usual, '[]') as usual, l.language, before.language as "languageBefore"
        from figures f
        left join by_age b on b.network = f.network and b.author = f.author
        left join languages l on l.network = f.network and l.author = f.author
        left join post_authors before on before.network = f.network and before.author = f.author
      ), written as (
        insert into post_authors (network, author, median_views, posts_measured, usual_at_age, language)
        select network, author, median_views, measured, usual, language from usual
        on conflict (network, author) do update
          set median_views = excluded.median_views, posts_measured = excluded.posts_measured,
            usual_at_age = excluded.usual_at_age, language = excluded.language
      )
      select network, author, median_views as "medianViews", measured as "postsMeasured", usual as "usualAtAge", posts,
        language, "languageBefore"
      from usual`,
  )
}

/** Deletes those of these authors that no longer have a post. */
export async function deleteAuthorsWithoutPosts(db: Database, authors: readonly AuthorKey[]): Promise<void> {
  if (authors.length === 0) return
  await sql`
    delete from post_authors a
    using json_to_recordset(${JSON.stringify(authors)}::json) as sent(network text, author text)
    where a.network = sent.network and a.author = sent.author collate "C"
      and not exists (select 1 from posts p where p.network = a.network and p.author = a.author)`.execute(db)
}

/** Posts of this author that by their words may be in one of these languages, unordered. */
export function postsPossiblyIn(
  db: Database,
  { network, author }: AuthorKey,
  languages: readonly string[],
): Promise<string[]> {
  return rows(
    db,
    sql<{ postNumber: string }>`
      select post_number::text as "postNumber" from posts
      where network = ${network} and author = ${author} collate "C"
        and jsonb_exists_any(facts->'possibleLanguages', array(select json_array_elements_text(${JSON.stringify(languages)}::json)))`,
  ).then((found) => found.map(({ postNumber }) => postNumber))
}
