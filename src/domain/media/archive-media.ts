import { z } from 'zod'
import { type Database, rows } from '../../storage/database.ts'
import { askForWork, askForWorkWithin, type Enqueue } from '../work/ask-for-work.ts'
import type { WorkKind } from '../work/kind.ts'
import { type ArchiveOwner, ownerName } from './archive-owner.ts'
import { mediaIdOf } from './media-id.ts'
import {
  movedMedia,
  newMedia,
  ownersWithoutWork,
  requestCopies,
  requestFromNewAddress,
  type Stated,
  type StatedOfOwner,
  statedMedia,
} from './queries.ts'

const ArchiveMediaInput = z.strictObject({})

/** Work that copies the media of a post or an ad, which is its subject. */
export const archiveMedia: WorkKind<z.output<typeof ArchiveMediaInput>> = {
  name: 'archive-media',
  input: ArchiveMediaInput,
  unit: 'media',
}

/**
 * Requests copies of the media of a post or an ad, in the caller's transaction. Whether this installation copies media is up
 * to its worker (`media.keep` of the configuration). Another request retries failed copies, and media that were gone and now
 * have another address; stored copies stay. Does nothing for an owner without media, or one that is not stored.
 * @param shared whether every account sees their state, and not only those that requested them
 */
export async function archiveMediaOf(
  transaction: Database,
  enqueue: Enqueue,
  owner: ArchiveOwner,
  shared = true,
): Promise<void> {
  await archiveStated(transaction, enqueue, owner, await rows(transaction, statedMedia(owner)), shared)
}

/** As `archiveMediaOf`, for known media. Its first statement requests the copies. */
export async function archiveStated(
  transaction: Database,
  enqueue: Enqueue,
  owner: ArchiveOwner,
  stated: readonly Stated[],
  shared: boolean,
): Promise<void> {
  if (await requestStated(transaction, owner, stated, shared))
    await askForWorkWithin(transaction, enqueue, workOn(ownerName(owner)))
}

/**
 * As `archiveMediaOf`, for callers without a queue: `enqueuePendingCopies` starts the work later. @returns whether any copy is
 * to be made
 */
export async function requestMediaOf(
  transaction: Database,
  owner: ArchiveOwner,
  shared = true,
): Promise<boolean> {
  return requestStated(transaction, owner, await rows(transaction, statedMedia(owner)), shared)
}

async function requestStated(
  transaction: Database,
  owner: ArchiveOwner,
  stated: readonly Stated[],
  shared: boolean,
): Promise<boolean> {
  const wanted = stated.flatMap(({ of, media }) =>
    media ? wantedOf({ owner: ownerName(owner), of, media }) : [],
  )
  return wanted.length > 0 && requestCopies(transaction, wanted, shared)
}

/**
 * Requests copies of new media: of posts and creatives with media for which none was ever requested. `enqueuePendingCopies`
 * starts the work.
 * @param atMost posts, and creatives, at a time
 */
export async function archiveNewMedia(
  db: Database,
  keep: { posts: boolean; ads: boolean },
  atMost: number,
): Promise<void> {
  const arrived = await newMedia(db, keep, atMost)
  if (arrived.length > 0) await requestCopies(db, arrived.flatMap(wantedOf))
}

/** Requests copies again of media that could not be copied and were since seen at another address: addresses expire. */
export async function archiveMovedMedia(db: Database, atMost: number): Promise<void> {
  const moved = await movedMedia(db, atMost)
  if (moved.length > 0) await requestFromNewAddress(db, moved.flatMap(wantedOf))
}

/**
 * Enqueues work for pending copies without a job, oldest first: of new media, and of requests made while earlier work was
 * ending.
 */
export async function enqueuePendingCopies(db: Database, enqueue: Enqueue, atMost: number): Promise<void> {
  for (const owner of await ownersWithoutWork(db, atMost)) await askForWork(db, enqueue, workOn(owner))
}

const workOn = (owner: string) => ({ kind: archiveMedia, subject: owner, input: {} })

function wantedOf({ owner, of, media }: StatedOfOwner) {
  return media.map(({ kind, url }, at) => ({
    mediaId: mediaIdOf(of, kind, at + 1),
    owner,
    ...('creativeId' in of ? of : {}),
    kind,
    sourceUrl: url,
    reason: url === null ? 'The source gives no address to copy from.' : null,
  }))
}
