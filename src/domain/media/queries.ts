import { type RawBuilder, sql } from 'kysely'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import type { CopyStatus, MediumKind } from '../../vocabulary/creatives.ts'
import type { StatedMedium } from '../creatives/media.ts'
import { countChange, mediaChange } from '../evidence/changes.ts'
import type { StoredContent } from './contents.ts'
import { type ArchiveOwner, type MediaOwner, mediaOwnerKey } from './media-id.ts'

/** One copy, or why there is none; the four content fields are null unless it is stored. */
export interface ArchivedRow {
  mediaId: string
  status: CopyStatus
  reason: string | null
  checkedAt: Date | null
  sha256: string | null
  storedAt: Date | null
  contentType: string | null
  sizeBytes: number | null
  /** When retention released it: the reason for `not-kept` where `reason` is null. */
  releasedAt: Date | null
}

/** Media of one creative as stated by its sources. */
export interface StatedOfOwner {
  /** As returned by `mediaOwnerKey`. */
  owner: string
  of: MediaOwner
  media: StatedMedium[]
}

/** The media that sources state of a post, or of one of the creatives of an ad. */
export interface StatedMedia {
  of: MediaOwner
  media: StatedMedium[] | null
}

/** The stated media of a post, or of every creative of an ad, as a query in order; no row for one that is not stored. */
export const statedMedia = (owner: ArchiveOwner): RawBuilder<StatedMedia> =>
  'postId' in owner
    ? sql`
      select json_build_object('postId', post_id) as of, facts->'media' as media from posts where post_id = ${owner.postId}`
    : sql`
      select json_build_object('creativeId', c.creative_id) as of, c.facts->'media' as media
      from ads a join ad_creatives c using (ad_number)
      where a.platform = ${owner.platform} and a.archive_id = ${owner.archiveId}
      order by c.position, c.creative_id`

/** Media of stored posts and creatives that are archived on arrival and for which the installation never requested copies. */
export async function newMedia(
  db: Database,
  { posts, ads }: { posts: boolean; ads: boolean },
  atMost: number,
): Promise<StatedOfOwner[]> {
  const ofPosts = await rows(
    db,
    sql<{ postId: string; media: StatedMedium[] }>`
      with k as materialized (select owner from archived_media where shared and creative_id is null)
      select post_id as "postId", facts->'media' as media from posts
      where ${posts} and facts->'media' @> '[{}]'
        and not exists (select 1 from k where k.owner = 'post ' || posts.post_id)
      order by post_number limit ${atMost}`,
  )
  const ofAds = await rows(
    db,
    sql<{ owner: string; creativeId: string; media: StatedMedium[] }>`
      with k as materialized (select creative_id from archived_media where shared and creative_id is not null)
      select 'ad ' || a.platform || '/' || a.archive_id as owner, c.creative_id as "creativeId",
        c.facts->'media' as media
      from ads a join ad_creatives c using (ad_number)
      where ${ads} and c.facts->'media' @> '[{}]'
        and not exists (select 1 from k where k.creative_id = c.creative_id)
      order by ad_number limit ${atMost}`,
  )
  return [
    ...ofPosts.map(({ postId, media }) => ({ owner: mediaOwnerKey({ postId }), of: { postId }, media })),
    ...ofAds.map(({ owner, creativeId, media }) => ({ owner, of: { creativeId }, media })),
  ]
}

/** Media that could not be copied, of posts and creatives since seen with other addresses. */
export async function movedMedia(db: Database, atMost: number): Promise<StatedOfOwner[]> {
  const ofPosts = await rows(
    db,
    sql<{ postId: string; media: StatedMedium[] }>`
      with k as materialized (
        select owner, source_url from archived_media
        where status in ('removed-upstream', 'failed') and creative_id is null
      )
      select distinct on (p.post_number) p.post_id as "postId", p.facts->'media' as media
      from k join posts p on p.post_id = substr(k.owner, 6)
      where ${hasMoved(sql`p`)}
      limit ${atMost}`,
  )
  const ofAds = await rows(
    db,
    sql<{ owner: string; creativeId: string; media: StatedMedium[] }>`
      with k as materialized (
        select owner, creative_id, source_url from archived_media
        where status in ('removed-upstream', 'failed') and creative_id is not null
      )
      select distinct on (c.creative_id) k.owner, c.creative_id as "creativeId", c.facts->'media' as media
      from k join ad_creatives c using (creative_id)
      where ${hasMoved(sql`c`)}
      limit ${atMost}`,
  )
  return [
    ...ofPosts.map(({ postId, media }) => ({ owner: mediaOwnerKey({ postId }), of: { postId }, media })),
    ...ofAds.map(({ owner, creativeId, media }) => ({ owner, of: { creativeId }, media })),
  ]
}

