import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { metrics, type PostMetric } from '../../vocabulary/post-fields.ts'
import type { Attribution } from '../creatives/attributions.ts'
import { textArray } from '../creatives/saving.ts'
import {
  creativesWithMarks,
  type DisplayQueries,
  type KnownCreative,
  knownCreativeColumns,
  requestedCreatives,
  type StoredCreative,
  type StoredObservation,
} from '../creatives/stored-creatives.ts'
import { namedReadingColumns } from '../evidence/queries.ts'
import type { KeyedReading } from '../evidence/reading.ts'
import type { Stated } from '../facts/merge.ts'
import { type PostFields, postKind } from './post.ts'
import { withAuthorsLanguage } from './post-language.ts'
import type { UsualAtAge } from './scores.ts'

/** A post as last observed, with its author's usual figures and one account's note and tags. */
interface PostRow extends KnownCreative<PostFields> {
  postId: string
  network: Network
  /** Every parser sets an address where the source states none. */
  facts: Stated<PostFields> & { url: string }
  medianViews: number | null
  postsMeasured: number
  usualAtAge: UsualAtAge[]
}

/** Counts at one observation. Null is hidden or not carried. */
type Counts = Record<PostMetric, number | null> & {
  /** Counts that the source marks as hidden; null where it marks none. */
  hidden: PostMetric[] | null
}
export type MetricsRow = StoredObservation & Counts

/** An attribution with the reading it was found in, or with the time of the operator's decision. */
type AttributionRow = {
  number: string
  storeId: string
  kind: Attribution['kind'] | 'manual' | 'declared-handle'
  foundIn: Attribution['foundIn'] | 'decision'
  text: string
  /** Of the observation that shows it, or of the decision. */
  recordedAt: Date
} & (FoundAttribution | DecidedAttribution)

interface FoundAttribution extends KeyedReading {
  /** Of the whole reading. */
  observedAt: Date
  decidedAt: null
}

type DecidedAttribution = { [Name in keyof KeyedReading]: null } & { observedAt: null; decidedAt: Date }

export type StoredPost = StoredCreative<PostRow, Counts, AttributionRow>

export const postDisplayQueries: DisplayQueries<PostRow, Counts, AttributionRow> = {
  ...postKind,
  observed: {
    table: 'post_metrics',
    columns: sql<Counts>`
      ${sql.join(metrics.map((name) => sql`${sql.ref(`o.${name}`)}::float8 as ${sql.ref(name)}`))},
      to_json(o.hidden) as hidden`,
  },
  itemsOf: postsByNumber,
  attributionsOf: attributionsOfPosts,
}

async function postsByNumber(db: Database, accountId: string, numbers: readonly string[]): Promise<PostRow[]> {
  const found = await rows(
    db,
    sql<PostRow & { language: string | null }>`
      with ${requestedCreatives(postKind, numbers)}
      select ${knownCreativeColumns(postKind)}, i.network, a.median_views as "medianViews",
        coalesce(a.posts_measured, 0) as "postsMeasured", coalesce(a.usual_at_age, '[]') as "usualAtAge", a.language
      from ${creativesWithMarks(postKind, accountId)}
      left join post_authors a on a.network = i.network and a.author = i.author`,
  )
  return found.map(({ language, ...post }) => ({
    ...post,
    facts: { ...withAuthorsLanguage(post.facts, language), url: post.facts.url },
  }))
}

function attributionsOfPosts(db: Database, numbers: readonly string[]): Promise<AttributionRow[]> {
  return rows(
    db,
    sql<AttributionRow>`
      with g as materialized (select * from post_links where post_number = any(${numbers}::bigint[]))
      select g.post_number::text as number, g.store_id::text as "storeId", g.kind, g.found_in as "foundIn", g.text,
        g.recorded_at as "recordedAt", g.decided_at as "decidedAt", r.observed_at as "observedAt",
        r.reading_key as key, ${namedReadingColumns(sql`r`)}
      from g left join readings r using (reading_id)`,
  )
}

interface SavedPostRow {
  postId: string
  postNumber: string
  savedAt: Date
}

/** Saved posts of an account that are stored, newest saved first; filtered by any of the networks and any of the tags. */
export function savedPostsOf(
  db: Database,
  accountId: string,
  { network, tag }: { network: readonly Network[] | undefined; tag: readonly string[] | undefined },
  { limit, after }: { limit: number; after: { savedAt: string; postId: string } | undefined },
): Promise<SavedPostRow[]> {
  const ofNetwork = network ? sql`p.network = any(${textArray(network)})` : sql`true`
  const tagged = tag ? sql`s.tags && ${textArray(tag)}` : sql`true`
  const beyond = after
    ? sql`(s.saved_at, s.post_id) < (${after.savedAt}::timestamptz, ${after.postId})`
    : sql`true`
  return rows(
    db,
    sql<SavedPostRow>`
      select s.post_id as "postId", p.post_number::text as "postNumber", s.saved_at as "savedAt"
      from saved_posts s join posts p using (post_id)
      where s.account_id = ${accountId} and ${ofNetwork} and ${tagged} and ${beyond}
      order by s.saved_at desc, s.post_id desc
      limit ${limit}`,
  )
}
