import { sql } from 'kysely'
import { atomically, type Database, rows } from '../../storage/database.ts'
import { preparing } from '../../storage/prepared.ts'
import { isLimited, withinLimits } from '../accounts/limits.ts'
import type { CreativeKind } from '../creatives/kind.ts'
import { type Saving, saveCreative } from '../creatives/saving.ts'
import type { Enqueue } from '../work/ask-for-work.ts'
import { archiveStated } from './archive-media.ts'
import { type ArchiveOwner, ownerName } from './archive-owner.ts'
import { mediaRequest, statedMedia } from './queries.ts'

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
  return atomically(preparing(db), async (transaction) => {
    const beside = mediaRequest(accountId, ownerName(name))
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
