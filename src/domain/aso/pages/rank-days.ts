import type { NotMeasured } from '../../../vocabulary/facts.ts'
/** Day number of a date without a zone, counted from 1 January 1970. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000
}

/** The date of a day number, `YYYY-MM-DD`. */
export function dayOfNumber(number: number): string {
  return new Date(number * 86_400_000).toISOString().slice(0, 10)
}

const comma = ','.charCodeAt(0)
const zero = '0'.charCodeAt(0)

/** A sparse map from the days of a range to small numbers. */
export class DayMap {
  readonly #from: number
  readonly #values: Int16Array

  /** @param from day number of the first day @param to of the last */
  constructor(from: number, to: number) {
    this.#from = from
    this.#values = new Int16Array(Math.max(0, to - from + 1)).fill(-1)
  }

  /** Days outside the range are ignored. */
  set(day: number, value: number): void {
    this.#values[day - this.#from] = value
  }

  /**
   * Parsed character by character: a workstation of a thousand keywords reads two hundred thousand values.
   * @param first day number of the first of the month
   * @param values a number for each day, separated by commas; empty for days without one
   */
  setMonth(first: number, values: string): void {
    let day = first
    let value = -1
    for (let index = 0; index <= values.length; index++) {
      const code = index === values.length ? comma : values.charCodeAt(index)
      if (code === comma) {
        if (value !== -1) this.set(day, value)
        day++
        value = -1
      } else value = Math.max(0, value) * 10 + code - zero
    }
  }

  at(day: number): number | undefined {
    const value = this.#values[day - this.#from]
    return value === undefined || value === -1 ? undefined : value
  }

  /** The newest day with a number in a range, both ends included. */
  newest(from: number, to: number): number | undefined {
    for (let day = to; day >= from; day--) if (this.at(day) !== undefined) return day
    return undefined
  }
}

/** Why a term has no page: it was never searched for, or the search failed. */
export type WhyNoPage = 'never-collected' | 'source-failed'

/** The rank of an app for a term, in three states. */
export type RankState =
  | { state: 'measured'; value: number; depth: number }
  | { state: 'absent'; depth: number }
  | NotMeasured<WhyNoPage | 'no-snapshot'>

/** A change of rank; pages of different depth are compared only over the places that both show. */
export type RankChange =
  | { state: 'measured'; places: number; comparedOn: string }
  | { state: 'entered'; depth: number; comparedOn: string }
  | { state: 'left'; from: number; depth: number; comparedOn: string }
  | { state: 'absent'; comparedOn: string }
  | NotMeasured<WhyNoPage | 'no-snapshot' | 'too-little-evidence'>

/** The best rank over all pages, in three states. */
export type BestRank =
  | { state: 'measured'; value: number; on: string }
  | { state: 'absent'; depth: number; pages: number }
  | NotMeasured<WhyNoPage>

const neverCollected = { state: 'not-measured', reason: 'never-collected' } as const

/** A fact of a term that is based on its pages; where there is none because the search failed, that is its reason. */
export function withSearchFailure<Fact extends { state: string; reason?: string }>(
  fact: Fact,
  { searchFailed }: { searchFailed: boolean },
): Fact | NotMeasured<'source-failed'> {
  return searchFailed && fact.state === 'not-measured'
    ? { state: 'not-measured', reason: 'source-failed' }
    : fact
}

/**
 * The rank of an app on a page.
 * @param place null or undefined when the app is not on it
 * @param depth null or undefined when there is no page
 */
export function rankOnPage(place: number | null | undefined, depth: number | null | undefined): RankState {
  if (depth === null || depth === undefined) return neverCollected
  return place === null || place === undefined
    ? { state: 'absent', depth }
    : { state: 'measured', value: place, depth }
}

/** The rank of an app on one day: no rank on a day with a page is an absence. */
export function rankOnDay(ranks: DayMap | undefined, depths: DayMap | undefined, day: number): RankState {
  const depth = depths?.at(day)
  if (depth === undefined) return { state: 'not-measured', reason: 'no-snapshot' }
  return rankOnPage(ranks?.at(day), depth)
}

/**
 * @param best with the first day it was reached; undefined when no page shows the app
 * @param looked number of pages that count, and the depth of the deepest
 */
export function bestRank(
  best: { value: number; on: string } | null | undefined,
  { pages, deepest }: { pages: number; deepest: number | null },
): BestRank {
  if (best) return { state: 'measured', ...best }
  return deepest === null ? neverCollected : { state: 'absent', depth: deepest, pages }
}

/** A rank in compact form: a number, `>` and the depth where absent, null where not measured. */
export function compactRank(
  ranks: DayMap | undefined,
  depths: DayMap | undefined,
  day: number,
): number | string | null {
  const depth = depths?.at(day)
  return depth === undefined ? null : (ranks?.at(day) ?? `>${depth}`)
}

/** The window of a change over some days: the newest page at least this many days older, and at most twice as many. */
export const rankChangeWindow = (days: number) => ({ least: days, most: 2 * days })

export const rankChangeWindows = {
  over1Day: rankChangeWindow(1),
  over7Days: rankChangeWindow(7),
  over30Days: rankChangeWindow(30),
} as const

/**
 * The change from the newest page of a window to the page of a day.
 * @param newest day of the newest page; undefined when there is none
 */
export function rankChangeOver(
  ranks: DayMap | undefined,
  depths: DayMap | undefined,
  newest: number | undefined,
  { least, most }: { least: number; most: number },
): RankChange {
  if (newest === undefined) return neverCollected
  const older = depths?.newest(newest - most, newest - least)
  if (older === undefined) return { state: 'not-measured', reason: 'no-snapshot' }
  return rankChangeBetween(
    rankOnDay(ranks, depths, older),
    rankOnDay(ranks, depths, newest),
    dayOfNumber(older),
  )
}

/** The change between two ranks. */
export function rankChangeBetween(then: RankState, now: RankState, comparedOn: string): RankChange {
  if (then.state === 'not-measured' || now.state === 'not-measured')
    return { state: 'not-measured', reason: 'no-snapshot' }
  if (then.state === 'absent' && now.state === 'absent') return { state: 'absent', comparedOn }
  if (then.state === 'measured' && now.state === 'measured')
    return { state: 'measured', places: then.value - now.value, comparedOn }
  if (now.state === 'measured')
    return now.value <= then.depth
      ? { state: 'entered', depth: then.depth, comparedOn }
      : { state: 'not-measured', reason: 'too-little-evidence' }
  return then.state === 'measured' && then.value <= now.depth
    ? { state: 'left', from: then.value, depth: now.depth, comparedOn }
    : { state: 'not-measured', reason: 'too-little-evidence' }
}
