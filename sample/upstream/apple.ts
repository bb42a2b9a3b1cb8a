import type { SampleApp } from '../app.ts'
import { chartOrder, type SampleChart } from '../charts.ts'
import type { SampleCountry } from '../document.ts'
import { hintsAfter, suggestions } from '../hints.ts'
import { itunesAnswer, itunesRecord } from '../itunes-record.ts'
import { listingOn } from '../listing.ts'
import { legacyFeed } from '../rss-legacy.ts'
import { feedV2 } from '../rss-v2.ts'
import { sampleTerms, searchResults } from '../searches.ts'
import { html, json, missing, type UpstreamAnswer, type UpstreamRequest, xml } from './answer.ts'
import { appPage } from './app-page.ts'
import { type MadeUpStore, madeUpCountry } from './made-up-store.ts'

/** What Apple would answer, or undefined where the request is none of Apple's. */
export function appleAnswer(
  store: MadeUpStore,
  { url, storefront }: UpstreamRequest,
): UpstreamAnswer | undefined {
  const { pathname, searchParams } = url
  const country = madeUpCountry(searchParams.get('country') ?? 'us')
  if (pathname === '/search') return json(country ? search(store, country, searchParams) : itunesAnswer([]))
  if (pathname === '/lookup') return json(country ? lookup(store, country, searchParams) : itunesAnswer([]))
  if (pathname.endsWith('/wa/hints')) return xml(hints(store, storefront, searchParams.get('term') ?? ''))
  const legacy = /^\/([a-z]{2})\/rss\/([a-z]+)\/limit=(\d+)(?:\/genre=(\d+))?\/json$/.exec(pathname)
  if (legacy) return json(legacyChart(store, legacy))
  const newer = /^\/api\/v2\/([a-z]{2})\/apps\/(top-free|top-paid)\/(\d+)\/apps\.json$/.exec(pathname)
  if (newer) return json(newerChart(store, newer))
  const page = /^\/([a-z]{2})\/app\/(?:[^/]+\/)?id(\d+)$/.exec(pathname)
  return page ? pageOf(store, page) : undefined
}

/** What Apple answers at most. */
const mostResults = 200
const mostCharted = 100

function search(store: MadeUpStore, country: SampleCountry, asked: URLSearchParams): string {
  const term = (asked.get('term') ?? '').toLowerCase()
  const limit = Math.min(Number(asked.get('limit') ?? 50), mostResults)
  const options = { country, term, day: store.today(), limit }
  const found = searchResults(store.apps, options, store.popularity(country), store.span)
  return itunesAnswer(found.map(({ app, listing }) => itunesRecord(app, country, listing)))
}

function lookup(store: MadeUpStore, country: SampleCountry, asked: URLSearchParams): string {
  const ids = new Set((asked.get('id') ?? '').split(','))
  const bundleId = asked.get('bundleId')?.toLowerCase()
  const wanted = store.apps.filter((app) => ids.has(String(app.storeId)) || app.bundleId === bundleId)
  return itunesAnswer(
    wanted.flatMap((app) => {
      const listing = listingOn(app, country, store.today())
      return listing ? [itunesRecord(app, country, listing)] : []
    }),
  )
}

const storefronts: Readonly<Record<string, SampleCountry>> = { 143441: 'us', 143462: 'jp', 143443: 'de' }

/** As Apple does, it suggests nothing to whoever does not name a storefront. */
function hints({ apps, span }: MadeUpStore, storefront: string, typed: string): string {
  const country = storefronts[/^\d+/.exec(storefront)?.[0] ?? '']
  const terms = sampleTerms.find((market) => market.country === country)?.terms ?? []
  return hintsAfter(typed.toLowerCase(), country ? suggestions(apps, country, terms, span) : [])
}

function legacyChart(store: MadeUpStore, [, cc = '', feed = '', limit, genreId = '36']: RegExpExecArray) {
  const country = madeUpCountry(cc)
  const [, kind = ''] = /^top(free|paid|grossing)/.exec(feed) ?? []
  const forTablets = feed.includes('ipad')
  const apps = country ? charted(store, country, `top-${kind}` as SampleChart['kind'], genreId) : []
  const shown = apps.filter((app) => !forTablets || app.forTablets).slice(0, mostCharted)
  const asked = { day: store.today(), limit: Number(limit), kind: feed, genreId }
  return JSON.stringify(legacyFeed(country ? shown : [], { ...asked, country: country ?? 'us' }, cc))
}

function newerChart(store: MadeUpStore, [, cc = '', kind = '', limit]: RegExpExecArray): string {
  const country = madeUpCountry(cc)
  const apps = country ? charted(store, country, kind as SampleChart['kind'], '36') : []
  const asked = { day: store.today(), limit: Number(limit), kind, country: country ?? 'us' }
  return JSON.stringify(feedV2(apps.slice(0, Number(limit)), asked, cc))
}

const charted = (
  store: MadeUpStore,
  country: SampleCountry,
  kind: SampleChart['kind'],
  genreId: string,
): SampleApp[] => chartOrder({ kind, genreId }, store.ranked(country), store.today())

function pageOf(store: MadeUpStore, [, cc = '', storeId]: RegExpExecArray): UpstreamAnswer {
  const country = madeUpCountry(cc)
  const app = store.apps.find((each) => String(each.storeId) === storeId)
  const listing = country && app && listingOn(app, country, store.today())
  return listing ? html(appPage(store, app, country, listing)) : missing
}
