import type { z } from 'zod'
import type { AppFreshness, CollectingState } from '../contract/shapes/freshness.ts'
import { type AppChecks, checksOfApps, overdueCharts } from '../domain/collecting/attempts.ts'
import { type AppMoves, chartInWords } from '../domain/moves/moves.ts'
import { lastAskedForAds, librariesOfApps } from '../domain/paid-ads/imports/due-apps.ts'
import { type OverdueWork, workStateOf } from '../domain/work/ask-for-work.ts'
import { noWorkerSince, oftenTried, patienceHours } from '../domain/work/work.ts'
import { hoursBefore, type Schedule, scheduledCharts } from '../jobs/schedule.ts'
import type { Database } from '../storage/database.ts'
import { type AppPart, appParts } from '../vocabulary/app-parts.ts'
import { chartName } from '../vocabulary/chart-identity.ts'
import { asOf, turnHours } from './as-of.ts'
import { cut, minute, someOf } from './evidence.ts'

interface TrackedApp {
  appId: string
  storeId: string
  country: string
}

/** A keyword with its newest page, and its last search where that failed. */
interface LookedKeyword {
  pageAt: Date | null
  failure: { at: Date; message: string } | null
}

interface LookedApp extends TrackedApp {
  keywords: readonly LookedKeyword[]
  lookedAt: AppMoves['lookedAt'] | undefined
}

type Age = NonNullable<z.output<typeof AppFreshness>[AppPart]>

/** Looks for ads longer ago than this and three turns are not told: after two turns they are late anyhow. */
const adsDays = 90

/** When apps were checked, and asked for at libraries of ads: a statement for each, whatever their number. */
export async function checkedApps(
  db: Database,
  apps: readonly TrackedApp[],
  { appStoreAds }: Schedule,
  now: Date,
) {
  const storeIds = apps.map(({ storeId }) => storeId)
  if (apps.length === 0) return () => ({ checks: undefined, adsAskedAt: null })
  const askedSince = hoursBefore(now, 24 * Math.max(adsDays, 3 * (appStoreAds?.everyDays ?? 0)))
  const [checks, ...asked] = await Promise.all([
    checksOfApps(db, apps),
    ...(appStoreAds ? librariesOfApps : []).map((platform) =>
      lastAskedForAds(db, platform, storeIds, askedSince),
    ),
  ])
  const checksOf = new Map(checks.map((one) => [`${one.storeId} ${one.country}`, one]))
  const askedFor = Map.groupBy(asked.flat(), ({ storeId }) => storeId)
  return ({ storeId, country }: TrackedApp) => ({
    checks: checksOf.get(`${storeId} ${country}`),
    adsAskedAt: newest((askedFor.get(storeId) ?? []).map(({ askedAt }) => askedAt)),
  })
}

/** The parts of a tracked app that are not fresh. */
export function freshnessShape(
  { country, keywords, lookedAt }: LookedApp,
  { checks, adsAskedAt }: { checks: AppChecks | undefined; adsAskedAt: Date | null },
  schedule: Schedule,
  now: Date,
): z.output<typeof AppFreshness> {
  const turns = turnsOf(schedule, country)
  const failed = (at: Date | null | undefined, message: string | null | undefined) =>
    at ? { at, message: message ?? '' } : undefined
  const ages: Record<AppPart, Age | undefined> = {
    keywords: keywords.length === 0 ? undefined : ageOfKeywords(keywords, turns.keywords, now),
    charts: ageOf(lookedAt?.charts ?? null, turns.charts, now),
    listing: ageOf(
      // Charts name an app, and do not tell its listing.
      checks?.lookedUpAt ?? lookedAt?.listing ?? null,
      turns.listing,
      now,
      failed(checks?.lookupFailedAt, checks?.lookupError),
    ),
    page: ageOf(checks?.pageReadAt ?? null, turns.page, now, failed(checks?.pageFailedAt, checks?.pageError)),
    ads: ageOf(newest([lookedAt?.ads, adsAskedAt]), turns.ads, now),
    posts: ageOf(lookedAt?.posts ?? null, turns.posts, now),
  }
  return Object.fromEntries(appParts.flatMap((part) => (ages[part] ? [[part, ages[part]]] : [])))
}

/** Hours between two turns of what collects each part of a tracked app; undefined where nothing does. */
function turnsOf(schedule: Schedule, country: string): Record<AppPart, number | undefined> {
  const { apps, pages, keywords, appStoreAds } = schedule
  const tracked = (rules: Schedule['apps']) =>
    rules?.countries.some((one) => one === country) ? rules.trackedEveryHours : undefined
  return {
    keywords: keywords?.everyHours,
    charts: turnHours(schedule, ['charts'], country),
    listing: tracked(apps),
    page: tracked(pages),
    ads: appStoreAds && 24 * appStoreAds.everyDays,
    posts: undefined,
  }
}

