/**
 * Texts come from strangers, and spreadsheets take one that begins so for a formula, also in full width, and after blanks
 * or marks that nobody sees. Source: OWASP, "CSV Injection".
 */
const formula = /^'*[\s\p{Cf}]*[=+\-@\t\r\n＝＋－＠]/u

/** A text as a cell that is no formula: with an apostrophe before it where it could be taken for one. */
export const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text of a cell that `guarded` made. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
