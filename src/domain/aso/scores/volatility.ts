import { roundHalfUp } from './rounding.ts'

export const volatilityFormula = 'volatility/1'

/** Places looked at. */
export const placesRead = 10

/**
 * Mean share of the first ten places whose app changed from one page to the next, order ignored, 0 to 100 in whole
 * numbers. Of two pages of different depth, only the places both have are compared.
 * @param pages the apps of each page in their places, in the order of time
 * @returns undefined with fewer than two pages that have results
 */
export function volatilityOf(pages: readonly (readonly (string | null)[])[]): number | undefined {
  const shown = pages.filter((page) => page.length > 0)
  const changes = shown.slice(1).map((page, index) => changeBetween(shown[index] ?? [], page))
  if (changes.length === 0) return undefined
  return roundHalfUp((100 * changes.reduce((sum, change) => sum + change, 0)) / changes.length)
}

function changeBetween(before: readonly (string | null)[], after: readonly (string | null)[]): number {
  const depth = Math.min(before.length, after.length, placesRead)
  const known = new Set(before.slice(0, depth))
  const now = after.slice(0, depth)
  return now.filter((storeId) => storeId !== null && !known.has(storeId)).length / depth
}