const hasMoved = (creative: RawBuilder<unknown>) => sql`
  jsonb_typeof(${creative}.facts->'media') = 'array'
  and not ${creative}.facts->'media' @> jsonb_build_array(jsonb_build_object('url', k.source_url))`

/** Requests copies from a new address of media that could not be copied from the old one. */
export async function requestFromNewAddress(
  db: Database,
  wanted: readonly Pick<RequestedCopy, 'mediaId' | 'sourceUrl'>[],
): Promise<void> {
  await atomically(db, async (transaction) => {
    await sql`
      update archived_media k set source_url = sent."sourceUrl", status = 'pending', reason = null, asked_at = now()
      from json_to_recordset(${JSON.stringify(wanted)}::json) as sent("mediaId" uuid, "sourceUrl" text)
      where k.media_id = sent."mediaId" and k.status in ('removed-upstream', 'failed')
        and k.source_url <> sent."sourceUrl"`.execute(transaction)
    await countChange(transaction, [mediaChange])
  })
}

/** Owners of pending copies without work under way, longest waiting first. */
export async function ownersAwaitingCopies(db: Database, atMost: number): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ owner: string }>`
      with waiting as materialized (
        select owner, min(asked_at) as since from archived_media where status = 'pending' group by owner
      )
      select k.owner from waiting k
      where not exists (
        select 1 from work w where w.kind = 'archive-media' and w.subject = k.owner and w.status in ('queued', 'running'))
      order by k.since limit ${atMost}`,
  )
  return found.map(({ owner }) => owner)
}

export interface RequestedCopy {
  mediaId: string
  owner: string
  /** Of media of an ad. */
  creativeId?: string
  kind: MediumKind
  sourceUrl: string | null
  /** Why no copy can be made, for media without an address. */
  reason: string | null
}

/** Records that an account wants copies of an owner's media; from then on it sees their state. */
export async function recordMediaRequest(db: Database, accountId: string, owner: string): Promise<void> {
  await sql`
    insert into media_requests (account_id, owner) values (${accountId}::uuid, ${owner})
    on conflict do nothing`.execute(db)
}

/** As `recordMediaRequest`, as a query of the `with` of a statement, for each row of its `saved`. */
export const mediaRequest = (accountId: string, owner: string): RawBuilder<unknown> => sql`
  wants as (
    insert into media_requests (account_id, owner) select ${accountId}::uuid, ${owner} from saved
    on conflict do nothing
  )`

/** As `requestCopies`, for callers whose transaction counts no other change that shows with the media. */
export const requestAndCountCopies = (db: Database, wanted: readonly RequestedCopy[]): Promise<boolean> =>
  atomically(db, async (transaction) => {
    const isPending = await requestCopies(transaction, wanted)
    await countChange(transaction, [mediaChange])
    return isPending
  })

/**
 * Records a request for copies; saving counts them with what it saves. Stored copies stay; media that were gone are requested again only at another address.
 * @param shared whether all accounts see their state, and not only those that requested them
 * @returns whether any of the owners' copies is pending
 */
export async function requestCopies(
  db: Database,
  wanted: readonly RequestedCopy[],
  shared = true,
): Promise<boolean> {
  const requested = await rows(
    db,
    sql<{ status: CopyStatus }>`
    insert into archived_media (media_id, owner, creative_id, kind, source_url, status, reason)
    select "mediaId", owner, "creativeId", kind, "sourceUrl",
      case when "sourceUrl" is null then 'not-kept' else 'pending' end, reason
    from json_to_recordset(${JSON.stringify(wanted)}::json) as sent(
      "mediaId" uuid, owner text, "creativeId" uuid, kind text, "sourceUrl" text, reason text)
    order by "mediaId"
    on conflict (media_id) do update set source_url = excluded.source_url, status = 'pending', reason = null,
      asked_at = excluded.asked_at
    where excluded.source_url is not null and (archived_media.status in ('pending', 'failed', 'not-kept')
      or archived_media.status = 'removed-upstream' and archived_media.source_url is distinct from excluded.source_url)
    returning status`,
  )
  if (shared)
    await sql`
      update archived_media set shared = true, released_at = null
      where (not shared or released_at is not null) and media_id in (
        select value::uuid from json_array_elements_text(${JSON.stringify(wanted.map(({ mediaId }) => mediaId))}::json))`.execute(
      db,
    )
  if (requested.some(({ status }) => status === 'pending')) return true
  const others = await firstRow(
    db,
    sql`
      select from archived_media
      where status = 'pending'
        and owner in (select json_array_elements_text(${JSON.stringify([...new Set(wanted.map(({ owner }) => owner))])}::json))
      limit 1`,
  )
  return others !== undefined
}

