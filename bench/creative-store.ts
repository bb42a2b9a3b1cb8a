import { sql } from 'kysely'
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../src/domain/accounts/queries.ts'
import { indexPostRows, reindexOutliers } from '../src/domain/organic/post-search.ts'
import { refreshAuthors } from '../src/domain/organic/post-writes.ts'
import { indexAdRows } from '../src/domain/paid-ads/ad-search.ts'
import { type Database, rows } from '../src/storage/database.ts'
import type { Store } from '../src/storage/store.ts'
import { madeUpReading } from './chart-store.ts'
import { type MadeAd, type MadePost, madeAd, madePost } from './creative-writing.ts'
import { observedAt } from './generate.ts'

export const benchAccount = 'bench-creatives'
/** Posts and ads that the account has saved. */
const savedEach = 300
const batch = 4_000

/**
 * Fills a store with made-up posts and as many ads up to that number of each, straight into the tables; search gets them
 * through its own indexing, with the indexes created at the end.
 * @param from how many of each it holds already
 * @param reading a stored one that all of them come from; one is made up where none is named, for a store that has none made up yet
 */
export async function fillCreatives(store: Store, count: number, from = 0, reading?: string): Promise<void> {
  const readingId = reading ?? (await madeUpReading(store.db))
  const indexes = await withoutIndexes(store.db)
  const evidence = [
    {
      readingId,
      source: 'chart-file',
      origin: 'sample',
      observedAt,
      timeBasis: 'stated',
      fields: ['text', 'title'],
    },
  ]
  const filling = [
    (db: Database) => fillPosts(db, { from, count }, readingId, evidence),
    (db: Database) => fillAds(db, { from, count }, readingId, evidence),
  ]
  // Evidence is made up here, so nothing needs to be checked against it.
  const inOrder = (fill: (db: Database) => Promise<void>) =>
    store.db.connection().execute(async (db) => {
      await sql`set session_replication_role = replica`.execute(db)
      await fill(db)
      await sql`set session_replication_role = default`.execute(db)
    })
  await Promise.all(filling.map(inOrder))
  await store.db.connection().execute(async (db) => {
    await sql`set maintenance_work_mem = '512MB'`.execute(db)
    for (const index of indexes) await sql.raw(index).execute(db)
    await sql`reset maintenance_work_mem`.execute(db)
  })
  await fillMeans(store.db)
  await fillSaved(store.db)
  await sql`vacuum analyze`.execute(store.db)
}

export async function countPosts(db: Database): Promise<number> {
  const [counted] = await rows(db, sql<{ posts: number }>`select count(*)::int as posts from post_search`)
  return counted?.posts ?? 0
}

