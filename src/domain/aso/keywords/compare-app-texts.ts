import type { Database } from '../../../storage/database.ts'
import { languageOf, languageOfListing } from '../../../text/language.ts'
import { listingWords } from '../../../text/listing-words.ts'
import { languageOfStorefront } from '../../../text/stems.ts'
import { commonestWordsOf, stopWordsAndImperativesOf } from '../../../text/stop-words.ts'
import { type LocalizationCode, tongueOf } from '../../../vocabulary/storefronts.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { textReasons } from '../../catalogue/similar-texts.ts'
import { wordCounts } from '../../catalogue/word-weights.ts'
import { specificityWords } from '../scores/specificity.ts'
import {
  type AppTextWords,
  findBrandNames,
  splitAppTexts,
  type WordFrequencies,
  wordFrequenciesOf,
} from './brands.ts'
import { type ComparedApps, comparedApps, isPhraseSupported, phraseStrength } from './evidence.ts'
import { type Phrase, phrasesOf, withoutPartialPhrases } from './phrases.ts'
import { type AppTexts, appsNamedInLanguage, appsNamedWith, textsOfApps } from './suggestion-queries.ts'

/** The texts of an app beside those of similar apps. */
interface ComparedTexts {
  /** ISO 639-1; undefined when unclear. */
  language: string | undefined
  stopWords: Pick<ReadonlySet<string>, 'has'>
  /** Phrases that several apps use, or the app itself or a rival prominently, without parts of longer ones. */
  phrases: { phrase: Phrase; strength: number }[]
  background: WordFrequencies
  /** Whether a word names a company or a product. */
  isBrand: (word: string) => boolean
  /** The rivals' own texts. */
  rivals: AppTexts[]
  looked: ComparedApps
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
 * @param localization the language of the listing where it is another than the storefront's: texts of others are read in it where they are known
 */
export async function compareAppTexts(
  db: Database,
  storeId: string,
  country: string,
  listing: (Partial<Listing> & Pick<Listing, 'name'>) | undefined,
  rivals: readonly string[],
  localization?: LocalizationCode,
): Promise<ComparedTexts> {
  const language = localization ? tongueOf(localization) : await languageOfListing(listing ?? {})
  const [stopWords, common] = [stopWordsFor(listing, language, country), commonestWordsOf(language)]
  const texts = rivals.length === 0 ? [] : await textsOfApps(db, rivals, country, descriptionRead, localization)
  const own: OwnTexts | undefined = listing && {
    ...listing,
    storeId,
    description: listing.description?.slice(0, descriptionRead) ?? null,
  }
  const others = own ? await appsLike(db, own, texts, country, stopWords, localization) : []
  const [ownRead, rivalsRead, othersRead] = [own ? [own] : [], texts, others].map((apps) =>
    apps.map((app) => splitAppTexts(app, country)),
  ) as [AppTextWords[], AppTextWords[], AppTextWords[]]
  const read = [...ownRead, ...rivalsRead, ...othersRead]
  const counts = await wordCounts(db, [...wordsOf(read, common)].flatMap(specificityWords))
  const background = wordFrequenciesOf(counts, common, read.length)
  const looked = comparedApps(ownRead[0], rivalsRead, othersRead, (word) =>
    stopWords.has(word) ? 0 : background.weightOf(word),
  )
  const phrases = phrasesOf(ownRead[0], looked.rivals, looked.others, stopWords)
  const supported = withoutPartialPhrases(phrases.filter((one) => isPhraseSupported(one, background, looked)))
  const compared = comparedDevelopers(ownRead[0], looked)
  const isComparable = compared >= fewestCompared && counts.listings >= fewestCounted
  return {
    language,
    stopWords,
    phrases: supported.map((phrase) => ({ phrase, strength: phraseStrength(phrase, background, looked) })),
    background,
    isBrand: findBrandNames(looked.all, country, language, background),
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
  const [own, there] = [stopWordsAndImperativesOf(language), languageOfStorefront(country)]
  const written = new Set(listingWords(listing?.description ?? '', country).map(({ key }) => key))
  if (!commonestWordsOf(there).some((word) => written.has(word))) return own
  const storefront = stopWordsAndImperativesOf(there)
  return { has: (word) => own.has(word) || storefront.has(word) }
}

/** Number of other developers with similar texts; 0 where the app has no description to compare. */
function comparedDevelopers(own: AppTextWords | undefined, { developers }: ComparedApps): number {
  if (!own || own.description.length === 0) return 0
  return [...developers].filter(([developer, counted]) => counted > 0 && developer !== own.developer).length
}

/** All words of the apps' texts and some more, each once. */
function wordsOf(apps: readonly AppTextWords[], more: readonly string[]): ReadonlySet<string> {
  const words = new Set(more)
  for (const { name, subtitle, description } of apps)
    for (const text of [name, subtitle, description]) for (const { key } of text) words.add(key)
  return words
}

/** An app's own listing with its texts. */
type OwnTexts = AppTexts & Partial<Listing>

/** Characters of a description that are read: it begins with what the app is for and ends with subscription terms. */
const descriptionRead = 1_500

/** Limits: words of an app used to look for others, names read that hold one of them, and apps taken. */
const wordsAsked = 12
const namesRead = 400
const appsTaken = 40
/** An app is similar when its name scores at least this share of the best name's score. */
const likeEnough = 0.35

/** Weight of a word of the app by the text that holds it. */
const worth = { name: 3, subtitle: 3, rival: 2, description: 1 } as const
/** Occurrences of a word in a description that count, at most. */
const mostTimes = 4

/**
 * Similar apps of the storefront, with their texts: apps whose names hold the most specific words of the app's own texts and
 * of its rivals' names, and apps with similar texts.
 */
async function appsLike(
  db: Database,
  app: OwnTexts,
  rivals: readonly AppTexts[],
  country: string,
  stopWords: Pick<ReadonlySet<string>, 'has'>,
  localization: LocalizationCode | undefined,
): Promise<AppTexts[]> {
  const weights = new Map<string, number>()
  const add = (text: string | null | undefined, weight: number, most: number) => {
    const times = new Map<string, number>()
    for (const { key, text: written } of listingWords(text ?? '', country))
      if (!stopWords.has(written))
        for (const word of specificityWords(key)) times.set(word, (times.get(word) ?? 0) + 1)
    for (const [word, count] of times)
      weights.set(word, (weights.get(word) ?? 0) + weight * Math.min(most, count))
  }
  add(app.name, worth.name, 1)
  add(app.subtitle, worth.subtitle, 1)
  add(app.description, worth.description, mostTimes)
  for (const rival of rivals) add(`${rival.name}\n${rival.subtitle ?? ''}`, worth.rival, 1)
  const { listings, holding } = await wordCounts(db, weights.keys())
  const heaviest = [...weights]
    .flatMap(([word, weight]): [string, number][] => {
      // Counted are the storefronts' own languages: a word of another one may stand in none of them.
      const held = holding.get(word) ?? (localization && 1)
      return held === undefined ? [] : [[word, weight * Math.log(listings / held)]]
    })
    .sort(([, one], [, other]) => other - one)
    .slice(0, wordsAsked)
  const weightOf = new Map(heaviest)
  const known = new Set([app.storeId, ...rivals.map(({ storeId }) => storeId)])
  const named = heaviest.length === 0 ? [] : await appsNamedWith(db, country, [...weightOf.keys()], namesRead)
  const scored = named
    .filter(({ storeId }) => !known.has(storeId))
    .map(({ storeId, name }) => {
      const held = new Set(specificityWords(name))
      return { storeId, score: [...held].reduce((sum, word) => sum + (weightOf.get(word) ?? 0), 0) }
    })
    .sort((one, other) => other.score - one.score || (one.storeId < other.storeId ? -1 : 1))
  const enough = (scored[0]?.score ?? 0) * likeEnough
  const taken = scored.filter(({ score }) => score > 0 && score >= enough).slice(0, appsTaken)
  const described = await appsWithSimilarTexts(db, app, country)
  const ids = new Set([...taken.map(({ storeId }) => storeId), ...described.filter((id) => !known.has(id))])
  if (localization) {
    const named = await appsNamedInLanguage(db, country, localization, [...weightOf.keys()], appsTaken)
    for (const id of named) if (!known.has(id)) ids.add(id)
  }
  const found = await textsOfApps(db, [...ids], country, descriptionRead, localization)
  const [detected, ...languages] = await Promise.all([app, ...found].map(clearLanguage))
  const language = localization ? tongueOf(localization) : detected
  return found.filter((_, index) => !language || !languages[index] || languages[index] === language)
}

/** The apps whose texts are most similar to those of an app, whatever their names; none where it has no description. */
async function appsWithSimilarTexts(db: Database, app: OwnTexts, country: string): Promise<string[]> {
  if (!app.description) return []
  const { reasons, editions } = await textReasons(
    db,
    { storeId: app.storeId, country },
    app,
    [],
    new Map(),
    new Set(),
  )
  return [...reasons]
    .filter(([id]) => !editions.has(id))
    .sort(([a, one], [b, other]) => other.strength - one.strength || (a < b ? -1 : 1))
    .slice(0, appsTaken)
    .map(([id]) => id)
}

/** Minimum characters of a description for a certain language detection: a short one of names passes for any language. */
const clearText = 150

const clearLanguage = async ({ description }: AppTexts) =>
  description && description.length >= clearText ? languageOf(description) : undefined
