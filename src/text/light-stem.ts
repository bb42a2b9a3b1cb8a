/** English endings that can be removed without changing the topic of a word, longest first. */
const endings = ['ings', 'ers', 'ing', 'ies', 'ors', 'ed', 'er', 'es', 'or', 's', 'e', 'y']
/** Fewest letters of a stem. */
const shortestStem = 3

/**
 * Removes the commonest English endings of a folded word, so that "scan", "scans" and "scanner" are equal: not a linguistic
 * stem, and only for comparing. Words of other scripts and very short words stay as they are.
 */
export function lightStem(word: string): string {
  if (word.length <= shortestStem || !/^[a-z]+$/.test(word)) return word
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= shortestStem)
  if (!ending) return word
  const stem = word.slice(0, -ending.length)
  return /([^aeiouls])\1$/.test(stem) && stem.length > shortestStem ? stem.slice(0, -1) : stem
}
