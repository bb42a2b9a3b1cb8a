import { sql } from 'kysely'
import { z } from 'zod'
import { atomically, type Database, rows } from '../../storage/database.ts'
import { withPreparedStatements } from '../../storage/prepared.ts'
import { isLimited, withinLimits } from '../accounts/limits.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import { type Saving, saveCreative } from '../creatives/saving.ts'
import { askForWork, askForWorkWithin, type Enqueue } from '../work/ask-for-work.ts'
import type { WorkKind } from '../work/work.ts'
import { type ArchiveOwner, mediaIdOf, mediaOwnerKey } from './media-id.ts'
import {
  mediaRequest,
  movedMedia,
  newMedia,
  ownersAwaitingCopies,
  requestAndCountCopies,
  requestCopies,
  requestFromNewAddress,
  type StatedMedia,
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
async function archiveStated(
  transaction: Database,
  enqueue: Enqueue,
  owner: ArchiveOwner,
  stated: readonly StatedMedia[],
  shared: boolean,
): Promise<void> {
  if (await requestStated(transaction, owner, stated, shared))
    await askForWorkWithin(transaction, enqueue, workOn(mediaOwnerKey(owner)))
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
  stated: readonly StatedMedia[],
  shared: boolean,
): Promise<boolean> {
  const wanted = stated.flatMap(({ of, media }) =>
    media ? wantedOf({ owner: mediaOwnerKey(owner), of, media }) : [],
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
  if (arrived.length > 0) await requestAndCountCopies(db, arrived.flatMap(wantedOf))
}

/** Requests copies again of media that could not be copied and were since seen at another address: addresses expire. */
export async function retryMovedMedia(db: Database, atMost: number): Promise<void> {
  const moved = await movedMedia(db, atMost)
  if (moved.length > 0) await requestFromNewAddress(db, moved.flatMap(wantedOf))
}

/**
 * Enqueues work for pending copies without a job, oldest first: of new media, and of requests made while earlier work was
 * ending.
 */
export async function enqueuePendingCopies(db: Database, enqueue: Enqueue, atMost: number): Promise<void> {
  for (const owner of await ownersAwaitingCopies(db, atMost)) await askForWork(db, enqueue, workOn(owner))
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

/**
 * Saves a creative for an account, and requests copies of its media for that account. Undefined when it is not stored.
 * @param show reads it for the reply, while the work is requested
 * @throws LimitReached
 */
export function saveWithMedia<Name extends ArchiveOwner, Shown>(
  db: Database,
  enqueue: Enqueue,
  kind: CreativeKind<Name>,
  accountId: string,
  name: Name,
  saving: Saving,
  show: (transaction: Database, number: string) => Promise<Shown>,
): Promise<{ created: boolean; shown: Shown } | undefined> {
  return atomically(withPreparedStatements(db), async (transaction) => {
    const beside = mediaRequest(accountId, mediaOwnerKey(name))
    const save = (on: Database, unless = sql<boolean>`false`) =>
      saveCreative(on, kind, accountId, name, saving, beside, unless)
    const [unlimited, stated] = await Promise.all([
      save(transaction, isLimited(accountId)),
      rows(transaction, statedMedia(name)),
    ])
    const isHeldBack = unlimited?.created === null
    const saved = isHeldBack ? await withinLimits(transaction, accountId, (on) => save(on)) : unlimited
    if (!saved) return undefined
    // The copies are requested first, so that the reply includes them: statements run in the order they are issued.
    const [, shown] = await Promise.all([
      archiveStated(transaction, enqueue, name, stated, false),
      show(transaction, saved.number),
    ])
    return { created: saved.created === true, shown }
  })
}
