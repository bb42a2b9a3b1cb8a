import type { Database } from '../../storage/database.ts'
import { fold, parseSearchText, type Token } from '../../text/search-terms.ts'
import { editDistance, shortestTolerated, typosOf } from '../../text/typo-tolerance.ts'
import {
  candidatesByName,
  candidatesByReference,
  candidatesByText,
  candidatesInOtherStorefronts,
  referencedInOtherStorefronts,
  type SearchCandidate,
  type SearchedWords,
  type TextMatches,
} from './candidate-queries.ts'
import { type Expectation, expectationOf, fewCandidates } from './few-matches.ts'
import { matchingLanguagesJson, withoutEchoes } from './localized-search.ts'
import { type ListedApp, listedApps } from './record-queries.ts'
import { matchRelevance } from './relevance.ts'
import {
  type CatalogueFilters,
  exactReference,
  hasFilters,
  type TypoCorrections,
  textQuery,
} from './search-plan.ts'
import {
  type CatalogueSort,
  countInStorefront,
  countTextMatches,
  type ScanPosition,
  scanStorefront,
} from './search-queries.ts'
import { similarlySpelledWords } from './search-words.ts'
import { wordCounts } from './word-weights.ts'

export interface CatalogueQuery {
  q?: string
  country: string
  filters: CatalogueFilters
  sort: CatalogueSort | 'relevance'
  limit: number
  after?: ScanPosition
}

export interface SearchPage {
  apps: ListedApp[]
  total: { value: number; relation: 'exact' | 'at-least' }
  next: ScanPosition | null
}

/** Matches ranked at most: so many by name, or where there are fewer, as many again by description. */
const rankedMatches = 300
/** Maximum count of matches; counting stops there. */
const mostCounted = 1_000
/** The score of an app named outright; apps that only other storefronts have score below every one of this. */
const highestScore = 2
/** Words that are tried in place of one. */
const correctionsTried = 8
/** With fewer matches than this, a misspelling is thought of. */
const fewMatches = 3
/**
 * Where names have fewer matches and descriptions have more, a word of the store may be meant that so many listings hold, and so many
 * times as many as hold what was typed: "suduko" stands in some descriptions on purpose.
 */
const commonListings = 10
const commonTimes = 5

/** Stored apps that match a text and filters, or, without a text, the storefront's apps in an order. */
export async function searchCatalogue(db: Database, request: CatalogueQuery): Promise<SearchPage> {
  return request.q === undefined ? browse(db, request) : find(db, request, request.q)
}

/** Walks an order. @param text a `tsquery` that the apps have to match */
async function browse(
  db: Database,
  { country, filters, sort, limit, after }: CatalogueQuery,
  text?: string,
): Promise<SearchPage> {
  const scanned = sort === 'relevance' ? 'rating-count' : sort
  const asked = { country, filters, sort: scanned, after, limit: limit + 1 }
  const [places, total] = await Promise.all([
    scanStorefront(db, text === undefined ? asked : { ...asked, text }),
    text === undefined
      ? countInStorefront(db, country, filters, mostCounted)
      : countTextMatches(db, asked, text, mostCounted),
  ])
  const page = places.slice(0, limit)
  return {
    apps: await inOrder(
      db,
      page.map((place) => place.storeId),
      country,
      text,
    ),
    total: withScanned(total, places.length, after !== undefined, places.length <= limit),
    next: places.length > limit ? (page.at(-1) ?? null) : null,
  }
}

/** A count that stopped early may have met fewer than the scan has seen, which knows all where it ends on the first page. */
function withScanned(
  total: SearchPage['total'],
  scanned: number,
  hasEarlier: boolean,
  isLast: boolean,
): SearchPage['total'] {
  if (total.relation === 'exact') return total
  if (isLast && !hasEarlier) return { value: scanned, relation: 'exact' }
  return { value: Math.max(total.value, scanned + (hasEarlier ? 1 : 0)), relation: 'at-least' }
}

