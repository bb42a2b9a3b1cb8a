import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { adsOnFile } from './support/ads-on-file.ts'
import { collected } from './support/collected.ts'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { importPosts, madePost } from './support/posts.ts'
import { callsAbout, type Subjects } from './support/reads.ts'
import { storePages, storeSuggestions } from './support/result-pages.ts'
import { track } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

/**
 * An app that only the US storefront shows, with evidence of every kind there. Whatever tells it from others is one of
 * these marks: a word in every text, years in every time, and numbers that nothing else has.
 */
const quagga = '700700'
const marks = [/quagga/i, /2024-0/, /7133/, /71\.33/]
const at = (day: number, hour = 12) => new Date(Date.UTC(2024, 2, day, hour)).toISOString()
/** The same, of evidence that the asked storefront has too. */
const later = (day: number) => new Date(Date.UTC(2026, 2, day, 12)).toISOString()
const ios = { platform: 'ios', storeId: quagga }

let world: World
const folder = openFolder()
const tracked: Record<string, string> = {}

before(async () => {
  world = await openWorld()
  await usEvidence()
  await gbEvidence()
  for (const country of ['us', 'gb'])
    tracked[country] = (await track(world, quagga, ['stripes'], { country })).appId
})
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const listing = {
  trackId: Number(quagga),
  trackName: 'Quagga Stripes',
  subtitle: 'Quagga counting',
  artistName: 'Quagga Works',
  artistId: 71330001,
  sellerName: 'Quagga Works Ltd',
  sellerUrl: 'https://quagga.example.com/',
  bundleId: 'com.example.quagga',
  artworkUrl512: 'https://is1-ssl.mzstatic.com/image/thumb/quagga/512x512bb.jpg',
  description: 'Quagga stripes for meditation, habits and sleep.',
  releaseNotes: 'Quagga fixes.',
  version: '7133.1',
  price: 71.33,
  primaryGenreId: 6013,
  primaryGenreName: 'Health & Fitness',
  genreIds: ['6013'],
  averageUserRating: 4.7133,
  userRatingCount: 713300,
  averageUserRatingForCurrentVersion: 3.7133,
  userRatingCountForCurrentVersion: 71337,
  releaseDate: '2024-01-01T08:00:00Z',
  currentVersionReleaseDate: '2024-03-01T08:00:00Z',
  fileSizeBytes: '713300000',
  minimumOsVersion: '7133.0',
  screenshotUrls: ['https://is1-ssl.mzstatic.com/image/thumb/quagga/392x696bb.jpg'],
}

async function usEvidence() {
  await storeListings(world, [
    { ...listing, observedAt: at(1), trackName: 'Quagga of old', version: '7133.0', userRatingCount: 713000 },
    { ...listing, observedAt: at(20) },
    {
      trackId: 700701,
      trackName: 'Quagga Friend',
      observedAt: at(20),
      description: 'Quagga stripes for meditation.',
    },
  ])
  await storePages(world, [
    { term: 'stripes', observedAt: at(10), apps: [listing, { trackId: 700701, trackName: 'Quagga Friend' }] },
    { term: 'stripes', observedAt: at(20), apps: [{ trackId: 700701, trackName: 'Quagga Friend' }, listing] },
  ])
  await storeSuggestions(world, { typed: 'stripes', observedAt: at(20), terms: ['quagga stripes'] })
  await storeApplePage('us', at(21), quagga, ['700701'])
  await storeCharts('us', [at(19), at(20)], [quagga, '700701'])
  await refreshEstimates(world.store.db, { storeId: quagga, country: 'us' }, new Date(at(21)))
  await importPosts(world, [madePost('71330', { text: `Striped: https://apps.apple.com/us/app/id${quagga}` })])
  await using ads = adsOnFile(world)
  await ads.import({
    archiveId: '71330',
    creatives: [
      { title: 'Stripes', text: 'Count them', linkUrl: `https://apps.apple.com/us/app/id${quagga}`, media: [] },
    ],
  })
}

