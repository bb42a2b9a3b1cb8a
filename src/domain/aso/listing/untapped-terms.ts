import { isCut } from '../../../text/cut-words.ts'
import { isEmptyAlone } from '../../../text/empty-alone.ts'
import { isKnownName, wordsWithMark } from '../../../text/known-names.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { fold } from '../../../text/search-terms.ts'
import { wordsForApp, wordsOfPraise } from '../../../text/stop-words.ts'
import type { AuditedTerm, AuditedText, KnownWords } from './audited-text.ts'
import { mayFit } from './keyword-field.ts'

/** How telling a term of the description must be, how often it must stand there, and how many terms are named. */
const tellingEnough = 25
const oftenEnough = 2
const mostNamed = 5
/** The keyword field takes words over two letters. */
const shortestWord = 3

/**
 * Terms of the description, of one or two words, that no searched text holds and that the keyword field would take, most
 * telling first: no names of others, which Apple refuses, and no word twice, nor one and many of it.
 */
export function untappedTerms(texts: readonly AuditedText[], known: KnownWords): string[] {
  const description = texts.find(({ field }) => field === 'description')
  const used = new Set(
    texts.filter(({ searched }) => searched).flatMap((text) => text.words.map(({ key }) => known.stemOf(key))),
  )
  // What the app is for stands first; terms of use stand last.
  const firstHalf = description?.words.slice(0, Math.ceil(description.words.length / 2))
  const early = new Set(firstHalf?.map(({ key }) => key))
  const isName = namesIn(description?.text ?? '')
  const stands = (word: string) =>
    early.has(word) &&
    !used.has(known.stemOf(word)) &&
    !known.developer.has(word) &&
    !isName(word) &&
    isTyped(word)
  const found = (description?.terms ?? [])
    .filter(({ words, count }) => words.length <= 2 && count >= oftenEnough && words.every(stands))
    .filter(({ words, key }) => !isCut(words) && !isEmptyAlone(key, false))
    .filter(({ words }) => !words.every((word) => isEmptyAlone(word, false)))
    .filter(({ term }) => known.heldByOthers(term))
    .flatMap(({ telling, ...term }) =>
      telling !== undefined && telling >= tellingEnough ? [{ ...term, telling }] : [],
    )
    .toSorted((one, other) => worth(other) - worth(one) || other.words.length - one.words.length)
  return fitting(found, known.stemOf)
}

const worth = ({ telling, count }: { telling: number; count: number }) => telling * Math.log(1 + count)

function fitting(
  found: readonly Pick<AuditedTerm, 'term' | 'words'>[],
  stemOf: KnownWords['stemOf'],
): string[] {
  const [named, said]: [string[], Set<string>] = [[], new Set()]
  for (const { term, words } of found) {
    const stems = words.map(stemOf)
    if (named.length === mostNamed || !mayFit([...named, term]) || stems.some((stem) => said.has(stem)))
      continue
    named.push(term)
    for (const stem of stems) said.add(stem)
  }
  return named
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

const isTyped = (word: string) =>
  !wordsForApp.has(word) &&
  !wordsOfPraise.has(word) &&
  (unspaced.test(word) || [...word].length >= shortestWord)

/** What is never in lower case, and what carries a mark, may be another's name. */
function namesIn(text: string): (word: string) => boolean {
  const lower = new Set(
    [...text.matchAll(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{M}\p{N}]*/gu)].map(([word]) => fold(word)),
  )
  const marked = wordsWithMark(text)
  return (word) =>
    isKnownName(word) || marked.has(word) || (/^\p{Script=Latin}/u.test(word) && !lower.has(word))
}
