/** Shortest word for which typos are tolerated: shorter ones have too many neighbours. */
export const shortestTolerated = 4

/** The word and every form of it with one letter deleted. Words at edit distance one share at least one of them. */
export function deletionVariants(text: string): string[] {
  const letters = [...text]
  return [...new Set([text, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])]
}

/**
 * The first letters of a word, and its last letters read backwards, as many of each as leave one letter or two between.
 * Of two words at edit distance one, also by an exchange of neighbours, one half at least is the same.
 */
export function halves(word: string): { start: string; end: string } {
  const letters = [...word]
  const size = Math.floor((letters.length - 1) / 2)
  return { start: letters.slice(0, size).join(''), end: letters.toReversed().slice(0, size).join('') }
}

/** Shortest word in which letters change places across another one: of shorter ones that makes too many words. */
const shortestCrossed = 5

/**
 * What a word becomes by slips of the hand alone: two letters that changed places, neighbours or with one between ("suduko"), a
 * letter doubled, and a double one made single. Without the word itself.
 */
export function slipsOf(word: string): Set<string> {
  const letters = [...word]
  const forms = new Set<string>()
  for (const [index, letter] of letters.entries()) {
    for (const apart of letters.length < shortestCrossed ? [1] : [1, 2]) {
      const other = letters[index + apart]
      if (other !== undefined)
        forms.add(
          letters
            .with(index, other)
            .with(index + apart, letter)
            .join(''),
        )
    }
    forms.add(letters.toSpliced(index, 0, letter).join(''))
    if (letters[index + 1] === letter) forms.add(letters.toSpliced(index, 1).join(''))
  }
  forms.delete(word)
  return forms
}

/** Damerau-Levenshtein distance of two words, where neighbouring letters that changed places count once. */
export function editDistance(one: string, other: string): number {
  const a = [...one]
  const b = [...other]
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