/** Begins the keys of places in an order that was walked, which are written otherwise than those of matches that were ranked. */
const walked = '\u0001'
const unwalked = (place: ScanPosition | undefined) => place && { ...place, key: place.key.slice(walked.length) }
const asWalked = (place: ScanPosition | null | undefined) =>
  place ? { ...place, key: walked + place.key } : null

/**
 * Matches of a text. Where there are more than are ranked, an order other than by relevance is walked, since of the best known alone
 * it would be another; by relevance the others follow those that are ranked, those with most ratings first.
 */
async function find(db: Database, request: CatalogueQuery, q: string): Promise<SearchPage> {
  const { country, sort, limit, after } = request
  const walking = after?.key.startsWith(walked) === true
  const text = textQuery(q)?.terms
  if (walking && sort !== 'relevance') return walk(db, request, text)
  const { matches, bounded } = await matchesOf(db, request, q)
  if (bounded && !after && sort !== 'relevance') return walk(db, request, text)
  const ranked = walking ? [] : rankedAfter(matches, request)
  const page = ranked.slice(0, limit)
  const last = page.at(-1)
  const here = last ? { key: keyOf(last, sort), storeId: last.storeId } : null
  const goesOn = bounded && sort === 'relevance' && text !== undefined && ranked.length <= limit
  const left = limit - page.length
  const others = goesOn
    ? await scanStorefront(db, {
        ...{ country, filters: request.filters, text, without: matches.map(({ storeId }) => storeId) },
        ...{ sort: 'rating-count', after: walking ? unwalked(after) : undefined, limit: left + 1 },
      })
    : []
  const more = left === 0 ? others.length > 0 || ranked.length > limit : false
  const shown = others.slice(0, left)
  return {
    apps: await inOrder(
      db,
      [...page, ...shown].map(({ storeId }) => storeId),
      country,
      text,
    ),
    total: { value: matches.length, relation: bounded ? 'at-least' : 'exact' },
    next: more ? here : others.length > left ? asWalked(shown.at(-1)) : null,
  }
}

/** A page of an order, of the apps that match a text. */
async function walk(
  db: Database,
  { after, ...request }: CatalogueQuery,
  text: string | undefined,
): Promise<SearchPage> {
  const place = unwalked(after)
  const page = await browse(db, { ...request, ...(place ? { after: place } : {}) }, text)
  return { ...page, next: asWalked(page.next) }
}

function rankedAfter(matches: readonly Scored[], { sort, after }: CatalogueQuery): Scored[] {
  const ranked = ordered(matches, sort)
  return after ? ranked.filter((match) => isAfter(match, after, sort)) : ranked
}

type Scored = SearchCandidate & { score: number }

async function matchesOf(
  db: Database,
  request: CatalogueQuery,
  q: string,
): Promise<{ matches: Scored[]; bounded: boolean }> {
  const { country } = request
  const reference = exactReference(q)
  const named = reference ? await candidatesByReference(db, reference, request) : []
  if (reference && asksOfNoValue(request))
    named.push(...(await referencedInOtherStorefronts(db, reference, country)))
  const query = textQuery(q)
  const asked = parseSearchText(q)
  const scored = new Map<string, Scored>()
  const add = (candidates: readonly SearchCandidate[], score: (candidate: SearchCandidate) => number) => {
    for (const candidate of candidates) {
      if (!scored.has(candidate.storeId))
        scored.set(candidate.storeId, {
          ...candidate,
          score: score(candidate) - (candidate.elsewhere ? highestScore + 1 : 0),
        })
    }
  }
  add(named, () => highestScore)
  if (!query) return { matches: [...scored.values()], bounded: false }

  const found = await scan(db, request, query.terms, await expectationOf(db, query.tokens))
  add(found.candidates, (candidate) => matchRelevance(asked, { ...candidate, corrected: false }))
  const inNames = found.candidates.filter(({ inName }) => inName).length
  if (inNames >= fewMatches) return { matches: [...scored.values()], bounded: found.cut }
  const corrections = await correctionsOf(db, query.tokens, scored.size >= fewMatches)
  const corrected = textQuery(q, corrections)
  if (!corrected || corrected.terms === query.terms)
    return { matches: [...scored.values()], bounded: found.cut }
  const near = await scan(db, request, corrected.terms, await expectationOf(db, query.tokens, corrections))
  const meant = [q, ...correctedTexts(query.tokens, corrections)].map(parseSearchText)
  add(near.candidates, (candidate) =>
    Math.max(...meant.map((text) => matchRelevance(text, { ...candidate, corrected: true }))),
  )
  return { matches: [...scored.values()], bounded: found.cut || near.cut }
}

