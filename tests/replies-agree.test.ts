import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { writeCandidates } from '../src/domain/emerging/candidate-queries.ts'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { importPosts, madePost } from './support/posts.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { track } from './support/tracking.ts'
import { openWorld } from './support/world.ts'

/** One reply does not contradict itself, nor another one about the same. */

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld())
const folder = parts.use(openFolder())
after(() => parts.disposeAsync())

const app = { platform: 'ios', storeId: '6449912347', country: 'us' }
const picture = (name: string) =>
  `https://is1-ssl.mzstatic.com/image/thumb/Purple/v4/aa/bb/cc/build/${name.padEnd(8, '0')}-1111-2222-3333-444455556666_shot.png/392x696bb.png`

test('the best rank of a chart history is one that its series shows', async () => {
  const captured = async (at: string, ids: readonly number[]) => {
    const rows = ids.map((id, index) => ({
      country: 'us',
      chart: 'top-free',
      category: '6015',
      capturedAt: at,
      rank: index + 1,
      id,
      name: `App ${id}`,
    }))
    await world.import({ kind: 'charts', paths: [folder.write('chart.json', JSON.stringify(rows))] })
  }
  await captured('2026-03-02T16:00:00Z', [51, 52, 53])
  await captured('2026-03-02T22:00:00Z', [52, 51])
  await captured('2026-03-03T22:00:00Z', [52, 51])
  const { body } = await world.call('get_apple_chart_history', { storeId: '51', categoryId: '6015' })
  const [{ best, series }] = body.charts
  const day = series.find(({ date }: { date: string }) => date === best.date)
  assert.deepEqual([best.rank, day?.rank.value, best.observedAt], [2, 2, day?.observedAt])
  const gone = await world.call('get_apple_chart_history', { storeId: '53', categoryId: '6015' })
  assert.deepEqual([gone.body.charts, gone.body.coverage.chartsWithApp], [[], 0])
})

test('what a record counts is as long as its list', async () => {
  const listing = { trackId: 6449912347, trackName: 'Harbour Chat', artworkUrl512: picture('1c0') }
  await storeListings(world, [
    { ...listing, screenshotUrls: [picture('a1'), picture('a2')], observedAt: '2026-03-01T00:00:00Z' },
    { ...listing, screenshotUrls: [picture('a2'), picture('a3')], observedAt: '2026-03-02T00:00:00Z' },
  ])
  await storePages(world, [
    { term: 'chat', observedAt: '2026-03-01T00:00:00Z', apps: appsOf([1, 2, 6449912347]) },
    { term: 'talk', observedAt: '2026-03-01T00:00:00Z', apps: appsOf([6449912347, 2]) },
    { term: 'talk', observedAt: '2026-03-05T00:00:00Z', apps: appsOf([1, 2]) },
  ])
  const { appId } = await track(world, 6449912347, ['chat', 'never searched'])
  const link = 'https://apps.apple.com/us/app/id6449912347'
  await importPosts(world, [
    madePost('7501', { text: `Chat in the harbour: ${link}` }),
    madePost('7502', { text: `Chat again: ${link}` }),
    madePost('7503', { text: 'Nothing about it' }),
  ])
  const ad = {
    platform: 'meta',
    archiveId: '7001',
    advertiser: { id: '5001', name: 'Harbour' },
    creatives: [{ title: 'Chat', media: [], linkUrl: link }],
    observedAt: '2026-03-01T00:00:00Z',
  }
  await world.import({ kind: 'paid-ads', paths: [folder.write('ad.ndjson', JSON.stringify(ad))] })

  const { counts } = (await world.call('get_competitor', app)).body
  const { items: media } = (await world.call('get_competitor_media', app)).body
  const { keywords } = (await world.call('get_competitor_aso', app)).body
  const posts = (await world.call('get_competitor_organic', { platform: 'ios', storeId: '6449912347' })).body
  const ads = (await world.call('search_paid_ads', { competitor: '6449912347' })).body
  const ranked = keywords.items.filter(({ rank }) => rank.state === 'measured')
  assert.deepEqual(
    {
      media: media.length,
      keywords: [keywords.ranked, ranked.length],
      posts: [posts.total.value, posts.items.length, posts.summary.posts.value],
      paidAds: [ads.total.value, ads.items.length],
    },
    { media: 4, keywords: [1, 1], posts: [2, 2, 2], paidAds: [1, 1] },
  )
  const value = (count: number) => ({ state: 'measured', value: count })
  assert.deepEqual(counts, { posts: value(2), paidAds: value(1), keywords: value(1), media: value(4) })
  assert.equal(keywords.total, keywords.items.length)

  const workstation = (await world.call('get_aso_workstation', { appId })).body
  assert.equal(workstation.distribution.keywords, workstation.keywords.length)
  const genres = (await world.call('list_competitor_categories', { country: 'us' })).body.items
  for (const { categoryId, apps } of genres.filter(({ apps }) => apps > 0)) {
    const found = (await world.call('search_competitors', { country: 'us', categoryId, limit: 100 })).body
    assert.deepEqual([categoryId, found.total.value, found.items.length], [categoryId, apps, apps])
  }
})

