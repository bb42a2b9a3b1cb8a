import type { SampleApp } from './app.ts'
import { dayText, firstDay, lastDay, type Span, timeText } from './calendar.ts'
import { dice } from './dice.ts'
import type { SampleCountry, SampleSearch } from './document.ts'
import { itunesAnswer, itunesRecord } from './itunes-record.ts'
import { type Listing, listingOn } from './listing.ts'
import { type Popularity, popularityIn } from './popularity.ts'
import { slug } from './slug.ts'

export type SampleTerms = readonly { readonly country: SampleCountry; readonly terms: readonly string[] }[]

/** The last of the English terms has no results: measured, and absent. */
export const sampleTerms: SampleTerms = [
  {
    country: 'us',
    terms:
      'budget,budget planner,expense tracker,savings,split bills,investing,crypto wallet,habit tracker,to do list,notes,invoice,pdf scanner,photo editor,video maker,weather radar,recipes,meal planner,meditation,sleep sounds,workout,running,language learning,flashcards,podcast,music player,puzzle,solitaire,word search,racing,farm,banjo tuner left handed'.split(
        ',',
      ),
  },
  { country: 'jp', terms: ['家計簿', '貯金', 'パズル', '英語学習', '睡眠', '天気'] },
]

/** Apple's default, which the collector requests. */
const limit = 50

/** Terms of the United States that also have the store's web search page, of the last day. */
const termsOnTheWeb = 4
/** Seconds between a search and that page: every other one is too far away to be compared. */
const webDelay = (place: number) => (place % 2 === 1 ? 14.5 * 3600 : 900)

/** Days before the last that also have a page, so that the change over one day is measured. */
const recentDays = 2

/** The result page of every term once a week and on the newest days, oldest first. */
export function* sampleSearches(
  apps: readonly SampleApp[],
  span: Span,
  searched: SampleTerms = sampleTerms,
): Generator<SampleSearch> {
  const markets = searched.map(({ country, terms }) => ({
    country,
    terms: terms.map((term) => ({ term, fits: fitting(apps, country, term) })),
    popularity: popularityIn(apps, country, span),
  }))
  const hiccup = hiccupOf(span)
  const weeks = Math.floor((lastDay(span) - firstDay(span)) / 7)
  const weekly = Array.from({ length: weeks }, (_, at) => (weeks - at) * 7)
  const recent = Array.from({ length: recentDays + 1 }, (_, at) => recentDays - at)
  for (const back of [...weekly, ...recent]) {
    const day = lastDay(span) - back
    for (const { country, terms, popularity } of markets) {
      for (const [place, { term, fits }] of terms.entries()) {
        const failed = country === 'us' && term === hiccup.term && day === hiccup.day
        const found = failed ? [] : resultPage(fits, { country, term, day, limit }, popularity, span)
        yield {
          kind: 'search-results',
          format: 'itunes-search',
          fileName: `search-${country}-${slug(term) || `term-${place + 1}`}-${dayText(day)}.json`,
          term,
          requested: limit,
          country,
          observedAt: timeText(day, 5 * 3600 + place * 4 + (country === 'jp' ? 300 : 0)),
          content: itunesAnswer(found.map(({ app, listing }) => itunesRecord(app, country, listing))),
        }
        if (country !== 'us' || back !== 0 || place >= termsOnTheWeb) continue
        yield {
          kind: 'search-results',
          format: 'app-store-search',
          fileName: `search-page-us-${slug(term)}-${dayText(day)}.html`,
          term,
          country,
          observedAt: timeText(day, 5 * 3600 + place * 4 + webDelay(place)),
          content: webPage(term, country, webOrder(fits, { country, term, day, limit }, popularity, span)),
        }
      }
    }
  }
}

/** The order of the web search: the same apps, and another luck. */
function webOrder(fits: readonly Fit[], asked: Asked, popularity: Popularity, span: Span): Found[] {
  return resultPage(fits, { ...asked, term: `${asked.term} on the web` }, popularity, span)
}

