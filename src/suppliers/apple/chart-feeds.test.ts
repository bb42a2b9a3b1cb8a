import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ChartFeed, chartAddress, isChartFeed, readChartFeed } from './chart-feeds.ts'

const legacy = (
  entry: unknown,
  address = 'https://itunes.apple.com/de/rss/toppaidapplications/limit=25/genre=6015/json',
) => ({
  feed: {
    id: { label: address },
    updated: { label: '2026-02-17T06:30:00-07:00' },
    ...(entry === undefined ? {} : { entry }),
  },
})
const entry = (more: object = {}) => ({
  'im:name': { label: 'Pocket Orchard' },
  'im:image': [{ label: 'https://pictures.example/53.png' }, { label: 'https://pictures.example/100.png' }],
  summary: { label: 'Grow trees &amp; shrubs.' },
  'im:price': { label: '2,99 €', attributes: { amount: '2.99000', currency: 'EUR' } },
  'im:artist': { label: 'Windfall', attributes: { href: 'https://apps.apple.com/de/developer/windfall/id44' } },
  id: { label: 'x', attributes: { 'im:id': '701', 'im:bundleId': 'example.orchard' } },
  category: { attributes: { 'im:id': '6002', term: 'Utilities' } },
  'im:releaseDate': { label: '2019-05-01T00:00:00-07:00', attributes: { label: '1. Mai 2019' } },
  ...more,
})
const newer = (results: unknown, id: string, updated: string) => ({ feed: { id, updated, results } })
const result = (more: object = {}) => ({
  id: '801',
  name: 'Pocket Orchard',
  artistName: 'Windfall',
  artistId: '44',
  releaseDate: '2019-05-01',
  artworkUrl100: 'https://pictures.example/100x100bb.png',
  genres: [{ genreId: '6002', name: 'Utilities' }, { genreId: '6007' }],
  ...more,
})

function feedOf(document: unknown): ChartFeed {
  const feed = readChartFeed(document)
  assert.ok(!('reason' in feed), JSON.stringify(feed))
  return feed
}
const sightings = (feed: ChartFeed) =>
  feed.entries.map((one) => ('sighting' in one ? one.sighting.storeId : one.reason))
const hintsOf = (feed: ChartFeed) => {
  const [first] = feed.entries
  return first && 'sighting' in first ? first.sighting.hints : undefined
}

test('the feed with genres names its chart, genre, depth and time', () => {
  const feed = feedOf(legacy([entry()]))
  assert.deepEqual(
    { ...feed, entries: feed.entries.length },
    {
      source: 'apple-rss-legacy',
      identity: { country: 'de', kind: 'top-paid', categoryId: 6015, device: 'iphone' },
      requested: 25,
      updatedAt: '2026-02-17T13:30:00.000Z',
      entries: 1,
    },
  )
})

test('an entry states name and developer, and hints at the rest', () => {
  const [first] = feedOf(legacy([entry()])).entries
  assert.deepEqual(first, {
    sighting: {
      storeId: '701',
      listing: { name: 'Pocket Orchard', developer: 'Windfall' },
      hints: {
        developerId: '44',
        bundleId: 'example.orchard',
        price: 2.99,
        currency: 'EUR',
        iconUrl: 'https://pictures.example/100.png',
        primaryCategoryId: 6002,
        categoryIds: [6002],
        releasedAt: '2019-05-01T07:00:00.000Z',
        description: 'Grow trees & shrubs.',
      },
    },
  })
})

test('what an entry does not say, or says so that it cannot be read, it does not hint at', () => {
  const odd = entry({
    summary: undefined,
    'im:price': { attributes: { amount: '', currency: 'EUR' } },
    'im:artist': { label: '' },
    'im:image': [],
    category: {},
    'im:releaseDate': { label: 'soon' },
    id: { attributes: { 'im:id': 701 } },
  })
  assert.deepEqual(feedOf(legacy([odd])).entries, [
    { sighting: { storeId: '701', listing: { name: 'Pocket Orchard' }, hints: {} } },
  ])
})

test('one entry is an object and none is missing', () => {
  assert.deepEqual(sightings(feedOf(legacy(entry()))), ['701'])
  assert.deepEqual(sightings(feedOf(legacy(undefined))), [])
  assert.deepEqual(sightings(feedOf(legacy(null))), [])
  assert.deepEqual(sightings(feedOf(newer([], '/api/v2/us/apps/top-free/50/apps.json', ''))), [])
})

