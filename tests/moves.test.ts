import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { demoAccount, demoAppId } from '../sample/demo/tracking.ts'
import { movesOfApps } from '../src/domain/moves/moves.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { importPosts, madePost } from './support/posts.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { importNewestSample } from './support/sample.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

/** What moved for tracked apps, in their list and in the workstation: ranks, charts, listing, ads and posts. */

let world: World
const parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
before(async () => {
  world = parts.use(await openWorld())
})
after(() => parts.disposeAsync())

const dayMs = 86_400_000
const today = Date.now()
/** The first moment of a day that is so many days ago. */
const ago = (days: number) => `${new Date(today - days * dayMs).toISOString().slice(0, 10)}T00:00:00.000Z`
const dayOf = (at: string) => at.slice(0, 10)

const list = async (account: string, more: object = {}) => {
  const key = await world.key(undefined, account)
  return (await world.call('list_aso_apps', { limit: 100, ...more }, { key })).body.items
}

const movesOf = async (account: string, more: object = {}) => (await list(account, more))[0]?.moves

/** A chart of fifty places with an app at one of them, in a storefront of its own. */
async function chart(country: string, observedAt: string, storeId: string, rank: number | undefined) {
  const lines = Array.from({ length: 50 }, (_, index) =>
    index + 1 === rank ? `${rank},${storeId},Notes` : `${index + 1},${900_000 + index},Another app`,
  )
  await importContent(world, folder, 'charts', `rank,id,name\n${lines.join('\n')}\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt,
  })
}

const page = (country: string, term: string, observedAt: string, ids: readonly number[]) => ({
  country,
  term,
  observedAt,
  apps: appsOf(ids),
})

describe('What moved', () => {
  test('of an app that nobody has looked at is not measured, part by part', async () => {
    await storeTracked(world, { storeId: '8100000001', country: 'no', account: 'unseen' })
    const { days, ...moves } = await movesOf('unseen')
    assert.equal(days, 7)
    assert.deepEqual(Object.keys(moves), ['keywords', 'charts', 'listing', 'ads', 'posts'])
    for (const part of Object.values(moves))
      assert.deepEqual(part, { state: 'not-measured', reason: 'never-collected' })
  })

  test('of keywords is the newest page against one a window older, the largest move first', async () => {
    await storePages(world, [
      page('se', 'fika', ago(8), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 8_100_002]),
      page('se', 'fika', ago(1), [1, 2, 8_100_002]),
      page('se', 'bulle', ago(8), [8_100_002, 1]),
      page('se', 'bulle', ago(1), [1, 2]),
      page('se', 'kaffe', ago(8), [1, 8_100_002]),
      page('se', 'kaffe', ago(1), [1, 8_100_002]),
      page('se', 'te', ago(1), [8_100_002]),
    ])
    const appId = await storeTracked(world, {
      storeId: '8100002',
      country: 'se',
      account: 'keywords',
      keywords: ['fika', 'bulle', 'kaffe', 'te'],
    })
    const { keywords } = await movesOf('keywords')
    const times = { comparedOn: dayOf(ago(8)), at: ago(1) }
    assert.deepEqual(keywords, {
      state: 'measured',
      lastAt: ago(1),
      moved: 2,
      items: [
        { term: 'bulle', from: 1, to: '>2', ...times },
        { term: 'fika', from: 11, to: 3, ...times },
      ],
    })
    const key = await world.key(undefined, 'keywords')
    const { body } = await world.call('get_aso_workstation', { appId }, { key })
    assert.deepEqual(body.moves.keywords, keywords, 'the workstation says the same')
    const day = await movesOf('keywords', { moveDays: 1 })
    assert.deepEqual(day.keywords, { state: 'not-measured', reason: 'too-little-evidence' })
  })

  test('of a part that was looked at longer ago than the window says since when nothing is known', async () => {
    await storePages(world, [
      page('dk', 'hygge', ago(29), [1, 8_100_003]),
      page('dk', 'hygge', ago(20), [8_100_003, 1]),
    ])
    await storeTracked(world, { storeId: '8100003', country: 'dk', account: 'old', keywords: ['hygge'] })
    const { keywords } = await movesOf('old')
    assert.deepEqual(
      [keywords.state, keywords.lastAt, keywords.moved],
      ['not-looked-at', ago(20), 1],
      'with the moves of the days before that',
    )
    const { keywords: further } = await movesOf('old', { moveDays: 30 })
    assert.equal(further.state, 'not-measured', 'no page is 30 days older')
  })

  test('of charts compares captures of one source, and takes no short one for a fall', async () => {
    const storeId = '8100004'
    await chart('fi', ago(9), storeId, 30)
    await chart('fi', ago(2), storeId, 12)
    await chart('fi', ago(1), storeId, 10)
    await storeTracked(world, { storeId, country: 'fi', account: 'charts' })
    const { charts } = await movesOf('charts')
    assert.deepEqual(charts, {
      state: 'measured',
      lastAt: ago(1),
      moved: 1,
      items: [{ chart: 'Top Free, all apps', from: 30, to: 10, comparedOn: dayOf(ago(9)), at: ago(1) }],
    })
    await chart('fi', ago(0), storeId, undefined)
    const { charts: gone } = await movesOf('charts')
    assert.deepEqual([gone.items[0].from, gone.items[0].to], [30, '>50'])
    await storeTracked(world, { storeId: '8100044', country: 'fi', account: 'uncharted' })
    const { charts: none } = await movesOf('uncharted')
    assert.deepEqual([none.state, none.moved, none.items], ['measured', 0, []], 'in none then and now')
  })

  test('of the listing names fields with both values, unless they are long or addresses', async () => {
    const listing = { trackId: 8_100_005, country: 'ee', version: '1.0', description: 'Sleep. '.repeat(50) }
    await storeListings(world, [
      { ...listing, trackName: 'Uni', observedAt: ago(10) },
      { ...listing, trackName: 'Uni', observedAt: ago(5) },
      {
        ...listing,
        trackName: 'Uni: Sleep',
        version: '1.1',
        description: 'Rest. '.repeat(50),
        observedAt: ago(2),
      },
    ])
    await storeTracked(world, { storeId: '8100005', country: 'ee', account: 'listing' })
    const { listing: moved } = await movesOf('listing')
    const times = { comparedAt: ago(5), at: ago(2) }
    assert.deepEqual(moved, {
      state: 'measured',
      lastAt: ago(2),
      moved: 3,
      items: [
        { field: 'name', from: 'Uni', to: 'Uni: Sleep', ...times },
        { field: 'description', ...times },
        { field: 'version', from: '1.0', to: '1.1', ...times },
      ],
    })
    const { listing: quiet } = await movesOf('listing', { moveDays: 1, country: 'ee' })
    assert.deepEqual([quiet.state, quiet.moved], ['not-looked-at', 3], 'changed when it was looked at last')
  })

  test('of a listing that is not known for a window is too little evidence', async () => {
    await storeListings(world, [
      { trackId: 8_100_006, country: 'lv', trackName: 'Miegs', observedAt: ago(4) },
      { trackId: 8_100_006, country: 'lv', trackName: 'Miegs', observedAt: ago(1) },
    ])
    await storeTracked(world, { storeId: '8100006', country: 'lv', account: 'young' })
    assert.deepEqual((await movesOf('young')).listing, {
      state: 'not-measured',
      reason: 'too-little-evidence',
    })
    assert.equal((await movesOf('young', { moveDays: 2 })).listing.state, 'measured')
  })

  test('of ads and posts is what is new, the newest five and how many there are', async () => {
    const storeId = '8100007'
    const ad = (archiveId: string, startedOn: string) => ({
      platform: 'meta',
      archiveId,
      advertiser: { id: '5001', name: 'Tidepool Habits' },
      creatives: [{ title: 'Rest', media: [], linkUrl: `https://apps.apple.com/app/id${storeId}` }],
      startedOn,
      active: true,
      countries: ['us'],
      observedAt: ago(2),
    })
    const fresh = Array.from({ length: 7 }, (_, index) => ad(`810000710${index}`, dayOf(ago(3))))
    await importContent(world, folder, 'paid-ads', [...fresh, ad('8100007200', dayOf(ago(90)))])
    const text = `Rest https://apps.apple.com/us/app/id${storeId}`
    await importPosts(world, [
      madePost('81000071', { text, publishedAt: ago(4), observedAt: ago(2) }),
      madePost('81000072', { text, publishedAt: ago(40), observedAt: ago(2) }),
    ])
    await storeTracked(world, { storeId, country: 'lt', account: 'creatives' })
    const moves = await movesOf('creatives')
    assert.deepEqual([moves.ads.state, moves.ads.moved, moves.ads.items.length], ['measured', 7, 5])
    assert.deepEqual(moves.ads.items[0], {
      platform: 'meta',
      archiveId: '8100007100',
      text: 'Rest',
      by: 'Tidepool Habits',
      startedOn: dayOf(ago(3)),
      firstSeenAt: ago(2),
    })
    assert.deepEqual(moves.posts, {
      state: 'measured',
      lastAt: ago(2),
      moved: 1,
      items: [
        {
          postId: 'tiktok_81000071',
          text,
          by: 'Moss',
          publishedOn: dayOf(ago(4)),
          firstSeenAt: ago(2),
        },
      ],
    })
  })

  test('is one statement a part, however many apps are asked about', async () => {
    const apps = Array.from({ length: 40 }, (_, index) => ({
      appId: `${index}`,
      storeId: `${8_100_100 + index}`,
      country: 'is',
    }))
    let asked = 0
    const counting = world.store.db.withPlugin({
      transformQuery: ({ node }) => {
        asked++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const moves = await movesOfApps(counting, apps, () => [], 7, new Date())
    assert.deepEqual([moves.size, asked], [40, 4])
  })

  for (const [moveDays, valid] of [
    [0, false],
    [1, true],
    [30, true],
    [31, false],
    [1.5, false],
    ['week', false],
  ] as const)
    test(`takes ${moveDays} days: ${valid}`, async () => {
      const { status } = await world.call('list_aso_apps', { moveDays } as never)
      assert.equal(status, valid ? 200 : 400)
    })
})

test('an agent is told what moved for its apps this week in one call of 20 kB', async () => {
  await using sampled = await openWorld()
  await importNewestSample(sampled.store.db, '2026-11-01')
  const address = await sampled.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await sampled.key(undefined, demoAccount))
  const { text, reply } = await agent.call('list_aso_apps')
  assert.ok(Buffer.byteLength(text) <= 20_000, `${Buffer.byteLength(text)} bytes`)
  const { moves } = reply.items.find(({ appId }: { appId: string }) => appId === demoAppId)
  for (const part of ['keywords', 'charts', 'listing', 'ads', 'posts']) {
    const { moved, items, lastAt } = moves[part]
    assert.ok(moved > 0 && items.length > 0 && lastAt >= '2026-11-12', `${part} ${JSON.stringify(moves[part])}`)
  }
  const [first] = moves.keywords.items
  assert.deepEqual(
    Object.keys(first),
    ['term', 'from', 'to', 'comparedOn', 'at'],
    'each row names the two observations compared',
  )
})
