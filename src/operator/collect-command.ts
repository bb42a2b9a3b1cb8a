import type { TermName } from '../domain/aso/pages/term-queries.ts'
import { dueSearches } from '../domain/aso/tracking/refresh-queries.ts'
import {
  librariesOfApps,
  requestsFor,
  startRunsOfApps,
  trackedForAds,
} from '../domain/paid-ads/imports/due-apps.ts'
import { type Asked, askedName, askedUpstream, batchesOf, performAsked } from '../jobs/collecting/asked.ts'
import type { CollectingClients } from '../jobs/collecting/collecting.ts'
import { dueMissedLookups, performMissedLookup } from '../jobs/collecting/confirm-missed.ts'
import { isSuspectOutcome, type Outcome } from '../jobs/collecting/outcome.ts'
import { chartUpstream, collectionPlan } from '../jobs/collecting/plan.ts'
import { askAgainLater, type TermAsked } from '../jobs/kinds/collect-term.ts'
import { openQueue } from '../jobs/open-queue.ts'
import { enqueueOn } from '../jobs/queue.ts'
import { Schedule, type ScheduledChart, scheduledCharts } from '../jobs/schedule.ts'
import { SourceFailure } from '../sources/polite/failure.ts'
import type { SourcesSettings, Upstream } from '../sources/settings.ts'
import type { Database } from '../storage/database.ts'
import { longestTerm, normaliseTerm, termRefusalOf } from '../text/keyword-term.ts'
import { type AskedPlatform, librarySource } from '../vocabulary/ad-platforms.ts'
import type {
  collectAppsInput,
  collectChartsInput,
  collectedAds,
  collectSearchPagesInput,
  collectTermsInput,
} from './collect.ts'
import { type CollectionTask, planned, plannedDaily, runCollectionTasks } from './collection-tasks.ts'
import { Refusal } from './command.ts'
import type { Input } from './field-help.ts'
import type { OperatorContext, Terminal } from './operator-context.ts'

type CollectChartsInput = Input<typeof collectChartsInput>

/** Collects charts once: the named ones, or those of the schedule. */
export async function collectChartsCommand(
  context: OperatorContext,
  options: CollectChartsInput,
): Promise<0 | 1> {
  const { db, terminal } = context
  const collecting = await context.collecting()
  const charts = chartsOf(options, await collecting.current.schedule())
  if (charts.length === 0)
    throw new Refusal('No charts are on the schedule. Name some: --country us --chart top-free --category 36')
  if (options.plan) return planDay(terminal, collecting.sources, charts, options.json ?? false)
  const tasks = charts.map(({ everyHours: _, ...chart }) => taskOf(db, collecting, { what: 'chart', ...chart }))
  return runCollectionTasks(context, collecting.sources, tasks, options.json ?? false)
}

function chartsOf(
  { country, chart, category, device }: CollectChartsInput,
  schedule: Schedule,
): ScheduledChart[] {
  if (!country && !chart && !category && !device) return scheduledCharts(schedule)
  const named = {
    countries: country?.includes('all') ? 'all' : (country ?? ['us']),
    ...(chart ? { charts: chart } : {}),
    ...(category ? { categories: category.includes('all') ? 'all' : category.map(Number) } : {}),
    ...(device ? { devices: device } : {}),
  }
  return scheduledCharts(Schedule.parse({ charts: [named] }))
}

/** Every chart as often as it is captured in a day. */
function planDay(
  terminal: Terminal,
  sources: SourcesSettings,
  charts: readonly ScheduledChart[],
  json: boolean,
): 0 {
  const requests: Partial<Record<Upstream, number>> = {}
  for (const chart of charts) {
    const upstream = chartUpstream(chart, sources)
    requests[upstream] = (requests[upstream] ?? 0) + 24 / chart.everyHours
  }
  for (const name of Object.keys(requests) as Upstream[]) requests[name] = Math.ceil(requests[name] ?? 0)
  const plan = collectionPlan(requests, sources)
  if (json) {
    terminal.out(JSON.stringify({ charts: charts.length, ...plan }))
    return 0
  }
  const storefronts = new Set(charts.map((chart) => chart.country)).size
  terminal.out(`${charts.length.toLocaleString('en')} charts of ${storefronts} storefronts, a day:`)
  for (const upstream of plan.upstreams) terminal.out(`  ${plannedDaily(upstream)}`)
  return 0
}

