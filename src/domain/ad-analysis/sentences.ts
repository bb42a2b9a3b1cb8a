import { sentencesOf } from '../../text/segments.ts'
import { type Passage, quoteOf } from './ad-words.ts'
import type { Quote } from './analysis.ts'

/** A sentence and its start in its passage. */
export interface Sentence {
  passage: Passage
  text: string
  from: number
}

export const sentencesIn = (passage: Passage): Sentence[] =>
  sentencesOf(passage.text).map(({ segment, index }) => ({ passage, text: segment, from: index }))

/** Maximum characters of a quote, and characters shown on each side of the match in a longer sentence. */
const longestQuote = 280
const around = 90

/** The sentence; of a long one, whole words around the match. */
export function quoteAround({ passage, text, from }: Sentence, at: number, length: number): Quote {
  if (text.trim().length <= longestQuote) return quoteOf(passage, from, from + text.length)
  const begin = wordStart(text, at - around)
  const end = wordEnd(text, Math.min(at + length, at + longestQuote) + around)
  return quoteOf(passage, from + begin, from + end)
}

function wordStart(text: string, at: number): number {
  if (at <= 0) return 0
  const space = text.slice(at, at + around).search(/\s/)
  return onCharacter(text, space === -1 ? at : at + space + 1)
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.slice(at - around, at).search(/\s\S*$/)
  return onCharacter(text, space === -1 ? at : at - around + space)
}

/** A position that does not split a surrogate pair. */
const onCharacter = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at)
