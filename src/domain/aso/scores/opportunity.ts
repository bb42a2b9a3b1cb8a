import { roundHalfUp } from './rounding.ts'

export const opportunityFormula = 'opportunity/3'

/** What is left of the opportunity of a term that is the name of one app: who types it looks for that app. */
const ofBrand = 0.2

/**
 * Worth of trying, 0 to 100 in whole numbers: the geometric mean of how much a term is suggested and how easy it is to
 * enter. Nothing makes up for a term that is never suggested, and of a brand a fifth is left. Our own formula, explained
 * in docs/scores.md.
 */
export function opportunityOf(autocomplete: number, difficulty: number, isBrand: boolean): number {
  return roundHalfUp((isBrand ? ofBrand : 1) * Math.sqrt(autocomplete * (100 - difficulty)))
}
