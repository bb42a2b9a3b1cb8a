import recall from '../../data/measured-recall.json' with { type: 'json' }
import { notMeasured } from '../facts/fact.ts'
import { quoteAround, type Sentence } from './ad-words.ts'
import type { NotMeasured, Statement } from './analysis.ts'
import { imperativeIn } from './imperatives.ts'
import { offersIn } from './offer.ts'
import { type Claim, callsToAction, claims, urgencies } from './phrases.ts'

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
  if (!isReadableLanguage(language)) return undefined
  if (offersIn(text).length > 0) return 'offer'
  if (urgencies.some(({ pattern }) => pattern.test(text))) return 'urgency'
  if (callsToAction.some(({ pattern }) => atStart(pattern.exec(text)))) return 'request'
  if (atStart(imperativeIn(text, language))) return 'request'
  if (claims.some(({ kind, pattern }) => opensWith.has(kind) && pattern.test(text))) return 'claim'
  // Where the recall is high enough, an opening that nothing matches is a statement.
  return factOfNothingFound('hook', [language]).state === 'absent' ? 'statement' : undefined
}

/** Claims that count as an opening; speed of results and terms only accompany others. */
const opensWith: ReadonlySet<string> = new Set<Claim>(['users', 'rating', 'best', 'money', 'method'])

/** Maximum characters of a sentence before its request: "Now", "Heute noch". */
const beforeRequest = 12

const atStart = (match: RegExpExecArray | null | undefined) => match != null && match.index <= beforeRequest

/** The parts that are searched in the texts of an ad. */
type ReadPart = 'hook' | 'offer' | 'callToAction' | 'urgency'

/** The recall of one part in ads of a language, on ads that the tables were not fitted to. */
interface MeasuredRecall {
  /** ISO 639-1. */
  language: string
  /** Number of labelled ads, of those with the part, and of those of these in which it was found. */
  ads: number
  withIt: number
  found: number
}

/**
 * Minimum recall and labelled ads to report "absent": nine in ten are found, of enough that a single one hardly matters.
 * Readers conclude from "absent" that an ad has none; with a lower recall, one of several such ads would have it after all.
 */
const enough = { share: 0.9, withIt: 30 } as const

/**
 * Each ad counts by its result before anybody had looked at it; the tables were extended after three of four rounds, so that
 * a repeated run finds more. An ad has a hook where it opens with anything but a statement.
 */
const measuredRecall: Readonly<Record<ReadPart, readonly MeasuredRecall[]>> = recall

/**
 * The fact when nothing was found in these texts: absent where the recall in the language of each is high enough; else not
 * measured.
 * @param languages of all texts of the ad, BCP 47; undefined where it cannot be detected
 */
export function factOfNothingFound(
  part: ReadPart,
  languages: readonly (string | undefined)[],
): { state: 'absent' } | NotMeasured {
  if (languages.length === 0) return notMeasured('too-little-evidence')
  return languages.every((language) => isFound(part, language))
    ? { state: 'absent' }
    : notMeasured('language-not-validated')
}

const isFound = (part: ReadPart, language: string | undefined): boolean =>
  measuredRecall[part].some(
    (row) =>
      row.language === language?.split('-')[0] &&
      row.withIt >= enough.withIt &&
      row.found / row.withIt >= enough.share,
  )

/** Languages of the tables. Texts in other ones are not read by them: shared words have other meanings there. */
const knownLanguages: ReadonlySet<string> = new Set('en de fr es pt it nl ja ko zh ru'.split(' '))

/** Whether a text is read: its language is in the tables, or cannot be detected. @param language BCP 47 */
export const isReadableLanguage = (language: string | undefined): boolean =>
  language === undefined || knownLanguages.has(language.split('-')[0] ?? '')