/** Other apps of the storefront, so that its lists hold something, and pages and charts that the app is not on. */
async function gbEvidence() {
  const others = [901, 902].map((trackId) => ({
    trackId,
    trackName: `Stripes of ${trackId}`,
    userRatingCount: 5,
  }))
  await storeListings(
    world,
    others.map((app) => ({
      ...app,
      country: 'gb',
      observedAt: later(1),
      description: 'For meditation and sleep.',
    })),
  )
  await storePages(world, [{ term: 'stripes', country: 'gb', observedAt: later(2), apps: others }])
  await storeCharts('gb', [later(1), later(2)], ['901', '902'])
}

async function storeApplePage(country: string, observedAt: string, storeId: string, beside: readonly string[]) {
  const lockup = (id: string) => ({ adamId: id, title: `Quagga ${id}` })
  const shelfMapping = { similarItems: { items: beside.map(lockup) } }
  const data = { data: [{ intent: { id: storeId }, data: { lockup: lockup(storeId), shelfMapping } }] }
  const bytes = Buffer.from(`<script id="serialized-server-data">${JSON.stringify(data)}</script>`)
  await storeReadings(world.store.db, [collected('app-page', bytes, { country, storeId }, observedAt)])
}

async function storeCharts(country: string, times: readonly string[], ids: readonly string[]) {
  const places = times.flatMap((capturedAt) =>
    ['36', '6013'].flatMap((category) =>
      ids.map((id, index) => ({
        country,
        chart: 'top-free',
        category,
        capturedAt,
        rank: index + 1,
        id: Number(id),
        name: country === 'us' ? `Quagga ${id}` : `Stripes of ${id}`,
      })),
    ),
  )
  const path = folder.write(`${country}.json`, JSON.stringify(places))
  assert.equal((await world.import({ kind: 'charts', paths: [path] })).rejected, 0)
}

/** What reads are asked about. */
const subjects = (country: string): Subjects => ({
  storeId: [{ storeId: quagga }],
  query: [{ query: 'stripes' }],
  appId: [{ appId: tracked[country] }],
  rivalStoreId: ['901', '700701'].map((rivalStoreId) => ({ rivalStoreId })),
})

/** What of reads does not follow from their arguments, and writes. */
const more: Partial<Record<Tool, object[]>> = {
  search_competitors: ['quagga', 'stripes', quagga, 'com.example.quagga'].map((q) => ({ q })),
  request_competitor_data: [{ ...ios, kinds: ['record'] }],
  request_ios_competitor: [{ app: quagga }],
  discover_emerging_ios_competitors: [{}],
  refresh_competitor_estimates: [ios],
  get_apple_charts: ['36', '6013'].map((categoryId) => ({ chart: 'top-free', categoryId })),
  search_paid_ads: [{ competitor: [quagga] }],
  admin_search_paid_ad_advertisers: [{ platform: 'meta', q: 'tidepool' }],
  track_aso_app: [{ app: quagga, role: 'own' }],
  search_ios_apps: ['stripes', 'quagga'].map((term) => ({ term, live: false })),
  refresh_aso_keyword: [{ query: 'stripes' }],
}

const takesCountry = ({ params, query, body }: Operation) =>
  [params, query, body].some((part) => part && 'country' in part.shape)
/** Every operation that takes a country, or is bound to the one an app is tracked in. */
const ofStorefront = (Object.entries(contract) as [Tool, Operation][]).filter(
  ([, operation]) => takesCountry(operation) || (operation.method === 'GET' && operation.params?.shape.appId),
)

/** The calls of an operation about the app. */
const asked = (tool: Tool, country: string) =>
  [...(contract[tool].method === 'GET' ? callsAbout(tool, subjects(country)) : []), ...(more[tool] ?? [])].map(
    (call) => (takesCountry(contract[tool]) ? { ...call, country } : { ...call }),
  )

