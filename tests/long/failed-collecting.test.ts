import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { adImport } from '../../src/domain/paid-ads/imports/import-run.ts'
import { performAdImport } from '../../src/jobs/kinds/ad-import.ts'
import { collectChart } from '../../src/jobs/kinds/collect-chart.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { playedLibrarySources, startAdLibraries } from '../support/ad-libraries.ts'
import { type PlayedApple, playedSources, startApple } from '../support/apple.ts'
import { openCollecting, overall } from '../support/collecting.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

let apple: PlayedApple
let world: World

before(async () => {
  apple = await startApple()
  world = await openWorld({ sources: playedSources(apple, { attempts: 1 }) })
})
beforeEach(() => apple.recover())
after(async () => {
  await world?.[Symbol.asyncDispose]()
  await apple?.[Symbol.asyncDispose]()
})

const soon = () => new AbortController().signal
const lookUp = (storeIds: string[], country: string) =>
  world.collecting.collector.lookup(storeIds, country, soon())

/** The reasons of everything that rests on the record of an app in a storefront. */
async function reasonsOf(storeId: string, country: string, { call } = world) {
  const asked = { platform: 'ios', storeId, country }
  const record = (await call('get_competitor', asked)).body
  const aso = (await call('get_competitor_aso', asked)).body
  const listed = (await call('search_competitors', { q: storeId, country })).body.items[0]
  const part = (name: string) => record.freshness.find((one: { part: string }) => one.part === name)
  const text = (name: string) => aso.audit.texts.find((one: { field: string }) => one.field === name)
  return Object.fromEntries(
    Object.entries({
      description: record.description,
      price: record.price,
      media: record.counts.media,
      recordPart: part('record'),
      mediaPart: part('media'),
      similarPart: part('similar'),
      auditedText: text('description').text,
      auditedLength: text('name').characters,
      rating: aso.ratings.rating,
      growth: aso.ratings.growth[0].added,
      listedPrice: listed.price,
    } as Record<string, { state: string; reason?: string }>).map(([name, fact]) => [
      name,
      fact.reason ?? fact.state,
    ]),
  )
}

const all = (reasons: Record<string, string>, reason: string) =>
  Object.fromEntries(Object.keys(reasons).map((name) => [name, reason]))

test('an app whose look-up failed says that, and not that nobody has looked, until there is a record', async () => {
  const [app] = apple.apps
  const storeId = app?.storeId ?? ''
  await lookUp([storeId], 'us')
  const unseen = await reasonsOf(storeId, 'de')
  assert.deepEqual(unseen, all(unseen, 'never-collected'))
  apple.behave('/lookup', { does: 'unavailable' })
  await assert.rejects(lookUp([storeId], 'de'))
  assert.deepEqual(await reasonsOf(storeId, 'de'), all(unseen, 'source-failed'))
  assert.equal((await reasonsOf(storeId, 'jp')).description, 'never-collected', 'elsewhere nobody has looked')
  apple.recover()
  await lookUp([storeId], 'de')
  const { similarPart, growth, ...seen } = await reasonsOf(storeId, 'de')
  assert.deepEqual(seen, all(seen, 'measured'))
  assert.deepEqual([similarPart, growth], ['never-collected', 'too-little-evidence'])
})

test('a record stays what it is when the app is looked up again in vain', async () => {
  const storeId = apple.apps[1]?.storeId ?? ''
  await lookUp([storeId], 'us')
  const stored = await reasonsOf(storeId, 'us')
  apple.behave('/lookup', { does: 'unavailable' })
  await assert.rejects(lookUp([storeId], 'us'))
  assert.deepEqual(await reasonsOf(storeId, 'us'), stored)
})

test('an app that the storefront does not have is no failure, and takes an earlier one back', async () => {
  const storeId = apple.apps[4]?.storeId ?? ''
  await lookUp([storeId], 'us')
  apple.behave('/lookup', { does: 'unavailable' }, 1)
  await assert.rejects(lookUp([storeId], 'de'))
  assert.equal((await reasonsOf(storeId, 'de')).price, 'source-failed')
  await lookUp([storeId], 'de')
  assert.equal((await reasonsOf(storeId, 'de')).price, 'never-collected')
})

test('of a batch, only the app whose record cannot be read counts as failed', async () => {
  const [unreadable, missing] = ['6', '7'].map((at) => apple.apps[Number(at)]?.storeId ?? '') as [
    string,
    string,
  ]
  await lookUp([unreadable, missing], 'us')
  const results = [{ kind: 'software', trackId: Number(unreadable), releaseDate: '2020-99-99T00:00:00Z' }]
  apple.behave('/lookup', { does: 'serve', body: JSON.stringify({ resultCount: 1, results }) })
  await lookUp([unreadable, missing], 'de')
  assert.equal((await reasonsOf(unreadable, 'de')).price, 'source-failed')
  assert.equal((await reasonsOf(missing, 'de')).price, 'never-collected')
})

test('a failed intake is told in the record of the storefront it was for', async () => {
  await using working = await openCollecting()
  const storeId = working.apple.apps[8]?.storeId ?? ''
  await working.world.collecting.collector.lookup([storeId], 'us', soon())
  working.apple.behave('/lookup', { does: 'unavailable' })
  await working.world.call('request_ios_competitor', { app: storeId, country: 'jp' })
  const { recordPart } = await until(
    () => reasonsOf(storeId, 'jp', working.world),
    ({ description }) => description !== 'never-collected',
  )
  assert.equal(recordPart, 'source-failed')
})

