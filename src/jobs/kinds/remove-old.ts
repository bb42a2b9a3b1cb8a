import { z } from 'zod'
import { recordAuditedWrite } from '../../domain/accounts/audit.ts'
import { hasPolicies } from '../../projections/retention/policies.ts'
import { RetentionUnderWayError, removeOld } from '../../projections/retention/retain.ts'
import { TablesInUseError } from '../../projections/swap-tables.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import type { JobReport } from '../work-tasks.ts'

/** Runs once a day, and first a day after a policy is configured, so that it can be reviewed before. */
const afterSeconds = 86_400

export const removeOldJob = jobKind({
  name: 'remove-old',
  does: 'removes evidence that is older than the policies of retention say, once a day where there are any',
  input: z.strictObject({}),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, archive, retention }) =>
    async (_input, signal) =>
      hasPolicies(retention) ? perform({ db, archive, retention }, signal) : undefined,
})

async function addDue({ db, queue, retention }: JobParts): Promise<void> {
  if (hasPolicies(retention)) await queue.add(db, removeOldJob, [{ key: 'all', data: {} }], { afterSeconds })
}

async function perform(
  { db, archive, retention }: Pick<JobParts, 'db' | 'archive' | 'retention'>,
  signal: AbortSignal,
): Promise<JobReport | undefined> {
  let begun = false
  const record = (outcome: 'begun' | 'done' | 'failed', input: Record<string, unknown>) =>
    recordAuditedWrite(db, {
      door: 'schedule',
      actor: 'schedule',
      accountId: undefined,
      operation: 'retention apply',
      input,
      outcome,
    })
  try {
    const kinds = await removeOld(
      { db, media: archive.store },
      retention,
      new Date(),
      async () => {
        if (begun) return
        begun = true
        await record('begun', retention.keepDays)
      },
      signal,
    )
    const counts = Object.fromEntries(
      kinds.flatMap(({ kind, removes }) => (removes ? [[kind, removes.count] as const] : [])),
    )
    if (!begun) return undefined
    await record('done', counts)
    return { ...counts, outcome: 'done' }
  } catch (error) {
    if (begun) await record('failed', retention.keepDays).catch(() => {})
    // The next run continues; the evidence removed so far stays removed.
    if (!waits.some((refusal) => error instanceof refusal)) throw error
    return { outcome: 'waits', reason: (error as Error).message }
  }
}

const waits = [RetentionUnderWayError, TablesInUseError] as const
