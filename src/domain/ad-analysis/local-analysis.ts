import type { Phrase } from '../../text/phrase.ts'
import { notMeasured } from '../facts/fact.ts'
import { type Passage, quoteAround, quoteOf, type Sentence, sentencesOfPassage } from './ad-words.ts'
import type { AnalysisReading, Quote, ReadStatement, Statement, Statements } from './analysis.ts'
import { factOfNothingFound, hookOf, isReadableLanguage } from './hook.ts'
import { imperativeIn } from './imperatives.ts'
import { offersIn } from './offer.ts'
import { callsToAction, callToActionOfCode, claims, urgencies } from './phrases.ts'

/** A text of an ad with its language. */
export interface TextInLanguage extends Passage {
  /** BCP 47 or ISO 639-1; undefined when it cannot be detected. */
  language: string | undefined
}

export const callsToActionFormula = 'calls-to-action/3'

/** The input of an analysis without a language model. */
export interface TextToAnalyse {
  passages: readonly TextInLanguage[]
  /** The code of the button of the first creative that has one, lower case with hyphens; null when none has. */
  buttonCode: string | null
}

/** Maximum quotes of one statement, and maximum claims. */
const mostQuotes = 5
const mostClaims = 10

/** The language of a sentence's text. */
const languageOf = ({ passage }: Sentence) => (passage as TextInLanguage).language

/**
 * Reads an ad by tables of phrases. Every finding is quoted from the ad; where there is none, "absent" is reported only when
 * the recall in the language of every text is high enough. Angle and audience need a language model.
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
  const sentences = texts.filter(({ language }) => isReadableLanguage(language)).flatMap(sentencesOfPassage)
  const languages = texts.map(({ language }) => language)
  return {
    hook: hookOf(texts.flatMap(sentencesOfPassage), languageOf),
    angle: needsModel,
    offer: statedOffer(sentences) ?? factOfNothingFound('offer', languages),
    callToAction: statedAction(ad, sentences) ?? factOfNothingFound('callToAction', languages),
    urgency: stated(sentences, urgencies) ?? factOfNothingFound('urgency', languages),
    audience: needsModel,
    claims: statedClaims(sentences) ?? needsModel,
  }
}

function statedOffer(sentences: readonly Sentence[]): Statement | undefined {
  const found = sentences.flatMap((sentence) =>
    offersIn(sentence.text).map((offer) => ({
      ...offer,
      quote: quoteAround(sentence, offer.at, offer.length),
    })),
  )
  // A free trial is not also reported as free.
  const hasTrial = found.some(({ kind }) => kind === 'trial')
  const reported = hasTrial ? found.filter(({ says: said }) => said !== 'Something free') : found
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

/** The call to action: that of the button; without one, the text's first request in the order of the table. */
function statedAction(
  { passages, buttonCode }: TextToAnalyse,
  sentences: readonly Sentence[],
): Statement | undefined {
  const button = passages.find(({ foundIn }) => foundIn === 'call-to-action')
  const requests = found(sentences, callsToAction)
  if (button) {
    const quote = quoteOf(button, 0, button.text.length)
    const action = callToActionOfCode(buttonCode ?? '') ?? callToActionOfCode(codeOf(button.text))
    const same = requests.filter(({ kind }) => kind === action?.kind)
    return {
      state: 'read',
      statement: action?.says ?? `Use the button “${quote.text}”.`,
      ...(action ? { kinds: [action.kind] } : {}),
      quotes: distinct([...same.map((request) => request.quote), quote]),
    }
  }
  const first = callsToAction.find(({ kind }) => requests.some((request) => request.kind === kind))
  if (!first) return otherRequest(sentences)
  const quotes = distinct(requests.filter(({ kind }) => kind === first.kind).map(({ quote }) => quote))
  return { state: 'read', statement: first.says, kinds: [first.kind], quotes }
}

/** A request in words of no table, recognised by the form of its verb. */
function otherRequest(sentences: readonly Sentence[]): Statement | undefined {
  const quotes = sentences.flatMap((sentence) => {
    const match = imperativeIn(sentence.text, languageOf(sentence))
    return match ? [quoteAround(sentence, match.index, match[0].length)] : []
  })
  return quotes.length === 0
    ? undefined
    : { state: 'read', statement: 'Asks for what is quoted.', quotes: distinct(quotes) }
}

const codeOf = (words: string) =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

function stated(sentences: readonly Sentence[], phrases: readonly Phrase[]): Statement | undefined {
  const hits = found(sentences, phrases)
  if (hits.length === 0) return undefined
  return {
    state: 'read',
    statement: [...new Set(hits.map(({ says }) => says))].join(' '),
    kinds: [...new Set(hits.map(({ kind }) => kind))],
    quotes: distinct(hits.map(({ quote }) => quote)),
  }
}

function statedClaims(sentences: readonly Sentence[]): Statements | undefined {
  const items = found(sentences, claims).map(
    ({ says, quote }): ReadStatement => ({ statement: says, quotes: [quote] }),
  )
  const seen = new Set<string>()
  const once = items.filter(({ statement, quotes }) => {
    const key = `${statement} ${quotes[0]?.text}`
    return !seen.has(key) && seen.add(key)
  })
  return once.length === 0 ? undefined : { state: 'read', items: once.slice(0, mostClaims) }
}

/** Matches of the phrases: sentences in their order, each kind once in a sentence. */
function found(
  sentences: readonly Sentence[],
  phrases: readonly Phrase[],
): { kind: string; says: string; quote: Quote }[] {
  return sentences.flatMap((sentence) => {
    const once = new Set<string>()
    return phrases.flatMap(({ kind, says, pattern }) => {
      const match = once.has(kind) ? null : pattern.exec(sentence.text)
      if (!match) return []
      once.add(kind)
      return [{ kind, says, quote: quoteAround(sentence, match.index, match[0].length) }]
    })
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
