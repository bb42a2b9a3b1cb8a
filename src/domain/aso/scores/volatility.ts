import { roundHalfUp } from './rounding.ts'

export const volatilityFormula = 'volatility/2'

/** Places looked at. */
export const placesRead = 10
/** Days that the pages must span: less does not tell of a week. */
const fewestDays = 7

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
 * between them; the rate is the likeliest one. Of two pages of different depth, only the places both have are compared.
 * Explained in docs/scores.md.
 * @param pages in any order
 * @returns undefined where those with results span less than a week
 */
export function volatilityOf(pages: readonly TimedPage[]): number | undefined {
  const changes = changesOf(pages)
  if (changes.reduce((sum, { days }) => sum + days, 0) < fewestDays) return undefined
  return roundHalfUp(100 * changedAfter(7, rateOf(changes)))
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
