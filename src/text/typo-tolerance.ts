/** Shortest word for which typos are tolerated: shorter ones have too many neighbours. */
export const shortestTolerated = 4

/** The word and every form of it with one letter deleted. Words at edit distance one share at least one of them. */
export function deletionVariants(text: string): string[] {
  const letters = [...text]
  return [...new Set([text, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])]
}

/**
 * The beginning of a word, and its end reversed, each as long as leaves one or two letters between them. Two words at edit
 * distance one, including swapped neighbours, have at least one of these halves in common.
 */
export function wordHalves(word: string): { start: string; end: string } {
  const letters = [...word]
  const size = Math.floor((letters.length - 1) / 2)
  return { start: letters.slice(0, size).join(''), end: letters.toReversed().slice(0, size).join('') }
}

/** Shortest word for which letters swapped across another one are tried: with shorter ones too many other words result. */
const shortestCrossed = 5

/**
 * The misspellings of a word by typing slips: two letters swapped, adjacent or across one ("suduko"), a letter doubled, and
 * a double one made single. Without the word itself.
 */
export function typosOf(word: string): Set<string> {
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

/** Damerau-Levenshtein distance of two words: swapped neighbours count once. */
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
