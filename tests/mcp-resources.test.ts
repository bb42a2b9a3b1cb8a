import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { templates } from '../src/mcp/resources.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp, type McpClient } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

const storeId = '6449912345'
let world: World
let address: string
let agent: McpClient
let other: McpClient
let appId: string
before(async () => {
  world = await openWorld()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  agent = await connectMcp(address, await world.key())
  other = await connectMcp(address, await world.key(['context:read'], 'other'), 'legacy')
  await storeListings(
    world,
    ['Tidepool Habits', 'Tidepool Journal', 'Driftwood Planner'].map((trackName, index) => ({
      trackId: Number(storeId) + index,
      trackName,
      artistName: 'Salt Marsh Studio',
      primaryGenreId: 6007,
      genreIds: ['6007'],
      observedAt: '2026-02-01T00:00:00Z',
    })),
  )
  const { reply } = await agent.call('track_aso_app', {
    app: String(Number(storeId) + 1),
    country: 'us',
    role: 'own',
  })
  appId = reply.appId
  await agent.call('add_aso_keywords', { appId, terms: ['habit tracker', 'tide table'] })
})
after(async () => {
  await agent[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const read = async (uri: string, client = agent) => {
  const { contents } = await client.client.readResource({ uri })
  const [content] = contents as { uri: string; mimeType: string; text: string }[]
  assert.deepEqual([contents.length, content?.uri, content?.mimeType], [1, uri, 'application/json'])
  return JSON.parse(content?.text ?? '')
}

test('a resource is what its tool answers, in both revisions', async () => {
  for (const [uri, tool, given] of [
    [`rivalscope://apps/us/${storeId}`, 'get_competitor', { country: 'us', storeId }],
    [`rivalscope://apps/us/${storeId}/aso`, 'get_competitor_aso', { country: 'us', storeId }],
    [
      'rivalscope://keywords/us/habit%20tracker',
      'explore_aso_keyword',
      { country: 'us', query: 'habit tracker' },
    ],
    ['rivalscope://categories/us', 'list_competitor_categories', { country: 'us' }],
  ] as const)
    for (const client of [agent, other]) {
      const { reply, failed } = await client.call(tool, given)
      assert.equal(failed, false)
      assert.deepEqual(await read(uri, client), reply, uri)
    }
  const report = await read(`rivalscope://tracked/${appId}`)
  assert.deepEqual(report, (await agent.call('get_aso_workstation', { appId })).reply)
})

test('the listing names the tracked apps of the account, and nobody else sees them', async () => {
  const { resources } = await agent.client.listResources()
  assert.deepEqual(
    resources.map(({ uri, name }) => [uri, name]),
    [[`rivalscope://tracked/${appId}`, 'Tidepool Journal (us, own)']],
  )
  assert.deepEqual((await other.client.listResources()).resources, [])
  await assert.rejects(read(`rivalscope://tracked/${appId}`, other), /tracked-app-not-found/)
})

test('templates are listed with what they show', async () => {
  const { resourceTemplates } = await other.client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    templates.map(({ uriTemplate }) => uriTemplate),
  )
  assert.ok(resourceTemplates.every(({ description }) => description))
})

test('addresses that are none are refused by name', async () => {
  for (const uri of [
    'rivalscope://app/us/1',
    'rivalscope://apps/us/',
    'rivalscope://apps/us/%zz',
    `rivalscope://apps/us/1/aso/more`,
    'https://apps.apple.com/us/app/id1',
    `rivalscope://posts/${'x'.repeat(2_000)}`,
  ])
    await assert.rejects(read(uri), {
      code: -32602,
      message: /There is no resource .*rivalscope:\/\/apps\/\{country\}/,
    })
  await assert.rejects(read('rivalscope://apps/zz/1'), { code: -32602, message: /country: is not a country/ })
  await assert.rejects(read('rivalscope://apps/us/17'), { code: -32602, message: /competitor-not-found/ })
})

const values = async (
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
  name: string,
  value: string,
  filled: Record<string, string> = {},
  client = agent,
) => {
  const asked = { ref, argument: { name, value }, context: { arguments: filled } }
  return (await client.client.complete(asked)).completion.values
}
const prompt = (name: string) => ({ type: 'ref/prompt' as const, name })
const resource = (uri: string) => ({ type: 'ref/resource' as const, uri })
const app = resource('rivalscope://apps/{country}/{storeId}')

test('apps are completed by name, tracked ones first', async () => {
  assert.deepEqual(await values(prompt('morning_check'), 'app', 'tide'), [
    'Tidepool Journal',
    'Tidepool Habits',
  ])
  assert.deepEqual(await values(prompt('morning_check'), 'app', ''), ['Tidepool Journal'])
  assert.deepEqual(await values(app, 'storeId', 'habits', { country: 'us' }, other), [storeId])
  assert.deepEqual(await values(prompt('morning_check'), 'app', '', {}, other), [])
  assert.deepEqual(await values(app, 'storeId', 'tide', { country: 'zz' }), [])
})

test('countries, categories, terms and fixed values are completed', async () => {
  assert.equal((await values(app, 'country', 'germ'))[0], 'de')
  assert.equal((await values(prompt('keyword_gap'), 'country', 'jp'))[0], 'jp')
  assert.ok((await values(app, 'country', '')).length <= 20)
  const chart = resource('rivalscope://charts/{country}/{chart}/{categoryId}')
  assert.deepEqual(await values(chart, 'categoryId', 'productiv', { country: 'us' }), ['6007'])
  assert.deepEqual(await values(prompt('emerging_apps'), 'category', 'productiv'), ['Productivity'])
  assert.ok((await values(chart, 'chart', 'top')).includes('top-free'))
  const keyword = resource('rivalscope://keywords/{country}/{query}')
  assert.deepEqual(await values(keyword, 'query', 'hab', { country: 'us' }), ['habit tracker'])
  assert.deepEqual(await values(keyword, 'query', 'hab', { country: 'us' }, other), [])
  assert.deepEqual(await values(prompt('import_ads'), 'platform', 'met'), ['meta'])
  assert.deepEqual(await values(app, 'storeId', 'x'.repeat(5_000)), [])
  assert.deepEqual(await values(prompt('creative_brief'), 'goal', 'trial'), [])
})

test('completions of what is not there are refused by name', async () => {
  await assert.rejects(values(prompt('evening_check'), 'app', ''), { code: -32602, message: /"evening_check"/ })
  await assert.rejects(values(prompt('morning_check'), 'rival', ''), { code: -32602, message: /"rival"/ })
  await assert.rejects(values(resource('x://{y}'), 'y', ''), { code: -32602, message: /no template "x:/ })
})
