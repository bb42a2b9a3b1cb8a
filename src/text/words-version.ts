/**
 * Version of the rules by which words of a text are found: folding, splitting, stems and stop words. A change of these needs
 * the next number, which has all stored words renewed (`src/projections/word-indexes.ts`).
 */
export const wordsVersion = 3
