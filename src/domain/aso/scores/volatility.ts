import { roundHalfUp } from './rounding.ts'

export const volatilityFormula = 'volatility/3'

/** Places looked at. */
export const placesRead = 10
/** Days that the pages must span: less does not tell of a week. */
const fewestDays = 7
/** Pages so many days older than the newest say nothing of a term today. */
const mostDays = 365
/** The time looked at is divided into spells of a week, or into so many where it is shorter. */
const fewestSpells = 8
/** A spell counts at most so many times the usual change of its days, and a place of ten in any case. */
const [mostTimes, leastCounted] = [2, 0.1]

/** A result page as far as its time and its apps go. */
export interface TimedPage {
  capturedAt: Date
  /** Best place first; null where Apple's entry could not be read. */
  storeIds: readonly (string | null)[]
}

/** How many of the places of a page show another app than those of the page before. */
export interface PlacesChanged {
  changed: number
  places: number
  /** From the one page to the other. */
  days: number
}

/**
 * How many of the first ten places show another app a week later, order ignored, 0 to 100 in whole numbers. Each place is
 * taken to change at one rate through all the time, so that pages of one day and pages months apart count each by the time
 * between them; the rate is the usual one, of which a bad week is no part. Of two pages of different depth, only the places
 * both have are compared. Explained in docs/scores.md.
 * @param pages in any order
 * @returns undefined where those with results span less than a week
 */
export function volatilityOf(pages: readonly TimedPage[]): number | undefined {
  const changes = changesOf(pages)
  if (changes.reduce((sum, { days }) => sum + days, 0) < fewestDays) return undefined
  return roundHalfUp(100 * changedAfter(7, usualRateOf(changes)))
}

/** Share of places that show another app after so many days, at a rate a day. */
export const changedAfter = (days: number, rate: number): number => 1 - Math.exp(-rate * days)

/** Each page against the one before it; pages without results say nothing. */
export function changesOf(pages: readonly TimedPage[]): PlacesChanged[] {
  const shown = pages
    .filter(({ storeIds }) => storeIds.length > 0)
    .toSorted((one, other) => one.capturedAt.getTime() - other.capturedAt.getTime())
  return shown.slice(1).flatMap((after, index) => {
    const before = shown[index]
    if (!before) return []
    const days = (after.capturedAt.getTime() - before.capturedAt.getTime()) / 86_400_000
    const places = Math.min(before.storeIds.length, after.storeIds.length, placesRead)
    const known = new Set(before.storeIds.slice(0, places))
    const other = after.storeIds.slice(0, places).filter((storeId) => storeId !== null && !known.has(storeId))
    return days > 0 ? [{ changed: other.length, places, days }] : []
  })
}

/** Bounds between which the rate is looked for: a place in thousands of years, and all within minutes. */
const [slowest, fastest] = [1e-7, 1e3]

/**
 * The rate a day under which what was seen is likeliest: a place is still the same after some days with e^(-rate * days).
 * @returns Infinity where all places changed each time
 */
export function rateOf(changes: readonly PlacesChanged[]): number {
  if (changes.every(({ changed }) => changed === 0)) return 0
  if (changes.every(({ changed, places }) => changed === places)) return Number.POSITIVE_INFINITY
  // The slope of the log-likelihood falls all the way: where it crosses zero is the likeliest rate.
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
 * The rate of the newest year without what is out of proportion: a few pages of another search, or a single upheaval, would
 * otherwise raise it for as long as they are looked at. Each spell counts at most twice the change that the median of all
 * spells lets expect in its days.
 * @param changes oldest first, of pages in the order of their time
 */
export function usualRateOf(changes: readonly PlacesChanged[]): number {
  const spells = spellsOf(changes)
  const usual = middle(spells.map(rateOf))
  return rateOf(
    spells.flatMap((spell) => {
      const days = spell.reduce((sum, one) => sum + one.days, 0)
      const seen = spell.reduce((sum, { changed, places }) => sum + changed / places, 0)
      const most = Math.max(leastCounted, mostTimes * changedAfter(days, usual))
      const share = seen > most ? most / seen : 1
      return spell.map((one) => ({ ...one, changed: one.changed * share }))
    }),
  )
}

/** Neighbouring changes of the newest year, newest first, put together until they are as long as a spell; what is left joins the oldest. */
function spellsOf(changes: readonly PlacesChanged[]): PlacesChanged[][] {
  let looked = 0
  const newest = changes.toReversed().filter(({ days }, at) => {
    looked += days
    return at === 0 || looked <= mostDays
  })
  const total = newest.reduce((sum, { days }) => sum + days, 0)
  // Captures of the same hour of a week are not exactly seven days apart.
  const long = 0.9 * Math.min(7, total / fewestSpells)
  const spells: PlacesChanged[][] = [[]]
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
