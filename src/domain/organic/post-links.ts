import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { LinkAction } from '../../vocabulary/creatives.ts'
import { type Network, networkRow, networks } from '../../vocabulary/networks.ts'
import { type Attribution, storeAddressesIn } from '../creatives/attributions.ts'
import { withCountedChange } from '../evidence/changes.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields } from './post.ts'

/** App Store addresses in one observation of a post: each app once for each field that holds it. */
export function storeAttributionsOf(stated: Stated<PostFields>): Attribution[] {
  const { title, text, linkUrl, authorBio, authorLinks } = stated
  const places = [
    ['text', [title, text]],
    ['link', [linkUrl]],
    ['profile', [authorBio, ...(authorLinks ?? [])]],
  ] as const
  return places.flatMap(([foundIn, texts]) =>
    storeAddressesIn(texts.filter((part) => typeof part === 'string').join('\n')).map((found) => ({
      ...found,
      kind: 'store-url' as const,
      foundIn,
    })),
  )
}

/** Apps whose store pages are linked on the author's profile. */
export function appsOnProfile({ authorBio, authorLinks }: Stated<PostFields>): string[] {
  const profile = [authorBio, ...(authorLinks ?? [])].filter((part) => typeof part === 'string').join('\n')
  return storeAddressesIn(profile).map(({ storeId }) => storeId)
}

/** Maximum accounts mentioned in one text; more is a list of strangers. */
const mostMentions = 50

const mention = {
  '@': /(?<![A-Za-z0-9_.@/])@([A-Za-z0-9_][A-Za-z0-9_.-]{1,59})/g,
  'u/': /(?<![A-Za-z0-9_.@/-])\/?u\/([A-Za-z0-9_-]{2,30})/g,
}

/**
 * The accounts mentioned in a text as `@handle`, on Reddit as `u/handle`: lower case, each once. E-mail addresses do not
 * count.
 */
export function mentionsIn(network: Network, { title, text }: Stated<PostFields>): string[] {
  const words = [title, text].filter((part) => typeof part === 'string').join('\n')
  const { handlePrefix } = networkRow(network)
  if (!words.includes(handlePrefix)) return []
  const found = [...words.matchAll(mention[handlePrefix])].map((match) =>
    (match[1] ?? '').replace(/[.-]+$/, '').toLowerCase(),
  )
  return [...new Set(found)].filter((handle) => handle.length > 1).slice(0, mostMentions)
}

interface Profile {
  network: Network
  handle: string
}

/** The longest address that browsers accept. */
const longestAddress = 2_000

/** The account whose profile an address is, with its handle in lower case; undefined for any other address. */
export function profileOfAddress(address: string): Profile | undefined {
  if (address.length > longestAddress) return undefined
  const bare = address
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
  for (const network of networks) {
    const match = networkRow(network).profile.exec(bare)
    const handle = match?.[1] ?? match?.[2]
    if (handle) return { network, handle: handle.toLowerCase() }
  }
  return undefined
}

/** A decision that posts belong to an app or do not, which overrides all other evidence. */
export interface PostDecision {
  action: LinkAction
  /** Each once. */
  postIds: readonly string[]
  /** Digits. */
  storeId: string
  note: string | undefined
}

/** The first of these posts that is not stored. */
export async function firstUnstoredPost(db: Database, postIds: readonly string[]): Promise<string | undefined> {
  const found = await rows(
    db,
    sql<{ postId: string }>`select post_id as "postId" from posts where post_id = any(${[...postIds]}::text[])`,
  )
  const stored = new Set(found.map(({ postId }) => postId))
  return postIds.find((postId) => !stored.has(postId))
}

/** Replaces earlier decisions about these posts and the app. */
export async function decidePostLinks(
  db: Database,
  { action, postIds, storeId, note }: PostDecision,
): Promise<void> {
  const decided = sql`
    insert into post_decisions (post_id, store_id, action, note, decided_at)
    select post_id, ${bigintId(storeId)}, ${action}, ${note ?? null}, clock_timestamp()
    from unnest(${[...postIds]}::text[]) as sent(post_id)
    order by post_id
    on conflict (post_id, store_id) do update
      set action = excluded.action, note = excluded.note, decided_at = excluded.decided_at
    returning post_id`
  await withCountedChange(decided, 'posts').execute(db)
}

/** Withdraws the decisions about these posts and the app. @returns the posts that had any */
export async function withdrawPostDecisions(
  db: Database,
  postIds: readonly string[],
  storeId: string,
): Promise<string[]> {
  const gone = await rows(
    db,
    withCountedChange(
      sql<{ postId: string }>`
        delete from post_decisions where post_id = any(${[...postIds]}::text[]) and store_id = ${bigintId(storeId)}
        returning post_id as "postId"`,
      'posts',
    ),
  )
  return gone.map(({ postId }) => postId)
}

export interface CurrentDecision {
  postId: string
  storeId: string
  action: LinkAction
  note: string | null
  decidedAt: Date
}

/** All decisions in force, newest first; including those on posts that are no longer stored. */
export function postDecisions(db: Database): Promise<CurrentDecision[]> {
  return rows(
    db,
    sql<CurrentDecision>`
      select post_id as "postId", store_id::text as "storeId", action, note, decided_at as "decidedAt"
      from post_decisions order by decided_at desc, post_id, post_decisions.store_id`,
  )
}
