/** Blanks before and after commas, which use up room of the keyword field. */
export const blanksBesideCommas = (keywords: string): number =>
  [...keywords.matchAll(/\s+(?=,)|(?<=,)\s+/g)].reduce((sum, [{ length }]) => sum + length, 0)
