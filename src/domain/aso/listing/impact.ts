import type { NotMeasured } from '../../../vocabulary/facts.ts'
import { notMeasured } from '../../facts/fact.ts'

/** The position of an app on one day: its rank, or one place beyond the observed depth. */
export interface Stand {
  place: number
  shown: boolean
}

/** The positions of an app in one chart or for one keyword, by day number; days without an observation are left out. */
export type Stands = ReadonlyMap<number, Stand>

/** The days between which a listing changed, as day numbers. */
export interface ChangeDays {
  lastSeen: number
  firstSeen: number
}

/** Rank movement over a change: in places climbed, negative when fallen. */
export interface MeasuredImpact {
  state: 'measured'
  /** Charts or keywords observed on both sides in which the app ranked at least once. */
  compared: number
  /** The median of their movements. */
  places: number
  /** The median movement over as many days without this change, up or down; null with too few days. */
  usual: number | null
}

export type Impact = MeasuredImpact | NotMeasured<'never-collected' | 'no-snapshot'>

/** Maximum days before a change for an observation to count as the state before it, and around the day after it. */
const beforeWithin = 2
const afterWithin = 1
/** Days on both sides of a change over which the usual movement is measured. */
const usualWithin = 90
/** Minimum pairs of days for a usual movement. */
const fewestPairs = 5

/**
 * The rank movement from before a change to so many days after it, beside the usual movement. A movement does not prove that
 * the change caused it.
 */
export function impactOf(series: readonly Stands[], change: ChangeDays, afterDays: number): Impact {
  if (series.length === 0) return notMeasured('never-collected')
  const moves: number[] = []
  const usual: number[] = []
  for (const stands of series) {
    const [before, after] = [dayBefore(stands, change.lastSeen), dayAfter(stands, change.firstSeen + afterDays)]
    const move = moveBetween(stands, before, after)
    if (before === undefined || after === undefined || move === undefined) continue
    moves.push(move)
    usual.push(...usualMoves(stands, before, after))
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
function usualMoves(stands: Stands, before: number, after: number): number[] {
  const span = after - before
  const found: number[] = []
  for (let day = before - usualWithin; day <= after + usualWithin; day++) {
    if (day < after && day + span > before) continue
    const move = moveBetween(stands, day, day + span)
    if (move !== undefined) found.push(Math.abs(move))
  }
  return found
}

/** Places climbed between two days; undefined where one has no observation, or the app ranked on neither. */
function moveBetween(stands: Stands, from: number | undefined, to: number | undefined): number | undefined {
  const [then, now] = [from, to].map((day) => (day === undefined ? undefined : stands.get(day)))
  return then && now && (then.shown || now.shown) ? then.place - now.place : undefined
}

function dayBefore(stands: Stands, lastSeen: number): number | undefined {
  for (let day = lastSeen; day >= lastSeen - beforeWithin; day--) if (stands.has(day)) return day
  return undefined
}

/** The nearest day with an observation; of two, the later one. */
function dayAfter(stands: Stands, wanted: number): number | undefined {
  for (let away = 0; away <= afterWithin; away++)
    for (const day of [wanted + away, wanted - away]) if (stands.has(day)) return day
  return undefined
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const half = sorted.length >> 1
  return ((sorted[half] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2
}
