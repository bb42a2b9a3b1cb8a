import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { postShapes } from '../src/api/post-shapes.ts'
import { findCreatives } from '../src/domain/creatives/search/search.ts'
import { searchablePosts as postSearch } from '../src/domain/organic/post-search.ts'
import { minMeasuredPosts } from '../src/domain/organic/scores.ts'
import { rows } from '../src/storage/database.ts'
import { storeListings } from './support/listings.ts'
import { importPosts, type MadePost, madePost } from './support/posts.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
  await storeListings(world, [
    { trackId: 6449912345, trackName: 'Tidepool Habits', observedAt: '2026-02-01T00:00:00Z' },
    { trackId: 6449912346, trackName: 'Nobody Speaks Of It', observedAt: '2026-02-01T00:00:00Z' },
  ])
})
after(() => world[Symbol.asyncDispose]())

const notCarried = { state: 'not-measured', reason: 'not-carried' }
const hidden = { state: 'not-measured', reason: 'hidden-upstream' }
const measured = (value: unknown, evidence = 0) => ({ state: 'measured', value, evidence })

async function shown(postId: string) {
  const { status, body } = await world.call('get_organic_content', { postId })
  assert.equal(status, 200)
  return body
}

test('before any post is stored, the record of an app says that nobody has looked', async () => {
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '6449912346' })
  assert.deepEqual(body.counts.posts, { state: 'not-measured', reason: 'never-collected' })
  assert.deepEqual(body.counts.paidAds, { state: 'not-measured', reason: 'never-collected' })
})

test('a post is shown as last observed, each value with the reading it rests on', async () => {
  const first = madePost('7001')
  const again: MadePost = {
    postId: first.postId,
    url: first.url,
    metrics: { views: 184_200, likes: 15_310, comments: 412, shares: 1_960 },
    observedAt: '2026-03-10T08:00:00Z',
  }
  await importPosts(world, [first])
  await importPosts(world, [again])
  const post = await shown('tiktok_7001')
  assert.equal(post.url, first.url)
  assert.deepEqual(
    post.evidence.map(({ observedAt, timeBasis }: { observedAt: string; timeBasis: string }) => [
      observedAt,
      timeBasis,
    ]),
    [
      ['2026-03-10T08:00:00.000Z', 'payload'],
      ['2026-03-03T08:00:00.000Z', 'payload'],
      ['2026-03-03T08:00:00.000Z', 'payload'],
    ],
  )
  assert.equal(post.evidence[1].surface, 'Language detection')
  assert.equal(post.evidence[1].readingId, post.evidence[2].readingId, 'the reading of the text')
  assert.deepEqual(post.language, measured('en', 1))
  assert.deepEqual(post.text, measured(first.text, 2))
  assert.deepEqual(post.hashtags, measured(['habits'], 2))
  assert.deepEqual(post.linkUrl, { state: 'absent', evidence: 2 })
  assert.deepEqual(post.community, notCarried)
  assert.deepEqual(post.author.handle, 'Moss')
  assert.deepEqual(post.author.followers, measured(20_400, 2))
  assert.deepEqual(post.metrics, {
    observedAt: '2026-03-10T08:00:00.000Z',
    views: measured(184_200),
    likes: measured(15_310),
    comments: measured(412),
    shares: measured(1_960),
    saves: notCarried,
  })
  assert.deepEqual(post.engagementRate, {
    state: 'measured',
    value: 0.096,
    formula: 'engagement-rate/1',
  })
  assert.equal(post.observationCount, 2)
  assert.deepEqual(
    post.metricsHistory.map((point: { views: unknown; saves: unknown }) => [point.views, point.saves]),
    [
      [measured(61_800, 2), measured(88, 2)],
      [measured(184_200, 0), notCarried],
    ],
  )
})

test('a post names the apps it belongs to, with what each link rests on', async () => {
  await importPosts(world, [
    madePost('7002', {
      author: { handle: 'linker', bio: 'Everything: https://apps.apple.com/app/id999999901' },
    }),
  ])
  const { links, evidence } = await shown('tiktok_7002')
  const [known, unknown] = links.toSorted((one, other) => (one.app.catalogued < other.app.catalogued ? 1 : -1))
  assert.deepEqual(
    [known.app.storeId, known.app.name, known.app.catalogued],
    ['6449912345', 'Tidepool Habits', true],
  )
  assert.deepEqual(
    known.grounds.map(({ kind, foundIn }) => [kind, foundIn]),
    [['store-url', 'text']],
  )
  assert.notEqual(evidence.at(known.grounds[0].evidence).source, 'derived')
  assert.equal(unknown.app.storeId, '999999901')
  assert.deepEqual([unknown.app.name, unknown.app.catalogued], [null, false], 'not in the catalogue')
  assert.deepEqual(
    unknown.grounds.map(({ kind }) => kind),
    ['store-url', 'known-handle'],
    'strongest first',
  )
})

