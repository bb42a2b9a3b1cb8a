import { sentencesOf } from '../../text/segments.ts'
import type { Passage } from './ad-words.ts'

/** A sentence and where in its passage it begins. */
export interface Sentence {
  passage: Passage
  text: string
  from: number
}

export const sentencesIn = (passage: Passage): Sentence[] =>
  sentencesOf(passage.text).map(({ segment, index }) => ({ passage, text: segment, from: index }))
