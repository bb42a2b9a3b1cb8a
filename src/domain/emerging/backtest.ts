import type { EmergingVerdict } from '../../vocabulary/emerging.ts'
import { riseOf } from './rise.ts'
import { type Places, standingsIn } from './standings.ts'

/** A capture with its day in the storefront, `YYYY-MM-DD`. */
export interface DayPlaces extends Places {
  day: string
}

/** One chart with at most one capture of a day, oldest first. */
export type ChartHistory = readonly DayPlaces[]

/** What became of apps so many days after a day. Shares are of flags, null where there is none. */
export interface Outcome {
  /** One for each app, chart and day. */
  flags: number
  apps: number
  /** Share with a better rank than on the day; an app that left the chart has none. */
  better: number | null
  /** Share still in the chart. */
  charting: number | null
  /** Middle of the places lost (above 0) or won (below 0); an app that left stands below the last place. */
  medianChange: number | null
}

export interface EmergingBacktest {
  horizonDays: number
  /** The first and the last day that was judged; null when there was none. */
  from: string | null
  until: string | null
  rising: Outcome
  /** The naive baseline: who came into the chart within a week. */
  newEntrants: Outcome
  /** Everybody else in the chart. */
  others: Outcome
  verdict: EmergingVerdict
  /** `better` of the rising ones over that of the new entrants; null where either is unknown or nobody got better. */
  lift: number | null
}

export interface BacktestSettings {
  horizonDays: number
  windowDays: number
  /** Only flags of these days, as far as they are given. */
  from?: string | undefined
  until?: string | undefined
}

/** Captures before a day that is judged, itself among them. */
const fewestCaptures = 4
const newForDays = 7
/** Apps in either group below which charts cannot tell. */
const fewestApps = 20

const dayNumber = (day: string) => Date.parse(day) / 86_400_000

/** One app on one past day, and what became of it. */
export interface Followed {
  storeId: string
  day: string
  charting: boolean
  /** Places lost, below 0 where won. */
  change: number
}

const groupNames = ['rising', 'newEntrants', 'others'] as const

export type FollowedGroups = Record<(typeof groupNames)[number], Followed[]>

/** Every app of a chart on every past day with enough captures before it and one so many days after it. */
export function followedIn(captures: ChartHistory, settings: BacktestSettings): FollowedGroups {
  const { horizonDays, windowDays, from = '', until = '9999' } = settings
  const groups: FollowedGroups = { rising: [], newEntrants: [], others: [] }
  const days = captures.map(({ day }) => dayNumber(day))
  const depths = captures.map(({ storeIds }) => storeIds.length)
  const standings = standingsIn(captures)
  for (const [now, { day }] of captures.entries()) {
    const today = days[now] ?? 0
    const later = days.indexOf(today + horizonDays)
    const start = Math.max(0, days.findIndex((one) => one > today - windowDays) - 1)
    if (day < from || day > until || later < 0 || now + 1 - start < fewestCaptures) continue
    for (const [storeId, ranks] of standings) {
      const rank = ranks[now] ?? 0
      if (rank === 0) continue
      const first = ranks.findIndex((one) => one > 0)
      const isNew = first > 0 && (days[first] ?? 0) > today - newForDays
      const group = isNew ? 'newEntrants' : riseOf(ranks, depths, start, now + 1) ? 'rising' : 'others'
      const after = ranks[later] ?? 0
      const change = (after || (depths[later] ?? 0) + 1) - rank
      groups[group].push({ storeId, day, charting: after > 0, change })
    }
  }
  return groups
}

/**
 * What became of the apps that `riseOf` names, by what was known on each past day alone, against new entrants and all
 * others.
 */
export function backtestEmerging(
  charts: readonly ChartHistory[],
  settings: BacktestSettings,
): EmergingBacktest {
  return outcomesOf(
    charts.map((captures) => followedIn(captures, settings)),
    settings,
  )
}

/** @param followed one for each chart */
export function outcomesOf(
  followed: readonly FollowedGroups[],
  { horizonDays }: BacktestSettings,
): EmergingBacktest {
  const [rising, newEntrants, others] = groupNames.map((name) =>
    outcomeOf(followed.map((groups) => groups[name])),
  ) as [Outcome, Outcome, Outcome]
  const [from, until] = judgedDays(followed)
  return {
    horizonDays,
    from,
    until,
    rising,
    newEntrants,
    others,
    verdict: verdictOn(rising, newEntrants),
    lift: rising.better !== null && newEntrants.better ? rounded(rising.better / newEntrants.better) : null,
  }
}

/** The first and the last day, null where there is none. */
function judgedDays(followed: readonly FollowedGroups[]): [from: string | null, until: string | null] {
  let [from, until]: [string | null, string | null] = [null, null]
  for (const groups of followed)
    for (const name of groupNames)
      for (const { day } of groups[name]) {
        if (from === null || day < from) from = day
        if (until === null || day > until) until = day
      }
  return [from, until]
}

/** @param byChart the same app in two charts is two */
export function outcomeOf(byChart: readonly (readonly Followed[])[]): Outcome {
  const followed = byChart.flat()
  const flags = followed.length
  if (flags === 0) return { flags, apps: 0, better: null, charting: null, medianChange: null }
  const changes = followed.map(({ change }) => change).sort((one, other) => one - other)
  const share = (holds: (one: Followed) => boolean) => rounded(followed.filter(holds).length / flags)
  return {
    flags,
    apps: byChart.reduce((sum, ofChart) => sum + new Set(ofChart.map(({ storeId }) => storeId)).size, 0),
    better: share(({ charting, change }) => charting && change < 0),
    charting: share(({ charting }) => charting),
    medianChange: ((changes[flags >> 1] ?? 0) + (changes[(flags - 1) >> 1] ?? 0)) / 2,
  }
}

/**
 * Rising beats new entrants where both shares are greater, by more than one standard error. Days of one app are not
 * independent, so apps are counted for the error, not flags.
 */
function verdictOn(rising: Outcome, entrants: Outcome): EmergingVerdict {
  if (rising.apps < fewestApps || entrants.apps < fewestApps) return 'not-validated'
  const beats = (['better', 'charting'] as const).every((share) => {
    const [one, other] = [rising[share] ?? 0, entrants[share] ?? 0]
    const error = Math.sqrt((one * (1 - one)) / rising.apps + (other * (1 - other)) / entrants.apps)
    return one - other > error
  })
  return beats ? 'beats-new-entrants' : 'does-not-beat-new-entrants'
}

const rounded = (share: number) => Math.round(share * 1e4) / 1e4
