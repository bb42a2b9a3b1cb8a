import type { Logger } from 'pino'
import { withoutSecrets } from './http/logs.ts'
import type { JobReport } from './jobs/work-tasks.ts'
import type { WorkerListener } from './jobs/worker.ts'

/** Tells the log what jobs did: at info what ended, as warnings what failed or was lost. */
export const workerLog = (logger: Logger): WorkerListener => ({
  failure: (task, error) => logger.warn({ task, ...failureInLog(error) }, 'an attempt failed'),
  ended: (task, report, ms) => {
    const told = { task, ...withoutSecretsIn(report), ms }
    if (report.outcome === 'failed') logger.warn(told, 'a job failed')
    else logger.info(told, 'a job ended')
  },
  lost: (jobs) => {
    for (const [goesOn, some] of Map.groupBy(jobs, (job) => job.goesOn))
      logger.warn({ tasks: some.map(({ name }) => name) }, goesOn ? lostAndTakenUp : lostTooOften)
  },
})

const lostAndTakenUp = 'jobs that nobody is at any longer are taken up again'
const lostTooOften = 'jobs failed: the process that worked on them ended in the middle, time and again'

/** Failures that name their kind say all there is to say; of others the place counts, since they are faults of ours. */
function failureInLog(error: unknown): Record<string, unknown> {
  if (error instanceof Error && 'kind' in error) return { kind: error.kind, reason: error.message }
  return { err: error }
}

/** Reasons are words of others. */
const withoutSecretsIn = (report: JobReport) =>
  Object.fromEntries(
    Object.entries(report).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutSecrets(value) : value,
    ]),
  )
