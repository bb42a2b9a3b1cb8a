import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { countChange } from '../evidence/changes.ts'
import { evidenceList } from '../evidence/reading.ts'
import type { WorkAsked } from '../work/ask-for-work.ts'
import { workById } from '../work/queries.ts'
import type { PerformWork, Work, WorkKind, WorkSuccess } from '../work/work.ts'
import type { EmergingBacktest } from './backtest.ts'
import { type DiscoveryScope, type EmergingCandidate, writeCandidates } from './candidate-queries.ts'
import { type Emerging, type EmergingApp, emergingApps, type Period } from './emerging-apps.ts'
import { type KnownApp, knownApps } from './queries.ts'
import { backtestStored } from './stored-backtest.ts'
import { requiredDaysBefore } from './watched-charts.ts'

const DiscoveryInput = z.strictObject({
  country: z.string(),
  /** Includes all genres under it; null for all categories. */
  categoryId: z.int().nullable(),
  windowDays: z.int(),
  /** Maximum candidates to keep. */
  limit: z.int(),
})

/** The parameters of a discovery run. */
export type DiscoveryInput = z.output<typeof DiscoveryInput>

export const discovery: WorkKind<DiscoveryInput> = {
  name: 'emerging-discovery',
  input: DiscoveryInput,
  unit: 'apps',
}

/** The result of a discovery run. */
export interface DiscoveryResult {
  /** The days looked through; missing in results of earlier versions. */
  period?: Period | null
  /** Number of apps examined. */
  examined: number
  /** Number of candidates kept. */
  found: number
  /** Number of those that were not in the catalogue and are being added. */
  takenIn: number
  /** The kept candidates, so that the run can be shown whatever later runs find. */
  storeIds: string[]
  /** The outcomes of apps that had moved up on earlier days of the same charts; null when no chart was captured. */
  backtest: EmergingBacktest | null
}

/** Requests that an app is added to the catalogue, on the caller's transaction. Idempotent. */
export type RequestToAddApp = (transaction: Database, storeId: string, country: string) => Promise<void>

/** A run as work: requests with the same arguments share one work, others run in parallel. */
export function discoveryWork(asked: DiscoveryInput): WorkAsked<DiscoveryInput> {
  const { country, categoryId, windowDays, limit } = asked
  const subject = `${country} ${categoryId ?? 'all'} ${windowDays} ${limit}`
  return { kind: discovery, subject, input: asked }
}

/**
 * Performs a discovery run: searches stored evidence, keeps the strongest candidates and requests that unknown ones are
 * added.
 */
export function discoverEmerging(
  db: Database,
  takeIn: RequestToAddApp,
  now: () => Date,
): PerformWork<DiscoveryInput> {
  return async ({ workId, input: asked }, report, signal) => {
    const backtest = await backtestStored(db, asked, signal)
    signal.throwIfAborted()
    const emerging = await emergingApps(db, asked, signal)
    await report({ done: 0, total: emerging.examined })
    const strongest = emerging.apps.slice(0, asked.limit)
    const storeIds = strongest.map(({ storeId }) => storeId)
    const known = new Map((await knownApps(db, asked.country, storeIds)).map((app) => [app.storeId, app]))
    // In one order everywhere, so that two runs cannot deadlock.
    const unknown = storeIds.filter((storeId) => !known.get(storeId)?.whole).sort()
    const at = now()
    await inTransaction(db, async (transaction) => {
      const candidates = strongest.map((app) => toCandidate(app, known.get(app.storeId), at))
      await writeCandidates(transaction, asked, { runId: workId, at }, candidates)
      for (const storeId of unknown) await takeIn(transaction, storeId, asked.country)
      await countChange(transaction, ['charts'])
    })
    await report({ done: emerging.examined, total: emerging.examined })
    const { examined, period } = emerging
    return ending(asked, emerging, {
      period,
      examined,
      found: strongest.length,
      takenIn: unknown.length,
      storeIds,
      backtest,
    })
  }
}

function toCandidate(app: EmergingApp, known: KnownApp | undefined, now: Date): EmergingCandidate {
  const { storeId, kind, score, reasons, firstCharted } = app
  const sightings = [known?.firstSeenAt.getTime(), firstCharted].filter((at) => typeof at === 'number')
  const isYoung = reasons.some(({ kind }) => kind === 'young-app')
  const released = isYoung && known?.released ? [known.released] : []
  return {
    storeId,
    kind,
    score,
    reasons,
    evidence: evidenceList([...app.evidence, ...released], mostEvidence),
    firstSeenAt: sightings.length > 0 ? new Date(Math.min(...sightings)) : now,
  }
}

/** Maximum readings named as evidence of an app. */
const mostEvidence = 5

/** Marks a run without usable charts as partial: its empty list says nothing about the market. */
function ending(asked: DiscoveryInput, { charts, watched }: Emerging, found: DiscoveryResult): WorkSuccess {
  const result = { ...found }
  if (watched > 0) return { status: 'succeeded', result }
  const which = `chart of ${asked.country}${asked.categoryId === null ? '' : ` for category ${asked.categoryId}`}`
  const message =
    charts === 0
      ? `No ${which} has a usable snapshot, so there was nothing to look through.`
      : `No ${which} was captured in the ${requiredDaysBefore} days before the window, so new entries could not be told.`
  return {
    status: 'partial',
    result,
    error: { code: charts === 0 ? 'no-charts' : 'charts-not-watched', message },
  }
}

/** The newest run of a scope, under way or ended; restricted to the window or the id, where given. */
export async function newestRun(
  db: Database,
  { country, categoryId }: DiscoveryScope,
  { windowDays, runId }: { windowDays?: number | undefined; runId?: string | undefined },
): Promise<Work | undefined> {
  const found = await firstRow(
    db,
    sql<{ workId: string }>`
      select work_id as "workId" from work
      where kind = ${sql.lit(discovery.name)} and input ->> 'country' = ${country}
        and coalesce(input ->> 'categoryId', '0') = ${String(categoryId ?? 0)}
        and (${windowDays ?? null}::int is null or input ->> 'windowDays' = ${windowDays ?? null}::int::text)
        and (${runId ?? null}::uuid is null or work_id = ${runId ?? null})
      order by work_id desc limit 1`,
  )
  return found && workById(db, found.workId)
}

/** The days that runs looked through, by run; runs without any are left out. */
export async function periodsOfRuns(db: Database, runIds: readonly string[]): Promise<Map<string, Period>> {
  const found = await rows(
    db,
    sql<{ runId: string; period: Period }>`
      select work_id as "runId", result -> 'period' as period from work
      where work_id = any(${[...runIds]}::uuid[]) and jsonb_typeof(result -> 'period') = 'object'`,
  )
  return new Map(found.map(({ runId, period }) => [runId, period]))
}
