import pLimit from 'p-limit'
import { addressesNeeded, collectionPlan, type UpstreamPlan } from '../jobs/collecting/plan.ts'
import type { SourcesSettings, Upstream } from '../sources/settings.ts'
import type { OperatorContext } from './operator-context.ts'

/** One request to an upstream, as a command makes it. */
export interface CollectionTask {
  /** A description for progress and failures. */
  name: string
  upstream: Upstream
  /** @returns the outcome, and a message where nothing was stored */
  run(signal: AbortSignal): Promise<{ outcome: string; message: string | null }>
}

/** Concurrent requests: the actual rate is set by the pace. */
const atATime = 8

/** Failures that are listed; the rest are counted. */
const mostListed = 20

interface CollectionSummary {
  asked: number
  stored: number
  empty: number
  suspect: number
  failed: number
  seconds: number
}

/**
 * Prints the cost, then runs the tasks with a progress bar. A failed task does not stop the others; one that throws stops
 * all, and its error is thrown once none is running any more.
 */
export async function runCollectionTasks(
  { terminal, signal }: Pick<OperatorContext, 'terminal' | 'signal'>,
  sources: SourcesSettings,
  tasks: readonly CollectionTask[],
  json: boolean,
): Promise<0 | 1> {
  const plan = collectionPlan(countByUpstream(tasks), sources)
  if (!json) for (const upstream of plan.upstreams) terminal.note(planned(upstream))
  const started = performance.now()
  const counts: Record<string, number> = {}
  const failures: string[] = []
  const limit = pLimit(atATime)
  const broken = new AbortController()
  const stop = AbortSignal.any([signal, broken.signal])
  let done = 0
  await Promise.all(
    tasks.map((task) =>
      limit(async () => {
        if (stop.aborted) return
        const { outcome, message } = await task.run(stop).catch((error: unknown) => {
          if (!stop.aborted) broken.abort(error)
          return interrupted
        })
        counts[outcome] = (counts[outcome] ?? 0) + 1
        if (message !== null) failures.push(`${task.name}: ${message}`)
        done++
        terminal.progress({ label: task.name, done, total: tasks.length, unit: 'records' })
      }),
    ),
  )
  broken.signal.throwIfAborted()
  for (const failure of failures.slice(0, mostListed)) terminal.note(failure)
  if (failures.length > mostListed) terminal.note(`... and ${failures.length - mostListed} more`)
  const summary: CollectionSummary = {
    asked: done,
    stored: counts.stored ?? 0,
    empty: counts.empty ?? 0,
    suspect: (counts['suspect-empty'] ?? 0) + (counts['suspect-short'] ?? 0),
    failed: counts.failed ?? 0,
    seconds: Math.round((performance.now() - started) / 100) / 10,
  }
  terminal.out(json ? JSON.stringify(summary) : summaryText(summary))
  if (signal.aborted) terminal.note('Interrupted; what was stored stays. Run it again to go on.')
  return summary.failed + summary.suspect > 0 || signal.aborted ? 1 : 0
}

const interrupted = { outcome: 'interrupted', message: null }

function countByUpstream(tasks: readonly CollectionTask[]): Partial<Record<Upstream, number>> {
  const counts: Partial<Record<Upstream, number>> = {}
  for (const { upstream } of tasks) counts[upstream] = (counts[upstream] ?? 0) + 1
  return counts
}

/** The share of one upstream, as text. */
export function planned({ pace, requests, callsPerMinute, minutes }: UpstreamPlan): string {
  const calls = `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'} to ${pace}`
  if (callsPerMinute === 0) return `${calls}, without a pace`
  return `${calls} at ${callsPerMinute} a minute: about ${duration(minutes)}`
}

/** The cost of a day, as text. */
export function plannedDaily(upstream: UpstreamPlan): string {
  const { callsPerMinute, requests } = upstream
  if (callsPerMinute === 0) return `${planned(upstream)}, fits any number of requests a day`
  const addresses = addressesNeeded(upstream)
  const capacity = (callsPerMinute * 24 * 60).toLocaleString('en')
  const share = Math.round((requests / (callsPerMinute * 24 * 60)) * 100)
  return addresses === 1
    ? `${planned(upstream)}; one address makes ${capacity} a day: fits, ${share}% of the day`
    : `${planned(upstream)}; one address makes ${capacity} a day: takes ${addresses} addresses, each with an installation of its own part of the schedule`
}

function duration(minutes: number): string {
  if (minutes < 1) return `${Math.max(1, Math.round(minutes * 60))} s`
  if (minutes < 120) return `${Math.round(minutes)} min`
  return `${(minutes / 60).toFixed(1)} h`
}

function summaryText({ asked, stored, empty, suspect, failed, seconds }: CollectionSummary): string {
  return `asked ${asked}: stored ${stored}, empty ${empty}, suspect ${suspect}, failed ${failed}, in ${seconds} s`
}
