import type { Database } from '../../storage/database.ts'
import { askForWorkWithin, type Enqueue } from '../work/work.ts'
import { type KeptOwner, ownerName } from './kept-owner.ts'
import { mediaIdOf } from './media-id.ts'
import { type StatedOfOwner, statedMedia, wantCopies } from './queries.ts'

export const keepMediaKind = 'keep-media'

/** Why copies are wanted: somebody saved it, or the installation keeps all that arrives. */
export type KeepReason = 'saved' | 'arrived'

/**
 * Asks for copies of the media of a post or an ad, on the transaction of whatever asks for them. Whether this
 * installation makes them is its worker's to know (`media.keep` of its configuration). Asking again asks anew for what
 * failed, and for what was gone and now has another address; what is stored stays. Does nothing for an owner without
 * media, or one that is not stored.
 */
export async function keepMediaOf(
  transaction: Database,
  enqueue: Enqueue,
  owner: KeptOwner,
  reason: KeepReason = 'saved',
): Promise<void> {
  const name = ownerName(owner)
  const wanted = (await statedMedia(transaction, owner)).flatMap((stated) => wantedOf(name, stated))
  if (wanted.length === 0) return
  const pending = await wantCopies(transaction, wanted)
  if (pending === 0) return
  await askForWorkWithin(transaction, enqueue, { kind: keepMediaKind, subject: name, input: { reason } })
}

function wantedOf(owner: string, { of, media }: StatedOfOwner) {
  return media.map(({ kind, url }, at) => ({
    mediaId: mediaIdOf(of, kind, at + 1),
    owner,
    kind,
    sourceUrl: url,
    reason: url === null ? 'The source gives no address to copy from.' : null,
  }))
}
