/**
 * Most consecutive marks on one letter: no language uses half as many. Normalising takes quadratic time in their number.
 * Source: UAX #15, stream-safe text format.
 */
export const maxMarks = 30

/** The two half-width forms become marks in NFKC. */
const run = /[\p{M}\uff9e\uff9f]{31,}/u

export const hasExcessMarks = (text: string): boolean => text.length > maxMarks && run.test(text)

/** In steps: a pattern that matches millions of characters at once overflows the stack. */
const tooMany = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]{1,1000}/gu

/** Removes excess marks on a letter. */
export const withoutExcessMarks = (text: string): string =>
  hasExcessMarks(text) ? text.replaceAll(tooMany, '') : text

/** A text in a normal form of Unicode, without excess marks on a letter. */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  return withoutExcessMarks(text).normalize(form)
}

const anyIgnorable = /\p{Default_Ignorable_Code_Point}/u
/** Invisible characters other than the two joiners. */
const ignorable = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu

/** Letters and marks of the scripts of India and Sri Lanka, and what joins or parts the shapes of two of them. */
const joined = /([\u0900-\u0dff])\p{Default_Ignorable_Code_Point}+/gu

/**
 * A text without what nobody sees. Joiners go where they only choose the shape of Indian letters; in Arabic script the
 * non-joiner parts words ("می\u200cخواهم"), and stays.
 */
export const withoutIgnorable = (text: string): string =>
  anyIgnorable.test(text) ? text.replace(joined, '$1').replace(ignorable, '') : text
