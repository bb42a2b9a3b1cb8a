import { type Database, inTransaction } from '../../storage/database.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import { type Saving, saveCreative } from '../creatives/saving.ts'
import type { Enqueue } from '../work/ask-for-work.ts'
import { keepMediaOf } from './keep-media.ts'
import type { KeptOwner } from './kept-owner.ts'

/** Saves a creative for an account, and asks for copies of its media for it. Undefined when it is not stored. */
export function saveWithMedia<Name extends KeptOwner>(
  db: Database,
  enqueue: Enqueue,
  kind: CreativeKind<Name>,
  accountId: string,
  name: Name,
  saving: Saving,
): Promise<{ number: string; created: boolean } | undefined> {
  return inTransaction(db, async (transaction) => {
    const saved = await saveCreative(transaction, kind, accountId, name, saving)
    if (saved) await keepMediaOf(transaction, enqueue, name, accountId)
    return saved
  })
}
