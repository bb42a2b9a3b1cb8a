import { mulberry32 } from '../sample/dice.ts'
import { anyGame, closings, foreignSentences, themes } from '../sample/words.ts'

/**
 * Words in the proportions of real text: the n-th most frequent is about n times rarer than the first (Zipf). English
 * of the sample leads; made-up words, which no stemmer knows and no list of stop words holds, make up the long tail.
 */
export type Vocabulary = {
  readonly words: readonly string[]
  /** A word for a number of at least 0 and below 1; `shift` moves the frequent words, so that genres differ. */
  draw(roll: number, shift?: number): string
}

export function latinVocabulary(seed: number, size = 60_000): Vocabulary {
  const known = byFrequency([
    ...themes.flatMap(({ theme }) => [...theme.sentences, ...theme.features]),
    ...anyGame,
    ...closings,
    ...foreignSentences.de,
  ])
  return vocabulary(extend(known, size, madeUpWord, seed))
}

/** Kanji and kana in words of one to four, for stores that do not put spaces between them. */
export function cjkVocabulary(seed: number, size = 6_000): Vocabulary {
  const characters = [...new Set([...foreignSentences.ja, ...foreignSentences.zh].join(''))].filter(
    (character) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character),
  )
  const word = (roll: () => number) =>
    Array.from(
      { length: 1 + Math.floor(roll() * 4) },
      () => characters[Math.floor(roll() * characters.length)],
    ).join('')
  return vocabulary(extend([], size, word, seed))
}

function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const word of text.toLowerCase().match(/[\p{Letter}]+/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word)
}

function extend(
  known: readonly string[],
  size: number,
  make: (roll: () => number) => string,
  seed: number,
): string[] {
  const roll = mulberry32(seed)
  const words = new Set(known.slice(0, size))
  while (words.size < size) words.add(make(roll))
  return [...words]
}

const starts = 'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w z'.split(' ')
const middles = 'a e i o u ai ea io ou'.split(' ')
const ends = ['', '', '', 'n', 'r', 's', 'l', 't', 'm', 'nd', 'x']

function madeUpWord(roll: () => number): string {
  const one = (parts: readonly string[]) => parts[Math.floor(roll() * parts.length)] ?? ''
  const syllables = 1 + Math.floor(roll() * 3.4)
  let word = ''
  for (let at = 0; at < syllables; at++) word += one(starts) + one(middles)
  return word + one(ends)
}

/** Large enough that the rarest of 60,000 words still has a place or two of its own. */
const places = 1 << 20

function vocabulary(words: readonly string[]): Vocabulary {
  const table = new Uint32Array(places)
  let total = 0
  for (let rank = 1; rank <= words.length; rank++) total += 1 / rank
  let at = 0
  let sum = 0
  for (let rank = 1; rank <= words.length; rank++) {
    sum += 1 / rank
    const until = Math.round((sum / total) * places)
    while (at < until) table[at++] = rank - 1
  }
  const size = words.length
  return {
    words,
    draw: (roll, shift = 0) => words[((table[(roll * places) | 0] ?? 0) + shift) % size] ?? '',
  }
}
