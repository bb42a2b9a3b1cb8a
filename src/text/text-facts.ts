import { syllable } from 'syllable'

/** Most letters of a word whose syllables are counted: no word is longer. */
const longestWord = 50
/** Fewest words for a reading grade. */
const fewestWords = 10

/**
 * School years needed to read an English text, to one decimal; below 0 counts as 0. Undefined for fewer than ten words.
 * Source: Kincaid et al. 1975, Flesch-Kincaid grade level.
 * @param sentences number of sentences
 */
export function readingGrade(words: readonly string[], sentences: number): number | undefined {
  if (words.length < fewestWords || sentences === 0) return undefined
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllable(word.slice(0, longestWord))), 0)
  const grade = 0.39 * (words.length / sentences) + 11.8 * (syllables / words.length) - 15.59
  return Math.max(0, Math.round(grade * 10) / 10)
}

const emoji = /^\p{RGI_Emoji}$/v

/** Emoji of a text by frequency, then by first occurrence. */
export function emojiOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const { segment } of graphemesOf(text)) {
    if (emoji.test(segment)) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([each]) => each)
}

/** Questions in a text: runs of question marks, except inside addresses. */
export function countQuestions(text: string): number {
  const withoutAddresses = text.replaceAll(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
  return (
    withoutAddresses.match(/(?<![?？؟⁇⁈⁉‽¿!])[?？؟⁇⁈⁉‽¿!]*(?:[？؟⁇⁈⁉‽]|\?(?![\w=&%]))[?？؟⁇⁈⁉‽!]*/g)?.length ??
    0
  )
}

/** A segment of a text and its position. */
interface Segment {
  segment: string
  index: number
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The characters of a text as readers perceive them, in their order. */
export const graphemesOf = (text: string): Iterable<Segment> => graphemes.segment(text)

/** The words of a text, in any script, without emoji and symbols. */
export function wordsOf(text: string, language: string | undefined): string[] {
  const segmenter = new Intl.Segmenter(language ?? 'en', { granularity: 'word' })
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
}

/** The sentences of a text in their order. A line break ends a sentence, and segments without a letter or a digit are left out. */
export function sentencesOf(text: string): Segment[] {
  return [...text.matchAll(/[^\n\r\u2028\u2029]+/g)].flatMap(({ 0: line, index: start }) =>
    [...sentences.segment(line)]
      .filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment))
      .map(({ segment, index }) => ({ segment, index: start + index })),
  )
}
