import { roundHalfUp } from './formulas.ts'

export const volatilityFormula = 'volatility/3'

/** Places compared. */
export const comparedPlaces = 10
/** Minimum days between the first and last page: less says nothing about a week. */
const fewestDays = 7
/** Pages this many days older than the newest say nothing about a term today. */
const mostDays = 365
/** The time is divided into spells of a week, or into this many where it is shorter. */
const fewestSpells = 8
/** A spell counts at most this many times the usual change of its days, and at least a tenth of the places. */
const [mostTimes, leastCounted] = [2, 0.1]

/** The time and apps of a result page. */
export interface TimedPage {
  capturedAt: Date
  /** Best place first; null where Apple's entry could not be read. */
  storeIds: readonly (string | null)[]
}

/** The number of places of a page that show another app than the page before. */
export interface ChangedPlaces {
  changed: number
  places: number
  /** Between the two pages. */
  days: number
}

/**
 * How many of the first ten places show another app a week later, order ignored, 0 to 100 in whole numbers. Assumes that
 * each place changes at one constant rate, so that pages of one day and pages months apart count by the time between them;
 * the rate is the usual one, which a single bad week does not change. Of two pages of different depth, only the places both
 * have are compared. Explained in docs/scores.md.
 * @param pages in any order
 * @returns undefined where those with results span less than a week
 */
export function volatilityOf(pages: readonly TimedPage[]): number | undefined {
  const changes = changedPlacesBetween(pages)
  if (changes.reduce((sum, { days }) => sum + days, 0) < fewestDays) return undefined
  return roundHalfUp(100 * changedShareAfter(7, changeRateWithoutOutliers(changes)))
}

/** Share of places that show another app after so many days, for a rate per day. */
export const changedShareAfter = (days: number, rate: number): number => 1 - Math.exp(-rate * days)

/** The changes from each page to the next; pages without results are ignored. */
export function changedPlacesBetween(pages: readonly TimedPage[]): ChangedPlaces[] {
  const shown = pages
    .filter(({ storeIds }) => storeIds.length > 0)
    .toSorted((one, other) => one.capturedAt.getTime() - other.capturedAt.getTime())
  return shown.slice(1).flatMap((after, index) => {
    const before = shown[index]
    if (!before) return []
    const days = (after.capturedAt.getTime() - before.capturedAt.getTime()) / 86_400_000
    const places = Math.min(before.storeIds.length, after.storeIds.length, comparedPlaces)
    const known = new Set(before.storeIds.slice(0, places))
    const other = after.storeIds.slice(0, places).filter((storeId) => storeId !== null && !known.has(storeId))
    return days > 0 ? [{ changed: other.length, places, days }] : []
  })
}

/** The range in which the rate is searched: one change in thousands of years, and all places within minutes. */
const [slowest, fastest] = [1e-7, 1e3]

/**
 * The maximum-likelihood rate per day: a place is unchanged after some days with probability e^(-rate * days).
 * @returns Infinity where all places changed each time
 */
export function changeRateOf(changes: readonly ChangedPlaces[]): number {
  if (changes.every(({ changed }) => changed === 0)) return 0
  if (changes.every(({ changed, places }) => changed === places)) return Number.POSITIVE_INFINITY
  // The slope of the log-likelihood decreases throughout: its zero is the likeliest rate.
  const slopeAt = (rate: number) =>
    changes.reduce(
      (sum, { changed, places, days }) => sum + days * (changed / Math.expm1(rate * days) - (places - changed)),
      0,
    )
  let [low, high] = [slowest, fastest]
  for (let step = 0; step < 80; step++) {
    const middle = Math.sqrt(low * high)
    if (slopeAt(middle) > 0) low = middle
    else high = middle
  }
  return low
}

/**
 * The rate of the newest year without outliers: a few pages of another search, or a single upheaval, would otherwise raise
 * it for as long as they are included. Each spell counts at most twice the change expected from the median of all spells.
 * @param changes oldest first, of pages in the order of their time
 */
export function changeRateWithoutOutliers(changes: readonly ChangedPlaces[]): number {
  const spells = spellsOf(changes)
  const usual = middle(spells.map(changeRateOf))
  return changeRateOf(
    spells.flatMap((spell) => {
      const days = spell.reduce((sum, one) => sum + one.days, 0)
      const seen = spell.reduce((sum, { changed, places }) => sum + changed / places, 0)
      const most = Math.max(leastCounted, mostTimes * changedShareAfter(days, usual))
      const share = seen > most ? most / seen : 1
      return spell.map((one) => ({ ...one, changed: one.changed * share }))
    }),
  )
}

/** Groups consecutive changes of the newest year, newest first, into spells; the remainder joins the oldest one. */
function spellsOf(changes: readonly ChangedPlaces[]): ChangedPlaces[][] {
  let looked = 0
  const newest = changes.toReversed().filter(({ days }, at) => {
    looked += days
    return at === 0 || looked <= mostDays
  })
  const total = newest.reduce((sum, { days }) => sum + days, 0)
  // Weekly captures are not exactly seven days apart.
  const long = 0.9 * Math.min(7, total / fewestSpells)
  const spells: ChangedPlaces[][] = [[]]
  let days = 0
  for (const change of newest) {
    if (days >= long) {
      spells.push([])
      days = 0
    }
    spells.at(-1)?.push(change)
    days += change.days
  }
  const last = spells.length > 1 && days < long ? spells.pop() : undefined
  if (last) spells.at(-1)?.push(...last)
  return spells
}

function middle(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2
}
