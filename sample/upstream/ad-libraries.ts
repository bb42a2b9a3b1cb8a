import { type Repository, repositoryAnswer } from '../ad-repository.ts'
import { appStoreAds } from '../app-store-ads.ts'
import { dayText } from '../calendar.ts'
import { adsInLibraries, type SamplePaidAd } from '../paid-ads.ts'
import { referenceAdvertiser } from '../reference-evidence.ts'
import { json, type UpstreamAnswer, type UpstreamRequest } from './answer.ts'
import type { MadeUpStore } from './made-up-store.ts'

/** The answer of an ad library, or undefined where the request is for none. */
export function adLibraryAnswer(
  store: MadeUpStore,
  { url, accept, body }: UpstreamRequest,
): UpstreamAnswer | undefined {
  const { pathname, searchParams } = url
  if (/^\/v[\d.]+\/ads_archive$/.test(pathname)) return json(metaPage(store, searchParams))
  if (pathname === '/v2/oauth/token/')
    return json(JSON.stringify({ access_token: 'clt.made-up', expires_in: 7_200, token_type: 'Bearer' }))
  if (pathname === '/v2/research/adlib/ad/query/') return json(tiktokPage(store, body))
  if (pathname === '/v2/research/adlib/advertiser/query/') return json(tiktokAdvertisers(store, body))
  if (pathname.startsWith('/api/v1/')) {
    const { status, body: told } = repositoryAnswer(repositoryOf(store), url, accept)
    return json(told, status)
  }
  return undefined
}

const repositories = new WeakMap<MadeUpStore, Repository>()

function repositoryOf(store: MadeUpStore): Repository {
  const known = repositories.get(store)
  if (known) return known
  const made = { today: () => store.today(), ads: appStoreAds(store.sampleApps, store.span) }
  repositories.set(store, made)
  return made
}

const adsOf = (store: MadeUpStore, platform: SamplePaidAd['platform']) => [
  ...adsInLibraries(store.sampleApps, store.span, store.today()).filter((ad) => ad.platform === platform),
  ...(platform === 'meta' ? referenceAds(store) : []),
]

/** Ads of the advertiser that the examples of the reference import. */
function referenceAds(store: MadeUpStore): SamplePaidAd[] {
  const lines = [
    'Small tides, every day',
    'One good morning at a time',
    'A habit that forgives',
    'Start with water',
  ]
  return lines.map((title, at) => ({
    platform: 'meta',
    archiveId: `112738495061${7284 + at}`,
    advertiser: referenceAdvertiser,
    creatives: [
      {
        title,
        text: 'Missed a day again? Tidepool forgives it. Start your free trial and keep the habit.',
        callToAction: 'Install Now',
        media: [],
      },
    ],
    startedOn: dayText(store.today() - 22 - at),
    active: true,
    countries: ['de', 'fr', 'ie'],
    publisherPlatforms: ['facebook', 'instagram'],
    languages: ['en'],
    observedAt: '',
  }))
}

const textOf = ({ creatives, advertiser }: SamplePaidAd) =>
  [advertiser.name, ...creatives.flatMap(({ title, text }) => [title, text])].join(' ').toLowerCase()

