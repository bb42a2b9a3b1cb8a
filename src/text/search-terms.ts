import { normalForm } from './normal-form.ts'

/**
 * Words as search knows them. The database is told the terms and never splits text itself, so that every language is
 * split the same way on every engine and under every locale.
 */

const run = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts written without spaces, or with long inflected words (Hangul): found by pairs of letters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const latinMarks = /[\u0300-\u036f]/g
/** Longer words are cut: nobody types them whole, and the index has a limit. */
const longestWord = 40
/** Code units of a text that are searched: far more than any network or store takes. */
const longestText = 50_000

/** Text with case, width and Latin accents folded away; letters of other scripts keep their marks. */
export function fold(text: string): string {
  const plain = normalForm(normalForm(text, 'NFKC').toLowerCase(), 'NFD').replace(latinMarks, '')
  return normalForm(plain, 'NFC')
}

/** A word to look for, or a stretch of unspaced script, which is looked for by its pairs. */
export type Token = { kind: 'word'; text: string } | { kind: 'stretch'; text: string }

/** The tokens of a text in their order. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  for (const [piece] of normalForm(text.slice(0, longestText), 'NFKC').slice(0, longestText).matchAll(run)) {
    if (plain.test(piece)) found.push(word(piece.toLowerCase()))
    else addFolded(fold(piece), found)
  }
  return found
}

/** Most words of most listings: folding them is lower case and nothing else. */
const plain = /^[A-Za-z0-9]+$/

/** Folding can split a piece further, as a fraction does. */
function addFolded(folded: string, found: Token[]): void {
  for (const [piece] of folded.matchAll(run)) {
    let end = 0
    for (const stretch of piece.matchAll(unspaced)) {
      if (stretch.index > end) found.push(word(piece.slice(end, stretch.index)))
      found.push({ kind: 'stretch', text: stretch[0] })
      end = stretch.index + stretch[0].length
    }
    if (end < piece.length) found.push(word(piece.slice(end)))
  }
}

function word(text: string): Token {
  return { kind: 'word', text: text.slice(0, longestWord) }
}

/** The terms under which a text is stored, each once. */
export function storedTerms(text: string): Set<string> {
  const terms = new Set<string>()
  for (const token of tokens(text)) {
    if (token.kind === 'word') terms.add(token.text)
    else for (const term of [...pairs(token.text), lastLetter(token.text)]) terms.add(term)
  }
  return terms
}

/** Neighbouring letters of a stretch: `楽天市場` gives `楽天`, `天市`, `市場`. */
export function pairs(stretch: string): string[] {
  const letters = [...stretch]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Stored beside the pairs, so that a single letter, asked as a prefix, is found wherever it stands. */
function lastLetter(stretch: string): string {
  return [...stretch].at(-1) ?? ''
}

/** Shortest word whose slips are forgiven: shorter ones have too many neighbours. */
export const shortestForgiven = 4

/** The word and every form of it with one letter left out. Words one slip apart share at least one of them. */
export function slips(text: string): string[] {
  const letters = [...text]
  return [...new Set([text, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])]
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
