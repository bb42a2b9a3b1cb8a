import type { Phrase } from '../../text/phrase.ts'
import { notMeasured } from '../facts/fact.ts'
import { type Passage, quoteOf } from './ad-words.ts'
import type { AnalysisReading, Quote, ReadStatement, Statement, Statements } from './analysis.ts'
import { hookOf } from './hook.ts'
import { offersIn } from './offer.ts'
import { actionOfCode, actionStatements, callsToAction } from './phrases/calls-to-action.ts'
import { claimStatements, claims } from './phrases/claims.ts'
import { urgencies, urgencyStatements } from './phrases/urgency.ts'
import { quoteAround, type Sentence, sentencesIn } from './sentences.ts'

/** A text of an ad and the language it is in. */
export interface TextInLanguage extends Passage {
  /** BCP 47 or ISO 639-1; undefined when it cannot be told. */
  language: string | undefined
}

export const callsToActionFormula = 'calls-to-action/2'

/** What can be read without a language model. */
export interface TextToAnalyse {
  passages: readonly TextInLanguage[]
  /** The code of the button of the first creative that has one, lower case with hyphens; null when none has. */
  buttonCode: string | null
}

/** Languages the tables know. A text in another one is not read by them: words they share mean other things there. */
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
  'ru',
])

/** Quotes of one statement, and claims, that are told. */
const mostQuotes = 5
const mostClaims = 10

const isKnown = ({ language }: TextInLanguage) =>
  language === undefined || knownLanguages.has(language.split('-')[0] ?? '')

/**
 * Reads an ad by tables of phrases. What it finds stands in the ad; where it finds nothing, "absent" is said only where
 * the tables know the language of every text. Angle and audience need a language model.
 */
export function analyseText(ad: TextToAnalyse): AnalysisReading {
  const texts = ad.passages.filter(({ foundIn }) => foundIn !== 'call-to-action')
  const needsModel = notMeasured('not-configured')
  if (texts.length === 0 && ad.buttonCode === null) {
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
  const sentences = texts.filter(isKnown).flatMap(sentencesIn)
  const none = nothingFound(texts)
  return {
    hook: hookOf(texts.flatMap(sentencesIn), ({ passage }) => isKnown(passage as TextInLanguage)),
    angle: needsModel,
    offer: statedOffer(sentences) ?? none,
    callToAction: statedAction(ad, sentences) ?? none,
    urgency: stated(sentences, urgencies, urgencyStatements) ?? none,
    audience: needsModel,
    claims: statedClaims(sentences) ?? needsModel,
  }
}

/** What it means that the tables found nothing in these texts. */
function nothingFound(texts: readonly TextInLanguage[]): Statement {
  if (!texts.every(isKnown)) return notMeasured('outside-valid-range')
  return texts.some(({ language }) => language === undefined)
    ? notMeasured('too-little-evidence')
    : { state: 'absent' }
}

function statedOffer(sentences: readonly Sentence[]): Statement | undefined {
  const found = sentences.flatMap((sentence) =>
    offersIn(sentence.text).map((offer) => ({
      ...offer,
      quote: quoteAround(sentence, offer.at, offer.length),
    })),
  )
  // What is free for a while is not told as free once more.
  const exact = found.filter(({ kind }) => kind !== 'free')
  const reported = exact.length > 0 ? exact : found
  if (reported.length === 0) return undefined
  const says = [...new Set(reported.map((offer) => offer.says))].slice(0, 3)
  const told = reported.filter((offer) => says.includes(offer.says))
  return {
    state: 'read',
    statement: `${says.join('; ')}.`,
    kinds: [...new Set(told.map(({ kind }) => kind))],
    quotes: distinct(told.map(({ quote }) => quote)),
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
      ...(action ? { kinds: [action] } : {}),
      quotes: distinct([...same.map((request) => request.quote), quote]),
    }
  }
  const kind = callsToAction.find((phrase) => requests.some((request) => request.kind === phrase.kind))?.kind
  if (!kind) return undefined
  const quotes = distinct(requests.filter((request) => request.kind === kind).map(({ quote }) => quote))
  return { state: 'read', statement: actionStatements[kind], kinds: [kind], quotes }
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
    kinds,
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

function distinct(quotes: readonly Quote[]): Quote[] {
  const seen = new Set<string>()
  return quotes
    .filter(({ foundIn, text }) => {
      const key = `${foundIn} ${text}`
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, mostQuotes)
}
