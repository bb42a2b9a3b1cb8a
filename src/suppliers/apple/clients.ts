import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import {
  defaultWaits,
  type PoliteSource,
  politeSource,
  type RateLimiter,
  type UpstreamPolicy,
  type WaitTimes,
} from '../../sources/polite/polite-source.ts'
import type { AppleUpstream, ChartFeedChoice, SourcesSettings } from '../../sources/settings.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { chartRow } from '../../vocabulary/chart-kinds.ts'
import { type LocalizationCode, localizationOf, storefrontOf } from '../../vocabulary/storefronts.ts'
import { type CollectedPayload, collectPayload, type Question } from '../collected-payload.ts'
import { legacyFeed } from './chart-feeds.ts'

/** All clients of Apple's services. */
export interface AppleClients extends ItunesClient, ChartClient, HintsClient, AppPageClient, SearchPageClient {}

/** Clients of the same upstream share its pace, circuit breakers and settings. */
export function appleClients(
  settings: SourcesSettings,
  rateLimiter: RateLimiter,
  waits: WaitTimes = defaultWaits,
): AppleClients {
  const source = (name: AppleUpstream) => politeSource(name, settings[name], policy[name], rateLimiter, waits)
  return {
    ...itunesClient(source('itunes')),
    ...chartClient({
      v2: source('apple-rss'),
      legacy: source('apple-rss-legacy'),
      chartFeed: settings.chartFeed,
    }),
    ...hintsClient(source('apple-search-hints')),
    ...appPageClient(source('app-store-page')),
    ...searchPageClient(source('app-store-search')),
  }
}

/**
 * The iTunes servers answer 403 without `Retry-After` when they are asked too often (observed by several clients of Search
 * and Lookup). On the web site and the marketing feeds a 403 has been observed to be permanent.
 */
const policy: Record<AppleUpstream, UpstreamPolicy> = {
  itunes: { forbiddenMeans: 'throttled' },
  'apple-rss': { forbiddenMeans: 'refused' },
  'apple-rss-legacy': { forbiddenMeans: 'throttled' },
  'apple-search-hints': { forbiddenMeans: 'throttled' },
  'app-store-page': { forbiddenMeans: 'refused', keepsNotFound: true },
  'app-store-search': { forbiddenMeans: 'refused' },
}

/** The page of an app on the App Store's web site: subtitle, previews, and the apps Apple shows beside it. */
interface AppPageClient {
  /**
   * @param storeId digits
   * @param language another one than the storefront's own; the page has to name it
   * @throws SourceFailure (`not-found` where the storefront has no such app), or UnknownStorefrontError before anything
   * is asked
   */
  page(
    storeId: string,
    country: string,
    signal: AbortSignal,
    language?: LocalizationCode,
  ): Promise<CollectedPayload>
}

function appPageClient(appStore: PoliteSource): AppPageClient {
  return {
    async page(storeId, country, signal, language) {
      storefrontOf(country)
      if (!/^\d{1,19}$/.test(storeId)) throw new RangeError(`"${storeId}" is not the id of an app`)
      return collectPayload(appStore, 'app-store-page', pageQuestion(storeId, country, language), {
        path: `/${country}/app/id${storeId}${language ? `?l=${localizationOf(language).page}` : ''}`,
        headers: { accept: 'text/html' },
        signal,
      })
    },
  }
}

/** The search page of the App Store's web site, for iPhone. */
interface SearchPageClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  searchPage(term: string, country: string, signal: AbortSignal): Promise<CollectedPayload>
}

function searchPageClient(appStore: PoliteSource): SearchPageClient {
  return {
    async searchPage(term, country, signal) {
      storefrontOf(country)
      return collectPayload(appStore, 'app-store-search', searchPageQuestion(term, country), {
        path: `/${country}/iphone/search?${new URLSearchParams({ term })}`,
        headers: { accept: 'text/html' },
        signal,
      })
    },
  }
}

/** Apple's charts, best rank first. */
interface ChartClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  chart(identity: ChartIdentity, signal: AbortSignal): Promise<CollectedPayload>
}

export interface ChartSources {
  v2: PoliteSource
  legacy: PoliteSource
  /** The feed for charts that both feeds carry. */
  chartFeed: ChartFeedChoice
}

function chartClient({ v2, legacy, chartFeed }: ChartSources): ChartClient {
  return {
    async chart(identity, signal) {
      storefrontOf(identity.country)
      const newer = chartFeed === 'v2' && isInV2(identity)
      const [upstream, source, path] = newer
        ? [v2, 'apple-rss-v2' as const, v2Path(identity)]
        : [legacy, 'apple-rss-legacy' as const, legacyPath(identity)]
      const headers = { accept: 'application/json' }
      return collectPayload(upstream, source, chartQuestion(identity), { path, headers, signal })
    },
  }
}

/** The newer feed has no genres, no iPad and not every chart. */
export const isInV2 = ({ categoryId, device, kind }: ChartIdentity) =>
  categoryId === wholeStore && device === 'iphone' && chartRow(kind).inNewerFeed === true

const wholeStore = 36

/** Requests for more than 100 apps fail. */
const v2Path = ({ country, kind }: ChartIdentity) => `/api/v2/${country}/apps/${kind}/100/apps.json`

