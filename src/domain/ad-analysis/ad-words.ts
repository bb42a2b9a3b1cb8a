import { normalForm } from '../../text/normal-form.ts'
import { unspacedScripts } from '../../text/scripts.ts'
import { graphemesOf, sentencesOf } from '../../text/text-facts.ts'
import type { Quote, Segment, TextPart } from './analysis.ts'

/** One text of an ad, unchanged. */
export interface Passage {
  foundIn: TextPart
  text: string
  /** In the transcript: the start in `text` of each segment, in their order. */
  spoken?: { from: number; startSeconds: number }[]
}

/** The texts of one creative; left out or null where there is none. */
export interface WrittenWords {
  title?: string | null
  body?: string | null
  description?: string | null
  callToAction?: string | null
  callToActionText?: string | null
}

/** Maximum characters read of one text: nobody reads an ad further. */
const longestPassage = 20_000

/** Limits of the texts that are read of an ad, and of their characters in total: reading each takes time. */
const mostPassages = 100
const mostCharacters = 40_000

/**
 * The texts of an ad, each different one once: creatives in their order, then the spoken text. The code of a button replaces
 * its words where the library does not give them.
 */
export function wordsOfAd(creatives: readonly WrittenWords[], spoken: readonly Segment[]): Passage[] {
  const written = creatives.flatMap((creative) => [
    passage('title', creative.title),
    passage('body', creative.body),
    passage('description', creative.description),
    passage('call-to-action', creative.callToActionText ?? creative.callToAction),
  ])
  const seen = new Set<string>()
  const distinct = written
    .filter(({ text }) => text.trim() !== '')
    .filter(({ foundIn, text }) => {
      const key = `${foundIn} ${text}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, mostPassages)
    .filter(withinLength())
  return spoken.length === 0 ? distinct : [...distinct, spokenPassage(spoken)]
}

function withinLength(): (passage: Passage) => boolean {
  let left = mostCharacters
  return ({ text }) => {
    left -= text.length
    return left >= 0
  }
}

const passage = (foundIn: TextPart, text: string | null | undefined): Passage => ({
  foundIn,
  text: cut(text ?? ''),
})

/** Does not split a surrogate pair. */
const cut = (text: string) =>
  text.length <= longestPassage ? text : text.slice(0, longestPassage).replace(/[\uD800-\uDBFF]$/, '')

function spokenPassage(segments: readonly Segment[]): Passage {
  const spoken: { from: number; startSeconds: number }[] = []
  let text = ''
  for (const segment of segments) {
    if (text.length > longestPassage) break
    if (text !== '') text += ' '
    spoken.push({ from: text.length, startSeconds: segment.startSeconds })
    text += segment.text
  }
  return { foundIn: 'transcript', text: cut(text), spoken }
}

/** The words between two positions of a passage, trimmed. */
export function quoteOf({ foundIn, text, spoken }: Passage, from: number, to: number): Quote {
  const words = text.slice(from, to)
  const start = from + (words.length - words.trimStart().length)
  const startSeconds = spoken?.findLast((segment) => segment.from <= start)?.startSeconds ?? null
  return { text: words.trim(), foundIn, startSeconds }
}

/**
 * Finds a claimed quote in an ad. Differences of white space and of Unicode form (NFKC) are ignored, case is not, and parts
 * of words do not match.
 * @returns the words as they are in the ad; undefined when they are not in it
 */
export function findQuote(passages: readonly Passage[], foundIn: TextPart, words: string): Quote | undefined {
  const wanted = comparable(words).text.trim()
  if (wanted === '') return undefined
  for (const passage of passages) {
    if (passage.foundIn !== foundIn) continue
    const { text, places } = comparable(passage.text)
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length
      if (!splitsWord(text, at) && !splitsWord(text, end))
        return quoteOf(passage, places[at] ?? 0, places[end] ?? passage.text.length)
    }
  }
  return undefined
}

/** The normalised text, and the original position of each of its code units. */
function comparable(text: string): { text: string; places: number[] } {
  const places: number[] = []
  let plain = ''
  for (const { segment, index } of graphemesOf(text)) {
    const form = normalForm(segment, 'NFKC').replaceAll(/\s+/g, ' ')
    const piece = form === ' ' && plain.endsWith(' ') ? '' : form
    for (let unit = 0; unit < piece.length; unit++) places.push(index)
    plain += piece
  }
  places.push(text.length)
  return { text: plain, places }
}

/** Whether a position splits a word; scripts without spaces have no such positions. */
function splitsWord(text: string, at: number): boolean {
  return inWord.test(text.slice(Math.max(0, at - 2), at)) && beginsInWord.test(text.slice(at, at + 2))
}

const spaced = String.raw`(?![${unspacedScripts}])[\p{L}\p{N}]`
const inWord = new RegExp(`${spaced}$`, 'u')
const beginsInWord = new RegExp(`^${spaced}`, 'u')

/** A sentence and its start in its passage. */
export interface Sentence {
  passage: Passage
  text: string
  from: number
}

export const sentencesOfPassage = (passage: Passage): Sentence[] =>
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
