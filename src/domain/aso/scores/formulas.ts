/**
 * The nearest whole number, halves up as in decimal arithmetic: 62.5 is 63, also where binary fractions add up to
 * 62.4999999999.
 */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + 1e-9)
}

/** A formula with marks in brackets for the inputs that one of its values lacks. */
export function formulaWithMarks(formula: string, marks: readonly string[]): string {
  return marks.length > 0 ? `${formula} (${marks.join(', ')})` : formula
}

/** The marks in brackets of a stored formula; empty without any. */
export function marksOfFormula(stored: string | null): string[] {
  return /\((.+)\)$/.exec(stored ?? '')?.[1]?.split(', ') ?? []
}

/** Whether a stored formula is this one, whatever its marks. */
export const isOfFormula = (stored: string | null, formula: string): boolean =>
  stored?.replace(/ \(.+\)$/, '') === formula
