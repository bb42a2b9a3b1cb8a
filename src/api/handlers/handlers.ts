import type { contract } from '../../contract/contract.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { Handlers } from '../door.ts'
import { asoHandlers } from './aso.ts'
import { chartHandlers } from './charts.ts'
import { competitorHandlers } from './competitors.ts'
import { organicHandlers } from './organic.ts'
import { paidAdHandlers } from './paid-ads.ts'

/**
 * Every operation's handler over one store. Work that takes time is given to the queue; the few operations that ask Apple
 * during the call do so through what collects.
 */
export function handlersOn(db: Database, enqueue: Enqueue, collecting: Collecting): Handlers<typeof contract> {
  return {
    ...competitorHandlers(db, enqueue),
    ...chartHandlers(db),
    ...organicHandlers(db, enqueue),
    ...paidAdHandlers(db, enqueue, collecting),
    ...asoHandlers(db, enqueue, collecting),
  }
}
