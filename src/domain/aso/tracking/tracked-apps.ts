import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database } from '../../../storage/database.ts'
import type { TrackedRole } from '../../../vocabulary/app-relations.ts'
import { withinLimits } from '../../accounts/limits.ts'
import { countChange } from '../../evidence/changes.ts'
import { catalogued, type IntakeInput, takeIn } from '../../intake/intake.ts'
import type { Enqueue } from '../../work/ask-for-work.ts'
import { deleteTrackedApp, insertTrackedApp, lockTrackedApp, wasTracked } from './tracked-app-queries.ts'

/** An app to be tracked by an account. */
export interface AppToTrack {
  accountId: string
  /** As the user named it. */
  app: string
  storeId: string
  country: string
  role: TrackedRole
}

/**
 * Tracks an app in one storefront, and requests that it is added when the storefront's catalogue does not have it,
 * atomically. An app that is already tracked keeps its role.
 * @throws LimitReached
 */
export function trackApp(
  db: Database,
  enqueue: Enqueue,
  { app, ...asked }: AppToTrack,
): Promise<{ appId: string; created: boolean }> {
  return withinLimits(db, asked.accountId, async (transaction) => {
    const tracked = await insertTrackedApp(transaction, { appId: uuidv7(), ...asked })
    const { accountId, storeId, country } = asked
    const input: IntakeInput = { storeId, bundleId: null, country }
    if (!(await catalogued(transaction, storeId, country)))
      await takeIn(transaction, enqueue, { accountId, askedAs: app }, input)
    if (tracked.created) await countChange(transaction, ['accounts'])
    return tracked
  })
}

/**
 * Removes an app from those of an account, with its keywords. Idempotent.
 * @returns whether the account ever tracked it
 */
export function removeTrackedApp(db: Database, accountId: string, appId: string): Promise<boolean> {
  return atomically(db, async (transaction) => {
    if (!(await lockTrackedApp(transaction, accountId, appId))) return wasTracked(transaction, accountId, appId)
    await deleteTrackedApp(transaction, appId)
    await countChange(transaction, ['accounts'])
    return true
  })
}
