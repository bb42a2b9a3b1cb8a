import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { askForWork, askForWorkWithin, type Enqueue } from '../work/ask-for-work.ts'
import type { WorkKind } from '../work/kind.ts'
import { type KeptOwner, ownerName } from './kept-owner.ts'
import { mediaIdOf } from './media-id.ts'
import {
  arrivedMedia,
  movedMedia,
  noteWish,
  ownersWithoutWork,
  type StatedOfOwner,
  statedMedia,
  wantCopies,
  wantFromNewAddress,
} from './queries.ts'

const KeepMediaInput = z.strictObject({})

/** Copies of the media of a post or an ad, which is its subject. */
export const keepMedia: WorkKind<z.output<typeof KeepMediaInput>> = {
  name: 'keep-media',
  input: KeepMediaInput,
  unit: 'media',
}

/**
 * Asks for copies of the media of a post or an ad, on the transaction of whatever asks for them. Whether this
 * installation makes them is its worker's to know (`media.keep` of its configuration). Asking again asks anew for what
 * failed, and for what was gone and now has another address; what is stored stays. Does nothing for an owner without
 * media, or one that is not stored.
 * @param accountId who wants them, and nobody else is told how they do; left out, the installation does, and all are told
 */
export async function keepMediaOf(
  transaction: Database,
  enqueue: Enqueue,
  owner: KeptOwner,
  accountId?: string,
): Promise<void> {
  const pending = await wishForMediaOf(transaction, owner, accountId)
  if (pending > 0) await askForWorkWithin(transaction, enqueue, workOn(ownerName(owner)))
}

/** As `keepMediaOf`, for who has no queue: `makeWantedCopies` has them made. @returns how many copies are to be made */
export async function wishForMediaOf(
  transaction: Database,
  owner: KeptOwner,
  accountId?: string,
): Promise<number> {
  if (accountId !== undefined) await noteWish(transaction, accountId, ownerName(owner))
  const wanted = (await statedMedia(transaction, owner)).flatMap(wantedOf)
  return wanted.length === 0 ? 0 : wantCopies(transaction, wanted, accountId === undefined)
}

/**
 * Records that copies are wanted of what arrived since the last time: posts and creatives with media of which none was ever
 * asked for. `makeWantedCopies` has them made.
 * @param atMost posts, and creatives, at a time
 */
export async function keepArrivals(
  db: Database,
  keep: { posts: boolean; ads: boolean },
  atMost: number,
): Promise<void> {
  const arrived = await arrivedMedia(db, keep, atMost)
  if (arrived.length > 0) await wantCopies(db, arrived.flatMap(wantedOf))
}

/** Wants copies again of what had none to be made of, and was since seen at another address: addresses expire. */
export async function keepWhatMoved(db: Database, atMost: number): Promise<void> {
  const moved = await movedMedia(db, atMost)
  if (moved.length > 0) await wantFromNewAddress(db, moved.flatMap(wantedOf))
}

/** Asks for work on wanted copies that nobody works on, oldest first: of arrivals, and of wishes an ending work missed. */
export async function makeWantedCopies(db: Database, enqueue: Enqueue, atMost: number): Promise<void> {
  for (const owner of await ownersWithoutWork(db, atMost)) await askForWork(db, enqueue, workOn(owner))
}

const workOn = (owner: string) => ({ kind: keepMedia, subject: owner, input: {} })

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
