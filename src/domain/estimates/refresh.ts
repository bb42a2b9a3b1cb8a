import { z } from 'zod'
import { type Database, inTransaction } from '../../storage/database.ts'
import { fulfilRequests } from '../demand/queries.ts'
import { countChange } from '../evidence/changes.ts'
import type { WorkKind } from '../work/kind.ts'
import type { PerformWork } from '../work/perform.ts'
import { estimateEvidence } from './evidence.ts'
import { writeEstimates } from './queries.ts'
import { estimateDays } from './series.ts'

const RefreshInput = z.strictObject({ storeId: z.string(), country: z.string() })

/** The app and storefront of a refresh. */
export type RefreshInput = z.output<typeof RefreshInput>

export const estimateRefresh: WorkKind<RefreshInput> = {
  name: 'estimate-refresh',
  input: RefreshInput,
  unit: 'days',
}

/** The key of a refresh: a repeated request while one is under way returns the same work. */
export function refreshSubject({ storeId, country }: RefreshInput): string {
  return `${storeId} ${country}`
}

/** Estimates every day of the stored evidence again. Idempotent. */
export function performEstimateRefresh(db: Database): PerformWork<RefreshInput> {
  return async ({ input: app }, report) => {
    const days = await refreshEstimates(db, app, new Date())
    await report({ done: days, total: days })
    return { status: 'succeeded', result: { days } }
  }
}

/** @returns number of days considered; 0 where nothing is stored of the app and of its storefront's charts */
export async function refreshEstimates(
  db: Database,
  { storeId, country }: RefreshInput,
  now: Date,
): Promise<number> {
  const evidence = await estimateEvidence(db, { storeId, country }, now)
  if (evidence.days.length === 0) return 0
  const days = estimateDays(evidence)
  await inTransaction(db, async (transaction) => {
    const isNew = await writeEstimates(transaction, { storeId, country }, days, evidence.versions, now)
    if (days.some(({ range }) => range))
      await fulfilRequests(transaction, [{ kind: 'estimates', country, storeIds: [storeId] }])
    // Requests of other accounts are private: unchanged estimates do not count as a change of estimates.
    await countChange(transaction, [isNew ? 'estimates' : 'other'])
  })
  return evidence.days.length
}
