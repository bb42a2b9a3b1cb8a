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