test('a page that could not be read is told where similar apps are missing', async () => {
  const storeId = apple.apps[10]?.storeId ?? ''
  await lookUp([storeId], 'us')
  assert.equal((await reasonsOf(storeId, 'us')).similarPart, 'never-collected')
  apple.behave('/us/app', { does: 'unavailable' })
  const read = () => world.collecting.collector.page(storeId, 'us', soon())
  await assert.rejects(read())
  assert.equal((await reasonsOf(storeId, 'us')).similarPart, 'source-failed')
  assert.equal((await reasonsOf(storeId, 'us')).price, 'measured')
})

test('how a keyword fits a listing that could not be looked up is told as failed', async () => {
  const storeId = apple.apps[11]?.storeId ?? ''
  await lookUp([storeId], 'us')
  const rival = apple.apps[12]?.storeId ?? ''
  await lookUp([rival], 'us')
  const { appId } = (await world.call('track_aso_app', { app: storeId, role: 'own', country: 'gb' })).body
  await world.call('track_aso_app', { app: rival, role: 'rival', country: 'gb' })
  await world.call('add_aso_keywords', { appId, terms: ['quiet budget'] })
  const reasons = async () => {
    const station = (await world.call('get_aso_workstation', { appId })).body
    const gap = (await world.call('get_aso_keyword_gap', { appId, rivalStoreId: rival })).body
    return [station.keywords[0], gap.items[0], ...station.suggestions].map((one) => one?.relevance.reason)
  }
  const before = await reasons()
  assert.deepEqual(new Set(before), new Set(['never-collected']))
  apple.behave('/lookup', { does: 'unavailable' })
  await assert.rejects(lookUp([storeId], 'gb'))
  assert.deepEqual(new Set(await reasons()), new Set(['source-failed']))
})

test('charts that could not be collected are told as failed, until one of them is there', async () => {
  await using played = await startApple()
  await using shop = await openWorld({ sources: playedSources(played, { attempts: 1 }) })
  const [app] = played.apps
  const { collector } = shop.collecting
  const chartsPart = async (storeId: string | undefined) => {
    const { freshness } = (await shop.call('get_competitor', { platform: 'ios', storeId })).body
    return freshness.find((one: { part: string }) => one.part === 'charts')
  }
  await collector.lookup([app?.storeId ?? ''], 'us', soon())
  const collect = (chart = overall) => collectChart(shop.store.db, collector, chart, soon())
  assert.equal((await chartsPart(app?.storeId)).reason, 'never-collected')
  played.behave(() => true, { does: 'unavailable' })
  assert.equal((await collect({ ...overall, categoryId: 6016 })).outcome, 'failed')
  assert.equal((await chartsPart(app?.storeId)).reason, 'never-collected', 'a chart it cannot be in')
  assert.equal((await collect()).outcome, 'failed')
  assert.equal((await chartsPart(app?.storeId)).reason, 'source-failed')
  played.recover()
  assert.equal((await collect()).outcome, 'stored')
  assert.equal((await chartsPart(app?.storeId)).state, 'measured')
  played.behave(() => true, { does: 'unavailable' })
  assert.equal((await collect()).outcome, 'failed')
  assert.equal((await chartsPart(app?.storeId)).state, 'measured', 'what is stored stays')
})

test('where no ad is stored because the library failed, that is said, and not that nobody has looked', async () => {
  await using played = await startAdLibraries()
  await using shop = await openWorld({
    sources: { ...playedSources(apple, { attempts: 1 }), ...playedLibrarySources(played) },
    adTokens: played.tokens,
  })
  const storeId = apple.apps[0]?.storeId ?? ''
  await shop.collecting.collector.lookup([storeId], 'us', soon())
  const reported = async () => {
    const { counts } = (await shop.call('get_competitor', { platform: 'ios', storeId })).body
    const { coverage } = (await shop.call('search_paid_ads', { platform: ['meta'] })).body
    const codes: string[] = coverage[0].notes.map(({ code }: { code: string }) => code)
    return [counts.paidAds.reason ?? counts.paidAds.state, ...codes.slice(3)]
  }
  const importAds = async () => {
    const { body } = await shop.call('admin_import_paid_ads', { platform: 'meta', terms: ['tides'] })
    const perform = performAdImport(shop.store.db, shop.collecting.adLibraries)
    await workTask(shop.store.db, adImport, perform)({ workId: body.runId }, soon()).catch(() => {})
    return body.runId
  }
  assert.deepEqual(await reported(), ['never-collected', 'never-collected'])
  played.behave(() => true, { does: 'fail', status: 500, error: { code: 1, message: 'Out of order' } })
  const runId = await importAds()
  assert.deepEqual(await reported(), ['source-failed', 'source-failing'])
  played.recover()
  const { store, collecting } = shop
  await workTask(
    store.db,
    adImport,
    performAdImport(store.db, collecting.adLibraries),
  )({ workId: runId }, soon())
  assert.deepEqual(await reported(), ['measured'])
})
