import type { NotMeasured } from '../../../vocabulary/facts.ts'
import { notMeasured } from '../../facts/fact.ts'

/** Where an app stood on one day: a rank, or the place below the last that was looked at. */
export interface Stand {
  place: number
  shown: boolean
}

/** The stands of an app in one chart or for one keyword, by day number; days without a look are left out. */
export type Stands = ReadonlyMap<number, Stand>

/** Between which days a listing changed, as day numbers. */
export interface ChangeDays {
  lastSeen: number
  firstSeen: number
}

/** How ranks moved over a change: in places climbed, negative when fallen. */
export interface MeasuredImpact {
  state: 'measured'
  /** Charts or keywords with a look on both sides in which the app stood at least once. */
  compared: number
  /** The middle of their moves. */
  places: number
  /** The middle of how far they move in as many days without this change, up or down; null when too few days tell. */
  usual: number | null
}

export type Impact = MeasuredImpact | NotMeasured<'never-collected' | 'no-snapshot'>

/** Days before a change in which a look still tells of the time before it, and around the day after it. */
const beforeWithin = 2
const afterWithin = 1
/** Days on both sides of a change in which it is looked how far the app usually moves. */
const usualWithin = 90
/** Pairs of days that must tell how far it usually moves. */
const fewestPairs = 5

/**
 * How ranks stood so many days after a change against before it, beside how far they usually move. A move is no proof that the
 * change made it.
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

/** How far the app moved between days as far apart, none of them within the change. */
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

/** Places climbed between two days; undefined where one has no look, or the app stood in neither. */
function moveBetween(stands: Stands, from: number | undefined, to: number | undefined): number | undefined {
  const [then, now] = [from, to].map((day) => (day === undefined ? undefined : stands.get(day)))
  return then && now && (then.shown || now.shown) ? then.place - now.place : undefined
}

function dayBefore(stands: Stands, lastSeen: number): number | undefined {
  for (let day = lastSeen; day >= lastSeen - beforeWithin; day--) if (stands.has(day)) return day
  return undefined
}

/** The nearest day with a look; of two, the later one. */
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
