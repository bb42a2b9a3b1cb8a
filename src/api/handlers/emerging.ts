import type { z } from 'zod'
import type { competitorOperations as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { DiscoveryRun } from '../../contract/shapes/emerging.ts'
import { addApp, addAppSubject } from '../../domain/add-app/add-app.ts'
import { labelsOfApps } from '../../domain/catalogue/app.ts'
import { rootGenre } from '../../domain/catalogue/genres.ts'
import { type CandidateFilters, emergingCandidatesOf } from '../../domain/emerging/candidate-queries.ts'
import {
  type DiscoveryInput,
  type DiscoveryResult,
  discovery,
  discoveryWork,
  newestRun,
  periodsOfRuns,
} from '../../domain/emerging/discovery.ts'
import type { Period } from '../../domain/emerging/emerging-apps.ts'
import { backtestInWords } from '../../domain/emerging/stored-backtest.ts'
import { askForWork, type Enqueue, newestWorksFor } from '../../domain/work/ask-for-work.ts'
import { isUnderWay, readableInputOf, type Work } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { decodeCursor, encodeCursor, isNumberPart, isStoreIdPart } from '../cursor.ts'
import { chartSources, evidenceShapes, issuesOfWork, sourceIssues } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { workStatus } from '../work-status.ts'

type Discover = (typeof contract)['discover_emerging_ios_competitors']
type List = (typeof contract)['list_emerging_ios_competitors']
type Run = z.output<typeof DiscoveryRun>
type Candidate = Reply<List>['items'][number]

export async function discoverEmergingApps(
  db: Database,
  enqueue: Enqueue,
  input: Input<Discover>,
): Promise<Reply<Discover>> {
  const { country, windowDays, limit } = input
  const asked: DiscoveryInput = { country, categoryId: categoryOf(input.categoryId), windowDays, limit }
  const work = await askForWork(db, enqueue, discoveryWork(asked))
  return {
    ...discoveryRun(work, readableInputOf(discovery, work) ?? asked),
    trouble: await issuesOfWork(db, [...chartSources, 'itunes-lookup'], country),
  }
}

/** Null for all categories, which the root category also stands for. */
function categoryOf(categoryId: string | undefined): number | null {
  return categoryId === undefined || Number(categoryId) === rootGenre ? null : Number(categoryId)
}

function discoveryRun(work: Work, { country, categoryId, windowDays, limit }: DiscoveryInput): Run {
  const {
    period = null,
    examined = 0,
    found = 0,
    takenIn = 0,
    backtest = null,
  } = work.result as Partial<DiscoveryResult>
  return {
    runId: work.workId,
    country: country as StorefrontCode,
    categoryId: categoryId === null ? null : String(categoryId),
    windowDays,
    period,
    limit,
    ...workStatus(work),
    examined,
    found,
    takenIn,
    backtest: backtest && { ...backtest, detail: backtestInWords(backtest) },
  }
}

export async function listEmergingApps(
  db: Database,
  accountId: string,
  input: Input<List>,
): Promise<Reply<List>> {
  const { country, windowDays, runId, since, limit, cursor } = input
  const asked = { country, categoryId: categoryOf(input.categoryId) }
  const list = ['list_emerging_ios_competitors', country, input.categoryId, windowDays, runId, since]
  const [isNamed, score, storeId] =
    decodeCursor(cursor, list, [isNumberPart, isNumberPart, isStoreIdPart]) ?? []
  const after =
    score !== undefined && storeId !== undefined
      ? { isNamed: isNamed === '1', score: Number(score), storeId }
      : undefined
  // Read before the candidates: a run that ends in between must not be reported as ended without its candidates.
  const run = await newestRun(db, asked, { windowDays, runId })
  const ran = run && readableInputOf(discovery, run)
  const filters = {
    since,
    windowDays: windowDays ?? ran?.windowDays,
    ...(runId === undefined ? {} : foundBy(run, ran)),
  }
  const found = await emergingCandidatesOf(db, asked, filters, after, limit + 1)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const storeIds = page.map((candidate) => candidate.storeId)
  const labels = new Map((await labelsOfApps(db, storeIds, country)).map((label) => [label.storeId, label]))
  const otherRuns = [...new Set(page.map((candidate) => candidate.runId))].filter((id) => id !== run?.workId)
  const periods = otherRuns.length > 0 ? await periodsOfRuns(db, otherRuns) : new Map<string, Period>()
  const lastRun = run && ran ? discoveryRun(run, ran) : null
  const intakes = await intakesOfCandidates(db, accountId, storeIds, country)
  return {
    items: page.map(({ storeId, releasedAt, reasons, firstSeenAt, discoveredAt, evidence, ...candidate }) => ({
      app: appLabel(storeId, labels.get(storeId)),
      country,
      kind: candidate.kind,
      releasedOn: releasedAt?.toISOString().slice(0, 10) ?? null,
      score: candidate.score,
      formula: candidate.formula,
      reasons,
      windowDays: candidate.windowDays,
      period: candidate.runId === lastRun?.runId ? lastRun.period : (periods.get(candidate.runId) ?? null),
      foundAt: candidate.foundAt.toISOString(),
      firstSeenAt: firstSeenAt.toISOString(),
      discoveredAt: discoveredAt.toISOString(),
      intake: intakes.get(storeId) ?? null,
      evidence: evidenceShapes(evidence, country),
    })),
    nextCursor: last
      ? encodeCursor([last.kind === null ? '0' : '1', String(last.score), last.storeId], list)
      : null,
    lastRun,
    trouble: await sourceIssues(db, chartSources, country, ['chart ']),
  }
}

/** The newest intake of each app that has not ended successfully, if the account may see it. */
async function intakesOfCandidates(
  db: Database,
  accountId: string,
  storeIds: readonly string[],
  country: string,
): Promise<Map<string, NonNullable<Candidate['intake']>>> {
  const subjects = new Map(storeIds.map((storeId) => [addAppSubject(storeId, country), storeId]))
  const works = await newestWorksFor(db, accountId, addApp.name, [...subjects.keys()])
  return new Map(
    works
      .filter(({ status }) => isUnderWay(status) || status === 'failed')
      .map(({ workId, subject, status, createdAt }) => [
        subjects.get(subject) ?? '',
        { intakeId: workId, status, requestedAt: createdAt.toISOString() },
      ]),
  )
}

/** The candidates of a run; empty until it ends, and for an unknown run. */
function foundBy(run: Work | undefined, input: DiscoveryInput | undefined): CandidateFilters {
  if (!run) return { storeIds: [] }
  const { storeIds = [] } = run.result as Partial<DiscoveryResult>
  return { storeIds, windowDays: input?.windowDays }
}
