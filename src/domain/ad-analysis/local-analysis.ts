import type { Phrase } from '../../text/phrase.ts'
import { notMeasured } from '../facts/fact.ts'
import { type Passage, quoteOf } from './ad-words.ts'
import type { AnalysisReading, Quote, ReadStatement, Statement, Statements } from './analysis.ts'
import { offersIn } from './offer.ts'
import { actionOfCode, actionStatements, callsToAction } from './phrases/calls-to-action.ts'
import { claimStatements, claims } from './phrases/claims.ts'
import { urgencies, urgencyStatements } from './phrases/urgency.ts'
import { type Sentence, sentencesIn } from './sentences.ts'

export const hooksFormula = 'hooks/1'
export const callsToActionFormula = 'calls-to-action/1'

/** What can be read without a language model. */
export interface TextToAnalyse {
  passages: readonly Passage[]
  /** BCP 47 or ISO 639-1; undefined when it cannot be told. */
  language: string | undefined
  /** The code of the button of the first creative that has one, lower case with hyphens; null when none has. */
  buttonCode: string | null
}

/** Languages the tables know; a text in another one is not read by them. */
const knownLanguages: ReadonlySet<string> = new Set([
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'ja',
  'ko',
  'zh',
])

/** Quotes of one statement, and claims, that are told. */
const mostQuotes = 5
const mostClaims = 10

/**
 * Reads an ad by tables of phrases. What it finds stands in the ad; where it finds nothing, "absent" is said only of a
 * language the tables know. Angle and audience need a language model.
 */
export function analyseText(ad: TextToAnalyse): AnalysisReading {
  const sentences = ad.passages.filter(({ foundIn }) => foundIn !== 'call-to-action').flatMap(sentencesIn)
  const needsModel = notMeasured('not-configured')
  const hook = hookOf(sentences)
  if (sentences.length === 0 && ad.buttonCode === null) {
    const nothing = notMeasured('too-little-evidence')
    return {
      hook: nothing,
      angle: nothing,
      offer: nothing,
      callToAction: nothing,
      urgency: nothing,
      audience: nothing,
      claims: nothing,
    }
  }
  const none: Statement =
    ad.language === undefined || knownLanguages.has(ad.language.split('-')[0] ?? '')
      ? { state: 'absent' }
      : notMeasured('outside-valid-range')
  return {
    hook,
    angle: needsModel,
    offer: statedOffer(sentences) ?? none,
    callToAction: statedAction(ad, sentences) ?? none,
    urgency: stated(sentences, urgencies, urgencyStatements) ?? none,
    audience: needsModel,
    claims: statedClaims(sentences) ?? needsModel,
  }
}

/** What is said first: spoken, else in the body, else in the title. */
function hookOf(sentences: readonly Sentence[]): Statement {
  const first = (['transcript', 'body', 'title', 'description'] as const)
    .map((part) => sentences.find(({ passage }) => passage.foundIn === part))
    .find((sentence) => sentence !== undefined)
  if (!first) return notMeasured('too-little-evidence')
  const quote = quoteAround(first, 0, 0)
  return { state: 'read', statement: quote.text, quotes: [quote] }
}

function statedOffer(sentences: readonly Sentence[]): Statement | undefined {
  const found = sentences.flatMap((sentence) =>
    offersIn(sentence.text).map((offer) => ({
      ...offer,
      quote: quoteAround(sentence, offer.at, offer.length),
    })),
  )
  // What is free for a while is not told as free once more.
  const exact = found.filter(({ says }) => says !== 'Something free')
  const reported = exact.length > 0 ? exact : found
  if (reported.length === 0) return undefined
  const says = [...new Set(reported.map((offer) => offer.says))].slice(0, 3)
  return {
    state: 'read',
    statement: `${says.join('; ')}.`,
    quotes: distinct(reported.filter((offer) => says.includes(offer.says)).map(({ quote }) => quote)),
  }
}

/** The button says it best; without one, the requests of the text in the order of the table. */
function statedAction(
  { passages, buttonCode }: TextToAnalyse,
  sentences: readonly Sentence[],
): Statement | undefined {
  const button = passages.find(({ foundIn }) => foundIn === 'call-to-action')
  const requests = found(sentences, callsToAction)
  if (button) {
    const quote = quoteOf(button, 0, button.text.length)
    const action = actionOfCode(buttonCode ?? '') ?? actionOfCode(codeOf(button.text))
    const same = requests.filter(({ kind }) => kind === action)
    const statement = action ? actionStatements[action] : `Use the button “${quote.text}”.`
    return {
      state: 'read',
      statement,
      quotes: distinct([...same.map((request) => request.quote), quote]),
    }
  }
  const kind = callsToAction.find((phrase) => requests.some((request) => request.kind === phrase.kind))?.kind
  if (!kind) return undefined
  const quotes = distinct(requests.filter((request) => request.kind === kind).map(({ quote }) => quote))
  return { state: 'read', statement: actionStatements[kind], quotes }
}

const codeOf = (words: string) =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

function stated<Kind extends string>(
  sentences: readonly Sentence[],
  phrases: readonly Phrase<Kind>[],
  statements: Record<Kind, string>,
): Statement | undefined {
  const hits = found(sentences, phrases)
  if (hits.length === 0) return undefined
  const kinds = [...new Set(hits.map(({ kind }) => kind))]
  return {
    state: 'read',
    statement: kinds.map((kind) => statements[kind]).join(' '),
    quotes: distinct(hits.map(({ quote }) => quote)),
  }
}

function statedClaims(sentences: readonly Sentence[]): Statements | undefined {
  const items = found(sentences, claims).map(
    ({ kind, quote }): ReadStatement => ({ statement: claimStatements[kind], quotes: [quote] }),
  )
  const seen = new Set<string>()
  const once = items.filter(({ statement, quotes }) => {
    const key = `${statement} ${quotes[0]?.text}`
    return !seen.has(key) && seen.add(key)
  })
  return once.length === 0 ? undefined : { state: 'read', items: once.slice(0, mostClaims) }
}

/** Where phrases stand: sentences in their order, each kind once in a sentence. */
function found<Kind extends string>(
  sentences: readonly Sentence[],
  phrases: readonly Phrase<Kind>[],
): { kind: Kind; quote: Quote }[] {
  return sentences.flatMap((sentence) => {
    const kinds = new Map<Kind, Quote>()
    for (const { kind, pattern } of phrases) {
      const match = kinds.has(kind) ? null : pattern.exec(sentence.text)
      if (match) kinds.set(kind, quoteAround(sentence, match.index, match[0].length))
    }
    return [...kinds].map(([kind, quote]) => ({ kind, quote }))
  })
}

/** Characters a quote has at most, and those shown on each side of what is meant in a sentence that is longer. */
const longestQuote = 280
const around = 90

/** The sentence; of a long one, whole words around the place that is meant. */
function quoteAround({ passage, text, from }: Sentence, at: number, length: number): Quote {
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

/** Not between the two halves of a character. */
const onCharacter = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at)

function distinct(quotes: readonly Quote[]): Quote[] {
  const seen = new Set<string>()
  return quotes
    .filter(({ foundIn, text }) => {
      const key = `${foundIn} ${text}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, mostQuotes)
}