/** Looks up apps in the App Store. */
export async function collectAppsCommand(
  context: OperatorContext,
  { storeIds, country, json = false }: Input<typeof collectAppsInput>,
): Promise<0 | 1> {
  const { db } = context
  const collecting = await context.collecting()
  const tasks = batchesOf(storeIds).map((batch) =>
    taskOf(db, collecting, { what: 'apps', country, storeIds: batch }),
  )
  return runCollectionTasks(context, collecting.sources, tasks, json)
}

/** Looks up tracked apps again that their storefront did not list, and in a few others. */
export async function collectMissedCommand(
  context: OperatorContext,
  { plan = false, json = false }: Input<typeof collectedAds>,
): Promise<0 | 1> {
  const { db, terminal } = context
  const { collector, sources } = await context.collecting()
  const lookups = await dueMissedLookups(db, new Date())
  if (plan) {
    const apps = new Set(lookups.flatMap(({ storeIds }) => storeIds)).size
    const storefronts = new Set(lookups.map(({ country }) => country)).size
    const { upstreams } = collectionPlan({ itunes: lookups.length }, sources)
    if (json) {
      terminal.out(JSON.stringify({ apps, storefronts, upstreams }))
      return 0
    }
    terminal.out(`${apps} tracked apps that were missed, in ${storefronts} storefronts:`)
    for (const upstream of upstreams) terminal.out(`  ${planned(upstream)}`)
    return 0
  }
  const tasks = lookups.map((lookup): CollectionTask => {
    const { country, storeIds } = lookup
    return {
      name: `${storeIds.length === 1 ? storeIds[0] : `${storeIds.length} apps`} (${country})`,
      upstream: 'itunes',
      run: (signal) =>
        asked(async () => {
          const listed = await performMissedLookup(db, collector, lookup, signal)
          return { outcome: listed > 0 ? 'stored' : 'empty', message: null }
        }),
    }
  })
  if (tasks.length === 0) terminal.note('No tracked app has to be looked up again: nothing is asked.')
  return runCollectionTasks(context, sources, tasks, json)
}

/** Reads the pages of apps: subtitle, previews, and the apps Apple shows beside them. */
export async function collectPagesCommand(
  context: OperatorContext,
  { storeIds, country, json = false }: Input<typeof collectAppsInput>,
): Promise<0 | 1> {
  const collecting = await context.collecting()
  const tasks = storeIds.map((storeId) => taskOf(context.db, collecting, { what: 'page', country, storeId }))
  return runCollectionTasks(context, collecting.sources, tasks, json)
}

/** Collects result pages or suggestions of terms. A term that had results and answers with none is asked again by a job. */
export async function collectTermsCommand(
  context: OperatorContext,
  surface: 'search' | 'hints',
  { terms, country, json = false }: Input<typeof collectTermsInput>,
): Promise<0 | 1> {
  refuseUnsearchable(terms, country)
  const named = terms.map((term) => ({ term, country }))
  return collectTerms(context, surface, named, json)
}

/** Reads the web search pages of terms, or of the keywords of all tracked apps. */
export async function collectSearchPagesCommand(
  context: OperatorContext,
  { terms, country, plan = false, json = false }: Input<typeof collectSearchPagesInput>,
): Promise<0 | 1> {
  refuseUnsearchable(terms ?? [], country)
  const named =
    terms?.map((term) => ({ term, country })) ?? (await dueSearches(context.db, 'app-store-search', null, null))
  if (!plan) return collectTerms(context, 'searchPage', named, json)
  const { sources, current } = await context.collecting()
  const everyHours = (await current.schedule()).searchPages?.everyHours ?? null
  const { upstreams } = collectionPlan({ 'app-store-search': named.length }, sources)
  if (json) context.terminal.out(JSON.stringify({ terms: named.length, everyHours, upstreams }))
  else {
    const often = everyHours === null ? '' : `, every ${everyHours} hours`
    context.terminal.out(`${named.length.toLocaleString('en')} search pages${often}:`)
    for (const upstream of upstreams) context.terminal.out(`  ${planned(upstream)}`)
  }
  return 0
}