test('an entry that cannot be read keeps its place, and says why', () => {
  const feed = feedOf(legacy([entry(), entry({ id: {} }), null, entry({ 'im:name': { label: ' ' } })]))
  assert.equal(feed.entries.length, 4)
  assert.deepEqual(
    feed.entries.map((one) => ('reason' in one ? one.reason.split(':')[0] : 'read')),
    ['read', 'id.attributes', 'entry', 'im'],
  )
})

test('the newest feed is the overall chart, with a time as mail writes it', () => {
  const feed = feedOf(
    newer(
      [result()],
      'https://rss.applemarketingtools.com/api/v2/jp/apps/top-free/50/apps.json',
      'Sun, 1 Mar 2026 12:00:00 +0900',
    ),
  )
  assert.deepEqual(
    [feed.source, feed.identity, feed.requested, feed.updatedAt],
    [
      'apple-rss-v2',
      { country: 'jp', kind: 'top-free', categoryId: 36, device: 'iphone' },
      50,
      '2026-03-01T03:00:00.000Z',
    ],
  )
  assert.deepEqual(hintsOf(feed), {
    developerId: '44',
    iconUrl: 'https://pictures.example/100x100bb.png',
    releasedAt: '2019-05-01T00:00:00.000Z',
    primaryCategoryId: 6002,
    categoryIds: [6002, 6007],
  })
})

test('a time that cannot be read is none', () => {
  for (const updated of ['', 'yesterday', '2026-02-30T00:00:00Z', 'Sun, 99 Mar 2026'])
    assert.equal(feedOf(newer([], '/api/v2/us/apps/top-free/50/apps.json', updated)).updatedAt, undefined)
})

test('addresses of all three feeds name their chart, wherever they stand in a text', () => {
  const named = (text: string) => {
    const address = chartAddress(text)
    return 'reason' in address
      ? address.reason
      : [...Object.values(address.identity), address.requested].join(' ')
  }
  assert.equal(
    named('see https://itunes.apple.com/us/rss/topfreeapplications/limit=100/genre=6000/json now'),
    'us top-free 6000 iphone 100',
  )
  assert.equal(
    named('https://itunes.apple.com/GB/rss/topgrossingipadapplications/json'),
    'gb top-grossing 36 ipad ',
  )
  assert.equal(
    named('https://itunes.apple.com/us/rss/topfreeapplications/genre=7001/limit=10/xml'),
    'us top-free 7001 iphone 10',
  )
  assert.equal(
    named('http://rss.itunes.apple.com/api/v1/hk/ios-apps/top-grossing/all/10/explicit.json'),
    'hk top-grossing 36 iphone 10',
  )
  assert.equal(
    named('https://rss.itunes.apple.com/api/v1/us/ios-apps/top-free-ipad/games/25/explicit.json'),
    'us top-free 6014 ipad 25',
  )
  assert.equal(
    named('https://rss.itunes.apple.com/api/v1/us/ios-apps/new-apps-we-love/all/10/explicit.json'),
    'the feed "new-apps-we-love" is not a ranked chart of iOS apps',
  )
  assert.equal(
    named('https://itunes.apple.com/us/rss/topsongs/limit=10/json'),
    'the feed "topsongs" is not a ranked chart of iOS apps',
  )
  assert.equal(named('https://example.com/feed.json'), 'the feed names no chart address')
})

test('a depth that no chart has is not believed', () => {
  const feed = feedOf(legacy([], 'https://itunes.apple.com/us/rss/topfreeapplications/limit=999999/json'))
  assert.equal(feed.requested, null)
})

test('a document that is no feed is none', () => {
  for (const other of [null, [], {}, { feed: [] }, { results: [] }, 'feed']) assert.ok(!isChartFeed(other))
  assert.ok(isChartFeed(legacy(undefined)))
  assert.deepEqual(readChartFeed({}), { reason: 'not an Apple chart feed' })
})

test('whatever an entry holds, reading it never throws, and places stay in their order', () => {
  const anything = fc.anything({ withBigInt: false, withDate: false, withNullPrototype: false })
  const parts = Object.entries(entry()).map(
    ([field, value]) => [field, fc.oneof(fc.constant(value), anything)] as const,
  )
  const odd = fc.record(Object.fromEntries(parts), { requiredKeys: [] })
  fc.assert(
    fc.property(fc.array(fc.oneof(odd, anything), { maxLength: 5 }), (entries) => {
      const feed = feedOf(legacy([...entries, entry()]))
      assert.equal(feed.entries.length, entries.length + 1)
      assert.equal(sightings(feed).at(-1), '701')
    }),
  )
})
