import type { Database } from '../../storage/database.ts'
import { languageOfListing } from '../../text/language.ts'
import { type LocalizationCode, tongueOf } from '../../vocabulary/storefronts.ts'
import type { StorefrontApp } from './app.ts'
import type { Listing } from './listing.ts'
import {
  compareEditionNames,
  type ListingTopics,
  maxDescriptionLetters,
  searchTermsOfWord,
  topicsOfListing,
} from './listing-topics.ts'
import { localizedTexts, withoutEchoes } from './localized-search.ts'
import { pseudoRelevanceOf, type ResemblingApp, wordsInCommon } from './pseudo-relevance.ts'
import {
  appsResemblingInLanguage,
  appsResemblingText,
  type ChartShowingApp,
  type ListingRow,
} from './similar-queries.ts'
import { type SimilarityReason, similarityScoreOf } from './similar-reasons.ts'
import {
  type AppTopics,
  distinctiveTerms,
  type TextNeighbour,
  textNeighbours,
  wordWeightsOf,
} from './text-similarity.ts'
import { type WordCounts, wordCounts } from './word-weights.ts'

export interface TextReasons {
  reasons: ReadonlyMap<string, SimilarityReason>
  /** The app itself, for other devices or at another price. */
  editions: ReadonlySet<string>
}

export const noTextReasons: TextReasons = { reasons: new Map(), editions: new Set() }

/** Another category, or another price model, says less the same of two texts. */
const otherCategory = 0.4
const otherSubcategory = 0.85
const otherPrice = 0.95

/** How much less the texts of an app say that nobody rated: rivals that people watch are known. */
const unknownLess = 0.3
/** As known as can be; and how known an app is taken for whose ratings were not seen, such as one of a chart. */
const ratingsOfKnown = 300_000
const notSeen = 0.6

const textsRead = { read: 400, limit: 100, letters: maxDescriptionLetters }
/** The words of a listing by which similar apps are searched: in names, and in all texts. */
const wordsAsked = { strong: 8, wide: 40 }
/** With fewer listings counted, words are weighed by the listings that are compared. */
const fewestCounted = 50
/** Words of a listing from which the commonest of them stands in nearly all of its language. */
const longText = 40
/** Apps thought of for other reasons that are compared without a word in common. */
const keptWithoutWords = 40
/** The company of an app: so many that resemble it most, each at least so much; and what it says of a likeness of texts. */
const company = { most: 6, least: 0.08, share: 0.5 }
/** Texts that are less alike give no reason. */
const leastSimilarity = 0.03

type OwnListing = Partial<Listing> & Pick<Listing, 'name'>
type Compared = AppTopics & { row: ListingRow; alike: number; direct: TextNeighbour | undefined }

/**
 * What the texts of an app and of others say of their likeness: half of it the words they share, half how much the other
 * one speaks of what the app's company has in common.
 * @param known what is known of others by then
 * @param sameDeveloper other apps of the developer, which are no company: they would lead to whatever else it makes
 * @param localization the language of the listing where it is another than the storefront's: it is compared with apps known in it alone
 */
