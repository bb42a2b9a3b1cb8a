/** Endings of English that leave what a word is about, longest first. */
const endings = ['ings', 'ers', 'ing', 'ies', 'ors', 'ed', 'er', 'es', 'or', 's', 'e', 'y']
/** Letters that have to be left. */
const shortestStem = 3

/**
 * A folded word without its commonest English endings, so that "scan", "scans" and "scanner" are one: no linguist's stem,
 * and only for comparing. Words of other scripts, and words too short to tell, stay as they are.
 */
export function lightStem(word: string): string {
  if (word.length <= shortestStem || !/^[a-z]+$/.test(word)) return word
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= shortestStem)
  if (!ending) return word
  const stem = word.slice(0, -ending.length)
  return /([^aeiouls])\1$/.test(stem) && stem.length > shortestStem ? stem.slice(0, -1) : stem
}
