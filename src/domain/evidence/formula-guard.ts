/**
 * Texts are untrusted, and spreadsheets treat one that begins like this as a formula, also in full width, and after blanks
 * or invisible characters. Source: OWASP, "CSV Injection".
 */
const formula = /^'*[\s\p{Cf}]*[=+\-@\t\r\n＝＋－＠]/u

/** A text as a safe cell: prefixed with an apostrophe where a spreadsheet could treat it as a formula. */
export const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Reverses `guarded`. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
