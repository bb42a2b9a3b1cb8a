import type { contract } from '../../contract/contract.ts'
import type { Contract } from '../../contract/operation.ts'
import { organic } from '../../contract/organic.ts'
import { paidAds } from '../../contract/paid-ads.ts'
import type { Enqueue } from '../../domain/work/work.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { type Handlers, notBuilt } from '../door.ts'
import { asoHandlers } from './aso.ts'
import { chartHandlers } from './charts.ts'
import { competitorHandlers } from './competitors.ts'

/**
 * Every operation's handler over one store. Work that takes time is given to the queue; the few operations that ask Apple
 * during the call do so through what collects.
 */
export function handlersOn(db: Database, enqueue: Enqueue, collecting: Collecting): Handlers<typeof contract> {
  return {
    ...competitorHandlers(db, enqueue),
    ...chartHandlers(db),
    ...areaNotBuilt(organic),
    ...areaNotBuilt(paidAds),
    ...asoHandlers(db, enqueue, collecting),
  }
}

function areaNotBuilt<C extends Contract>(area: C): { [Tool in keyof C]: typeof notBuilt } {
  return Object.fromEntries(Object.keys(area).map((tool) => [tool, notBuilt])) as {
    [Tool in keyof C]: typeof notBuilt
  }
}