test('what a network hides is not measured, never zero, and no figure is made of it', async () => {
  await importPosts(
    world,
    [
      madePost('x', {
        postId: 'reddit_1abcde',
        url: 'https://www.reddit.com/r/habits/comments/1abcde/',
        media: [],
      }),
      { postId: 'reddit_1abcdf', metrics: { likes: 40 }, observedAt: '2026-03-03T08:00:00Z' },
    ].map((post) => ({ ...post, metrics: { likes: 40 } })),
  )
  const post = await shown('reddit_1abcde')
  assert.deepEqual([post.metrics.views, post.metrics.saves, post.metrics.shares], [hidden, hidden, hidden])
  assert.deepEqual(post.metrics.comments, notCarried)
  assert.deepEqual([post.engagementRate, post.outlierScore, post.author.medianViews], [hidden, hidden, hidden])
  assert.deepEqual(post.mediaStatus, { status: 'text-only', reason: null })
  const bare = await shown('reddit_1abcdf')
  assert.equal(bare.author.handle, null)
  assert.equal(bare.mediaStatus.status, 'not-kept', 'nobody said what media it has')
})

test('an outlier is told against what is usual for its author, from five posts on', async () => {
  const of = (id: string, views: number) =>
    madePost(id, { author: { handle: 'steady' }, metrics: { views }, text: 'Nothing about apps at all' })
  await importPosts(world, [of('7101', 100), of('7102', 110), of('7103', 90), of('7104', 2_000)])
  const before = await shown('tiktok_7104')
  assert.deepEqual(before.outlierScore, { state: 'not-measured', reason: 'too-little-evidence' })
  assert.deepEqual(before.author.medianViews, { state: 'measured', value: 105, formula: 'median-views/1' })
  await importPosts(world, [of('7105', 100)])
  const { outlierScore, author } = await shown('tiktok_7104')
  assert.deepEqual(outlierScore, { state: 'measured', value: 20, formula: 'outlier-score/3 (at 1 to 3 days)' })
  assert.equal(author.postsMeasured, 5)
})

test('a post whose words leave its language open is in what its author writes, whichever arrives first', async () => {
  const dutch = [
    'Wat vinden jullie hiervan dan?',
    'Vandaag gaan we weer zwemmen',
    'Deze juf is toe aan weekend',
  ]
  const english = [
    'What do you think of this one?',
    'Today we are going swimming',
    'This teacher needs a weekend',
  ]
  const unclear = 'Gamen met JP, gezellig man'
  const of = (handle: string, id: string, text: string) =>
    madePost(id, { author: { handle }, text, observedAt: '2026-03-03T08:00:00Z' })
  const told = (author: string, texts: readonly string[], first: string) =>
    texts.map((text, at) => of(author, `${first}${at}`, text))
  await importPosts(world, [of('early', '71810', unclear)])
  const language = async (id: string) => {
    const { language: fact } = await shown(`tiktok_${id}`)
    return fact.value ?? fact.reason
  }
  assert.equal(await language('71810'), 'too-little-evidence')
  await importPosts(world, told('early', dutch, '7182'))
  await importPosts(world, told('late', dutch, '7183'))
  await importPosts(world, [of('late', '71840', unclear)])
  await importPosts(world, [of('english', '71860', unclear), ...told('english', english, '7185')])
  assert.deepEqual(
    [await language('71810'), await language('71840'), await language('71860')],
    ['nl', 'nl', 'too-little-evidence'],
  )
  const evidence = (await shown('tiktok_71810')).evidence
  assert.equal(evidence[0].surface, 'Language detection')
  const found = async (languages: string[]) => {
    const { body } = await world.call('search_organic_content', { q: 'gezellig', language: languages })
    return body.items.map(({ postId }: { postId: string }) => postId).sort()
  }
  assert.deepEqual(await found(['nl']), ['tiktok_71810', 'tiktok_71840'], 'and search finds them so')
  await importPosts(world, told('early', [...english, ...english], '7187'))
  assert.equal(await language('71810'), 'too-little-evidence', 'who writes in two languages tells none')
  assert.deepEqual(await found(['nl']), ['tiktok_71840'])
})

test('posts that are imported once, at ages from a week on, have their scores at once', async () => {
  const publishedOn = ['2026-01-03', '2026-01-20', '2026-02-03', '2026-02-06', '2026-02-19']
  for (const [index, day] of publishedOn.entries())
    await importPosts(world, [
      madePost(`716${index}`, {
        author: { handle: 'once' },
        metrics: { views: 1_000 * (index + 1) },
        text: 'Nothing about apps at all',
        publishedAt: `${day}T12:00:00Z`,
        observedAt: '2026-03-01T12:00:00Z',
      }),
    ])
  const scores = await Promise.all(
    publishedOn.map(async (_, index) => {
      const { value, formula } = (await shown(`tiktok_716${index}`)).outlierScore
      return `${value} ${formula}`
    }),
  )
  assert.deepEqual(
    scores,
    [0.33, 0.66, 1, 1.33, 1.66].map((value) => `${value} outlier-score/3 (at 7 days or more)`),
  )
})

const trending = 'social/tiktok-trending-2020.json'