/** Undefined where it is fresh. */
function ageOf(
  lastAt: Date | null,
  hours: number | undefined,
  now: Date,
  failure?: { at: Date; message: string },
): Age | undefined {
  const seen = lastAt ? { lastAt: lastAt.toISOString() } : {}
  if (failure)
    return { state: 'failing', ...seen, since: failure.at.toISOString(), error: cut(failure.message) }
  if (!lastAt) return { state: 'not-measured' }
  const { state, since } = asOf(lastAt.toISOString(), hours, now)
  if (state === 'fresh' || state === 'unknown') return undefined
  return { state, ...seen, ...(since === null ? {} : { since }) }
}

function ageOfKeywords(
  keywords: readonly LookedKeyword[],
  hours: number | undefined,
  now: Date,
): Age | undefined {
  const pages = keywords.flatMap(({ pageAt }) => pageAt ?? [])
  const oldest = pages.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null
  const [failure] = keywords
    .flatMap(({ failure }) => failure ?? [])
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const age = ageOf(oldest, hours, now, failure)
  const behind =
    hours === undefined
      ? keywords.length - pages.length
      : keywords.filter(({ pageAt }) => !pageAt || pageAt <= hoursBefore(now, 2 * hours)).length
  if (behind === 0) return age
  return { ...(age ?? { state: 'not-measured' }), ...(oldest ? { lastAt: oldest.toISOString() } : {}), behind }
}

const newest = (times: readonly (Date | null | undefined)[]): Date | null => {
  const known = times.flatMap((at) => at?.getTime() ?? [])
  return known.length > 0 ? new Date(Math.max(...known)) : null
}

/** Whether a worker runs, and what is overdue of the schedule in these storefronts and of what an account asked for; null where all is well. */
export async function collectingState(
  db: Database,
  schedule: Schedule,
  accountId: string,
  countries: readonly string[],
  now: Date,
): Promise<z.output<typeof CollectingState> | null> {
  const [charts, { workersSeenAt, overdue }] = await Promise.all([
    chartsBehind(db, schedule, new Set(countries), now),
    workStateOf(db, accountId, { before: hoursBefore(now, patienceHours), often: oftenTried }),
  ])
  const stopped = workersSeenAt && noWorkerSince({ createdAt: now, workersSeenAt }, now)
  const late = [...charts, ...overdue.map(workInWords)]
  if (workersSeenAt && !stopped && late.length === 0) return null
  return {
    worker: !workersSeenAt ? 'never-seen' : stopped ? 'stopped' : 'running',
    stoppedSince: stopped ? stopped.toISOString() : null,
    overdue: late,
  }
}

type Overdue = z.output<typeof CollectingState>['overdue'][number]

async function chartsBehind(
  db: Database,
  schedule: Schedule,
  countries: ReadonlySet<string>,
  now: Date,
): Promise<Overdue[]> {
  const here = schedule.charts.map((entry) => ({
    ...entry,
    countries: entry.countries.filter((country) => countries.has(country)),
  }))
  const scheduled = scheduledCharts({ ...schedule, charts: here })
  if (scheduled.length === 0) return []
  const missed = await overdueCharts(
    db,
    scheduled.map(({ everyHours, ...chart }) => ({ ...chart, before: hoursBefore(now, 2 * everyHours) })),
  )
  if (missed.length === 0) return []
  const hoursOf = new Map(scheduled.map((chart) => [chartName(chart), chart.everyHours]))
  const since = missed.flatMap(({ newestAt, ...chart }) =>
    newestAt ? [newestAt.getTime() + 2 * (hoursOf.get(chartName(chart)) ?? 0) * 3_600_000] : [],
  )
  return [
    {
      job: 'charts',
      since: since.length > 0 ? new Date(Math.min(...since)).toISOString() : null,
      text: `${missed.length} of ${scheduled.length} scheduled charts have not come for two turns: ${someOf(
        missed.map((chart) => `${chartInWords(chart)} (${chart.country})`),
        3,
      )}.`,
    },
  ]
}

function workInWords({ kind, waiting, waitingSince, failing, failedAt, message }: OverdueWork): Overdue {
  const said = [
    ...(waitingSince === null ? [] : [`${waiting} waiting since ${minute(new Date(waitingSince))}`]),
    ...(failedAt === null
      ? []
      : [
          `${failing} failed ${oftenTried} times or more, at ${minute(new Date(failedAt))} with: ${cut(message ?? 'nothing was told')}`,
        ]),
  ]
  return { job: kind, since: new Date(waitingSince ?? failedAt ?? 0).toISOString(), text: said.join('; ') }
}
