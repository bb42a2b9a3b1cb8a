import type { EmergingVerdict } from '../../vocabulary/emerging.ts'
import { type CapturePlaces, moveUpOf, ranksByApp } from './moves.ts'

/** A capture with its day in the storefront, `YYYY-MM-DD`. */
export interface DailyCapture extends CapturePlaces {
  day: string
}

/** One chart with at most one capture of a day, oldest first. */
export type ChartHistory = readonly DailyCapture[]

/** The outcome for apps so many days after a day. Shares are of flags, null where there is none. */
export interface GroupOutcome {
  /** One for each app, chart and day. */
  flags: number
  apps: number
  /** Share with a better rank than on the day; apps that left the chart do not count as better. */
  better: number | null
  /** Share still in the chart. */
  charting: number | null
  /** Median of places lost (above 0) or gained (below 0); an app that left counts as one place below the last. */
  medianChange: number | null
}

/** Apps that moved up, and the three groups they are compared with, in this order. */
export const groupNames = ['movedUp', 'others', 'sameRanks', 'belowMedian'] as const

export type GroupName = (typeof groupNames)[number]

/** The outcome of each group so many days later. */
export interface OutcomesAfter extends Record<GroupName, GroupOutcome> {
  days: number
}

export interface EmergingBacktest {
  /** The first and the last day evaluated; null when there was none. */
  from: string | null
  until: string | null
  verdict: EmergingVerdict
  /** By number of days, ascending. */
  after: OutcomesAfter[]
}

export interface BacktestSettings {
  /** Days after which outcomes are measured. */
  horizons: readonly number[]
  windowDays: number
}

/** Minimum captures up to an evaluated day, including its own. */
const fewestCaptures = 4
/** An app that came into a chart within this many days is a new entry, not a move up. */
const newForDays = 7
/** Minimum apps in every group for a verdict. */
const fewestApps = 20

/** Maximum distance of a neighbour's rank: three places, or 15 % of the rank. */
const band = (rank: number) => Math.max(3, 0.15 * rank)

const dayNumber = (day: string) => Date.parse(day) / 86_400_000

/** One app on one past day, with its outcome. */
export interface FollowedApp {
  storeId: string
  day: string
  charting: boolean
  /** Places lost; negative when gained. */
  change: number
}

export type FollowedGroups = Record<GroupName, FollowedApp[]>

/**
 * Follows every app of a chart from every past day with enough captures before it and one so many days after it, classified
 * by the data of that day alone. An app may be in several groups: `belowMedian` has all apps below the median of their own
 * ranks in the window. `sameRanks` has, for each app that moved up, the next one above and the next one below it that did
 * not.
 * @returns one for each horizon, in their order
 */
export function followAppsOfChart(history: ChartHistory, settings: BacktestSettings): FollowedGroups[] {
  const { horizons, windowDays } = settings
  const days = history.map(({ day }) => dayNumber(day))
  const depths = history.map(({ storeIds }) => storeIds.length)
  const ranksOfApps = ranksByApp(history)
  const firsts = new Map([...ranksOfApps].map(([id, ranks]) => [id, ranks.findIndex((one) => one > 0)]))
  const found = horizons.map(
    (): FollowedGroups => ({ movedUp: [], others: [], sameRanks: [], belowMedian: [] }),
  )
  for (const [now, { day }] of history.entries()) {
    const today = days[now] ?? 0
    const later = horizons.map((horizon) => days.indexOf(today + horizon))
    const start = Math.max(0, days.findIndex((one) => one > today - windowDays) - 1)
    if (later.every((one) => one < 0) || now + 1 - start < fewestCaptures) continue
    const placed: Placed[] = []
    for (const [storeId, ranks] of ranksOfApps) {
      const rank = ranks[now] ?? 0
      if (rank === 0) continue
      const first = firsts.get(storeId) ?? 0
      const isNew = first > 0 && (days[first] ?? 0) > today - newForDays
      const hasMoved = !isNew && moveUpOf(ranks, start, now + 1) !== undefined
      placed.push({ storeId, ranks, rank, hasMoved, isBelow: rank > middleOf(ranks, depths, start, now + 1) })
    }
    placed.sort((one, other) => one.rank - other.rank)
    for (const [at, horizon] of later.entries()) {
      const groups = found[at]
      if (horizon < 0 || !groups) continue
      const follow = ({ storeId, ranks, rank }: Placed): FollowedApp => {
        const after = ranks[horizon] ?? 0
        return {
          storeId,
          day,
          charting: after > 0,
          change: (after || (depths[horizon] ?? 0) + 1) - rank,
        }
      }
      for (const [place, one] of placed.entries()) {
        groups[one.hasMoved ? 'movedUp' : 'others'].push(follow(one))
        if (one.isBelow) groups.belowMedian.push(follow(one))
        if (!one.hasMoved) continue
        groups.sameRanks.push(...neighboursOf(placed, place).map(follow))
      }
    }
  }
  return found
}

