import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parseMapping } from '../src/imports/mapping.ts'
import type { ImportSummary } from '../src/imports/run-import.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

const skip = existsSync(sharedData) ? false : 'the real material is not beside this checkout'

const map = (name: string, kind: 'catalogue' | 'charts') =>
  parseMapping(
    JSON.parse(readFileSync(new URL(`../docs/maps/${name}.json`, import.meta.url), 'utf8')),
    kind,
    name,
  )

let world: World
const summaries: Record<string, ImportSummary> = {}
before(async () => {
  if (skip) return
  world = await openWorld()
  const observedAt = '2017-07-15'
  summaries.apps = await world.import({
    kind: 'catalogue',
    paths: ['catalogue/AppleStore.csv'],
    mapping: map('app-store-2017', 'catalogue'),
    observedAt,
  })
  summaries.descriptions = await world.import({
    kind: 'catalogue',
    paths: ['', '2', '3', '4'].map((part) => `catalogue/appleStore_description${part}.csv`),
    mapping: map('app-store-2017-descriptions', 'catalogue'),
    observedAt,
  })
  summaries.search = await world.import({ kind: 'catalogue', paths: ['apple/search'] })
  summaries.us = await world.import({
    kind: 'charts',
    paths: ['apple/charts/us-daily-2026', 'apple/charts/rss-v1-hk-2019'],
  })
  summaries.jp = await world.import({
    kind: 'charts',
    paths: ['apple/charts/jp-finance-daily'],
    mapping: map('ranked-list', 'charts'),
  })
})
after(() => world?.[Symbol.asyncDispose]())

test('all 7,197 apps of the 2017 table are stored, with their descriptions', { skip }, async () => {
  assert.deepEqual([summaries.apps?.stored, summaries.apps?.rejected], [7197, 0])
  assert.deepEqual([summaries.descriptions?.stored, summaries.descriptions?.rejected], [7197, 0])
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '281656475' })
  assert.equal(body.name, 'PAC-MAN Premium')
  assert.match(body.description.value, /^SAVE 20%, now only \$3\.99/)
  assert.deepEqual(body.price, {
    state: 'measured',
    value: { amount: 3.99, currency: 'USD' },
    evidence: body.price.evidence,
  })
  assert.deepEqual(body.subtitle, { state: 'not-measured', reason: 'not-carried' })
})

test('saved search answers are stored; Mac apps and the truncated answer are refused by name', {
  skip,
}, async () => {
  const { read, stored, unchanged, rejected, rejectedFile } = summaries.search as ImportSummary
  assert.equal(read, stored + unchanged + rejected)
  assert.ok(stored >= 23 * 50 - 50)
  const reasons = readFileSync(rejectedFile as string, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; position: string; reason: string })
  assert.ok(
    reasons.some(
      ({ file, reason }) => file.endsWith('lookup_slack.json') && reason === 'not an iOS app (mac-software)',
    ),
  )
  assert.equal(
    reasons.filter(
      ({ file, reason }) => file.endsWith('broken_2022-06-27.json') && /broken or truncated JSON/.test(reason),
    ).length,
    1,
  )
  assert.ok(reasons.every(({ position }) => position !== ''))
})

test('names that went through an HTML escaper are read as they were meant', { skip }, async () => {
  const { rows } = await world.store.db.executeQuery<{ name: string }>(
    (await import('kysely'))
      .sql`select name from app_records where name ~ '&(amp|#[0-9]+|quot|lt|gt);'`.compile(world.store.db),
  )
  assert.deepEqual(rows, [])
})

for (const q of [
  'evernot',
  'evrenote',
  'Evernote',
  '281796108',
  'id281796108',
  'https://apps.apple.com/us/app/evernote/id281796108',
]) {
  test(`search finds Evernote by "${q}"`, { skip }, async () => {
    const { body } = await world.call('search_competitors', { q })
    assert.equal(body.items[0].storeId, '281796108')
  })
}

for (const [q, name] of [
  ['楽天カード', '楽天カード'],
  ['家計簿', '家計簿'],
  ['企业', '企业微信'],
  ['ペイ', 'PayPay-ペイペイ'],
] as const) {
  test(`search finds names that hold "${q}"`, { skip }, async () => {
    const { body } = await world.call('search_competitors', { q, country: 'jp', limit: 100 })
    assert.ok(body.items.length > 0)
    assert.ok(body.items.some((item: { name: string }) => item.name.includes(name)))
  })
}

test('the Japanese Finance history of an app counts 120 snapshots and tells days missing from days outside', {
  skip,
}, async () => {
  const suica = { storeId: '1156875272', country: 'jp', from: '2024-12-21', to: '2025-04-23' }
  const { body } = await world.call('get_apple_chart_history', suica)
  const [chart] = body.charts
  assert.equal(chart.categoryName, 'Finance')
  assert.equal(chart.snapshots, 120)
  assert.equal(chart.series.length, 124)
  assert.equal(chart.daysInChart + chart.daysOutside + chart.daysWithoutSnapshot, 124)
  const states = Map.groupBy(
    chart.series as { date: string; rank: { state: string } }[],
    (point) => point.rank.state,
  )
  assert.equal(chart.daysWithoutSnapshot, 7)
  assert.equal(states.get('not-measured')?.length, 7)
  assert.equal(states.get('measured')?.length, chart.daysInChart)
})