/** Drops the indexes that search walks; @returns the statements that make them again. */
async function withoutIndexes(db: Database): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema()
        and tablename in ('post_search', 'post_sort_keys', 'ad_search', 'ad_sort_keys') and indexname not like '%pkey'`,
  )
  for (const { name } of found) await sql`drop index ${sql.id(name)}`.execute(db)
  return found.map(({ definition }) => definition)
}

interface Numbers {
  from: number
  count: number
}

function* batches<T>({ from, count }: Numbers, make: (at: number) => T): Generator<[start: number, made: T[]]> {
  for (let start = from; start < count; start += batch)
    yield [start, Array.from({ length: Math.min(batch, count - start) }, (_, at) => make(start + at))]
}

async function fillPosts(db: Database, numbers: Numbers, readingId: string, evidence: unknown): Promise<void> {
  for (const [start, posts] of batches(numbers, madePost)) {
    const sent = posts.map((post, at) => ({ ...post, evidence, number: start + at + 1 }))
    await sql`
      with sent as materialized (
        select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(number bigint, network text,
          "nativeId" text, author text, facts jsonb, evidence jsonb, metrics json, "storeId" bigint)
      ), posted as (
        insert into posts (post_number, post_id, network, author, facts, evidence, first_observed_at, last_observed_at,
          observation_count) overriding system value
        select number, network || '_' || "nativeId", network, author, facts, evidence, ${observedAt}, ${observedAt}, 1
        from sent
      ), measured as (
        insert into post_metrics (post_number, observed_at, views, likes, comments, shares, reading_id)
        select number, ${observedAt}, (metrics ->> 'views')::bigint, (metrics ->> 'likes')::bigint,
          (metrics ->> 'comments')::bigint, (metrics ->> 'shares')::bigint, ${readingId}
        from sent
      )
      insert into post_grounds (post_number, store_id, kind, found_in, text, reading_id, recorded_at)
      select number, "storeId", 'store-url', 'text', 'https://apps.apple.com/app/id' || "storeId", ${readingId},
        ${observedAt}
      from sent where "storeId" is not null`.execute(db)
    await indexPostRows(
      db,
      posts.map((post, at) => indexed(post, start + at + 1)),
    )
  }
}

const indexed = (post: MadePost, number: number) => ({
  ...post,
  postNumber: String(number),
  medianViews: null,
  usualAtAge: [],
  age: null,
  postsMeasured: 0,
})

async function fillAds(db: Database, numbers: Numbers, readingId: string, evidence: unknown): Promise<void> {
  for (const [start, ads] of batches(numbers, madeAd)) {
    const sent = ads.map((ad, at) => ({ ...ad, evidence, number: start + at + 1 }))
    const creatives = sent.flatMap(({ number, creatives, lastObservedAt }) =>
      creatives.map((facts, at) => ({
        id: uuidv5(`creative ${number} ${at}`, uuidv5.URL),
        number,
        position: at + 1,
        facts,
        lastObservedAt,
      })),
    )
    await sql`
      with sent as materialized (
        select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(number bigint, platform text,
          "archiveId" text, "advertiserId" text, facts jsonb, evidence jsonb, "lastObservedAt" timestamptz,
          transcript text, "storeId" bigint)
      ), advertised as (
        insert into ads (ad_number, platform, archive_id, advertiser_id, facts, evidence, first_observed_at,
          last_observed_at, observation_count) overriding system value
        select number, platform, "archiveId", "advertiserId", facts, evidence, "lastObservedAt", "lastObservedAt", 1
        from sent
      ), observed as (
        insert into ad_observations (ad_number, observed_at, active, ended_on, reading_id)
        select number, "lastObservedAt", (facts ->> 'active')::boolean, (facts ->> 'endedOn')::date, ${readingId}
        from sent
      ), heard as (
        insert into ad_transcripts (platform, archive_id, outcome, result, made_at)
        select platform, "archiveId", 'available', json_build_object('text', transcript), ${observedAt}
        from sent where transcript is not null
      ), grounds as (
        insert into ad_grounds (ad_number, store_id, kind, found_in, text, reading_id, recorded_at)
        select number, "storeId", 'landing-url', 'link', 'https://apps.apple.com/app/id' || "storeId", ${readingId},
          ${observedAt}
        from sent where "storeId" is not null
      ), links as (
        insert into ad_links (ad_number, store_id) select number, "storeId" from sent where "storeId" is not null
      )
      insert into ad_creatives (creative_id, ad_number, position, facts, first_observed_at, last_observed_at, reading_id)
      select id, number, position, facts, "lastObservedAt", "lastObservedAt", ${readingId}
      from json_to_recordset(${JSON.stringify(creatives)}::json) as sent(id uuid, number bigint, position smallint,
        facts jsonb, "lastObservedAt" timestamptz)`.execute(db)
    await indexAdRows(
      db,
      ads.map((ad: MadeAd, at) => ({ ...ad, adNumber: String(start + at + 1) })),
    )
  }
}

/** What is usual for each author, and with it the outlier scores of all posts. */
async function fillMeans(db: Database): Promise<void> {
  const authors = await rows(
    db,
    sql<{ network: MadePost['network']; author: string }>`
      select distinct network, author from posts where author is not null`,
  )
  for (let start = 0; start < authors.length; start += 500) {
    const some = authors.slice(start, start + 500)
    await refreshAuthors(db, some)
    await reindexOutliers(db, some)
  }
}

async function fillSaved(db: Database): Promise<void> {
  const accountId = await ensureAccount(db, uuidv7(), benchAccount)
  await sql`
    insert into saved_posts (account_id, post_id)
    select ${accountId}, post_id from posts order by hashint8(post_number) limit ${savedEach}
    on conflict do nothing`.execute(db)
  await sql`
    insert into saved_ads (account_id, platform, archive_id, tags)
    select ${accountId}, platform, archive_id, '{hooks}' from ads order by hashint8(ad_number) limit ${savedEach}
    on conflict do nothing`.execute(db)
  await sql`
    insert into ad_analyses (platform, archive_id, result, made_at)
    select platform, archive_id, '{}', ${observedAt} from ads where ad_number % 500 = 0
    on conflict do nothing`.execute(db)
}
