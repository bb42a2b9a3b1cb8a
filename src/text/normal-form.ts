/**
 * Marks that may follow each other, on one letter: no language writes half as many. Putting marks in the order of a normal
 * form takes the square of their number. Source: UAX #15, stream-safe text format.
 */
export const mostMarks = 30

/** The two of half width become marks in NFKC. */
const run = /[\p{M}\uff9e\uff9f]{31,}/u

export const hasMarkRun = (text: string): boolean => text.length > mostMarks && run.test(text)

/** In steps: a pattern that takes millions of letters at once has no stack left. */
const tooMany = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]{1,1000}/gu

/** The text with at most so many marks on a letter. */
export const withoutMarkRuns = (text: string): string =>
  hasMarkRun(text) ? text.replaceAll(tooMany, '') : text

/** A text in a normal form of Unicode, with at most so many marks on a letter. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return withoutMarkRuns(text).normalize(form)
}
