import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import { type Network, networkRow } from '../../vocabulary/networks.ts'
import type { AppSighting } from '../catalogue/listing.ts'
import { lockCreativeKind } from '../creatives/kind.ts'
import { withCountedChange } from '../evidence/changes.ts'
import type { Reading } from '../evidence/reading.ts'
import {
  type AccountName,
  appsOfPosts,
  attributeByHandles,
  type HandleClaim,
  hasAnyClaim,
  postsByOrMentioning,
  storeHandleClaims,
} from './handle-queries.ts'
import { postKind } from './post.ts'
import { appsOnProfile, profileOfAddress } from './post-links.ts'
import { normaliseHandle, type PostObservation } from './post-state.ts'

/** An account that the operator declared to be an app's. */
export interface DeclaredHandle extends AccountName {
  /** Digits. */
  storeId: string
}

/** The handle in a user's input, with or without `@` or as the address of the profile; undefined when invalid. */
export function parseHandle(network: Network, text: string): string | undefined {
  const profile = profileOfAddress(text)
  if (profile) return profile.network === network ? profile.handle : undefined
  const isPrefixed = networkRow(network).handlePrefix === 'u/'
  const bare = text.trim().replace(isPrefixed ? /^(?:\/?u\/|@)/i : /^@/, '')
  return /^[\p{L}\p{N}_.-]{1,60}$/u.test(bare) ? normaliseHandle(bare) : undefined
}

/** Declares an account. Idempotent. @returns the stored posts by it, and those that mention it */
export async function declareHandle(
  db: Database,
  { network, handle, storeId }: DeclaredHandle,
): Promise<{ storedPosts: number }> {
  const declared = sql`
    insert into declared_handles (network, handle, store_id, declared_at)
    values (${network}, ${handle}, ${bigintId(storeId)}, clock_timestamp())
    on conflict do nothing
    returning store_id`
  await withCountedChange(declared, 'posts').execute(db)
  const found = await firstRow(
    db,
    sql<{ storedPosts: number }>`
      select count(*)::int as "storedPosts"
      from (
        select post_number from posts where network = ${network} and author = ${handle}
        union
        select post_number from post_mentions where network = ${network} and handle = ${handle}
      ) around`,
  )
  return { storedPosts: found?.storedPosts ?? 0 }
}

/** @returns whether it was declared */
export async function removeHandle(
  db: Database,
  { network, handle, storeId }: DeclaredHandle,
): Promise<boolean> {
  const gone = await rows(
    db,
    withCountedChange(
      sql<{ handle: string }>`
        delete from declared_handles
        where network = ${network} and handle = ${handle} and store_id = ${bigintId(storeId)}
        returning handle`,
      'posts',
    ),
  )
  return gone.length > 0
}

/** All declared accounts, by network and handle. */
export function declaredHandles(db: Database): Promise<(DeclaredHandle & { declaredAt: Date })[]> {
  return rows(
    db,
    sql<DeclaredHandle & { declaredAt: Date }>`
      select network, handle, store_id::text as "storeId", declared_at as "declaredAt"
      from declared_handles order by network, handle, declared_handles.store_id`,
  )
}

/** The accounts of networks that listings name as their site. */
export const claimedHandles = (
  seen: readonly { reading: Reading; sightings: readonly AppSighting[] }[],
): HandleClaim[] =>
  seen.flatMap(({ reading, sightings }) =>
    sightings.flatMap(({ storeId, listing }): HandleClaim[] => {
      const profile = listing.sellerUrl ? profileOfAddress(listing.sellerUrl) : undefined
      const { readingId, observedAt } = reading
      return profile ? [{ ...profile, storeId, basis: 'listing', readingId, observedAt }] : []
    }),
  )

/**
 * Stores claims on accounts of networks from two kinds of evidence: a stored listing whose site is the profile of the
 * account, and a profile that links to the store page of an app. Claims are only added, so any order of arrival gives the
 * same result; an account claimed by several apps belongs to none of them.
 * @returns the apps of the affected posts
 */
export async function storeListedHandles(
  db: Database,
  seen: readonly { reading: Reading; sightings: readonly AppSighting[] }[],
): Promise<string[]> {
  const claims = claimedHandles(seen)
  if (claims.length === 0) return []
  await lockCreativeKind(db, postKind)
  const touched = await postsByOrMentioning(db, await storeHandleClaims(db, earliest(claims)))
  await attributeByHandles(db, touched)
  return appsOfPosts(db, touched)
}

/**
 * Stores the claims from authors' profiles, and updates the attributions of these posts and all others affected.
 * @returns the apps of all of them
 */
export async function storeProfileHandles(
  db: Database,
  observations: readonly PostObservation[],
  posts: readonly { postNumber: string; accounts: readonly AccountName[] }[],
): Promise<string[]> {
  const claims = observations.flatMap(({ reading, post }): HandleClaim[] => {
    const { author } = post.stated
    if (!author) return []
    const { readingId, observedAt } = reading
    const account = { network: post.network, handle: normaliseHandle(author) }
    return appsOnProfile(post.stated).map((storeId) => ({
      ...account,
      storeId,
      basis: 'profile',
      readingId,
      observedAt,
    }))
  })
  const changed = claims.length === 0 ? [] : await storeHandleClaims(db, earliest(claims))
  const around = await postsByOrMentioning(db, changed)
  const known = await hasAnyClaim(
    db,
    posts.flatMap(({ accounts }) => accounts),
  )
  const own = posts.map(({ postNumber }) => postNumber)
  await attributeByHandles(db, [...new Set([...around, ...(known ? own : [])])])
  return appsOfPosts(db, [...new Set([...around, ...own])])
}

/** The earliest claim for each account and app, in one order everywhere. */
function earliest(claims: readonly HandleClaim[]): HandleClaim[] {
  const first = new Map<string, HandleClaim>()
  for (const claim of claims) {
    const key = `${claim.network} ${claim.handle} ${claim.storeId}`
    const before = first.get(key)
    if (!before || rank(claim) < rank(before)) first.set(key, claim)
  }
  return [...first.values()]
}

const rank = ({ observedAt, basis }: HandleClaim) => `${observedAt.toISOString()} ${basis}`