/** Entries that the page shows in full; of the rest it has ids. */
const fullEntries = 12

function webPage(term: string, country: SampleCountry, found: readonly Found[]): string {
  const items = found.slice(0, fullEntries).map(({ app, listing }) => ({
    $kind: 'AppSearchResult',
    resultType: 'content',
    lockup: { adamId: String(app.storeId), title: listing.name, developerName: app.developer.name },
  }))
  const results = found.slice(fullEntries).map(({ app }) => ({ type: 'apps', id: String(app.storeId) }))
  const data = {
    $kind: 'SearchResultsPage',
    shelves: [{ contentType: 'searchResult', items }],
    nextPage: { results },
  }
  const intent = { $kind: 'SearchResultsPageIntent', term, storefront: country, platform: 'iphone' }
  return `<!DOCTYPE html><html><body><script type="application/json" id="serialized-server-data">${JSON.stringify({ data: [{ intent, data }] })}</script></body></html>\n`
}

/** Once, Apple returns an empty answer for a term that had fifty results a week before. It must be treated as suspect. */
export function hiccupOf(span: Span): { readonly term: string; readonly day: number } {
  return { term: 'photo editor', day: lastDay(span) - 4 * 7 }
}

type Fit = { readonly app: SampleApp; readonly fit: number }
type Found = { readonly app: SampleApp; readonly listing: Listing }

/**
 * The relevance of apps for a term: words in the name count most. Pages are filled up, as at Apple, with other apps of the
 * same genre; a term without any match stays empty.
 */
function fitting(apps: readonly SampleApp[], country: SampleCountry, term: string): Fit[] {
  const sold = apps.filter((app) => app.storefronts.includes(country))
  const exact = sold.map((app) => ({ app, fit: textFit(app, country, term) })).filter(({ fit }) => fit > 0)
  const corners = new Set(exact.filter(({ fit }) => fit > nameOnly).map(({ app }) => cornerOf(app)))
  const fitted = new Set(exact.map(({ app }) => app))
  const related = sold.filter((app) => corners.has(cornerOf(app)) && !fitted.has(app))
  return [...exact, ...related.map((app) => ({ app, fit: 0.3 }))]
}

/** Only an app with the term in its name can reach this. */
const nameOnly = 3

function textFit(app: SampleApp, country: SampleCountry, term: string): number {
  const name = app.names[country].toLowerCase()
  const description = app.descriptions[country].toLowerCase()
  const weights = term.split(' ').map((word) => {
    if (name.includes(word)) return nameOnly
    return description.includes(word) ? 1 : 0
  })
  if (weights.some((weight) => weight === 0)) return 0
  const phrase = name.includes(term) ? 1.5 : description.includes(term) ? 0.7 : 0
  return phrase + weights.reduce<number>((sum, weight) => sum + weight, 0) / weights.length
}

/** The subgenre of a game, the genre of anything else. */
const cornerOf = ({ genreIds: [primary, second] }: SampleApp) => (primary === '6014' ? second : primary)

type Asked = {
  readonly country: SampleCountry
  readonly term: string
  readonly day: number
  readonly limit: number
}

/** The fake store's answer to a search, best first. */
export function searchResults(
  apps: readonly SampleApp[],
  asked: Asked,
  popularity: Popularity,
  span: Span,
): Found[] {
  return resultPage(fitting(apps, asked.country, asked.term), asked, popularity, span)
}

function resultPage(
  fits: readonly Fit[],
  { country, term, day, limit }: Asked,
  popularity: Popularity,
  span: Span,
): Found[] {
  const luck = dice(span.seed, 'search', country, term, day)
  return fits
    .map(({ app, fit }) => ({ app, score: 1.8 * fit + 0.9 * popularity(app, day) + 0.15 * luck.bell() }))
    .sort((a, b) => b.score - a.score)
    .flatMap(({ app }) => {
      const listing = listingOn(app, country, day)
      return listing ? [{ app, listing }] : []
    })
    .slice(0, limit)
}
