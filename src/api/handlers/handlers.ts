import type { contract } from '../../contract/contract.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { Handlers } from '../door.ts'
import type { Replies } from '../remembered-replies.ts'
import { asoHandlers } from './aso.ts'
import { chartHandlers } from './charts.ts'
import { competitorHandlers } from './competitors.ts'
import { organicHandlers } from './organic.ts'
import { paidAdHandlers } from './paid-ads.ts'

/**
 * Every operation's handler over one store. Long work is enqueued; the few operations that call Apple during the request
 * use `collecting`.
 */
export function handlersOn(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  replies: Replies = uncached,
): Handlers<typeof contract> {
  return {
    ...competitorHandlers(db, enqueue, replies),
    ...chartHandlers(db, replies),
    ...organicHandlers(db, enqueue, replies),
    ...paidAdHandlers(db, enqueue, collecting, replies),
    ...asoHandlers(db, enqueue, collecting, replies),
  }
}

/** Inside a transaction no replies are remembered. */
const uncached: Replies = { get: (_name, _rests, make) => make(() => {}) }
