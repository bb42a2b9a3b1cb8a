import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProtocolError } from '@modelcontextprotocol/client'
import type { Tool } from '../src/contract/contract.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp, type McpClient } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

/** What models get wrong in calls: each is taken as it is meant, or refused with the mend in one line. */

const storeId = '6449912345'
const unknownApp = '01a1fd93-2933-7547-b34f-2d602fc088d2'
const many = Array.from({ length: 200 }, (_, index) => String(1_000_000 + index))
const prose =
  'Which of the habit tracker apps for students have grown the most over the last thirty days, and why, with numbers and with reasons, compared with each other and with mine, in as much detail as you can find?'

let world: World
let agent: McpClient
before(async () => {
  world = await openWorld()
  agent = await connectMcp(await world.server.listen({ host: '127.0.0.1', port: 0 }), await world.key())
  await storeListings(world, [
    {
      trackId: Number(storeId),
      trackName: 'Tidepool Habits',
      artistName: 'Salt Marsh Studio',
      observedAt: '2026-02-01T00:00:00Z',
    },
  ])
})
after(async () => {
  await agent[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

type Arguments = Record<string, unknown>

test('what is written otherwise than asked for is taken as it is meant', async () => {
  const mended: [tool: Tool, given: Arguments, meant: Arguments][] = [
    ['get_competitor', { storeId: Number(storeId) }, { storeId }],
    ['get_competitor', { storeId: `https://apps.apple.com/us/app/tidepool/id${storeId}?l=en` }, { storeId }],
    ['get_competitor', { storeId: `id${storeId}` }, { storeId }],
    ['get_competitor', { storeId: [storeId] }, { storeId }],
    ['get_competitor', { store_id: storeId }, { storeId }],
    ['get_competitor', { StoreID: Number(storeId) }, { storeId }],
    ['get_competitor', { storeId, platform: 'iOS', language: null, country: '' }, { storeId }],
    ['get_competitor', { arguments: { storeId } }, { storeId }],
    ['get_competitor', { storeId, fields: 'name, developer' }, { storeId, fields: ['name', 'developer'] }],
    ['get_competitor', { storeId, fields: [] }, { storeId }],
    [
      'search_competitors',
      { q: 'tidepool', ...empty('price', 'minRating', 'sort', 'cursor', 'limit', 'country', 'fields') },
      { q: 'tidepool' },
    ],
    [
      'search_competitors',
      { q: 'tidepool', min_rating: '0', limit: '1' },
      { q: 'tidepool', minRating: 0, limit: 1 },
    ],
    ['search_competitors', { sort: 'ratingCount' }, { sort: 'rating-count' }],
    ['search_competitors', { charting: false }, { charting: 'no' }],
    ['search_competitors', { categoryId: ['6014'] }, { categoryId: '6014' }],
    ['search_competitors', { categoryId: 'Photo and video' }, { categoryId: '6008' }],
    ['search_competitors', { CategoryID: 'games' }, { categoryId: '6014' }],
    ['search_competitors', { releasedFrom: '2026-01-01T00:00:00Z' }, { releasedFrom: '2026-01-01' }],
    ['search_paid_ads', { format: 'video' }, { format: ['video'] }],
    ['search_paid_ads', { format: 'video, image' }, { format: ['video', 'image'] }],
    ['search_paid_ads', { formats: '["video","image"]' }, { format: ['video', 'image'] }],
    ['search_paid_ads', { callToAction: 'Shop Now' }, { callToAction: ['shop-now'] }],
    ['search_paid_ads', { active: 'true', network: undefined }, { active: true }],
    ['search_paid_ads', { competitor: Number(storeId), format: [] }, { competitor: [storeId] }],
    ['search_organic_content', { networks: 'TikTok,YouTube' }, { network: ['tiktok', 'youtube'] }],
    ['search_organic_content', { language: 'pt_BR' }, { language: ['pt-BR'] }],
    ['list_aso_apps', { role: 'Own', country: 'US' }, { role: 'own', country: 'us' }],
  ]
  for (const [tool, given, meant] of mended) {
    const [one, other] = [await agent.call(tool, given), await agent.call(tool, meant)]
    assert.ok(!one.failed, `${tool} ${JSON.stringify(given)}: ${one.text}`)
    assert.deepEqual(one.reply, other.reply, `${tool} ${JSON.stringify(given)}`)
  }
})

test('what cannot be taken is refused with the mend in the same line', async () => {
  const told: [tool: Tool, given: Arguments, mend: RegExp][] = [
    ['get_competitor', { storeId: 'Duolingo' }, /call search_competitors with q="Duolingo"/],
    [
      'get_competitor',
      { storeId: 'https://play.google.com/store/apps/details?id=a.b' },
      /only apps of the App Store/,
    ],
    ['get_competitor', {}, /storeId: is missing; search_competitors gives it/],
    ['get_competitor', { app: storeId }, /app: is not known here; did you mean "storeId"\?/],
    ['get_competitor', { storeId: many }, /storeId: must be a text, not a list: call once for each/],
    ['get_competitor', { storeId, platform: 'android' }, /platform: must be ios/],
    ['get_competitor', { storeId, country: 'Germany' }, /country: .*did you mean "de"\?/],
    ['get_competitor', { storeId, country: 'en-US' }, /country: .*did you mean "us"\?/],
    ['get_competitor', { storeId, country: 'worldwide' }, /give one code such as us or de/],
    ['get_competitor', { storeId, countries: ['us', 'de'] }, /give one code such as us or de/],
    ['get_competitor', { storeId, language: 'English' }, /did you mean "en-AU"/],
    ['get_competitor', { storeId: '1' }, /request_ios_competitor/],
    ['search_competitors', { categoryId: 'Nothing Such' }, /list_competitor_categories gives it/],
    ['search_competitors', { category: '6014' }, /did you mean "categoryId"\?/],
    ['search_competitors', { query: 'habits' }, /did you mean "q"\?/],
    ['search_competitors', { q: prose }, /at most 200 are taken; give the few words to look for/],
    ['search_competitors', { q: ['tide', 'pool'] }, /q: must be a text, not a list: call once for each/],
    ['search_competitors', { minRating: '4.5+' }, /must be a number; did you mean 4\.5\?/],
    ['search_competitors', { limit: 500 }, /limit: must be at most 100/],
    ['search_competitors', { sort: 'downloads' }, /must be one of relevance, rating-count/],
    ['search_competitors', { cursor: '2' }, /Start again without a cursor, and pass `nextCursor`/],
    [
      'get_apple_charts',
      { date: 'today' },
      /date: must be a date such as \d{4}-\d\d-\d\d, which is today in UTC/,
    ],
    ['get_apple_charts', { chart: 'free' }, /did you mean "top-free"\?/],
    ['get_apple_chart_history', { storeId, from: 'last week' }, /from: must be a date such as/],
    [
      'get_apple_chart_history',
      { storeId, from: '2026-02-03', to: '2026-02-01' },
      /2026-02-03 is after to 2026-02-01/,
    ],
    [
      'get_competitor_estimate_history',
      { storeId, metric: ['downloads', 'revenue'] },
      /downloads, revenue, not a list/,
    ],
    ['search_paid_ads', { competitor: many }, /competitor: has 200 entries; at most 20 are taken in one call/],
    ['search_paid_ads', { competitor: 'Duolingo' }, /call search_competitors with q="Duolingo"/],
    ['search_paid_ads', { platform: 'facebook' }, /did you mean "meta"\?/],
    ['search_paid_ads', { minDaysRunning: '30 days' }, /did you mean 30\?/],
    ['search_organic_content', { network: 'Twitter' }, /did you mean "x"\?/],
    ['search_organic_content', { storeId }, /did you mean "competitor"\?/],
    [
      'get_organic_content',
      { postId: '7301234567890123456' },
      /such as youtube_\w+; search_organic_content gives it/,
    ],
    [
      'get_organic_content',
      { postId: 'tiktok_7301234567890123456' },
      /search_organic_content finds those that are|`search_organic_content`/,
    ],
    ['get_paid_ad', { archiveId: '123' }, /platform: is missing: one of meta/],
    ['get_paid_ad', { platform: 'meta', archiveId: 123 }, /`search_paid_ads` finds those that are/],
    ['get_aso_workstation', { appId: storeId }, /an App Store id is another; list_aso_apps gives it/],
    ['get_aso_workstation', { appId: 'Tidepool Habits' }, /list_aso_apps gives it/],
    ['get_aso_workstation', { appId: unknownApp }, /`list_aso_apps` has the ids/],
    ['get_aso_keyword_gap', { appId: unknownApp, rivalStoreId: 'Duolingo' }, /call search_competitors/],
    ['add_aso_keywords', { appId: unknownApp, keywords: ['tide'] }, /keywords: .*did you mean "terms"\?/],
    ['add_aso_keywords', { appId: unknownApp, terms: [...many, 'tide'] }, /at most 200 are taken in one call/],
    ['track_aso_app', { app: 'Duolingo', role: 'own' }, /call search_competitors with q="Duolingo"/],
    ['track_aso_app', { app: storeId, role: 'competitor' }, /did you mean "rival"\?/],
    ['track_aso_app', { app: storeId }, /role: is missing: one of own, rival, watched/],
    ['track_aso_app', { storeId, role: 'own' }, /storeId: .*did you mean "app"\?/],
    ['request_competitor_data', { storeId, kinds: 'reviews' }, /kinds\/0: must be one of record/],
    ['search_ios_apps', { q: 'habit' }, /q: .*did you mean "term"\?/],
    ['explore_aso_keyword', { keyword: 'habit' }, /keyword: .*did you mean "query"\?/],
    ['admin_get_paid_ad_import', { runId: 'latest' }, /the call that started the run gives it/],
  ]
  for (const [tool, given, mend] of told) {
    const { failed, text } = await agent.call(tool, given)
    const said = `${tool} ${JSON.stringify(given).slice(0, 100)}`
    assert.ok(failed, said)
    assert.match(text, mend, said)
  }
  assert.deepEqual((await agent.call('list_aso_apps')).reply.items, [], 'nothing was stored by any of them')
})

test('a question in place of words finds nothing, and is told that words are wanted', async () => {
  const { text } = await agent.call('search_competitors', {
    q: 'what are the best habit trackers for students',
  })
  assert.match(text, /^`q` is for words that occur, not for a question/m)
  assert.doesNotMatch((await agent.call('search_competitors', { q: 'zyxwv' })).text, /question/)
})

test('the name of a tool that other products have leads to the tool of this one', async () => {
  for (const [name, near] of [
    ['get_app', 'get_competitor'],
    ['searchApps', 'search_competitors'],
    ['search_ads', 'search_paid_ads'],
    ['search_facebook_ads', 'search_paid_ads'],
    ['get_downloads', 'get_competitor_estimate_history'],
    ['top_charts', 'get_apple_charts'],
    ['get_keyword_rankings', 'get_aso_keyword_gap'],
    ['get_screenshots', 'get_competitor_media'],
    ['discover_emerging_competitors', 'discover_emerging_ios_competitors'],
    ['competitor-categories', 'list_competitor_categories'],
  ] as const)
    await assert.rejects(agent.call(name), (error: ProtocolError) => {
      assert.ok(error.message.includes(near), `${name}: ${error.message}`)
      return true
    })
})

test('long values of hostile callers are refused at once', async () => {
  const long = 'a,'.repeat(200_000)
  for (const given of [{ storeId: long }, { [long]: 1 }, { storeId, fields: long }, { arguments: long }]) {
    const { failed, text } = await agent.call('get_competitor', given)
    assert.ok(failed)
    assert.ok(text.length < 10_000, `${text.length}`)
  }
})

const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))
