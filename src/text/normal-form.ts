/**
 * A text in a normal form of Unicode. Putting marks in order takes the square of their number, so a letter keeps at most
 * 30 of them; no language writes half as many. Source: UAX #15, stream-safe text format.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return (text.length > mostMarks ? text.replaceAll(tooMany, '') : text).normalize(form)
}

const mostMarks = 30
/** The two of half width become marks in NFKC. In steps: a pattern that takes millions of letters at once has no stack left. */
const tooMany = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]{1,1000}/gu