interface Placed {
  storeId: string
  ranks: ArrayLike<number>
  rank: number
  hasMoved: boolean
  isBelow: boolean
}

/** The next app above and the next one below that did not move up, if near enough. */
function neighboursOf(placed: readonly Placed[], place: number): Placed[] {
  const rank = placed[place]?.rank ?? 0
  const next = (step: number) => {
    for (let at = place + step; ; at += step) {
      const one = placed[at]
      if (!one || Math.abs(one.rank - rank) > band(rank)) return []
      if (!one.hasMoved) return [one]
    }
  }
  return [...next(-1), ...next(1)]
}

/** The median of an app's ranks; in a capture without it, the place below the last counts. */
function middleOf(ranks: ArrayLike<number>, depths: readonly number[], start: number, end: number): number {
  const sorted = new Float64Array(end - start)
  for (let index = start; index < end; index++) sorted[index - start] = ranks[index] || (depths[index] ?? 0) + 1
  sorted.sort()
  return ((sorted[sorted.length >> 1] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2
}

/** The outcomes of apps that had moved up, compared with the three groups of the same charts. */
export function backtestEmerging(
  charts: readonly ChartHistory[],
  settings: BacktestSettings,
): EmergingBacktest {
  return outcomesOfGroups(
    charts.map((history) => followAppsOfChart(history, settings)),
    settings,
  )
}

/** @param followed one for each chart */
export function outcomesOfGroups(
  followed: readonly (readonly FollowedGroups[])[],
  { horizons }: Pick<BacktestSettings, 'horizons'>,
): EmergingBacktest {
  const after = horizons.map((days, at): OutcomesAfter => {
    const of = (name: GroupName) => outcomeOfGroup(followed.map((ofChart) => ofChart[at]?.[name] ?? []))
    return {
      days,
      movedUp: of('movedUp'),
      others: of('others'),
      sameRanks: of('sameRanks'),
      belowMedian: of('belowMedian'),
    }
  })
  const [from, until] = judgedDays(followed)
  return { from, until, verdict: verdictOn(after), after }
}

/** The first and the last day, null where there is none. */
function judgedDays(
  followed: readonly (readonly FollowedGroups[])[],
): [from: string | null, until: string | null] {
  let [from, until]: [string | null, string | null] = [null, null]
  for (const groups of followed.flat())
    for (const name of ['movedUp', 'others'] as const)
      for (const { day } of groups[name]) {
        if (from === null || day < from) from = day
        if (until === null || day > until) until = day
      }
  return [from, until]
}

/** @param byChart an app in two charts counts twice */
export function outcomeOfGroup(byChart: readonly (readonly FollowedApp[])[]): GroupOutcome {
  const followed = byChart.flat()
  const flags = followed.length
  if (flags === 0) return { flags, apps: 0, better: null, charting: null, medianChange: null }
  const changes = followed.map(({ change }) => change).sort((one, other) => one - other)
  const share = (holds: (one: FollowedApp) => boolean) => rounded(followed.filter(holds).length / flags)
  return {
    flags,
    apps: byChart.reduce((sum, ofChart) => sum + new Set(ofChart.map(({ storeId }) => storeId)).size, 0),
    better: share(({ charting, change }) => charting && change < 0),
    charting: share(({ charting }) => charting),
    medianChange: ((changes[flags >> 1] ?? 0) + (changes[(flags - 1) >> 1] ?? 0)) / 2,
  }
}

/**
 * Moving up predicts better ranks where it beats all three groups after every horizon, by more than one standard error. Days
 * of one app are not independent, so the error counts apps, not flags.
 */
function verdictOn(after: readonly OutcomesAfter[]): EmergingVerdict {
  if (after.some((outcomes) => groupNames.some((name) => outcomes[name].apps < fewestApps)))
    return 'not-validated'
  const beats = after.every(({ movedUp, others, sameRanks, belowMedian }) =>
    [others, sameRanks, belowMedian].every((other) => {
      const [one, two] = [movedUp.better ?? 0, other.better ?? 0]
      const error = Math.sqrt((one * (1 - one)) / movedUp.apps + (two * (1 - two)) / other.apps)
      return one - two > error
    }),
  )
  return beats ? 'foretells' : 'does-not-foretell'
}

const rounded = (share: number) => Math.round(share * 1e4) / 1e4
