import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Known, withStatement } from '../../src/domain/creatives/stated.ts'
import type { PostFields } from '../../src/domain/organic/post.ts'
import type { World } from './world.ts'

/** A line of our own shape. */
export interface MadePost {
  postId: string
  network: 'tiktok' | 'instagram' | 'youtube' | 'reddit' | 'x'
  url?: string
  author?: { handle: string; name?: string; followers?: number; bio?: string }
  title?: string
  text?: string
  language?: string
  hashtags?: string[]
  publishedAt?: string
  media?: { kind: string; url: string; width?: number; height?: number; durationSeconds?: number }[]
  metrics?: { views?: number; likes?: number; comments?: number; shares?: number; saves?: number }
  observedAt: string
}

export async function importPosts(world: World, posts: MadePost[]): Promise<void> {
  const { db } = world.store
  const readingId = uuidv7()
  await sql`insert into payloads (payload_hash, content, content_bytes) values (decode(md5(${readingId}),'hex'), ''::bytea, 0)`.execute(
    db,
  )
  await sql`insert into readings (reading_id, payload_hash, format, source, origin, observed_at, time_basis, context, identity, records, rejected)
    values (${readingId}, decode(md5(${readingId}),'hex'), 'organic-posts', 'organic-file', 'imported', ${posts[0]?.observedAt}, 'payload', '{}', decode(md5(${readingId}),'hex'), 1, 0)`.execute(
    db,
  )
  for (const p of posts) {
    const at = new Date(p.observedAt)
    const found = await sql<{
      known: Known<PostFields>
    }>`select json_build_object('facts', facts, 'evidence', evidence) as known from posts where post_id = ${p.postId}`.execute(
      db,
    )
    const stated: Record<string, unknown> = { url: p.url ?? `https://example.com/${p.postId}` }
    for (const f of ['text', 'title', 'language', 'hashtags', 'publishedAt', 'media'] as const)
      if (p[f] !== undefined) stated[f] = p[f]
    if (p.language === undefined) stated.detectedLanguage = 'en'
    if (p.author?.name) stated.authorName = p.author.name
    if (p.author?.followers) stated.followers = p.author.followers
    const known = withStatement<PostFields>(found.rows[0]?.known, stated, {
      readingId,
      source: 'organic-file',
      origin: 'imported',
      timeBasis: 'payload',
      observedAt: at,
    } as never)
    const row = (
      await sql<{
        n: string
      }>`insert into posts (post_id, network, author, facts, evidence, first_observed_at, last_observed_at, observation_count)
      values (${p.postId}, ${p.network}, ${p.author?.handle ?? null}, ${JSON.stringify(known.facts)}::jsonb, ${JSON.stringify(known.evidence)}::jsonb, ${at}, ${at}, 1)
      on conflict (post_id) do update set facts = excluded.facts, evidence = excluded.evidence, last_observed_at = greatest(posts.last_observed_at, excluded.last_observed_at), observation_count = posts.observation_count + 1
      returning post_number::text as n`.execute(db)
    ).rows[0]
    const m = p.metrics ?? {}
    await sql`insert into post_metrics values (${row?.n}::bigint, ${at}, ${m.views ?? null}, ${m.likes ?? null}, ${m.comments ?? null}, ${m.shares ?? null}, ${m.saves ?? null}, ${readingId})`.execute(
      db,
    )
    const url = /id(\d+)/.exec(p.text ?? '')
    if (url)
      await sql`insert into post_grounds values (${row?.n}::bigint, ${url[1]}::bigint, 'store-url', 'text', ${`https://apps.apple.com/app/id${url[1]}`}, ${readingId}, ${at}) on conflict do nothing`.execute(
        db,
      )
  }
  await sql`insert into post_authors select p.network, p.author, percentile_cont(0.5) within group (order by m.views), count(m.views)
    from posts p cross join lateral (select views from post_metrics where post_number = p.post_number order by observed_at desc limit 1) m where p.author is not null
    group by 1, 2 on conflict (network, author) do update set median_views = excluded.median_views, posts_measured = excluded.posts_measured`.execute(
    db,
  )
}