test('an app that fell out of the Finance chart is absent with the depth looked at, not missing', {
  skip,
}, async () => {
  const { body } = await world.call('get_apple_charts', {
    country: 'jp',
    categoryId: '6015',
    date: '2024-12-31',
  })
  const last = body.items.at(-1)
  const history = await world.call('get_apple_chart_history', {
    storeId: last.app.storeId,
    country: 'jp',
    from: '2024-12-28',
    to: '2025-04-23',
  })
  const outside = history.body.charts[0].series.filter(
    (point: { rank: { state: string } }) => point.rank.state === 'absent',
  )
  assert.ok(outside.length > 0)
  assert.deepEqual(outside[0].rank, { state: 'absent', depth: 100 })
})

test('a capture at 22:10 UTC belongs to the next day in Japan', { skip }, async () => {
  const { body } = await world.call('get_apple_charts', {
    country: 'jp',
    categoryId: '6015',
    date: '2025-01-04',
  })
  assert.equal(body.capturedAt, '2025-01-03T22:10:00.000Z')
  assert.equal(body.evidence.timeBasis, 'file-name')
})

test('5 March 2026 in the US is a day without a snapshot, not a day outside the chart', { skip }, async () => {
  const missing = await world.call('get_apple_charts', { categoryId: '6014', date: '2026-03-05' })
  assert.deepEqual([missing.status, missing.body.code], [404, 'snapshot-not-found'])
  assert.match(missing.body.detail, /2026-03-04 and 2026-03-06/)
  const { body } = await world.call('get_apple_charts', { categoryId: '6014', date: '2026-03-04', limit: 1 })
  const history = await world.call('get_apple_chart_history', {
    storeId: body.items[0].app.storeId,
    categoryId: '6014',
    from: '2026-03-04',
    to: '2026-03-06',
  })
  const series = history.body.charts[0].series as { date: string; rank: object }[]
  assert.deepEqual(series[1], { date: '2026-03-05', rank: { state: 'not-measured', reason: 'no-snapshot' } })
})

test('a chart of which Apple returned 97 places says so', { skip }, async () => {
  const { body } = await world.call('get_apple_charts', {
    categoryId: '6000',
    chart: 'top-paid',
    date: '2026-02-25',
  })
  assert.deepEqual([body.bound, body.requested, body.returned, body.items.length], [200, 100, 97, 97])
})

test('the record of a renamed app shows the newest name, its listing history the old ones', {
  skip,
}, async () => {
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '1487752024', country: 'jp' })
  const names = body.listingHistory.filter((version: { field: string }) => version.field === 'name')
  assert.equal(body.name, 'ワンバンク:AI家計簿アプリで頑張らなくていいお金の管理')
  assert.deepEqual(
    names.map((version: { value: string; current: boolean }) => [version.value, version.current]),
    [
      ['ワンバンク:AI家計簿アプリで頑張らなくていいお金の管理', true],
      ['家計簿B/43:シンプル&人気のAIレシート入力で簡単管理', false],
    ],
  )
})

test('the listing of a chat app shows how it changed over fifteen months', { skip }, async () => {
  const { body: found } = await world.call('search_competitors', { q: 'WeChat', limit: 1 })
  const storeId = found.items[0].storeId
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId })
  assert.ok(body.listingHistory.some((version: { field: string }) => version.field === 'version'))
  const media = await world.call('get_competitor_media', { platform: 'ios', storeId })
  assert.ok(
    media.body.items.some(
      (item: { kind: string; current: boolean }) => item.kind === 'screenshot' && item.current,
    ),
  )
})

test('categories count the stored apps of a storefront', { skip }, async () => {
  const { body } = await world.call('list_competitor_categories', {})
  const apps = new Map(
    body.items.map((item: { categoryId: string; apps: number }) => [item.categoryId, item.apps]),
  )
  assert.ok(Number(apps.get('36')) >= 7197)
  assert.ok(Number(apps.get('6014')) >= 3862)
})

test('similar apps come with their reasons, from descriptions alone when nothing else is stored', {
  skip,
}, async () => {
  const { body } = await world.call('get_similar_competitors', {
    platform: 'ios',
    storeId: '281796108',
    limit: 10,
  })
  assert.ok(body.items.length > 0)
  assert.ok(body.items.every((item: { reasons: unknown[] }) => item.reasons.length > 0))
  const charting = body.basis.find((basis: { kind: string }) => basis.kind === 'charting-together')
  assert.equal(charting.state, 'not-measured')
})

test('the same files again store nothing new', { skip }, async () => {
  const again = await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
  assert.deepEqual([again.stored, again.rejected], [0, 0])
  assert.equal(again.unchanged, again.read)
})
