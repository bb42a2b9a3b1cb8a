import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { ensureAccount } from '../../domain/accounts/queries.ts'
import { setAccountTimes } from '../../domain/watches/channels.ts'
import { evaluateWatches, hasNewEvidence } from '../../domain/watches/evaluate.ts'
import { syncConfiguredWatches } from '../../domain/watches/queries.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import type { Notifications } from '../notifications/settings.ts'
import { addDueNotifications } from './tell-events.ts'

export const evaluateWatchesJob = jobKind({
  name: 'evaluate-watches',
  does: 'looks at what was stored for what accounts watch, and records what there is to tell',
  input: z.strictObject({}),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform: (parts) => async (_input, signal) => {
    const events = await evaluateWatches(parts.db, signal)
    await addDueNotifications(parts)
    return events === 0 ? undefined : { events, outcome: 'done' }
  },
})

/** Configurations whose watches this process has stored: they do not change while it runs. */
const settled = new WeakSet<Notifications>()

async function addDue({ db, queue, notifications }: JobParts): Promise<void> {
  if (!settled.has(notifications)) {
    await settle(db, notifications)
    settled.add(notifications)
  }
  if (await hasNewEvidence(db)) await queue.add(db, evaluateWatchesJob, [{ key: 'all', data: {} }])
}

/** Stores the configured watches and times. Accounts that the configuration does not name keep theirs. */
async function settle(db: JobParts['db'], { settings }: Notifications): Promise<void> {
  for (const { account, times, watch } of settings.accounts) {
    const accountId = await ensureAccount(db, uuidv7(), account)
    await syncConfiguredWatches(db, accountId, watch)
    if (times)
      await setAccountTimes(db, accountId, {
        timeZone: times.timeZone,
        quietFrom: times.quietHours?.from ?? null,
        quietUntil: times.quietHours?.until ?? null,
      })
  }
}