export async function textReasons(
  db: Database,
  { storeId, country }: Pick<StorefrontApp, 'storeId' | 'country'>,
  listing: OwnListing,
  charts: readonly ChartShowingApp[],
  known: ReadonlyMap<string, SimilarityReason[]>,
  sameDeveloper: ReadonlySet<string>,
  localization?: LocalizationCode,
): Promise<TextReasons> {
  const language = localization ? tongueOf(localization) : await languageOfListing(listing)
  const own = topicsOfListing(listing, country, language)
  const ownWords = new Set(wordsOf([own]))
  const counted = await wordCounts(db, ownWords)
  const listings = listingsOfLanguage(own, counted)
  // Before words were counted, those of the name are asked for first, and those that are repeated.
  const isCounted = counted.listings >= fewestCounted
  const guessed = isCounted
    ? wordWeightsOf(own, counted, listings)
    : new Map([...own.said.keys()].map((stem) => [stem, 1]))
  const words = {
    strong: distinctiveTerms(own, guessed, wordsAsked.strong),
    wide: distinctiveTerms(own, guessed, wordsAsked.wide),
  }
  const found = localization
    ? await shownIn(db, country, localization, storeId, words)
    : await appsResemblingText(db, storeId, country, words, thoughtOf(known), textsRead)
  const topics = found.map((row) => ({
    row,
    storeId: row.storeId,
    topics: topicsOfListing(row, country, language),
  }))
  const few =
    isCounted && !localization ? undefined : countsOf([own, ...topics.map((one) => one.topics)], localization)
  const weights = few ? wordWeightsOf(own, few, few.listings) : guessed
  const direct = new Map(textNeighbours(own, weights, topics).map((one) => [one.storeId, one]))
  const compared = topics.map((one) => ({
    ...one,
    direct: direct.get(one.storeId),
    alike: likeness(listing, one.row, charts),
  }))
  const isTwin = (one: Compared) => isEdition(listing, one.row, one.direct?.strength ?? 0)
  const editions = new Set(compared.filter(isTwin).map((one) => one.storeId))
  const companions = companionsOf(compared, known, editions.union(sameDeveloper))
  const common = asTopics(wordsInCommon(own, companions))
  const commonCounts = few ?? (await moreCounts(db, counted, new Set(wordsOf([common])).difference(ownWords)))
  const commonWeights = wordWeightsOf(common, commonCounts, few?.listings ?? listings)
  const kept = new Map(
    pseudoRelevanceOf(own, companions, commonWeights, compared).map((one) => [one.storeId, one]),
  )
  const reasons = compared.flatMap((one) => {
    const kin = kept.get(one.storeId)
    const strength =
      one.alike *
      (1 - unknownLess * (1 - knownness(one.row))) *
      ((1 - company.share) * (one.direct?.strength ?? 0) + company.share * (kin?.strength ?? 0))
    const shared = one.direct?.shared ?? kin?.shared ?? []
    if (strength < leastSimilarity || shared.length === 0) return []
    const said = localization ? `, in ${localization}` : ''
    const detail = `${one.direct ? 'shared words' : 'words of similar apps'}: ${shared.join(', ')}${said}`
    return [[one.storeId, { kind: 'similar-text', strength: Math.min(1, strength), detail }] as const]
  })
  return { reasons: new Map(reasons), editions }
}

/** Apps that could resemble a text in another language, with their texts in it; without those that only repeat their default. */
async function shownIn(
  db: Database,
  country: string,
  language: LocalizationCode,
  storeId: string,
  words: { strong: readonly string[]; wide: readonly string[] },
): Promise<ListingRow[]> {
  const found = await appsResemblingInLanguage(db, storeId, { country, language }, words, textsRead)
  const ids = found.map((one) => one.storeId)
  const [texts, known] = await Promise.all([
    localizedTexts(db, ids, { country, language }),
    withoutEchoes(db, country, new Map(ids.map((id) => [id, [language]]))),
  ])
  const textOf = new Map(texts.map((one) => [one.storeId, one]))
  return found.flatMap((row) => {
    const text = textOf.get(row.storeId)
    if (!text?.name || !known.get(row.storeId)?.length) return []
    const description = text.description?.slice(0, textsRead.letters) ?? null
    return [{ ...row, name: text.name, subtitle: text.subtitle, description }]
  })
}

/** The counts of more words beside some. */
async function moreCounts(db: Database, known: WordCounts, words: ReadonlySet<string>): Promise<WordCounts> {
  if (words.size === 0) return known
  const { holding } = await wordCounts(db, words)
  return { ...known, holding: new Map([...known.holding, ...holding]) }
}

const wordsOf = (all: readonly ListingTopics[]) =>
  all.flatMap(({ said }) => [...said.values()].flatMap(({ shown }) => searchTermsOfWord(shown)))