/** Operations of ads take the country of delivery, which is no storefront. */
const ofNoStorefront = ['search_paid_ads', 'admin_search_paid_ad_advertisers']

/** Parts of replies that belong to no storefront, by where they stand. */
const storefrontLess = [/(^|\.)moves\.(ads|posts)\./, /^counts\.(posts|paidAds)/, /^freshness\.\d+\.evidence/]

interface Leaf {
  path: string
  value: unknown
}

/** Every value of a reply, but for the names that say of which storefront they are, and `alsoIn`. */
function leaves(value: unknown, country: string, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path: path.join('.'), value }]
  const named = 'namedIn' in value && value.namedIn !== null && value.namedIn !== country
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'alsoIn' || (named && ['namedIn', ...identity].includes(name))) return []
    return leaves(inner, country, [...path, name])
  })
}
const identity = ['name', 'developer', 'iconUrl']

/** What was sent comes back: it is the caller's and no storefront's. */
const echoed = /^(q|term|app|given|storeId|detail)$/

function strangers(body: unknown, country: string): Leaf[] {
  return leaves(body, country).filter(
    ({ path, value }) =>
      !storefrontLess.some((part) => part.test(path)) &&
      !echoed.test(path.split('.').at(-1) ?? '') &&
      marks.some((mark) => mark.test(String(value))),
  )
}

test('the storefront that has the app tells all of it', async () => {
  for (const tool of [
    'get_competitor',
    'get_competitor_aso',
    'get_competitor_media',
    'get_similar_competitors',
  ] as const)
    for (const input of asked(tool, 'us')) {
      const { status, body } = await world.call(tool, input)
      assert.equal(status, 200, tool)
      assert.notDeepEqual(strangers(body, 'gb'), [], `${tool} shows nothing of the US`)
    }
})

for (const [tool] of ofStorefront)
  test(`${tool} of a storefront shows no value of another`, async () => {
    const calls = asked(tool, 'gb')
    assert.ok(calls.length > 0, 'it is asked nowhere')
    for (const input of calls) {
      const { status, body } = await world.call(tool, input)
      assert.ok(status < 300, `${tool} ${JSON.stringify(input)}: ${status} ${JSON.stringify(body)}`)
      if (ofNoStorefront.includes(tool)) continue
      assert.deepEqual(strangers(body, 'gb'), [], `${tool} ${JSON.stringify(input)}`)
      if ('country' in body) assert.equal(body.country, 'gb')
    }
  })

/** The statements that go over the wire while something is done, by their texts. */
async function statementsDuring(t: TestContext, act: () => Promise<unknown>): Promise<string[]> {
  const sent = t.mock.method(Client.prototype, 'query')
  await act()
  const texts = sent.mock.calls.map(({ arguments: [query] }: { arguments: unknown[] }) =>
    typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query),
  )
  sent.mock.restore()
  // The limit of the account is looked up anew after a second, whatever is asked.
  return texts.filter((text) => !/pgboss|most_requests_per_minute/.test(text))
}

test('the whole record of an app takes nine statements at most, from a key that was never seen to the reply, and one while it is remembered', async (t) => {
  const key = await world.key()
  const record = (country: string) => () => world.call('get_competitor', { ...ios, country }, { key })
  await world.call('get_competitor', ios)
  await countChange(world.store.db, ['other'])
  const first = await statementsDuring(t, record('us'))
  assert.equal(first.filter((text) => /from api_keys/.test(text)).length, 1)
  assert.ok(first.length <= 9, `${first.length} statements:\n${first.join('\n')}`)
  const elsewhere = await statementsDuring(t, record('gb'))
  assert.equal(
    elsewhere.length,
    first.length - 1,
    'the key is remembered, however little is known of the storefront',
  )
  const again = await statementsDuring(t, record('us'))
  assert.equal(again.length, 1, again.join('\n'))
})