const hasWords = (ad: SamplePaidAd, term: string) => {
  const text = textOf(ad)
  return term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const lastDayOf = (ad: SamplePaidAd) => ad.endedOn ?? '9999'

function metaPage(store: MadeUpStore, asked: URLSearchParams): string {
  const list = (name: string): string[] => asked.get(name)?.match(/[\w-]+/g) ?? []
  const [pages, countries, languages] = [
    list('search_page_ids'),
    list('ad_reached_countries').map((country) => country.toLowerCase()),
    list('languages'),
  ]
  const [term, status] = [asked.get('search_terms'), asked.get('ad_active_status')]
  const [from, to] = [asked.get('ad_delivery_date_min') ?? '', asked.get('ad_delivery_date_max') ?? '9999']
  const found = adsOf(store, 'meta').filter(
    (ad) =>
      (pages.length === 0 || pages.includes(ad.advertiser.id)) &&
      (countries.includes('all') || ad.countries.some((country) => countries.includes(country))) &&
      (languages.length === 0 || ad.languages.some((language) => languages.includes(language))) &&
      (term === null || hasWords(ad, term)) &&
      (status === 'ALL' || ad.active === (status === 'ACTIVE')) &&
      lastDayOf(ad) >= from &&
      ad.startedOn <= to,
  )
  const start = placeIn(asked.get('after'))
  const end = start + Number(asked.get('limit') ?? 25)
  const paging = {
    cursors: { after: `at-${end}` },
    ...(end < found.length && { next: 'https://sample.invalid/next' }),
  }
  return JSON.stringify({ data: found.slice(start, end).map(metaAd), paging })
}

/** The start of a page, from the cursor of the previous one. */
const placeIn = (cursor: string | null | undefined) => Number(cursor?.replace('at-', '') ?? 0)

const metaAd = (ad: SamplePaidAd) => ({
  id: ad.archiveId,
  ad_creation_time: ad.startedOn,
  ad_creative_bodies: ad.creatives.map(({ text }) => text),
  ad_creative_link_titles: ad.creatives.map(({ title }) => title),
  ad_delivery_start_time: ad.startedOn,
  ...(ad.endedOn && { ad_delivery_stop_time: ad.endedOn }),
  languages: ad.languages,
  page_id: ad.advertiser.id,
  page_name: ad.advertiser.name,
  publisher_platforms: ad.publisherPlatforms,
  eu_total_reach: 1_000 + (Number(ad.archiveId.slice(-5)) % 90_000),
})

interface TiktokQuestion {
  filters: { ad_published_date_range?: { min?: string; max?: string }; country_code?: string }
  search_term?: string
  max_count?: number
  search_id?: string
}

function tiktokPage(store: MadeUpStore, body: string): string {
  const { filters, search_term: term, max_count: most = 10, search_id } = JSON.parse(body) as TiktokQuestion
  const ids = /"advertiser_business_ids":\[([\d,]*)\]/.exec(body)?.[1]?.split(',')
  const country = filters.country_code?.toLowerCase() ?? 'all'
  const { min = '', max = '9999' } = filters.ad_published_date_range ?? {}
  const found = adsOf(store, 'tiktok').filter(
    (ad) =>
      (term === undefined ? !ids || ids.includes(ad.advertiser.id) : hasWords(ad, term)) &&
      (country === 'all' || ad.countries.includes(country)) &&
      compact(lastDayOf(ad)) >= min &&
      compact(ad.startedOn) <= max,
  )
  const start = placeIn(search_id)
  const end = start + most
  const ads = found.slice(start, end).map((ad) => tiktokAd(ad, dayText(store.today())))
  return `{"data":{"ads":[${ads.join()}],"has_more":${end < found.length},"search_id":"at-${end}"},"error":{"code":"ok"}}`
}

const compact = (day: string) => day.replaceAll('-', '')

/** Ids are numbers there and exceed the range of JavaScript numbers, so the text is assembled by hand. */
function tiktokAd(ad: SamplePaidAd, today: string): string {
  const media = ad.creatives.flatMap((creative) => creative.media)
  const shown = {
    first_shown_date: compact(ad.startedOn),
    last_shown_date: compact(ad.endedOn ?? today),
    status: ad.active ? 'active' : 'inactive',
    videos: media.filter(({ kind }) => kind === 'video').map(({ url }) => ({ url })),
    image_urls: media.filter(({ kind }) => kind === 'image').map(({ url }) => url),
    reach: { unique_users_seen: `${1 + (Number(ad.archiveId.slice(-4)) % 90)}K` },
  }
  const advertiser = { business_name: ad.advertiser.name, paid_for_by: ad.advertiser.name }
  const withId = (name: string, id: string, more: object) => `{"${name}":${id},${JSON.stringify(more).slice(1)}`
  return `{"ad":${withId('id', ad.archiveId, shown)},"advertiser":${withId('business_id', ad.advertiser.id, advertiser)}}`
}

function tiktokAdvertisers(store: MadeUpStore, body: string): string {
  const { search_term: text, max_count: most = 50 } = JSON.parse(body) as {
    search_term: string
    max_count?: number
  }
  const found = new Map(
    adsOf(store, 'tiktok')
      .filter(({ advertiser }) => advertiser.name.toLowerCase().includes(text.toLowerCase()))
      .map((ad) => [
        ad.advertiser.id,
        {
          business_id: ad.advertiser.id,
          business_name: ad.advertiser.name,
          country_code: ad.countries[0]?.toUpperCase(),
        },
      ]),
  )
  return JSON.stringify({ data: { advertisers: [...found.values()].slice(0, most) }, error: { code: 'ok' } })
}