const asTopics = (words: ReadonlyMap<string, string>): ListingTopics => ({
  described: true,
  said: new Map([...words].map(([stem, shown]) => [stem, { shown, inName: false, share: 1 }])),
})

function thoughtOf(known: ReadonlyMap<string, readonly SimilarityReason[]>): { all: string[]; kept: string[] } {
  const kept = [...known]
    .map(([id, reasons]) => ({ id, score: similarityScoreOf(reasons) }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .slice(0, keptWithoutWords)
  return { all: [...known.keys()], kept: kept.map(({ id }) => id) }
}

/** The apps most similar so far, by other reasons and by shared words. */
function companionsOf(
  compared: readonly Compared[],
  known: ReadonlyMap<string, readonly SimilarityReason[]>,
  none: ReadonlySet<string>,
): ResemblingApp[] {
  return compared
    .filter(({ storeId }) => !none.has(storeId))
    .map(({ storeId, topics, direct, alike }) => {
      const strength = (direct?.strength ?? 0) * alike
      const reasons: SimilarityReason[] = [
        ...(known.get(storeId) ?? []),
        { kind: 'similar-text', strength, detail: '' },
      ]
      return { storeId, topics, score: similarityScoreOf(reasons) }
    })
    .filter(({ score }) => score >= company.least)
    .sort((one, other) => other.score - one.score || (one.storeId < other.storeId ? -1 : 1))
    .slice(0, company.most)
}

/** Listings of the language of a text: those that hold the commonest of its words, or where it is short, all. */
function listingsOfLanguage({ said }: ListingTopics, { listings, holding }: WordCounts): number {
  if (said.size < longText) return listings
  return Math.min(listings, Math.max(...holding.values(), fewestCounted))
}

/**
 * In how many of these listings words stand, as search stores them. Of another language so few are known that what all of them say
 * would say nothing: they count as part of as many as are needed.
 */
function countsOf(all: readonly ListingTopics[], localization?: LocalizationCode): WordCounts {
  const holding = new Map<string, number>()
  for (const { said } of all)
    for (const term of new Set([...said.values()].flatMap(({ shown }) => searchTermsOfWord(shown))))
      holding.set(term, (holding.get(term) ?? 0) + 1)
  return { listings: Math.max(all.length, localization ? fewestCounted : 0), holding }
}

function likeness(own: OwnListing, other: ListingRow, charts: readonly ChartShowingApp[]): number {
  const price = own.price == null || other.price === null || (own.price === 0) === (other.price === 0)
  return categoryLikeness(own, other, charts) * (price ? 1 : otherPrice)
}

/** By its ratings, 0 to 1: each ten times more say as much more. */
const knownness = ({ ratingCount }: ListingRow): number =>
  ratingCount === null ? notSeen : Math.min(1, Math.log1p(ratingCount) / Math.log1p(ratingsOfKnown))

/** A chart tells the category of apps whose listing does not. */
function categoryLikeness(own: OwnListing, other: ListingRow, charts: readonly ChartShowingApp[]): number {
  if (charts.some(({ others }) => others.has(other.storeId))) return 1
  const mine = own.primaryCategoryId ?? charts[0]?.categoryId ?? null
  if (mine === null || other.primaryCategoryId === null) return otherSubcategory
  if (mine === other.primaryCategoryId) return 1
  const shares = (own.categoryIds ?? []).some((id) => other.categoryIds?.includes(id))
  return shares ? otherSubcategory : otherCategory
}

/** From so alike texts on, apps that begin with one name are one, and those of one name whose developers are not known. */
const sameText = 0.8
const likeText = 0.4

function isEdition(own: OwnListing, other: ListingRow, strength: number): boolean {
  const { alike, same } = compareEditionNames(own.name, other.name)
  if (!alike) return false
  const known = [own.developerId, other.developerId].every((id) => id != null)
    ? [own.developerId, other.developerId]
    : [own.developer, other.developer]
  if (known.every((one) => one != null)) return known[0] === known[1] && (same || strength >= sameText)
  return strength >= (same ? likeText : sameText)
}
