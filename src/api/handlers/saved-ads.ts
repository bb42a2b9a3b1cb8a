import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAds as contract } from '../../contract/paid-ads.ts'
import { unsaveCreative } from '../../domain/creatives/saving.ts'
import { saveWithMedia } from '../../domain/media/archive-media.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Database } from '../../storage/database.ts'
import { adShapes } from '../ad-shapes.ts'
import { adNotFound } from './paid-ad.ts'

type C = typeof contract

export async function savePaidAd(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  { platform, archiveId, note, tags }: Input<C['save_paid_ad']>,
): Promise<Reply<C['save_paid_ad']>> {
  const name = { platform, archiveId }
  const show = (on: Database, number: string) => adShapes(on, accountId, [number])
  const saved = await saveWithMedia(db, enqueue, adKind, accountId, name, { note, tags }, show)
  const ad = saved?.shown[0]
  // A replay or a removal may happen between saving and loading.
  if (!saved || !ad?.saved) throw adNotFound(name)
  return { created: saved.created, resource: { ...ad.saved, ad } }
}

export async function removeSavedPaidAd(
  db: Database,
  accountId: string,
  { platform, archiveId }: Input<C['remove_saved_paid_ad']>,
): Promise<undefined> {
  if (!(await unsaveCreative(db, adKind, accountId, { platform, archiveId })))
    throw adNotFound({ platform, archiveId })
}