test('a medium that was not looked at says why', async () => {
  const { coverage } = (await world.call('get_competitor_media', app)).body
  assert.deepEqual(
    coverage.map(({ kind, device, state, reason }) => [kind, device, state, reason]),
    [
      ['icon', 'any', 'measured', null],
      ['screenshot', 'iphone', 'measured', null],
      ['screenshot', 'ipad', 'absent', null],
      ['screenshot', 'tv', 'absent', null],
      ['preview', 'iphone', 'not-measured', 'not-carried'],
      ['header', 'any', 'not-measured', 'not-carried'],
      ['search-result', 'any', 'not-measured', 'not-carried'],
      ['event', 'any', 'not-measured', 'not-carried'],
      ['product-page', 'any', 'not-measured', 'not-carried'],
    ],
  )
  const elsewhere = (await world.call('get_competitor_media', { ...app, country: 'jp' })).body
  // Ads and posts are of no storefront.
  for (const { state, reason } of elsewhere.coverage.filter(({ kind }) => kind !== 'product-page'))
    assert.deepEqual([state, reason], ['not-measured', 'never-collected'])
})

test('each term gets its own answer, also one that is no text', async () => {
  const { appId } = await track(world, 6449912347, [], { country: 'gb' })
  const terms = ['tide', 'a\u0000b', 'half \ud800', 'line\nbreak', `z${'\u0301'.repeat(40)}`, '!!!', 'Tide']
  const { status, body } = await world.call('add_aso_keywords', { appId, terms })
  assert.equal(status, 200)
  assert.deepEqual(
    [
      body.added.map(({ given }) => given),
      body.alreadyThere.map(({ given }) => given),
      body.refused.map(({ given, reason }) => [given, reason]),
      body.keywordCount,
    ],
    [
      ['tide'],
      ['Tide'],
      [
        ['a b', 'not-text'],
        ['half \ufffd', 'not-text'],
        ['line break', 'not-text'],
        [`z${'\u0301'.repeat(30)}`, 'not-text'],
        ['!!!', 'no-letters'],
      ],
      1,
    ],
  )
})

test('candidates that ratings alone show come behind all others, over pages too', async () => {
  const at = new Date('2026-03-05T00:00:00Z')
  const candidate = (storeId: string, kind: 'moved-up' | 'new-in-charts' | null, score: number) => ({
    storeId,
    kind,
    score,
    reasons: [],
    evidence: [],
    firstSeenAt: at,
  })
  await world.store.db
    .transaction()
    .execute((transaction) =>
      writeCandidates(
        transaction,
        { country: 'nl', categoryId: null, windowDays: 14 },
        { runId: uuidv7(), at },
        [
          candidate('901', null, 90),
          candidate('902', 'moved-up', 60),
          candidate('903', 'new-in-charts', 40),
          candidate('904', null, 50),
          candidate('905', 'moved-up', 60),
        ],
      ),
    )
  const seen: unknown[] = []
  let cursor: string | null = null
  do {
    const page: { items: { app: { storeId: string }; kind: string | null }[]; nextCursor: string | null } = (
      await world.call('list_emerging_ios_competitors', {
        country: 'nl',
        limit: 2,
        ...(cursor && { cursor }),
      })
    ).body
    seen.push(...page.items.map(({ app, kind }) => [app.storeId, kind]))
    cursor = page.nextCursor
  } while (cursor !== null)
  assert.deepEqual(seen, [
    ['902', 'moved-up'],
    ['905', 'moved-up'],
    ['903', 'new-in-charts'],
    ['901', null],
    ['904', null],
  ])
})
