import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type PlayedApple, playedSources, startApple } from '../../../tests/support/apple.ts'
import { memoryRateLimiter } from '../../../tests/support/memory-rate-limiter.ts'
import { sharedData } from '../../../tests/support/world.ts'
import { Sources } from '../../sources/settings.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { UnknownStorefrontError } from '../../vocabulary/storefronts.ts'
import type { CollectedPayload } from '../collected-payload.ts'
import { type AppleClients, appleClients, lookupBatch } from './clients.ts'

const patient = new AbortController().signal
let apple: PlayedApple
let clients: AppleClients
const clientsWith = (section: Record<string, unknown>) =>
  appleClients(Sources.parse({ ...playedSources(apple), ...section }), memoryRateLimiter(), {
    backOffMs: 1,
    throttledMs: 1,
    openMs: 1,
  })

before(async () => {
  apple = await startApple()
  clients = clientsWith({})
})
after(() => apple[Symbol.asyncDispose]())

const overall: ChartIdentity = { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' }
const lastPath = () => apple.requests.at(-1)?.path
const ids = ({ value }: CollectedPayload) => value.sightings.map(({ sighting }) => sighting.storeId)
const chartIn = ({ value }: CollectedPayload) => {
  const { sightings: _, storeIds: __, requested: ___, ...identity } = value.charts[0] ?? {}
  return identity
}

describe('Search and Lookup', () => {
  test('a search gives the apps in Apple’s order, with the raw bytes and where they came from', async () => {
    const answer = await clients.search({ term: 'quiet chat', country: 'us' }, patient)
    assert.equal(answer.empty, true)
    const found = await clients.search(
      { term: 'chat & lantern', country: 'de', limit: 5, language: 'de_de' },
      patient,
    )
    assert.equal(
      lastPath(),
      '/search?term=chat+%26+lantern&media=software&limit=5&lang=de_de&country=de&entity=software',
    )
    const { source, country, url, bytes } = found
    assert.deepEqual([source, country, url], ['itunes-search', 'de', `${apple.url}${lastPath()}`])
    assert.equal(JSON.parse(Buffer.from(bytes).toString()).resultCount, found.value.sightings.length)
    assert.deepEqual(ids(await clients.search({ term: 'lantern', country: 'us' }, patient)), [
      '8000000001',
      '8000000009',
      '8000000017',
    ])
  })

  test('a lookup gives the apps the storefront sells, and is empty where it sells none', async () => {
    const asked = ['8000000001', '8000000005', '8000000006']
    assert.deepEqual(ids(await clients.lookup(asked, 'us', patient)), asked)
    const abroad = await clients.lookup(asked, 'jp', patient)
    assert.deepEqual([abroad.source, ids(abroad)], ['itunes-lookup', ['8000000001', '8000000006']])
    const none = await clients.lookup(['8000000005'], 'jp', patient)
    assert.deepEqual([none.empty, none.bytes.byteLength > 0], [true, true])
    const bundle = await clients.lookupBundle('example.lantern.chat', 'us', patient)
    assert.deepEqual(ids(bundle), ['8000000001'])
  })

  test('more than Apple answers is not asked for', async () => {
    const many = Array.from({ length: lookupBatch + 1 }, (_, at) => String(at + 1))
    await assert.rejects(clients.lookup(many, 'us', patient), RangeError)
    await assert.rejects(clients.lookup([], 'us', patient), RangeError)
    await assert.rejects(clients.search({ term: 'x', country: 'us', limit: 201 }, patient), RangeError)
  })

  test('blank lines around an answer do not matter, and stay in the raw bytes', async () => {
    apple.behave('/search', { does: 'blank-lines' }, 1)
    const answer = await clients.search({ term: 'lantern', country: 'us' }, patient)
    assert.equal(ids(answer).length, 3)
    assert.match(Buffer.from(answer.bytes).toString(), /^\n\n\n\{/)
  })
})

describe('Charts', () => {
  test('come from the older feed, which has genres, iPads and grossing', async () => {
    const answer = await clients.chart(overall, patient)
    assert.equal(lastPath(), '/us/rss/topfreeapplications/limit=200/json')
    assert.deepEqual(
      [answer.source, chartIn(answer), answer.value.charts[0]?.requested, answer.empty],
      ['apple-rss-legacy', overall, 200, false],
    )
    const games: ChartIdentity = { country: 'de', kind: 'top-grossing', categoryId: 6014, device: 'ipad' }
    const grossing = await clients.chart(games, patient)
    assert.equal(lastPath(), '/de/rss/topgrossingipadapplications/limit=200/genre=6014/json')
    assert.deepEqual(chartIn(grossing), games)
  })

  test('come from the newer feed where that is chosen and it has them', async () => {
    const { chart } = clientsWith({ chartFeed: 'v2' })
    const answer = await chart({ ...overall, kind: 'top-paid' }, patient)
    assert.deepEqual([lastPath(), answer.source], ['/api/v2/us/apps/top-paid/100/apps.json', 'apple-rss-v2'])
    assert.ok(answer.value.records > 0)
    for (const other of [
      { categoryId: 6014 },
      { device: 'ipad' },
      { kind: 'top-grossing' },
    ] satisfies Partial<ChartIdentity>[])
      assert.equal((await chart({ ...overall, ...other }, patient)).source, 'apple-rss-legacy')
  })

  test('an empty chart is empty, and a chart that was not asked for is refused', async () => {
    apple.behave('/us/rss', { does: 'empty' }, 1)
    assert.equal((await clients.chart(overall, patient)).empty, true)
    const wrong = Buffer.from((await clients.chart({ ...overall, country: 'jp' }, patient)).bytes).toString()
    apple.behave('/us/rss', { does: 'serve', body: wrong }, 1)
    await assert.rejects(clients.chart(overall, patient), {
      name: 'SourceFailure',
      kind: 'unexpected-shape',
      message: /jp top-free 36 iphone for us top-free 36 iphone/,
    })
  })
})

describe('Search hints', () => {
  test('are asked for with the storefront in a header, and come in order', async () => {
    const answer = await clients.hints('la', 'jp', patient)
    assert.equal(apple.requests.at(-1)?.headers['x-apple-store-front'], '143462-1,29')
    assert.deepEqual(answer.value.hints?.terms, ['lantern chat', 'lantern budget', 'lantern puzzle'])
    assert.equal(answer.source, 'apple-search-hints')
    assert.equal((await clients.hints('zzz', 'jp', patient)).empty, true)
  })

  test('a page of HTML, and half a list, are told apart', async () => {
    apple.behave('/WebObjects', { does: 'html' }, 1)
    await assert.rejects(clients.hints('la', 'us', patient), { kind: 'not-json' })
    apple.behave('/WebObjects', { does: 'truncate' }, 3)
    await assert.rejects(clients.hints('la', 'us', patient), { kind: 'cut-off' })
  })
})

describe('The page of an app', () => {
  test('is found behind its redirect, and shows subtitle, preview and neighbours', async () => {
    const from = apple.requests.length
    const { value, source } = await clients.page('8000000001', 'us', patient)
    assert.deepEqual(
      apple.requests.slice(from).map(({ path }) => path),
      ['/us/app/id8000000001', '/us/app/lantern-chat/id8000000001'],
    )
    assert.equal(source, 'app-store-page')
    assert.deepEqual(value.sightings[0]?.sighting.listing, {
      name: 'Lantern Chat',
      subtitle: 'Chat made quiet',
      previews: ['https://pictures.example/8000000001/preview.m3u8'],
    })
    assert.deepEqual(
      value.lists?.map(({ kind, storeIds }) => [kind, storeIds.length]),
      [
        ['similar', 7],
        ['same-developer', 1],
      ],
    )
  })

  test('half a page, and a page without data, are told apart from an app that is not there', async () => {
    await assert.rejects(clients.page('8000000005', 'jp', patient), { kind: 'not-found' })
    apple.behave('/us/app', { does: 'html' }, 1)
    await assert.rejects(clients.page('8000000001', 'us', patient), { kind: 'unexpected-shape' })
    apple.behave('/us/app/lantern', { does: 'truncate' }, 3)
    await assert.rejects(clients.page('8000000001', 'us', patient), { kind: 'cut-off' })
  })
})

test('a country without a store is refused before anything is asked', async () => {
  const from = apple.requests.length
  const calls = [
    clients.search({ term: 'chat', country: 'zz' }, patient),
    clients.lookup(['1'], 'US', patient),
    clients.lookupBundle('a.b', 'zz', patient),
    clients.chart({ ...overall, country: 'zz' }, patient),
    clients.hints('chat', 'zz', patient),
    clients.page('1', 'zz', patient),
  ]
  for (const call of calls) await assert.rejects(call, UnknownStorefrontError)
  assert.equal(apple.requests.length, from)
})

const skip = existsSync(join(sharedData, 'apple'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

describe('Recorded answers through the real clients', { skip }, () => {
  const recorded = (name: string) => join(sharedData, 'apple', name)
  const serve = (matcher: string, name: string, times = 1) =>
    apple.behave(matcher, { does: 'serve-file', file: recorded(name) }, times)

  test('a search of fifty apps arrives byte for byte', async () => {
    const name = 'search/search_chat_us_2022-02-15_64e4a4f1.json'
    serve('/search', name)
    const answer = await clients.search({ term: 'chat', country: 'us', limit: 50 }, patient)
    assert.deepEqual(Buffer.from(answer.bytes), readFileSync(recorded(name)))
    assert.equal(answer.value.sightings.length, 50)
    assert.equal(answer.empty, false)
  })

  test('Mac apps among the results are refused one by one', async () => {
    serve('/search', 'search/search_slack_mac_and_ios.json')
    const { value } = await clients.search({ term: 'slack', country: 'us' }, patient)
    assert.ok(value.sightings.length > 0 && value.rejected.length > 0)
  })

  test('a lookup of a Mac app is not empty, and Apple’s empty answer with its blank lines is', async () => {
    serve('/lookup', 'search/lookup_slack.json')
    const { value, empty } = await clients.lookup(['803453959'], 'us', patient)
    assert.deepEqual(
      [empty, value.sightings, value.rejected.map(({ reason }) => reason)],
      [false, [], ['not an iOS app (mac-software)']],
    )
    serve('/lookup', 'search/empty_result_raw_bytes.json')
    const none = await clients.lookup(['1'], 'us', patient)
    assert.deepEqual([none.empty, none.bytes.byteLength], [true, 42])
  })

  test('the broken answer is called broken, at the first attempt', async () => {
    serve('/search', 'search/broken_2022-06-27.json')
    await assert.rejects(clients.search({ term: 'chat', country: 'us' }, patient), { kind: 'not-json' })
  })

  test('a feed of Hong Kong is read for Hong Kong, and refused for Japan', async () => {
    const identity: ChartIdentity = { ...overall, country: 'hk' }
    serve('/hk/rss', 'charts/rss-v1-hk-2019/top100.json')
    const { value } = await clients.chart(identity, patient)
    assert.equal(value.records, 100)
    serve('/jp/rss', 'charts/rss-v1-hk-2019/top100.json')
    await assert.rejects(clients.chart({ ...identity, country: 'jp' }, patient), { kind: 'unexpected-shape' })
  })

  test('hints of China come in order, with the weights of their time', async () => {
    serve('/WebObjects', 'hints/mzsearchhints_cn_csgo.plist.xml')
    const { value } = await clients.hints('csgo', 'cn', patient)
    assert.equal(value.hints?.terms.length, 10)
    assert.equal(value.hints?.terms[1], 'csgo开箱模拟器')
    assert.deepEqual(value.rejected, [])
  })
})