test('of real posts that were imported once, those of authors with five have scores, but for one of two days', {
  skip: existsSync(join(sharedData, trending)) ? false : 'the real material is not there (../shared/data)',
}, async () => {
  await using once = await openWorld()
  // The day the newest of them was published.
  await once.import({ kind: 'organic', paths: [trending], observedAt: '2020-12-21T06:00:00Z' })
  const [found] = await rows(
    once.store.db,
    sql`
      with a as materialized (select network, author from post_authors where posts_measured >= ${minMeasuredPosts})
      select count(*)::int as posts, count(*) filter (where k.outlier > '-infinity')::int as scored
      from posts join post_sort_keys k using (post_number) join a using (network, author)`,
  )
  assert.deepEqual(found, { posts: 43, scored: 42 })
})

test('a post is compared with others at its own age, and with older ones only for the least it can be', async () => {
  const look = (id: string, views: number, publishedAt: string, observedAt: string) =>
    importPosts(world, [
      madePost(id, {
        author: { handle: 'ages' },
        metrics: { views },
        text: 'Nothing about apps at all',
        publishedAt,
        observedAt,
      }),
    ])
  const score = async (id: string) => {
    const { value, formula, reason } = (await shown(`tiktok_${id}`)).outlierScore
    return reason ?? `${value} ${formula}`
  }
  const old = ['7151', '7152', '7153', '7154', '7155']
  for (const id of old) await look(id, 10_000, '2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
  assert.equal(await score('7151'), '1 outlier-score/3 (at 30 days or more)')
  await look('7156', 400, '2026-02-01T00:00:00Z', '2026-02-01T02:00:00Z')
  assert.equal(await score('7156'), 'too-little-evidence', 'two hours are not held against two years')
  await look('7157', 30_000, '2026-02-01T00:00:00Z', '2026-02-01T02:00:00Z')
  assert.equal(await score('7157'), '3 outlier-score/3 (at up to 6 hours, at least: over posts seen older)')
  for (const id of old) await look(id, 100, '2024-01-01T00:00:00Z', '2024-01-01T03:00:00Z')
  assert.equal(
    await score('7156'),
    '4 outlier-score/3 (at up to 6 hours)',
    'what arrives later changes what is usual',
  )
  assert.equal(await score('7151'), '1 outlier-score/3 (at 30 days or more)')
  const { body } = await world.call('search_organic_content', { author: 'ages', sort: 'outlier', limit: 2 })
  assert.deepEqual(
    body.items.map(({ postId }: { postId: string }) => postId),
    ['tiktok_7157', 'tiktok_7156'],
  )
})

test('a post observed more than 500 times shows the newest 500, oldest first', async () => {
  const start = Date.parse('2026-03-01T00:00:00Z')
  const looks = Array.from({ length: 510 }, (_, hour) => ({
    postId: 'tiktok_7201',
    metrics: { views: hour },
    observedAt: new Date(start + hour * 3_600_000).toISOString(),
  }))
  await importPosts(world, looks)
  const { metricsHistory, observationCount, evidence } = await shown('tiktok_7201')
  assert.equal(observationCount, 510)
  assert.equal(metricsHistory.length, 500)
  const views = metricsHistory.map((point: { views: { value: number } }) => point.views.value)
  assert.deepEqual([views[0], views.at(-1)], [10, 509])
  for (const { observedAt, views } of metricsHistory)
    assert.equal(evidence.at(views.evidence).observedAt, observedAt)
})

test('a page of a hundred posts takes as many statements as a page of one', async () => {
  await importPosts(
    world,
    Array.from({ length: 100 }, (_, at) => madePost(String(7300 + at))),
  )
  let statements = 0
  const counted = world.store.db.withPlugin({
    transformQuery({ node }) {
      statements++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const accountId = '00000000-0000-7000-8000-000000000000'
  const { numbers } = await findCreatives(world.store.db, postSearch, {}, 'recent', {
    limit: 100,
    asOf: new Date(),
  })
  const taken = async (asked: readonly string[]) => {
    statements = 0
    const shapes = await postShapes(counted, accountId, asked)
    return [shapes.length, statements]
  }
  assert.deepEqual(
    [await taken(numbers.slice(0, 1)), await taken(numbers)],
    [
      [1, 5],
      [100, 5],
    ],
  )
})

test('a post nobody has observed is not found', async () => {
  const { status, body } = await world.call('get_organic_content', { postId: 'tiktok_1' })
  assert.deepEqual([status, body.code], [404, 'post-not-found'])
})

test('the record of an app counts its posts and says how fresh they are; none linked is zero', async () => {
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '6449912345' })
  assert.ok(body.counts.posts.state === 'measured' && body.counts.posts.value >= 2)
  const organic = body.freshness.find(({ part }: { part: string }) => part === 'organic')
  assert.equal(organic.evidence.observedAt, '2026-03-10T08:00:00.000Z')
  const other = await world.call('get_competitor', { platform: 'ios', storeId: '6449912346' })
  assert.deepEqual(other.body.counts.posts, { state: 'measured', value: 0 })
})
