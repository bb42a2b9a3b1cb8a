import { roundHalfUp } from './formulas.ts'

export const opportunityFormula = 'opportunity/3'

/**
 * The share of the opportunity that remains for a term that is the name of one app: people who type it look for that app.
 */
const ofBrand = 0.2

/**
 * How promising a term is, 0 to 100 in whole numbers: the geometric mean of autocomplete strength and ease of entry. Nothing
 * makes up for a term that is never suggested, and a brand keeps a fifth. Our own formula, explained in docs/scores.md.
 */
export function opportunityOf(autocomplete: number, difficulty: number, isBrand: boolean): number {
  return roundHalfUp((isBrand ? ofBrand : 1) * Math.sqrt(autocomplete * (100 - difficulty)))
}
