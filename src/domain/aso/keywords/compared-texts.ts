import type { Database } from '../../../storage/database.ts'
import { languageOfListing } from '../../../text/language.ts'
import { listingWords } from '../../../text/listing-words.ts'
import { languageOfStorefront } from '../../../text/stems.ts'
import { commonestWordsOf, emptyWordsOf } from '../../../text/stop-words.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { wordCounts } from '../../catalogue/word-weights.ts'
import { countedWords } from '../scores/telling.ts'
import { appsLike, descriptionRead, type OwnTexts } from './apps-like.ts'
import { type Background, backgroundOf } from './background.ts'
import { brandsAmong, type ReadTexts, readTexts } from './brands.ts'
import { hasSupport, strengthOf } from './evidence.ts'
import { type LookedAt, lookedAt } from './likeness.ts'
import { type Phrase, phrasesOf, withoutParts } from './phrases.ts'
import { type AppTexts, textsOfApps } from './suggestion-queries.ts'

/** The texts of an app beside those of similar apps. */
export interface ComparedTexts {
  /** ISO 639-1; undefined when unclear. */
  language: string | undefined
  stopWords: Pick<ReadonlySet<string>, 'has'>
  /** Phrases that several apps use, or the app itself or a rival prominently, without parts of longer ones. */
  phrases: { phrase: Phrase; strength: number }[]
  background: Background
  /** Whether a word names a company or a product. */
  isBrand: (word: string) => boolean
  /** The rivals' own texts. */
  rivals: AppTexts[]
  looked: LookedAt
  /** Number of listings of all kinds that are counted. */
  listings: number
  /** Number of other developers whose texts were compared; undefined where there is too little to compare. */
  developers: number | undefined
}

/** Minimum for a meaningful comparison of texts: other developers with similar apps, and counted listings. */
const fewestCompared = 3
const fewestCounted = 50

/**
 * Compares the texts of an app with those of similar apps and with all listings of its language.
 * @param listing undefined when none is stored
 */
export async function comparedTexts(
  db: Database,
  storeId: string,
  country: string,
  listing: (Partial<Listing> & Pick<Listing, 'name'>) | undefined,
  rivals: readonly string[],
): Promise<ComparedTexts> {
  const language = await languageOfListing(listing ?? {})
  const [stopWords, common] = [stopWordsFor(listing, language, country), commonestWordsOf(language)]
  const texts = rivals.length === 0 ? [] : await textsOfApps(db, rivals, country, descriptionRead)
  const own: OwnTexts | undefined = listing && {
    ...listing,
    storeId,
    description: listing.description?.slice(0, descriptionRead) ?? null,
  }
  const others = own ? await appsLike(db, own, texts, country, stopWords) : []
  const [ownRead, rivalsRead, othersRead] = [own ? [own] : [], texts, others].map((apps) =>
    apps.map((app) => readTexts(app, country)),
  ) as [ReadTexts[], ReadTexts[], ReadTexts[]]
  const read = [...ownRead, ...rivalsRead, ...othersRead]
  const counts = await wordCounts(db, [...wordsOf(read, common)].flatMap(countedWords))
  const background = backgroundOf(counts, common, read.length)
  const looked = lookedAt(ownRead[0], rivalsRead, othersRead, (word) =>
    stopWords.has(word) ? 0 : background.weightOf(word),
  )
  const phrases = phrasesOf(ownRead[0], looked.rivals, looked.others, stopWords)
  const supported = withoutParts(phrases.filter((one) => hasSupport(one, background, looked)))
  const compared = comparedDevelopers(ownRead[0], looked)
  const isComparable = compared >= fewestCompared && counts.listings >= fewestCounted
  return {
    language,
    stopWords,
    phrases: supported.map((phrase) => ({ phrase, strength: strengthOf(phrase, background, looked) })),
    background,
    isBrand: brandsAmong(looked.all, country, language, background),
    rivals: texts,
    looked,
    listings: counts.listings,
    developers: isComparable ? compared : undefined,
  }
}

/** Stop words of the language, and those of the storefront's where parts of the description are written in it. */
function stopWordsFor(
  listing: Partial<Listing> | undefined,
  language: string | undefined,
  country: string,
): Pick<ReadonlySet<string>, 'has'> {
  const [own, there] = [emptyWordsOf(language), languageOfStorefront(country)]
  const written = new Set(listingWords(listing?.description ?? '', country).map(({ key }) => key))
  if (!commonestWordsOf(there).some((word) => written.has(word))) return own
  const storefront = emptyWordsOf(there)
  return { has: (word) => own.has(word) || storefront.has(word) }
}

/** Number of other developers with similar texts; 0 where the app has no description to compare. */
function comparedDevelopers(own: ReadTexts | undefined, { developers }: LookedAt): number {
  if (!own || own.description.length === 0) return 0
  return [...developers].filter(([developer, counted]) => counted > 0 && developer !== own.developer).length
}

/** All words of the apps' texts and some more, each once. */
function wordsOf(apps: readonly ReadTexts[], more: readonly string[]): ReadonlySet<string> {
  const words = new Set(more)
  for (const { name, subtitle, description } of apps)
    for (const text of [name, subtitle, description]) for (const { key } of text) words.add(key)
  return words
}
