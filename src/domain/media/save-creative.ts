import type { Database } from '../../storage/database.ts'
import { preparing } from '../../storage/prepared.ts'
import { withinLimits } from '../accounts/limits.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import { type Saving, saveCreative } from '../creatives/saving.ts'
import type { Enqueue } from '../work/ask-for-work.ts'
import { archiveMediaOf } from './archive-media.ts'
import { type ArchiveOwner, ownerName } from './archive-owner.ts'
import { mediaRequest } from './queries.ts'

/**
 * Saves a creative for an account, and requests copies of its media for that account. Undefined when it is not stored.
 * @throws LimitReached
 */
export function saveWithMedia<Name extends ArchiveOwner>(
  db: Database,
  enqueue: Enqueue,
  kind: CreativeKind<Name>,
  accountId: string,
  name: Name,
  saving: Saving,
): Promise<{ number: string; created: boolean } | undefined> {
  return withinLimits(preparing(db), accountId, async (transaction) => {
    const request = mediaRequest(accountId, ownerName(name))
    const saved = await saveCreative(transaction, kind, accountId, name, saving, request)
    if (saved) await archiveMediaOf(transaction, enqueue, name, false)
    return saved
  })
}
