import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
const folder = openFolder()

const ad = (archiveId: string, more: object = {}) => ({
  platform: 'meta',
  archiveId,
  advertiser: { id: '5001', name: 'Tidepool Habits' },
  creatives: [
    { title: 'Small tides', text: 'Keep the day', callToAction: 'Install Now', linkUrl: 'https://example.com' },
  ],
  startedOn: '2026-02-20',
  active: true,
  countries: ['de', 'at'],
  publisherPlatforms: ['facebook'],
  languages: ['en'],
  observedAt: '2026-03-01T06:00:00Z',
  ...more,
})

before(async () => {
  world = await openWorld({ works: true })
  const spoken = { startSeconds: 0, endSeconds: 2, text: 'breathe in slowly' }
  const video = { kind: 'video', captions: { language: 'en', segments: [spoken] } }
  const records = [
    ad('1', { creatives: [{ title: 'Small tides', text: 'Keep the day', media: [video] }] }),
    ad('2', {
      platform: 'tiktok',
      advertiser: { id: '777', name: '睡眠ラボ' },
      creatives: [{ title: 'ぐっすり', text: '睡眠アプリ', callToAction: 'Download' }],
      languages: ['ja'],
      countries: ['it'],
      publisherPlatforms: undefined,
    }),
    ad('3', { startedOn: '2025-12-01', active: false, endedOn: '2026-01-10', countries: ['fr'] }),
    ad('4', {
      startedOn: undefined,
      active: undefined,
      advertiser: { id: '365', name: 'Days 365' },
      languages: ['pt-BR'],
    }),
    ad('5', {
      creatives: [{ title: 'A lantern', text: 'Light', linkUrl: 'https://apps.apple.com/us/app/x/id990901' }],
      startedOn: '2026-02-10',
    }),
  ]
  const path = folder.write('ads.ndjson', records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  assert.equal((await world.import({ kind: 'paid-ads', paths: [path] })).rejected, 0)
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function found(input: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await world.call('search_paid_ads', input)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.total, { value: body.items.length, relation: 'exact' })
  return body.items.map(({ archiveId }: { archiveId: string }) => archiveId)
}
const unordered = async (input: Record<string, unknown>) => (await found(input)).sort()

test('words are found in titles, texts and advertisers, in any script', async () => {
  assert.deepEqual(await unordered({ q: 'tides keep' }), ['1', '3', '4'])
  assert.deepEqual(await found({ q: 'lant' }), ['5'])
  assert.deepEqual(await found({ q: '睡眠' }), ['2'])
  assert.deepEqual(await found({ q: '🔥' }), [])
})

test('an advertiser is found by the id or by words of the name', async () => {
  assert.deepEqual(await found({ advertiser: '777' }), ['2'])
  assert.deepEqual(await unordered({ advertiser: 'habits tidepool' }), ['1', '3', '5'])
  assert.deepEqual(await found({ advertiser: '365' }), ['4'])
  assert.deepEqual(await found({ advertiser: 'lantern' }), [])
  assert.deepEqual(await found({ advertiser: '!!' }), [])
})

test('filters are combined, and leave out what is not measured', async () => {
  assert.deepEqual(await found({ platform: 'tiktok' }), ['2'])
  assert.deepEqual(await found({ country: 'FR' }), ['3'])
  assert.deepEqual(await found({ active: false }), ['3'])
  assert.deepEqual(await unordered({ active: true }), ['1', '2', '5'])
  assert.deepEqual(await unordered({ callToAction: ['download', 'shop-now'] }), ['2'])
  assert.deepEqual(await unordered({ publisherPlatform: ['facebook'], language: ['pt'] }), ['4'])
  assert.deepEqual(await unordered({ startedFrom: '2026-02-11' }), ['1', '2'])
  assert.deepEqual(await unordered({ startedTo: '2025-12-01' }), ['3'])
  assert.deepEqual(await unordered({ minDaysRunning: 20 }), ['3', '5'])
  assert.deepEqual(await found({ competitor: ['990901'] }), ['5'])
})

test('ads are sorted by start, days and observation; what is not measured comes last', async () => {
  assert.deepEqual((await found({ sort: 'recent' })).slice(2), ['5', '3', '4'])
  assert.deepEqual(await found({ sort: 'longest-running', platform: 'meta' }), ['3', '5', '1', '4'])
  assert.equal((await found({ sort: 'last-observed' })).length, 5)
})

test('ads are found by what is said in them, and by whether they have a transcript or an analysis', async () => {
  const ask = (tool: Parameters<World['call']>[0], platform: string, archiveId: string) =>
    world.call(tool, { platform, archiveId })
  await ask('generate_paid_ad_transcript', 'meta', '1')
  await ask('generate_paid_ad_transcript', 'meta', '3')
  await ask('analyze_paid_ad_creative', 'tiktok', '2')
  const search = async (input: Record<string, unknown>) => {
    const { body } = await world.call('search_paid_ads', input)
    return body.items.map(({ archiveId }: { archiveId: string }) => archiveId).sort()
  }
  await until(
    async () => (await world.call('search_paid_ads', {})).body.items,
    (all: { transcriptState: string; analysisState: string }[]) =>
      all.every((one) => one.transcriptState !== 'under-way' && one.analysisState !== 'under-way'),
  )
  assert.deepEqual(await search({ q: 'slowly' }), ['1'])
  assert.deepEqual(await search({ hasTranscript: true }), ['1'])
  assert.deepEqual(await search({ hasTranscript: false }), ['2', '3', '4', '5'])
  assert.deepEqual(await search({ hasAnalysis: true }), ['2'])
  assert.deepEqual(await search({ hasAnalysis: false, hasTranscript: false, platform: 'meta' }), [
    '3',
    '4',
    '5',
  ])
})

test('saved ads and their tags are those of the account that asks, and coverage names each platform searched', async () => {
  await world.call('save_paid_ad', { platform: 'meta', archiveId: '5', tags: ['hooks'] })
  assert.deepEqual(await found({ saved: true }), ['5'])
  assert.deepEqual(await found({ tag: 'hooks' }), ['5'])
  assert.deepEqual(await found({ tag: 'hook' }), [])
  assert.deepEqual(await found({ saved: false, tag: 'hooks' }), [])
  const { body } = await world.call('search_paid_ads', { platform: 'meta' })
  assert.deepEqual(
    body.coverage.map(({ platform }: { platform: string }) => platform),
    ['meta'],
  )
})