/** Ids of the pending copies of an owner. */
export function pendingCopies(db: Database, owner: string): Promise<{ mediaId: string; sourceUrl: string }[]> {
  return rows(
    db,
    sql<{ mediaId: string; sourceUrl: string }>`
      select media_id as "mediaId", source_url as "sourceUrl" from archived_media
      where owner = ${owner} and status = 'pending' and source_url is not null
      order by media_id`,
  )
}

/** Records why there is no copy, or that it is still pending; ignored if the address has changed meanwhile. */
export async function recordWhyNoCopy(
  db: Database,
  { mediaId, sourceUrl }: { mediaId: string; sourceUrl: string },
  status: Exclude<CopyStatus, 'stored'>,
  reason: string | null,
): Promise<void> {
  await atomically(db, async (transaction) => {
    await sql`
      update archived_media set status = ${status}, reason = ${reason}, checked_at = now()
      where media_id = ${mediaId} and source_url = ${sourceUrl} and status = 'pending'`.execute(transaction)
    await countChange(transaction, [mediaChange])
  })
}

/** Ends the pending requests for copies of an owner that this installation does not make. */
export async function declineCopies(db: Database, owner: string, reason: string): Promise<void> {
  await atomically(db, async (transaction) => {
    await sql`
      update archived_media set status = 'not-kept', reason = ${reason}
      where owner = ${owner} and status = 'pending'`.execute(transaction)
    await countChange(transaction, [mediaChange])
  })
}

/**
 * State of the copies of these media; media without a request are left out. Copies released by retention are kept only for
 * accounts that saved their owner.
 * @param accountId sees shared copies, and those it requested itself; all when left out
 */
export function archivedRows(
  db: Database,
  mediaIds: readonly string[],
  accountId?: string | null,
): Promise<ArchivedRow[]> {
  const reported = accountId === undefined ? sql`true` : isReportedTo(accountId)
  const isKept = accountId === undefined ? sql`true` : isKeptFor(accountId)
  const shown = (column: RawBuilder<unknown>) => sql`case when ${isKept} then ${column} end`
  return rows(
    db,
    sql<ArchivedRow>`
      with k as materialized (
        select * from archived_media
        where media_id in (select value::uuid from json_array_elements_text(${JSON.stringify(mediaIds)}::json))
      )
      select k.media_id as "mediaId", coalesce(${shown(sql`k.status`)}, 'not-kept') as status, ${shown(sql`k.reason`)} as reason,
        k.checked_at as "checkedAt", k.sha256, k.stored_at as "storedAt", o.content_type as "contentType",
        o.size_bytes::double precision as "sizeBytes", k.released_at as "releasedAt"
      from k left join media_objects o using (sha256)
      where ${reported}`,
  )
}

/**
 * Whether an account may see `k`, a materialized list of copies: it requested those of the owner, or all accounts may see
 * them.
 */
const isReportedTo = (accountId: string | null) => sql`(k.shared or k.owner in (
    select owner from media_requests where account_id = ${accountId}::uuid and owner in (select owner from k)))`

/** Whether `k` is kept for an account: retention has not released it, or the account has its owner saved. */
const isKeptFor = (accountId: string | null) => sql`(k.released_at is null or k.owner in (
    select owner from (
      select account_id, 'post ' || post_id as owner from saved_posts
      union all select account_id, 'ad ' || platform || '/' || archive_id from saved_ads
    ) saved where account_id = ${accountId}::uuid))`

/** A copy of the medium at an address that an account may see; undefined where there is none. */
export function copyOfAddress(
  db: Database,
  accountId: string,
  sourceUrl: string,
): Promise<StoredContent | undefined> {
  return firstRow(
    db,
    sql<StoredContent>`
      with k as materialized (
        select * from archived_media where source_url = ${sourceUrl} and status = 'stored'
      )
      select o.sha256, o.content_type as "contentType", o.size_bytes::double precision as "sizeBytes"
      from k join media_objects o using (sha256)
      where ${isReportedTo(accountId)} and ${isKeptFor(accountId)}
      limit 1`,
  )
}
