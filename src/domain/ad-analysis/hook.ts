import { notMeasured } from '../facts/fact.ts'
import type { Statement } from './analysis.ts'
import { offersIn } from './offer.ts'
import { callsToAction } from './phrases/calls-to-action.ts'
import { type Claim, claims } from './phrases/claims.ts'
import { urgencies } from './phrases/urgency.ts'
import { quoteAround, type Sentence } from './sentences.ts'

export const hooksFormula = 'hooks/2'

/** How an ad can open. */
type HookKind = 'question' | 'offer' | 'urgency' | 'claim' | 'request' | 'statement'

/**
 * What is said first: spoken, else in the body, else in the title; with the way it opens where that can be told.
 * @param isKnown whether the tables of phrases know the language of a sentence
 */
export function hookOf(sentences: readonly Sentence[], isKnown: (sentence: Sentence) => boolean): Statement {
  const first = (['transcript', 'body', 'title', 'description'] as const)
    .map((part) => sentences.find(({ passage, text }) => passage.foundIn === part && saysSomething(text)))
    .find((sentence) => sentence !== undefined)
  if (!first) return notMeasured('too-little-evidence')
  const quote = quoteAround(first, 0, 0)
  const kind = kindOf(first.text, isKnown(first))
  return { state: 'read', statement: quote.text, ...(kind ? { kinds: [kind] } : {}), quotes: [quote] }
}

/** What opens no ad: addresses, handles, hashtags, places for a product's name, and notes on sound. */
const decoration =
  /https?:\/\/\S+|[@#＃][\p{L}\p{N}\p{M}_.]+|\{\{[^{}]{0,100}\}\}|\[[^[\]]{0,60}\]|^\s*(?:ad|ads|anzeige|werbung|publicité|publicidad|sponsored|advertisement|pr|広告)\s*[:：]?\s*$/giu

const saysSomething = (text: string) => /\p{L}/u.test(text.replace(decoration, ' '))

/** Characters in which the end of a question is looked for. */
const longestEnd = 40

/** A question is known by its mark, or by how Japanese ends one; the rest needs the tables. */
const question = /[?？؟]["'”’»)\]\s\p{P}\p{S}]*$|(?:です|ます|ました|でしょう|ません)か[。！!\s]*$/u

function kindOf(text: string, isKnown: boolean): HookKind | undefined {
  const end = text.replace(decoration, ' ').trimEnd().slice(-longestEnd)
  if (text.includes('¿') || question.test(end)) return 'question'
  if (!isKnown) return undefined
  if (offersIn(text).length > 0) return 'offer'
  if (urgencies.some(({ pattern }) => pattern.test(text))) return 'urgency'
  if (callsToAction.some(({ pattern }) => atStart(pattern, text))) return 'request'
  return claims.some(({ kind, pattern }) => opensWith.has(kind) && pattern.test(text)) ? 'claim' : 'statement'
}

/** Claims that hold attention; how soon it works, and its terms, only go with what is said. */
const opensWith: ReadonlySet<Claim> = new Set(['users', 'rating', 'best', 'money', 'method'])

/** Words of a sentence before its request, at most: "Now", "Heute noch". */
const beforeRequest = 12

function atStart(pattern: RegExp, text: string): boolean {
  const match = pattern.exec(text)
  return match !== null && match.index <= beforeRequest
}
