import type { Database } from '../../../storage/database.ts'
import type { NotMeasured } from '../../../vocabulary/facts.ts'
import { storefrontDay } from '../../../vocabulary/storefront-day.ts'
import { capturesOf, ranksOfApp } from '../../charts/history-queries.ts'
import { storedChartsOf } from '../../charts/queries.ts'
import { notMeasured } from '../../facts/fact.ts'
import { dayNumber, dayOfNumber } from '../pages/rank-days.ts'
import { depthsByTermAndDay, ranksByTermAndDay } from '../pages/rank-queries.ts'

/** The rank movement so many days after a change. */
export interface ListingImpact {
  afterDays: number
  charts: Impact
  keywords: Impact
  /** Number of other changes that were first seen within that many days of it, before or after. */
  otherChanges: number
}

/** Days after a change for which its impact is reported. */
const impactDays = [7, 14, 28] as const
/** Days before the oldest change over which the usual movement is measured. */
const daysBefore = 90
/**
 * The rank movements of an app in a storefront after each of these changes. Five reads.
 * @param changes at least one
 * @param all every change of the listing, these among them
 */
export async function impactsOfChanges(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  termIds: readonly number[],
  changes: readonly SeenChange[],
  all: readonly SeenChange[],
): Promise<ListingImpact[][]> {
  const dayOf = (at: Date) => dayNumber(storefrontDay(country, at))
  const daysOf = new Map(
    all.map((change): [SeenChange, ChangeDays] => [
      change,
      { lastSeen: dayOf(change.lastSeenAt), firstSeen: dayOf(change.firstSeenAt) },
    ]),
  )
  const days = changes.flatMap((change) => daysOf.get(change) ?? [])
  const from = Math.min(...days.map(({ lastSeen }) => lastSeen)) - daysBefore
  const to = Math.max(...days.map(({ firstSeen }) => firstSeen)) + daysBefore
  const [charts, keywords] = await Promise.all([
    chartStands(db, storeId, country, from, to),
    keywordStands(db, storeId, country, termIds, from, to),
  ])
  return days.map((change) =>
    impactDays.map((afterDays) => ({
      afterDays,
      charts: impactOfChange(charts, change, afterDays),
      keywords: impactOfChange(keywords, change, afterDays),
      otherChanges: [...daysOf.values()].filter(
        (other) => other !== change && Math.abs(other.firstSeen - change.firstSeen) <= afterDays,
      ).length,
    })),
  )
}

interface SeenChange {
  lastSeenAt: Date
  firstSeenAt: Date
}

/** The position of an app on one day: its rank, or one place beyond the observed depth. */
export interface DayPosition {
  place: number
  shown: boolean
}

/** The positions of an app in one chart or for one keyword, by day number; days without an observation are left out. */
export type PositionsByDay = ReadonlyMap<number, DayPosition>

/** The days between which a listing changed, as day numbers. */
interface ChangeDays {
  lastSeen: number
  firstSeen: number
}

/** Rank movement over a change: in places climbed, negative when fallen. */
interface MeasuredImpact {
  state: 'measured'
  /** Charts or keywords observed on both sides in which the app ranked at least once. */
  compared: number
  /** The median of their movements. */
  places: number
  /** The median movement over as many days without this change, up or down; null with too few days. */
  usual: number | null
}

type Impact = MeasuredImpact | NotMeasured<'never-collected' | 'no-snapshot'>

/** Maximum days before a change for an observation to count as the state before it, and around the day after it. */
const beforeWithin = 2
const afterWithin = 1
/** Days on both sides of a change over which the usual movement is measured. */
const typicalWithinDays = 90
/** Minimum pairs of days for a usual movement. */
const fewestPairs = 5

/**
 * The rank movement from before a change to so many days after it, beside the usual movement. A movement does not prove that
 * the change caused it.
 */