/** @throws Refusal */
function refuseUnsearchable(terms: readonly string[], country: string): void {
  const refused = terms.filter((term) => termRefusalOf(normaliseTerm(term, country)) !== undefined)
  if (refused.length > 0) {
    const named = refused.map((term) => `"${term}"`).join(', ')
    throw new Refusal(
      `Nobody can search for ${named}: a term has a letter or a digit, and at most ${longestTerm} characters.`,
    )
  }
}

async function collectTerms(
  context: OperatorContext,
  surface: TermAsked['surface'],
  named: readonly TermName[],
  json: boolean,
): Promise<0 | 1> {
  const { db } = context
  const collecting = await context.collecting()
  const suspects: TermAsked[] = []
  const tasks = named.map(({ term, country }): CollectionTask => {
    const task = taskOf(db, collecting, { what: surface, country, term })
    return {
      ...task,
      run: async (signal) => {
        const done = await task.run(signal)
        if (isSuspectOutcome(done.outcome)) suspects.push({ surface, term, country })
        return done
      },
    }
  })
  const code = await runCollectionTasks(context, collecting.sources, tasks, json)
  if (suspects.length > 0) {
    await using queue = await openQueue(context.store, false, () => {})
    await askAgainLater(db, queue, suspects)
  }
  return code
}

/** A request that is made at once. */
const taskOf = (db: Database, { collector, sources }: CollectingClients, asked: Asked) => ({
  name: askedName(asked),
  upstream: askedUpstream(asked, sources),
  run: (signal: AbortSignal) => performAsked(db, collector, asked, signal),
})

/** Starts imports of the App Store ads of all tracked apps that have not been asked for within the interval of the schedule. */
export async function collectAdsCommand(
  { store, db, terminal, collecting }: OperatorContext,
  { plan = false, json = false }: Input<typeof collectedAds>,
): Promise<0 | 1> {
  const now = new Date()
  const { current, sources } = await collecting()
  const everyDays = (await current.schedule()).appStoreAds?.everyDays ?? null
  const found: { platform: AskedPlatform; apps: number; requests: number; runs: string[] }[] = []
  for (const platform of librariesOfApps) {
    const apps = await trackedForAds(db, platform, { everyDays: plan ? null : everyDays, now })
    const requests = requestsFor(
      platform,
      apps.map(({ storeId }) => storeId),
      now,
    )
    const runs: string[] = []
    if (!plan && apps.length > 0) {
      await using queue = await openQueue(store, false, () => {})
      runs.push(...(await startRunsOfApps(db, enqueueOn(queue), platform, apps, now)))
    }
    found.push({ platform, apps: apps.length, requests, runs })
  }
  const { upstreams } = collectionPlan(
    Object.fromEntries(found.map(({ platform, requests }) => [librarySource(platform), requests])),
    sources,
  )
  if (json) {
    terminal.out(JSON.stringify({ everyDays, libraries: found, upstreams }))
    return 0
  }
  for (const { apps } of found) {
    const often = everyDays === null ? '' : `, every ${everyDays} days`
    terminal.out(`${apps.toLocaleString('en')} tracked apps${plan ? often : ''}:`)
  }
  for (const upstream of upstreams) terminal.out(`  at least ${planned(upstream)}`)
  for (const runId of found.flatMap(({ runs }) => runs)) terminal.out(`  run ${runId} is queued`)
  if (!plan && found.every(({ apps }) => apps === 0)) terminal.note('No tracked app is due: nothing is asked.')
  return 0
}

/** A failure of the source is an outcome of the task; any other error ends the command. */
export async function asked(
  ask: () => Promise<{ outcome: Outcome; message: string | null }>,
): Promise<{ outcome: string; message: string | null }> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof SourceFailure) return { outcome: 'failed', message: error.message }
    throw error
  }
}
