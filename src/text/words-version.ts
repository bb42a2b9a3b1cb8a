/**
 * Version of what words of a text are found by: how they are folded and cut, their stems, and which are stop words. A change of these
 * needs the next number: stored words are made anew by it (`src/projections/word-indexes.ts`).
 */
export const wordsVersion = 2