/**
 * Matches of the storefront and, where all of them were found and nothing is asked of their values, those that only
 * other storefronts have.
 */
async function scan(
  db: Database,
  request: CatalogueQuery,
  terms: string,
  { large, few }: Expectation,
): Promise<TextMatches> {
  const all = few ? await fewCandidates(db, terms, request, asksOfNoValue(request)) : undefined
  if (all) return { candidates: all, cut: false }
  const words = { terms, large }
  const own = await scanOwnTexts(db, request, words)
  if (own.cut || !asksOfNoValue(request)) return own
  const others = await candidatesInOtherStorefronts(db, words, request.country, rankedMatches)
  return { candidates: [...own.candidates, ...others.candidates], cut: others.cut }
}

/** Matches by name, then, where these leave room, by description too; an app can stand twice, by name first. */
async function scanOwnTexts(db: Database, request: CatalogueQuery, words: SearchedWords): Promise<TextMatches> {
  const byName = await candidatesByText(db, words, 'name_terms', request, rankedMatches)
  if (byName.cut && byName.candidates.length >= rankedMatches) {
    const exact = await candidatesByName(db, fold(request.q ?? '').trim(), request, rankedMatches)
    return { candidates: [...exact, ...byName.candidates], cut: true }
  }
  const byAll = await candidatesByText(db, words, 'all_terms', request, rankedMatches)
  return { candidates: [...byName.candidates, ...byAll.candidates], cut: byAll.cut }
}

/** An app without a record of the storefront has no value there to filter or sort by. */
const asksOfNoValue = ({ filters, sort }: CatalogueQuery) => !hasFilters(filters) && sort === 'relevance'

/** A text with one of its words corrected, in every way. */
const correctedTexts = (asked: readonly Token[], corrections: TypoCorrections): string[] =>
  asked.flatMap(({ text }, index) =>
    (corrections.get(text) ?? []).map((word) =>
      asked.map((token, place) => (place === index ? word : token.text)).join(' '),
    ),
  )

/**
 * Catalogue words at edit distance one from a word asked for, two for long words, or a slip of the hand away; the nearest few, the
 * commonest first.
 * @param clear whether only slips that led away from a much commoner word count
 */
async function correctionsOf(db: Database, asked: readonly Token[], clear: boolean): Promise<TypoCorrections> {
  const words = asked
    .filter((token) => token.kind === 'word' && token.text.length >= shortestTolerated)
    .map((token) => token.text)
  if (words.length === 0) return new Map()
  if (clear) return clearSlips(db, words)
  const near = await similarlySpelledWords(db, words)
  const slips = new Map(words.map((word) => [word, typosOf(word)]))
  const nearest = new Map<string, { word: string; distance: number }[]>()
  for (const { asked: misspelt, word } of near) {
    const distance = slips.get(misspelt)?.has(word) ? 1 : editDistance(misspelt, word)
    if (distance === 0 || distance > (misspelt.length >= 8 ? 2 : 1)) continue
    nearest.set(misspelt, [...(nearest.get(misspelt) ?? []), { word, distance }])
  }
  // Which words are common matters only where there are too many.
  const many = [...nearest.values()].filter(({ length }) => length > correctionsTried).flat()
  const listings = many.length === 0 ? new Map<string, number>() : await listingsWith(db, many)
  return new Map(
    [...nearest].map(([misspelt, found]) => [
      misspelt,
      found
        .sort(
          (one, other) =>
            one.distance - other.distance ||
            (listings.get(other.word) ?? 0) - (listings.get(one.word) ?? 0) ||
            (one.word < other.word ? -1 : 1),
        )
        .slice(0, correctionsTried)
        .map((entry) => entry.word),
    ]),
  )
}