export function impactOfChange(
  series: readonly PositionsByDay[],
  change: ChangeDays,
  afterDays: number,
): Impact {
  if (series.length === 0) return notMeasured('never-collected')
  const moves: number[] = []
  const usual: number[] = []
  for (const stands of series) {
    const [before, after] = [dayBefore(stands, change.lastSeen), dayAfter(stands, change.firstSeen + afterDays)]
    const move = moveBetween(stands, before, after)
    if (before === undefined || after === undefined || move === undefined) continue
    moves.push(move)
    usual.push(...typicalMoves(stands, before, after))
  }
  if (moves.length === 0) return notMeasured('no-snapshot')
  return {
    state: 'measured',
    compared: moves.length,
    places: middle(moves),
    usual: usual.length < fewestPairs ? null : middle(usual),
  }
}

/** The movements between days equally far apart, none of them within the change. */
function typicalMoves(stands: PositionsByDay, before: number, after: number): number[] {
  const span = after - before
  const found: number[] = []
  for (let day = before - typicalWithinDays; day <= after + typicalWithinDays; day++) {
    if (day < after && day + span > before) continue
    const move = moveBetween(stands, day, day + span)
    if (move !== undefined) found.push(Math.abs(move))
  }
  return found
}

/** Places climbed between two days; undefined where one has no observation, or the app ranked on neither. */
function moveBetween(
  stands: PositionsByDay,
  from: number | undefined,
  to: number | undefined,
): number | undefined {
  const [then, now] = [from, to].map((day) => (day === undefined ? undefined : stands.get(day)))
  return then && now && (then.shown || now.shown) ? then.place - now.place : undefined
}

function dayBefore(stands: PositionsByDay, lastSeen: number): number | undefined {
  for (let day = lastSeen; day >= lastSeen - beforeWithin; day--) if (stands.has(day)) return day
  return undefined
}

/** The nearest day with an observation; of two, the later one. */
function dayAfter(stands: PositionsByDay, wanted: number): number | undefined {
  for (let away = 0; away <= afterWithin; away++)
    for (const day of [wanted + away, wanted - away]) if (stands.has(day)) return day
  return undefined
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const half = sorted.length >> 1
  return ((sorted[half] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2
}

const dayMs = 86_400_000

/** The ranks of an app in each chart of a storefront that ever showed it between two days, by day. Three reads. */
async function chartStands(
  db: Database,
  storeId: string,
  country: string,
  from: number,
  to: number,
): Promise<PositionsByDay[]> {
  const charts = await storedChartsOf(db, country)
  // A storefront's day begins and ends up to a day before or after the UTC day.
  const [first, last] = [new Date((from - 1) * dayMs), new Date((to + 2) * dayMs)]
  const lists = await ranksOfApp(
    db,
    storeId,
    charts.map(({ chartId }) => chartId),
    first,
    last,
  )
  if (lists.length === 0) return []
  const ranks = new Map(lists.map((list) => [list.chartId, new Map(list.ranks)]))
  const captures = await capturesOf(db, [...ranks.keys()], dayOfNumber(from), dayOfNumber(to))
  return captures.map(
    ({ chartId, captures }) =>
      new Map(
        captures.map(([capturedAt, day, returned]): [number, DayPosition] => [
          dayNumber(day),
          standOf(ranks.get(chartId)?.get(capturedAt), returned),
        ]),
      ),
  )
}

/**
 * The ranks of an app for each of these terms between two days, by day; leaves out terms for which it never ranked. Two
 * reads.
 */
async function keywordStands(
  db: Database,
  storeId: string,
  country: string,
  termIds: readonly number[],
  from: number,
  to: number,
): Promise<PositionsByDay[]> {
  const [first, last] = [dayOfNumber(from), dayOfNumber(to)]
  const [ranks, depths] = await Promise.all([
    ranksByTermAndDay(db, storeId, country, termIds, first, last),
    depthsByTermAndDay(db, termIds, first, last),
  ])
  return [...ranks].map(([termId, ofApp]) => {
    const stands = new Map<number, DayPosition>()
    for (let day = from; day <= to; day++) {
      const depth = depths.get(termId)?.at(day)
      if (depth) stands.set(day, standOf(ofApp.at(day), depth))
    }
    return stands
  })
}

const standOf = (rank: number | undefined, depth: number): DayPosition =>
  rank === undefined ? { place: depth + 1, shown: false } : { place: rank, shown: true }
