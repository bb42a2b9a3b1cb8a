import { normalForm } from '../../text/normal-form.ts'
import { unspacedScripts } from '../../text/scripts.ts'
import { graphemesOf } from '../../text/segments.ts'
import type { Quote, TextPart } from './analysis.ts'
import type { Segment } from './transcript.ts'

/** One text of an ad, as it stands there. */
export interface Passage {
  foundIn: TextPart
  text: string
  /** Of the transcript: where in `text` each of its segments begins, in their order. */
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

/** Characters of one text that are read: beyond, nobody reads an ad. */
const longestPassage = 20_000

/** Texts of an ad that are read, and characters of all of them together: reading takes its time for each. */
const mostPassages = 100
const mostCharacters = 40_000

/**
 * What there is to read in an ad, each different text once: creatives in their order, then what is spoken. The code of a
 * button stands for its words where the library does not give them.
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

/** Never between the two halves of a character. */
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

/** The words from one place of a passage to another, without white space around them. */
export function quoteOf({ foundIn, text, spoken }: Passage, from: number, to: number): Quote {
  const words = text.slice(from, to)
  const start = from + (words.length - words.trimStart().length)
  const startSeconds = spoken?.findLast((segment) => segment.from <= start)?.startSeconds ?? null
  return { text: words.trim(), foundIn, startSeconds }
}

/**
 * Finds words that somebody says stand in an ad. White space and forms of the same character do not count (NFKC), case
 * does, and half a word is not there.
 * @returns the words as they stand in the ad; undefined when they do not
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

/** Text with its differences of form taken away, and for each unit of it the place it comes from. */
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

/** Whether a place stands between two letters of one word; scripts without spaces have no such places. */
function splitsWord(text: string, at: number): boolean {
  return inWord.test(text.slice(Math.max(0, at - 2), at)) && beginsInWord.test(text.slice(at, at + 2))
}

const spaced = String.raw`(?![${unspacedScripts}])[\p{L}\p{N}]`
const inWord = new RegExp(`${spaced}$`, 'u')
const beginsInWord = new RegExp(`^${spaced}`, 'u')
