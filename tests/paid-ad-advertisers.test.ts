import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { replay } from '../src/projections/replay.ts'
import {
  type PlayedLibraries,
  playedAds,
  playedLibrarySources,
  startAdLibraries,
} from './support/ad-libraries.ts'
import { patient } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { openWorld, type World } from './support/world.ts'

let played: PlayedLibraries
let world: World

before(async () => {
  played = await startAdLibraries()
  world = await openWorld({ sources: playedLibrarySources(played), adTokens: played.tokens })
  await importAds([
    {
      advertiser: { id: '11', name: 'Tidepool Habits' },
      countries: ['de'],
      observedAt: '2026-03-01T08:00:00Z',
    },
    {
      advertiser: { id: '11', name: 'Tidepool Habits Inc' },
      countries: ['fr'],
      observedAt: '2026-03-02T08:00:00Z',
    },
    {
      advertiser: { id: '12', name: 'Öko Tides 100% GmbH' },
      creatives: [{ text: 'x', linkUrl: 'https://apps.apple.com/de/app/id8000000001' }],
      observedAt: '2026-03-03T08:00:00Z',
    },
    { advertiser: { id: '13', name: '潮騒アプリ' }, observedAt: '2026-03-01T08:00:00Z' },
    {
      platform: 'tiktok',
      advertiser: { id: '7318264509182736400', name: 'Tidepool at TikTok' },
      observedAt: '2026-03-01T08:00:00Z',
    },
  ])
})

/** One of each, in our own form. */
async function importAds(ads: object[]): Promise<void> {
  using folder = openFolder()
  const usual = { platform: 'meta', active: true, creatives: [{ text: 'x' }] }
  const lines = ads.map((ad, at) => JSON.stringify({ ...usual, archiveId: String(500 + at), ...ad }))
  await world.import({ kind: 'paid-ads', paths: [folder.write('ads.ndjson', lines.join('\n'))] })
}

after(async () => {
  await world?.[Symbol.asyncDispose]()
  await played?.[Symbol.asyncDispose]()
})

const search = async (input: Record<string, unknown> = {}) => {
  played.recover()
  const { body, status } = await world.call('admin_search_paid_ad_advertisers', input)
  assert.equal(status, 200)
  return body
}
const ids = async (input: Record<string, unknown>) =>
  (await search(input)).items.map(({ advertiserId }: { advertiserId: string }) => advertiserId)

test('without words every stored advertiser is listed, most ads first, and nobody is asked', async () => {
  const body = await search()
  assert.deepEqual(
    body.items.map((one: { name: string; storedAds: number }) => `${one.name} ${one.storedAds}`),
    ['Tidepool Habits Inc 2', 'Öko Tides 100% GmbH 1', '潮騒アプリ 1', 'Tidepool at TikTok 1'],
  )
  assert.deepEqual([body.lookups, body.nextCursor, played.requests.length], [[], null, 0])
  const [first, second] = body.items
  assert.equal(first.newestObservationAt, '2026-03-02T08:00:00.000Z')
  assert.equal(first.evidence[0].source, 'paid-ads-file')
  assert.deepEqual(
    second.linkedApps.map(({ storeId }: { storeId: string }) => storeId),
    ['8000000001'],
  )
})

test('words are found in any language, the last as a prefix, and an id as a whole', async () => {
  assert.deepEqual(await ids({ q: 'habits tidep', platform: 'meta' }), ['11'])
  assert.deepEqual(await ids({ q: 'tidep habits', platform: 'meta' }), [])
  assert.deepEqual(await ids({ q: 'oko tid', platform: 'meta' }), ['12'])
  assert.deepEqual(await ids({ q: '潮', platform: 'meta' }), ['13'])
  assert.deepEqual(await ids({ q: '12', platform: 'meta' }), ['12'])
  assert.deepEqual(await ids({ q: '%', platform: 'meta' }), [])
  assert.deepEqual(await ids({ country: 'de' }), ['11'])
  assert.deepEqual(await ids({ limit: 1 }), ['11'])
})

test('TikTok is asked live beside the store, and nothing it answers is stored', async () => {
  const body = await search({ q: 'tidepool' })
  assert.deepEqual(
    body.lookups.filter(({ platform }: { platform: string }) => platform !== 'apple'),
    [
      {
        platform: 'meta',
        outcome: 'cannot-be-asked',
        found: null,
        message: 'The Meta Ad Library API has no search for advertisers.',
      },
      { platform: 'tiktok', outcome: 'answered', found: 1, message: null },
      {
        platform: 'snapchat',
        outcome: 'cannot-be-asked',
        found: null,
        message: 'The Snap ads library API has no search for advertisers.',
      },
      {
        platform: 'google',
        outcome: 'cannot-be-asked',
        found: null,
        message: 'The Google Ads Transparency Center is not asked: its ads come in files, and in records.',
      },
    ],
  )
  const tiktok = body.items.filter(({ platform }: { platform: string }) => platform === 'tiktok')
  assert.deepEqual([tiktok.length, tiktok[0].foundIn, tiktok[0].country], [1, ['stored', 'upstream'], 'de'])
  played.ads = playedAds(1, 1)
  const onlyThere = await search({ q: 'lantern' })
  assert.deepEqual(onlyThere.items[0].foundIn, ['upstream'])
  assert.deepEqual([onlyThere.items[0].storedAds, onlyThere.items[0].evidence], [0, []])
  assert.deepEqual((await search({ platform: 'tiktok' })).items.length, 1)
  assert.deepEqual(await ids({ q: 'lantern', country: 'fr' }), [])
})

test('a platform that fails, or is not configured, is told and fails nothing', async () => {
  played.behave(({ path }) => path.includes('/advertiser/query'), { does: 'serve', status: 500, body: '' })
  const failed = await world.call('admin_search_paid_ad_advertisers', { q: 'habits' })
  assert.deepEqual(
    [failed.status, failed.body.lookups[1].outcome, failed.body.items.length],
    [200, 'failed', 1],
  )
  await using bare = await openWorld()
  const { body } = await bare.call('admin_search_paid_ad_advertisers', { q: 'habits', platform: 'tiktok' })
  assert.equal(body.lookups[0].outcome, 'not-configured')
  assert.match(body.lookups[0].message, /RIVALSCOPE_TIKTOK_CLIENT_KEY/)
})

test('a replay makes the same advertisers', async () => {
  const before = await search()
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual((await search()).items, before.items)
})
