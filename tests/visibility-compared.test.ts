import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storeListings } from './support/listings.ts'
import { connectMcp, type McpClient } from './support/mcp.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { track } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

const observedAt = '2026-03-01T06:00:00.000Z'
let world: World
let agent: McpClient
before(async () => {
  world = await openWorld()
  agent = await connectMcp(await world.server.listen({ host: '127.0.0.1', port: 0 }), await world.key())
  await storeListings(
    world,
    [1, 2, 3].map((trackId) => ({ trackId, trackName: `Brook ${trackId}`, observedAt })),
  )
  await storePages(
    world,
    ['exam', 'timer', 'study'].map((term, at) => ({ term, observedAt, apps: appsOf([9 + at, 1, 2, 3]) })),
  )
})
after(async () => {
  await agent[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const listed = async () => (await world.call('list_aso_apps', {})).body

test('shares of several apps over different terms say that they are not comparable, and how to compare', async () => {
  const own = await track(world, 1, ['exam', 'timer'])
  const alone = await listed()
  assert.equal(alone.comparison, null, 'one share stands beside no other')
  await track(world, 2, ['timer', 'exam'], { role: 'rival' })
  const same = await listed()
  assert.equal(same.comparison, null)
  assert.equal(new Set(same.items.map(({ visibility }) => visibility.termSet)).size, 1)
  await track(world, 3, ['study', 'never searched'], { role: 'rival' })
  const { comparison, items } = await listed()
  assert.equal(
    comparison,
    'These shares are over 2 different sets of keywords: compare only those with the same `visibility.termSet`. `get_aso_workstation` of one app measures its rivals over its own keywords.',
  )
  const sets = new Map(items.map(({ app, visibility }) => [app.storeId, visibility.termSet]))
  assert.equal(sets.get('1'), sets.get('2'))
  assert.notEqual(sets.get('1'), sets.get('3'))
  const { body } = await world.call('get_aso_workstation', { appId: own.appId })
  for (const { visibility } of [body, ...body.rivals]) assert.equal(visibility.termSet, sets.get('1'))
  assert.equal(body.rivals.length, 2)
  const glance = (await agent.call('list_aso_apps', {})).reply
  assert.equal(glance.comparison, comparison)
})

test('the share of an app that is only looked up names its own terms, and none without a page', async () => {
  const aso = async (storeId: string) =>
    (await world.call('get_competitor_aso', { platform: 'ios', storeId })).body
  const [one, three] = [await aso('1'), await aso('3')]
  assert.match(String(one.visibility.termSet), /^us:3:[\w-]{8}$/)
  assert.equal(one.visibility.termSet, three.visibility.termSet, 'pages of the same three terms show both')
  await storePages(world, [{ term: 'homework', observedAt, apps: appsOf([3]) }])
  assert.notEqual((await aso('3')).visibility.termSet, one.visibility.termSet)
  await storeListings(world, [{ trackId: 4, trackName: 'Quietly', observedAt }])
  assert.equal((await aso('4')).visibility.termSet, null)
})

test('terms of another storefront or surface are another set', async () => {
  const { appId } = await track(world, 2, ['exam'], { country: 'gb' })
  await storePages(world, [{ term: 'exam', country: 'gb', observedAt, apps: appsOf([1, 2]) }])
  const station = (surface?: 'app-store-search') =>
    world.call('get_aso_workstation', { appId, ...(surface ? { surface } : {}) })
  assert.match(String((await station()).body.visibility.termSet), /^gb:1:/)
  assert.equal((await station('app-store-search')).body.visibility.termSet, null)
})
