import type { z } from 'zod'
import type { competitorOperations as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { Estimate } from '../../contract/shapes/estimates.ts'
import type { StorefrontApp } from '../../domain/catalogue/app.ts'
import { accuracyInput } from '../../domain/estimates/estimate-from.ts'
import { estimateHistory, type HistoryDay } from '../../domain/estimates/history.ts'
import type { EstimateRow, ModelRow, NewestEstimate } from '../../domain/estimates/queries.ts'
import { estimateRefresh, refreshSubject } from '../../domain/estimates/refresh.ts'
import { notMeasured } from '../../domain/facts/fact.ts'
import { askForWorkWithin, type Enqueue, recordRequester } from '../../domain/work/ask-for-work.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { chartName } from '../../vocabulary/chart-identity.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { unsearched } from '../aso-facts.ts'
import { chartSources, type EvidenceShape, evidenceOf, recordSources, sourceIssues } from '../evidence.ts'
import { appReplyHeader } from '../listing-facts.ts'
import { refuseLongWindow, SeriesSources } from '../series.ts'
import { workStatus } from '../work-status.ts'

type C = typeof contract
type AppRecord = Reply<C['get_competitor']>
type EstimateShape = z.output<typeof Estimate>

export async function getEstimateHistory(
  db: Database,
  accountId: string,
  app: StorefrontApp,
  { storeId, country, from, to, metric }: Input<C['get_competitor_estimate_history']>,
): Promise<Reply<C['get_competitor_estimate_history']>> {
  refuseLongWindow({ from, to })
  const asked = { ...(from ? { from } : {}), ...(to ? { to } : {}), ...(metric ? { metric } : {}) }
  const { price, categoryIds = [] } = app.state?.record.facts ?? {}
  const charted = { storeId, country, price: price ?? undefined, categoryIds: categoryIds ?? [] }
  const [history, trouble] = await Promise.all([
    estimateHistory(db, accountId, charted, asked, new Date()),
    sourceIssues(db, [...chartSources, ...recordSources], country, ['chart ']),
  ])
  const sources = new SeriesSources(country)
  const starts = (evidence: HistoryDay['evidence']) =>
    evidence ? sources.at(evidence.observedAt, evidence) : { observedAt: null, source: null }
  const [newestDay] = history.days.slice(-1)
  const noDay = newestDay?.estimate.reason ?? 'never-collected'
  return {
    ...appReplyHeader(app),
    latest: history.latest.map(({ estimate, evidence, ...latest }) => ({
      metric: latest.metric,
      date: estimate?.day ?? null,
      estimate: estimateShape(estimate ?? { reason: noDay }),
      startsFrom: latest.startsFrom,
      ...starts(evidence),
      chartsSeenUntil: latest.chartsSeenUntil,
      surer: latest.surer,
    })),
    from: history.from,
    to: history.to,
    points: history.days.map(({ day, metric, estimate, evidence }) => ({
      date: day,
      metric,
      estimate: estimateShape(estimate),
      inputs: 'inputs' in estimate ? estimate.inputs.filter(({ name }) => name !== accuracyInput) : [],
      ...starts(evidence),
    })),
    totals: history.totals,
    sources: sources.list,
    models: history.models.map(modelShape),
    refresh: history.refresh ? workStatus(history.refresh) : null,
    trouble,
  }
}

export async function refreshEstimates(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  { storeId, country }: Input<C['refresh_competitor_estimates']>,
): Promise<Reply<C['refresh_competitor_estimates']>> {
  const input = { storeId, country }
  const asked = { kind: estimateRefresh, subject: refreshSubject(input), input }
  return inTransaction(db, async (transaction) => {
    const work = await askForWorkWithin(transaction, enqueue, asked)
    await recordRequester(transaction, work.workId, { accountId })
    return workStatus(work)
  })
}

/** The newest estimates for the record of an app. @param failed whether the account's last refresh of them failed */
export function newestEstimatesShape(
  stored: readonly NewestEstimate[],
  failed: boolean,
): AppRecord['estimates'] {
  const of = (metric: EstimateRow['metric']) =>
    estimateShape(stored.find((row) => row.metric === metric) ?? { reason: unsearched(failed) })
  return { date: stored[0]?.day ?? null, downloads: of('downloads'), revenue: of('revenue') }
}

/** The evidence of the newest estimate; undefined where it is unknown. */
export function evidenceOfEstimate(
  newest: NewestEstimate | undefined,
  country: string,
): EvidenceShape | undefined {
  if (!newest?.reading) return undefined
  return evidenceOf({ ...newest.reading, source: 'derived', timeBasis: 'clock' }, newest.computedAt, country)
}

function estimateShape(estimate: HistoryDay['estimate']): EstimateShape {
  if (estimate.reason !== null) return notMeasured(estimate.reason)
  const { low, mid, high, method, currency, version, inputs } = estimate
  if (low === null || mid === null || high === null || method === null)
    throw new Error(`An estimate of version ${version} has neither a range nor a reason.`)
  const validated = inputs.find(({ name }) => name === accuracyInput)?.value ?? 'not validated'
  return {
    state: 'estimated',
    low,
    mid,
    high,
    currency,
    method,
    version,
    validRanks: validRanks(estimate),
    validation: String(validated),
  }
}

function validRanks({ validFrom, validTo }: { validFrom: number | null; validTo: number | null }) {
  return validFrom === null || validTo === null ? null : { from: validFrom, to: validTo }
}

function modelShape(
  model: ModelRow & { shownDays: number },
): Reply<C['get_competitor_estimate_history']>['models'][number] {
  const { metric, method, version, from, to, shownDays, calibration } = model
  return {
    metric,
    method,
    version,
    from,
    to,
    shownDays,
    validRanks: validRanks(model),
    calibration: calibration && {
      calibratedAt: new Date(calibration.calibratedAt).toISOString(),
      country: calibration.country as StorefrontCode,
      chart: chartName(calibration),
      used: calibration.used,
      apps: calibration.apps,
      points: calibration.points,
      heldOut: calibration.heldOut,
      medianErrorBefore: calibration.errorBefore,
      medianErrorAfter: calibration.errorAfter,
      medianErrorConstant: calibration.errorConstant,
      covered: calibration.covered,
      errorBetweenDays: calibration.daySd,
      errorBetweenApps: calibration.betweenApps,
      errorBetweenAppsIs: calibration.apps > 1 ? 'measured' : 'assumed',
    },
  }
}
