import {
  dueRefreshes,
  estimateRefresh,
  performEstimateRefresh,
  refreshSubject,
} from '../../domain/estimates/refresh.ts'
import { askForWorkWithin, recordEarlierRequesters } from '../../domain/work/ask-for-work.ts'
import { inTransaction } from '../../storage/database.ts'
import { type JobParts, queues, workJobKind } from '../job-kind.ts'
import { enqueueOn } from '../queue.ts'
import { hoursBefore, refreshBatchSize } from '../schedule.ts'

export const estimateRefreshJob = workJobKind({
  work: estimateRefresh,
  does: 'estimates downloads and revenue of an app in a storefront anew',
  queue: queues.work,
  atATime: 1,
  addDue,
  perform: ({ db }) => performEstimateRefresh(db),
})

async function addDue({ db, queue, schedule }: JobParts, now: Date): Promise<void> {
  if (!schedule.estimates) return
  const before = hoursBefore(now, schedule.estimates.everyHours)
  for (const input of await dueRefreshes(db, before, refreshBatchSize)) {
    const asked = { kind: estimateRefresh, subject: refreshSubject(input), input }
    await inTransaction(db, async (transaction) => {
      const work = await askForWorkWithin(transaction, enqueueOn(queue), asked)
      await recordEarlierRequesters(transaction, work)
    })
  }
}
