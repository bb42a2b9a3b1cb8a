import type { Passage } from './ad-words.ts'

/** A sentence and where in its passage it begins. */
export interface Sentence {
  passage: Passage
  text: string
  from: number
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a passage in their order; a line ends one, and pieces without a letter or a digit are none. */
export function sentencesOf(passage: Passage): Sentence[] {
  const found: Sentence[] = []
  for (const line of passage.text.matchAll(/[^\n\r\u2028\u2029]+/g)) {
    for (const { segment, index } of segmenter.segment(line[0])) {
      if (/[\p{L}\p{N}]/u.test(segment)) found.push({ passage, text: segment, from: line.index + index })
    }
  }
  return found
}

/** Questions in a text: runs of question marks, but for those inside addresses. */
export function countQuestions(text: string): number {
  const withoutAddresses = text.replaceAll(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
  return (
    withoutAddresses.match(/(?<![?？؟⁇⁈⁉‽¿!])[?？؟⁇⁈⁉‽¿!]*(?:[？؟⁇⁈⁉‽]|\?(?![\w=&%]))[?？؟⁇⁈⁉‽!]*/g)?.length ??
    0
  )
}
