import { notMeasured } from '../facts/fact.ts'
import { quoteAround, type Sentence } from './ad-words.ts'
import type { Statement } from './analysis.ts'
import { offersIn } from './offer.ts'
import { callsToAction } from './phrases/calls-to-action.ts'
import { type Claim, claims } from './phrases/claims.ts'
import { requestIn } from './phrases/requests.ts'
import { urgencies } from './phrases/urgency.ts'
import { isKnown, nothingFound } from './recall.ts'

export const hooksFormula = 'hooks/3'

/** The ways an ad can open. */
type HookKind = 'question' | 'offer' | 'urgency' | 'claim' | 'request' | 'statement'

/**
 * The opening words: of the speech, else of the body, else of the title; with the kind of opening where it can be
 * recognised.
 * @param languageOf the language of a sentence, BCP 47; undefined where it cannot be detected
 */
export function hookOf(
  sentences: readonly Sentence[],
  languageOf: (sentence: Sentence) => string | undefined,
): Statement {
  const first = (['transcript', 'body', 'title', 'description'] as const)
    .map((part) => sentences.find(({ passage, text }) => passage.foundIn === part && saysSomething(text)))
    .find((sentence) => sentence !== undefined)
  if (!first) return notMeasured('too-little-evidence')
  const quote = quoteAround(first, 0, 0)
  const kind = kindOf(first.text, languageOf(first))
  return { state: 'read', statement: quote.text, ...(kind ? { kinds: [kind] } : {}), quotes: [quote] }
}

/**
 * Parts that do not count as an opening: addresses, handles, hashtags, placeholders for a product's name, and notes on
 * sound.
 */
const decoration =
  /https?:\/\/\S+|[@#＃][\p{L}\p{N}\p{M}_.]+|\{\{[^{}]{0,100}\}\}|\[[^[\]]{0,60}\]|^\s*(?:ad|ads|anzeige|werbung|publicité|publicidad|sponsored|advertisement|pr|広告)\s*[:：]?\s*$/giu

const saysSomething = (text: string) => /\p{L}/u.test(text.replace(decoration, ' '))

/** Characters searched for the end of a question. */
const longestEnd = 40

/** A question by its mark, or by its Japanese ending; other questions need the tables. */
const question = /[?？؟❓❔]["'”’»)\]\s\p{P}\p{S}]*$|(?:です|ます|ました|でしょう|ません)か[。！!\s]*$/u

function kindOf(text: string, language: string | undefined): HookKind | undefined {
  const end = text.replace(decoration, ' ').trimEnd().slice(-longestEnd)
  if (text.includes('¿') || question.test(end)) return 'question'
  if (!isKnown(language)) return undefined
  if (offersIn(text).length > 0) return 'offer'
  if (urgencies.some(({ pattern }) => pattern.test(text))) return 'urgency'
  if (callsToAction.some(({ pattern }) => atStart(pattern.exec(text)))) return 'request'
  if (atStart(requestIn(text, language))) return 'request'
  if (claims.some(({ kind, pattern }) => opensWith.has(kind) && pattern.test(text))) return 'claim'
  // Where the recall is high enough, an opening that nothing matches is a statement.
  return nothingFound('hook', [language]).state === 'absent' ? 'statement' : undefined
}

/** Claims that count as an opening; speed of results and terms only accompany others. */
const opensWith: ReadonlySet<Claim> = new Set(['users', 'rating', 'best', 'money', 'method'])

/** Maximum characters of a sentence before its request: "Now", "Heute noch". */
const beforeRequest = 12

const atStart = (match: RegExpExecArray | null | undefined) => match != null && match.index <= beforeRequest
