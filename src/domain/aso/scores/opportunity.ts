import { roundHalfUp } from './rounding.ts'

export const opportunityFormula = 'opportunity/1'

/**
 * Worth of trying, 0 to 100 in whole numbers: the geometric mean of how much a term is suggested and how easy it is to
 * enter. Nothing makes up for a term that is never suggested. Our own formula, explained in docs/scores.md.
 */
export function opportunityOf(autocomplete: number, difficulty: number): number {
  return roundHalfUp(Math.sqrt(autocomplete * (100 - difficulty)))
}