/** 200 are requested, though Apple has been observed to return at most 100: the depth is the number returned. */
function legacyPath({ country, kind, device, categoryId }: ChartIdentity): string {
  const genre = categoryId === wholeStore ? '' : `/genre=${categoryId}`
  return `/${country}/rss/${legacyFeed(kind, device)}/limit=200${genre}/json`
}

/** Apple's search suggestions while a term is typed. */
interface HintsClient {
  /** @throws SourceFailure, or UnknownStorefrontError before anything is asked */
  hints(term: string, country: string, signal: AbortSignal): Promise<CollectedPayload>
}

/** Without the storefront header every answer is empty; 1 means English texts around the hints, 29 an iPhone. */
const storefrontHeader = (country: string) => `${storefrontOf(country).appleNumber}-1,29`

function hintsClient(searchHints: PoliteSource): HintsClient {
  return {
    hints: async (term, country, signal) =>
      collectPayload(searchHints, 'apple-search-hints', hintsQuestion(term, country), {
        path: `/WebObjects/MZSearchHints.woa/wa/hints?${new URLSearchParams({ clientApplication: 'Software', term })}`,
        headers: { accept: 'text/xml, application/xml', 'x-apple-store-front': storefrontHeader(country) },
        signal,
      }),
  }
}

interface SearchAsk {
  term: string
  /** Storefront, ISO 3166-1 alpha-2 in lower case. */
  country: string
  /** 1 to `mostResults`. */
  limit?: number
  /** In Apple's form, such as `en_us`; the storefront's own when left out. */
  language?: string
}

/** The most places a search returns. */
export const mostResults = 200

/** Most ids of one Lookup call. Apple accepts more, but documents no limit. */
export const lookupBatch = 50

/** The iTunes Search and Lookup APIs: iOS apps only, apps in the order of the answer. */
interface ItunesClient {
  search(ask: SearchAsk, signal: AbortSignal): Promise<CollectedPayload>
  /** Apps not sold in the storefront are missing from the answer. At most `lookupBatch` ids. */
  /** @param language another one than the storefront's own; no answer names it */
  lookup(
    storeIds: readonly string[],
    country: string,
    signal: AbortSignal,
    language?: LocalizationCode,
  ): Promise<CollectedPayload>
  lookupBundle(bundleId: string, country: string, signal: AbortSignal): Promise<CollectedPayload>
}

/** Every call throws SourceFailure, or UnknownStorefrontError before anything is asked. */
function itunesClient(itunes: PoliteSource): ItunesClient {
  async function ask(
    source: 'itunes-search' | 'itunes-lookup',
    question: Question,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<CollectedPayload> {
    const { country } = question
    storefrontOf(country)
    const path = source === 'itunes-search' ? '/search' : '/lookup'
    return collectPayload(itunes, source, question, {
      path: `${path}?${new URLSearchParams({ ...query, country, entity: 'software' })}`,
      headers: { accept: 'application/json, text/javascript' },
      signal,
    })
  }

  return {
    search: async ({ term, country, limit = mostResults, language }, signal) => {
      if (!Number.isInteger(limit) || limit < 1 || limit > mostResults)
        throw new RangeError(`a search has 1 to ${mostResults} results`)
      const query = { term, media: 'software', limit: String(limit), ...(language ? { lang: language } : {}) }
      return ask('itunes-search', searchQuestion(term, country, limit), query, signal)
    },
    lookup: async (storeIds, country, signal, language) => {
      if (storeIds.length === 0 || storeIds.length > lookupBatch)
        throw new RangeError(`a lookup names 1 to ${lookupBatch} apps`)
      const query = { id: storeIds.join(','), ...(language ? { lang: lookupTag(language) } : {}) }
      return ask('itunes-lookup', lookupQuestion(country, { storeIds, language }), query, signal)
    },
    lookupBundle: async (bundleId, country, signal) =>
      ask('itunes-lookup', lookupQuestion(country), { bundleId }, signal),
  }
}

/** Apple documents `en_us` and `ja_jp` alone: a language and a region in lower case. */
const lookupTag = (language: LocalizationCode) => {
  const { language: tongue, region } = new Intl.Locale(language).maximize()
  return `${tongue}_${region}`.toLowerCase()
}

/** Requests to Apple, as they are stored with the answer. */
export const lookupQuestion = (
  country: string,
  { storeIds, language }: { storeIds?: readonly string[]; language?: LocalizationCode | undefined } = {},
): Question =>
  question('itunes-lookup', country, {
    ...(storeIds ? { storeIds: [...storeIds] } : {}),
    ...(language ? { language } : {}),
  })

/** @param requested number of places */
export const searchQuestion = (term: string, country: string, requested: number): Question =>
  question('itunes-search', country, { term, requested })

export const hintsQuestion = (term: string, country: string): Question =>
  question('search-hints', country, { term })

export const searchPageQuestion = (term: string, country: string): Question =>
  question('app-store-search', country, { term })

export const pageQuestion = (storeId: string, country: string, language?: LocalizationCode): Question =>
  question('app-page', country, { storeId, ...(language ? { language } : {}) })

/** The same for an answer that there is no such page. */
export const missingPageQuestion = (storeId: string, country: string): Question =>
  question('app-page', country, { storeId, notFound: true })

export const chartQuestion = ({ country, kind, categoryId, device }: ChartIdentity): Question =>
  question('chart-feed', country, { chart: { country, kind, categoryId, device } })

function question(format: Question['format'], country: string, more: Partial<ReadingContext> = {}): Question {
  return { format, country, context: { layout: 'document', country, ...more } }
}