/** Words a slip of the hand away that far more listings hold, the commonest first. */
async function clearSlips(db: Database, words: readonly string[]): Promise<TypoCorrections> {
  const slips = words.map((word) => ({ word, forms: [...typosOf(word)] }))
  const { holding } = await wordCounts(
    db,
    slips.flatMap(({ word, forms }) => [word, ...forms]),
  )
  const held = (word: string) => holding.get(word) ?? 0
  return new Map(
    slips.map(({ word, forms }) => [
      word,
      forms
        .filter((form) => held(form) >= Math.max(commonListings, commonTimes * held(word)))
        .sort((one, other) => held(other) - held(one) || (one < other ? -1 : 1))
        .slice(0, correctionsTried),
    ]),
  )
}

const listingsWith = async (db: Database, found: readonly { word: string }[]) =>
  (
    await wordCounts(
      db,
      found.map(({ word }) => word),
    )
  ).holding

/** The value a match is ordered by, as text that a cursor can carry. */
function keyOf(match: Scored, sort: CatalogueQuery['sort']): string {
  if (sort === 'name') return match.sortName
  if (sort === 'rating-count') return String(match.ratingCount ?? -1)
  if (sort === 'rating') return String(match.rating ?? -1)
  if (sort === 'released') return String(match.releasedAt?.getTime() ?? -1e15)
  if (sort === 'updated') return String(match.updatedAt?.getTime() ?? -1e15)
  return String(match.score)
}

function ordered(matches: readonly Scored[], sort: CatalogueQuery['sort']): Scored[] {
  return matches
    .map((match) => ({ match, key: keyOf(match, sort), storeId: match.storeId }))
    .sort((one, other) => compare(one, other, sort))
    .map(({ match }) => match)
}

function isAfter(match: Scored, place: ScanPosition, sort: CatalogueQuery['sort']): boolean {
  return compare({ key: keyOf(match, sort), storeId: match.storeId }, place, sort) > 0
}

function compare(one: ScanPosition, other: ScanPosition, sort: CatalogueQuery['sort']): number {
  if (sort === 'name' && one.key !== other.key) return one.key < other.key ? -1 : 1
  if (sort !== 'name' && one.key !== other.key) {
    const difference = Number(other.key) - Number(one.key)
    if (difference) return difference
  }
  const byId = BigInt(one.storeId) < BigInt(other.storeId) ? -1 : one.storeId === other.storeId ? 0 : 1
  return sort === 'name' ? byId : -byId
}

/** @param text a `tsquery` that the apps match, in whichever language */
async function inOrder(
  db: Database,
  storeIds: readonly string[],
  country: string,
  text: string | undefined,
): Promise<ListedApp[]> {
  if (storeIds.length === 0) return []
  const listed = await listedApps(
    db,
    storeIds,
    country,
    text === undefined ? undefined : matchingLanguagesJson(country, text),
  )
  const found = listed.flatMap(({ storeId, matchedIn }) =>
    matchedIn.length > 0 ? [[storeId, matchedIn] as const] : [],
  )
  const languages = await withoutEchoes(db, country, new Map(found))
  const apps = new Map(
    listed.map((app) => [app.storeId, { ...app, matchedIn: languages.get(app.storeId) ?? [] }]),
  )
  return storeIds.flatMap((storeId) => apps.get(storeId) ?? [])
}
