/** A formula with what one of its values lacks of it, in brackets. */
export function withMarks(formula: string, marks: readonly string[]): string {
  return marks.length > 0 ? `${formula} (${marks.join(', ')})` : formula
}

/** What the brackets of a stored formula say; nothing of a formula without any. */
export function marksOf(stored: string | null): string[] {
  return /\((.+)\)$/.exec(stored ?? '')?.[1]?.split(', ') ?? []
}

/** Whether a stored formula is this one, whatever its value lacks. */
export const isMadeBy = (stored: string | null, formula: string): boolean =>
  stored?.replace(/ \(.+\)$/, '') === formula
