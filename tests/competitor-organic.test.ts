import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storeListings } from './support/listings.ts'
import { importPosts, type MadePost, madePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

/** Steady, loud and hidden authors; every post but the last is linked to the app. */
const link = 'https://apps.apple.com/us/app/id6449912345'
const of = (id: string, handle: string, publishedAt: string, views: number, more: Partial<MadePost> = {}) =>
  madePost(id, {
    author: { handle },
    text: `Tidepool in my mornings, day ${id}: ${link} #habits`,
    language: 'en',
    publishedAt,
    metrics: { views, likes: Math.round(views / 10), comments: 0, shares: 0 },
    // All of them of an age at which they can be compared.
    observedAt: '2026-04-15T08:00:00Z',
    ...more,
  })
const posts: MadePost[] = [
  of('7401', 'steady', '2026-02-02T00:00:00Z', 100),
  of('7402', 'steady', '2026-02-08T23:59:59Z', 110),
  of('7403', 'steady', '2026-02-09T00:00:00Z', 90),
  of('7404', 'steady', '2026-03-01T12:00:00Z', 500, { metrics: { views: 500, likes: 150 } }),
  of('7405', 'Steady', '2026-03-02T12:00:00Z', 100),
  of('7406', 'loud', '2026-03-02T12:00:00Z', 10_000, { language: 'de' }),
  {
    ...of('x', 'quiet', '2026-03-03T00:00:00Z', 1),
    postId: 'reddit_1abcdg',
    url: 'https://www.reddit.com/r/habits/comments/1abcdg/',
    metrics: { likes: 12 },
  },
  of('7409', 'else', '2026-03-03T00:00:00Z', 7, { text: 'About nothing in particular' }),
]

let world: World
before(async () => {
  world = await openWorld()
  await storeListings(world, [
    { trackId: 6449912345, trackName: 'Tidepool Habits', observedAt: '2026-02-01T00:00:00Z' },
    { trackId: 6449912346, trackName: 'Silent', observedAt: '2026-02-01T00:00:00Z', country: 'de' },
  ])
  await importPosts(world, posts)
})
after(() => world[Symbol.asyncDispose]())

async function organicOf(input: object = {}, storeId = '6449912345') {
  const { status, body } = await world.call('get_competitor_organic', { platform: 'ios', storeId, ...input })
  assert.equal(status, 200)
  return body
}
const idsOf = (body: { items: { postId: string }[] }) => body.items.map(({ postId }) => postId)

test('the summary speaks of all linked posts, whatever the page holds', async () => {
  const { app, summary, items, total, nextCursor } = await organicOf({ limit: 1, sort: 'views' })
  assert.equal(app.name, 'Tidepool Habits')
  assert.deepEqual(summary, {
    posts: { value: 7, relation: 'exact' },
    postsByWeek: [
      { weekStartsOn: '2026-02-02', posts: 2 },
      { weekStartsOn: '2026-02-09', posts: 1 },
      { weekStartsOn: '2026-02-16', posts: 0 },
      { weekStartsOn: '2026-02-23', posts: 1 },
      { weekStartsOn: '2026-03-02', posts: 3 },
    ],
    views: { total: { state: 'measured', value: 10_900 }, measuredPosts: 6 },
    medianEngagementRate: { state: 'measured', value: 0.1, formula: 'median-engagement-rate/1 (6 of 7 posts)' },
    creators: 3,
    outliers: { state: 'measured', value: 1 },
  })
  assert.deepEqual([total, items.length], [{ value: 7, relation: 'exact' }, 1])
  assert.notEqual(nextCursor, null)
})

test('pages together hold every linked post once, in the order asked for, hidden views last', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { items: { postId: string }[]; nextCursor: string | null } = await organicOf({
      sort: 'views',
      limit: 3,
      ...(cursor ? { cursor } : {}),
    })
    seen.push(...idsOf(page))
    cursor = page.nextCursor
  } while (cursor)
  assert.deepEqual(
    [seen.slice(0, 3), seen.at(-1)],
    [['tiktok_7406', 'tiktok_7404', 'tiktok_7402'], 'reddit_1abcdg'],
  )
  assert.equal(new Set(seen).size, 7)
})

test('filters hold for the page and the summary alike', async () => {
  const german = await organicOf({ language: ['de'] })
  assert.deepEqual([idsOf(german), german.summary.posts.value], [['tiktok_7406'], 1])
  const march = await organicOf({ publishedFrom: '2026-03-01', author: '@STEADY', sort: 'recent' })
  assert.deepEqual(idsOf(march), ['tiktok_7405', 'tiktok_7404'])
  assert.deepEqual(march.summary.postsByWeek, [
    { weekStartsOn: '2026-02-23', posts: 1 },
    { weekStartsOn: '2026-03-02', posts: 1 },
  ])
  const found = await organicOf({ q: 'mornings 7401' })
  assert.deepEqual([idsOf(found), found.total.value], [['tiktok_7401'], 1])
  const watched = await organicOf({ minViews: 500 })
  assert.deepEqual([watched.summary.posts.value, watched.summary.views.total.value], [2, 10_500])
  const reddit = await organicOf({ network: ['reddit'] })
  const hidden = { state: 'not-measured', reason: 'hidden-upstream' }
  assert.deepEqual(
    [reddit.summary.views, reddit.summary.outliers],
    [{ total: hidden, measuredPosts: 0 }, hidden],
  )
  assert.deepEqual(reddit.summary.medianEngagementRate, {
    state: 'not-measured',
    reason: 'too-little-evidence',
  })
  for (const q of ['nothingofthekind', '!!!']) {
    const { postsByWeek, views, outliers } = (await organicOf({ q })).summary
    const none = { state: 'not-measured', reason: 'too-little-evidence' }
    assert.deepEqual([postsByWeek, views.total, outliers], [[], none, none], 'nothing matches')
  }
})

test('posts can be kept to those the account has saved, and no other account is affected', async () => {
  await world.call('save_organic_content', { postId: 'tiktok_7401' })
  assert.deepEqual(idsOf(await organicOf({ saved: true })), ['tiktok_7401'])
  assert.equal((await organicOf({ saved: false })).summary.posts.value, 6)
  const key = await world.key(undefined, 'other')
  const { body } = await world.call(
    'get_competitor_organic',
    { platform: 'ios', storeId: '6449912345', saved: true },
    { key },
  )
  assert.deepEqual([body.items, body.summary.posts.value], [[], 0])
})

test('an app of any storefront without posts has an empty page; one not in the catalogue is not found', async () => {
  const silent = await organicOf({}, '6449912346')
  assert.deepEqual([silent.app.name, silent.items, silent.nextCursor], ['Silent', [], null])
  assert.equal(silent.app.namedIn, 'de')
  assert.deepEqual(silent.summary.posts, { value: 0, relation: 'exact' })
  const nobody = { platform: 'ios', storeId: '6449912347' }
  const { status, body } = await world.call('get_competitor_organic', nobody)
  assert.deepEqual(
    [status, body.code, body.intake],
    [404, 'competitor-not-found', { state: 'none', intakeId: null, country: null }],
  )
  const intake = await world.call('request_ios_competitor', { app: '6449912347', country: 'de' })
  const asked = await world.call('get_competitor_organic', nobody)
  assert.deepEqual(asked.body.intake, { state: 'queued', intakeId: intake.body.intakeId, country: 'de' })
  assert.match(asked.body.detail, /its intake for the storefront de is waiting for its turn/)
})
