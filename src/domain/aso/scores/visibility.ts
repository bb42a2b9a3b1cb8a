import { roundHalfUp } from './formulas.ts'

export const visibilityFormula = 'visibility/2'

/** A keyword with the place of an app for it. */
export interface KeywordPlace {
  /** 1 is best; null when searched and absent; undefined when not measured. */
  place: number | null | undefined
  /** Autocomplete strength, 0 to 100; undefined when not measured. */
  autocomplete: number | undefined
}

/**
 * Share of the maximum, first place for every keyword, 0 to 100 with one decimal. A place counts 1 / place (Zipf's law for
 * clicks on ordered lists); a keyword counts 1 to 3 by its autocomplete strength, 1 where that is not measured. Absence adds
 * nothing; what is not measured is left out of both sums. Explained in docs/scores.md.
 * @returns undefined when no keyword is measured
 */
export function visibilityOf(keywords: Iterable<KeywordPlace>): number | undefined {
  const sums = new VisibilitySums()
  for (const { place, autocomplete } of keywords) sums.add(place, autocomplete)
  return sums.share
}

/** The running sums of a visibility, keyword by keyword: a year of thousands of keywords needs no list for each day. */
export class VisibilitySums {
  #reached = 0
  #possible = 0
  #measured = 0

  /** The same as in `KeywordPlace`. */
  add(place: KeywordPlace['place'], autocomplete: KeywordPlace['autocomplete']): void {
    if (place === undefined) return
    const weight = keywordWeight(autocomplete)
    this.#measured++
    this.#possible += weight
    if (place !== null) this.#reached += weight / place
  }

  /** Number of keywords that are measured. */
  get measured(): number {
    return this.#measured
  }

  /** As `visibilityOf` returns it. */
  get share(): number | undefined {
    return this.#possible === 0 ? undefined : roundHalfUp((1000 * this.#reached) / this.#possible) / 10
  }
}

/** The weight of a keyword. */
export function keywordWeight(autocomplete: number | undefined): number {
  return 1 + (2 * (autocomplete ?? 0)) / 100
}
