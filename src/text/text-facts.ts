import { syllable } from 'syllable'
import { graphemesOf } from './segments.ts'

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
