import type { Database } from '../../../storage/database.ts'
import { wordsWithMark } from '../../../text/known-names.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { comparedTexts } from '../keywords/compared-texts.ts'
import { isOwn, namesOneProduct } from '../keywords/evidence.ts'
import type { Phrase } from '../keywords/phrases.ts'
import type { AuditedText, KnownWords } from './audited-text.ts'
import { mayFit } from './keyword-field.ts'

export const untappedTermsFormula = 'untapped-terms/1'

/**
 * Minimum over-representation of a term among similar apps, and maximum terms named. The threshold was fitted on judged
 * apps: docs/models/untapped-terms.md.
 */
const overRepresented = 30
const mostNamed = 5
/** A word in more than this share of the language's listings counts as a stop word, whether or not a list has it. */
const commonShare = 0.1
/** Maximum words of a term. */
const longestTerm = 2
/** The keyword field accepts words of more than two letters. */
const shortestWord = 3

/**
 * Terms of the description, of one or two words, that no searched text holds, strongest first. Similar apps use them far
 * more than others do, at least one in its name, and the keyword field would accept them. Brands of others, which Apple
 * refuses, and repeated words, also in singular and plural, are left out. None where too little is stored to compare with.
 */
export async function untappedTerms(
  db: Database,
  storeId: string,
  country: string,
  listing: Partial<Listing>,
  texts: readonly AuditedText[],
  known: Pick<KnownWords, 'developer' | 'stemOf'>,
): Promise<string[]> {
  const { name, description } = listing
  if (!name || !description) return []
  const compared = await comparedTexts(db, storeId, country, { ...listing, name }, [])
  if (compared.developers === undefined) return []
  const used = new Set(
    texts.filter(({ searched }) => searched).flatMap((text) => text.words.map(({ key }) => known.stemOf(key))),
  )
  const marked = wordsWithMark(description)
  const stands = (word: string) =>
    !used.has(known.stemOf(word)) &&
    !known.developer.has(word) &&
    !compared.isBrand(word) &&
    !marked.has(word) &&
    compared.background.isRare(word, commonShare) &&
    (unspaced.test(word) || [...word].length >= shortestWord)
  const found = compared.phrases
    .filter(({ phrase, strength }) => isSaidAndNamed(phrase) && strength >= overRepresented)
    .filter(({ phrase }) => !isOwn(phrase) && !namesOneProduct(phrase) && phrase.words.length <= longestTerm)
    .filter(({ phrase }) => phrase.words.every(stands))
    .toSorted(
      (one, other) =>
        other.strength - one.strength || other.phrase.own.description - one.phrase.own.description,
    )
  return fitting(
    found.map(({ phrase }) => phrase),
    known.stemOf,
  )
}

/** Names of similar apps hold what people search for; what only descriptions hold is prose. */
const isSaidAndNamed = ({ own, naming }: Phrase) => own.description > 0 && naming.size > 0

function fitting(
  found: readonly { term: string; words: readonly string[] }[],
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
