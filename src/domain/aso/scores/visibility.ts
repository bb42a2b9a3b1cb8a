import { roundHalfUp } from './rounding.ts'

export const visibilityFormula = 'visibility/2'

/** A keyword with the place an app has for it. */
export interface KeywordPlace {
  /** 1 is best; null when looked for and absent; undefined when not measured. */
  place: number | null | undefined
  /** Autocomplete strength, 0 to 100; undefined when not measured. */
  autocomplete: number | undefined
}

/**
 * How much of what first place for every keyword would give, 0 to 100 with one decimal. A place counts 1 / place (Zipf's
 * law for clicks on ordered lists); a keyword counts 1 to 3 by its autocomplete strength, 1 where that is not measured.
 * Absence adds nothing; what is not measured is left out of both sums. Explained in docs/scores.md.
 * @returns undefined when no keyword is measured
 */
export function visibilityOf(keywords: Iterable<KeywordPlace>): number | undefined {
  let reached = 0
  let possible = 0
  for (const { place, autocomplete } of keywords) {
    if (place === undefined) continue
    const weight = keywordWeight(autocomplete)
    possible += weight
    if (place !== null) reached += weight / place
  }
  return possible === 0 ? undefined : roundHalfUp((1000 * reached) / possible) / 10
}

/** What a keyword counts. */
export function keywordWeight(autocomplete: number | undefined): number {
  return 1 + (2 * (autocomplete ?? 0)) / 100
}
