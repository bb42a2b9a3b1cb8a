import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProtocolError } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { contract, type Tool } from '../src/contract/contract.ts'
import { effectHintsOf } from '../src/contract/hints.ts'
import type { Operation } from '../src/contract/operation.ts'
import { problems } from '../src/contract/problems.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp, type McpClient } from './support/mcp.ts'
import { importPosts, madePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

const rows: [tool: Tool, row: Operation][] = Object.entries(contract) as [Tool, Operation][]
let world: World
let address: string
let agent: McpClient
before(async () => {
  world = await openWorld()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  agent = await connectMcp(address, await world.key())
  await storeListings(
    world,
    ['Tidepool Habits', 'Tidepool Journal', 'Driftwood Planner'].map((trackName, index) => ({
      trackId: 6449912345 + index,
      trackName,
      artistName: 'Salt Marsh Studio',
      observedAt: '2026-02-01T00:00:00Z',
    })),
  )
  await importPosts(world, [madePost('7001', { text: 'tidepool '.repeat(100) })])
})
after(async () => {
  await agent[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

test('the tools are the operations of the contract, by name and in its order', async () => {
  const { tools } = await agent.client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    Object.keys(contract),
  )
})

test('a listing of all tools is at most 30 kB', async () => {
  const bytes = Buffer.byteLength(JSON.stringify(await agent.client.listTools()))
  assert.ok(bytes <= 30_000, `${bytes} bytes`)
})

test('a tool names every argument of its operation, and what of replies may be asked for', async () => {
  const { tools } = await agent.client.listTools()
  for (const { name, inputSchema } of tools) {
    const { params, query, body, reply, ending, list } = contract[name as Tool] as Operation
    const own = Object.entries({ ...params?.shape, ...query?.shape, ...body?.shape })
    // What has one possible value may be left out.
    const several = own.filter(([, field]) => !(field instanceof z.ZodEnum && field.options.length === 1))
    const fields = reply && (ending === 'read' || list) ? ['fields'] : []
    assert.deepEqual(
      Object.keys(inputSchema.properties ?? {}),
      [...several.map(([argument]) => argument), ...fields],
      name,
    )
    assert.ok(!JSON.stringify(inputSchema).includes('$ref'), name)
  }
})

test('no operation has an argument or a property of the names that compact replies add', () => {
  for (const [tool, { params, query, body, reply, list }] of rows) {
    assert.ok(!('fields' in { ...params?.shape, ...query?.shape, ...body?.shape }), tool)
    assert.ok(!list?.summaryColumns.some((path) => path.endsWith('notMeasured')), tool)
    for (const added of ['leftOut', 'shownBy']) assert.ok(!(added in (reply?.shape ?? {})), tool)
  }
})

test('a tool says whether it changes, removes or asks the outside world', async () => {
  const { tools } = await agent.client.listTools()
  for (const { name, annotations } of tools) {
    const { readOnly, destructive, idempotent, openWorld } = effectHintsOf(contract[name as Tool] as Operation)
    // The protocol has clients assume the rest.
    const told = annotations?.readOnlyHint ?? false
    assert.equal(told, readOnly, name)
    assert.equal(annotations?.openWorldHint ?? true, openWorld, name)
    assert.equal(!told && (annotations?.destructiveHint ?? true), destructive, name)
    assert.equal(told || (annotations?.idempotentHint ?? false), idempotent, name)
  }
})

test('a caller is shown the tools of its scopes, and told which scope another needs', async () => {
  for (const scope of ['context:read', 'content:write'] as const) {
    await using limited = await connectMcp(address, await world.key([scope]))
    const { tools } = await limited.client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      rows.filter(([, row]) => row.scope === scope).map(([tool]) => tool),
    )
  }
  await using reader = await connectMcp(address, await world.key(['context:read']))
  const { failed, reply, text } = await reader.call('add_aso_keywords', {})
  assert.deepEqual([failed, reply.code, reply.scope], [true, 'scope-missing', 'content:write'])
  assert.match(text, /content:write/)
})

test('an unknown tool is refused with the names near it', async () => {
  for (const [name, near] of [
    ['search_competitor', /search_competitors/],
    ['getPaidAds', /get_paid_ad\b/],
    ['', /tools\/list/],
    ['__proto__', /tools\/list/],
    ['toString', /There is no tool/],
  ] as const) {
    await assert.rejects(agent.call(name), (error: ProtocolError) => {
      assert.equal(error.code, -32602, name)
      assert.match(error.message, near)
      return true
    })
  }
})

test('what is wrong with arguments is said by their names, all at once', async () => {
  const { failed, reply, text } = await agent.call('search_competitors', {
    limit: 'many',
    contry: 'us',
    country: 'zz',
    minRating: [4, 5],
  })
  assert.ok(failed)
  assert.equal(reply.code, 'invalid-request')
  assert.deepEqual(reply.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    '/contry',
    '/country',
    '/limit',
    '/minRating',
  ])
  assert.match(text, /\/contry/)
  assert.match(reply.next, /country/, 'the arguments there are')
})

test('a missing argument, one of the wrong kind and one that is no argument at all are refused', async () => {
  for (const [tool, given, pointer] of [
    ['get_competitor', {}, '/storeId'],
    ['get_competitor', { storeId: 1.5 }, '/storeId'],
    ['get_competitor', { storeId: '6449912345', body: {} }, '/body'],
    ['remove_aso_app', { appId: '01a1fd93-2933-7547-b34f-2d602fc088d2', fields: ['*'] }, '/fields'],
    ['track_aso_app', { app: '1', constructor: 1 }, '/constructor'],
    ['track_aso_app', { app: '1', fields: ['*'] }, '/fields'],
    ['search_competitors', { fields: 'stars' }, '/fields/0'],
    ['search_competitors', { fields: ' , ' }, '/fields'],
    ['search_competitors', { fields: {} }, '/fields'],
  ] as const) {
    const { failed, reply } = await agent.call(tool, given)
    assert.ok(failed, tool)
    assert.ok(
      reply.errors.some((one: { pointer: string }) => one.pointer === pointer),
      `${tool} ${JSON.stringify(reply.errors)}`,
    )
  }
})

test('a failure says what to do next, in the words of the problems page', async () => {
  const { failed, reply, text } = await agent.call('get_competitor', { storeId: '1' })
  assert.deepEqual([failed, reply.code, reply.intake.state], [true, 'competitor-not-found', 'none'])
  assert.equal(reply.next, problems['competitor-not-found'].explanation)
  assert.match(text, /request_ios_competitor/)
})

test('items of a list are shown at a glance: bare values, and what else there is', async () => {
  const { reply, text } = await agent.call('search_competitors', { q: 'tidepool' })
  assert.equal(reply.items.length, 2)
  assert.match(reply.items[0].name, /^Tidepool/)
  assert.deepEqual(Object.keys(reply.items[0]), [
    'storeId',
    'name',
    'namedIn',
    'developer',
    'primaryCategoryName',
    'price',
    'rating',
    'ratingCount',
    'updatedAt',
  ])
  assert.equal(reply.items[0].developer, 'Salt Marsh Studio')
  assert.ok(reply.leftOut.includes('bundleId'))
  assert.deepEqual([reply.total.value, reply.nextCursor], [2, null])
  assert.match(text, /^2 items of 2\.$/m)
})

test('what is absent or not measured says so at a glance', async () => {
  const { reply } = await agent.call('search_competitors', { q: 'tidepool' })
  assert.deepEqual(reply.items[0].ratingCount, { state: 'absent' })
  const { body } = await world.call('search_organic_content', { q: 'tidepool' })
  assert.deepEqual(body.items[0].outlierScore, { state: 'not-measured', reason: 'too-little-evidence' })
  const posts = await agent.call('search_organic_content', { q: 'tidepool' })
  assert.deepEqual(posts.reply.items[0].notMeasured, {
    'not-carried': ['title'],
    'too-little-evidence': ['outlierScore'],
  })
  const asked = await agent.call('search_organic_content', { q: 'tidepool', fields: ['outlierScore'] })
  assert.deepEqual(asked.reply.items[0], { outlierScore: body.items[0].outlierScore })
})

test('fields choose what of an item is shown, down to a part of it', async () => {
  const { reply } = await agent.call('search_competitors', {
    q: 'habits',
    fields: ['name', 'bundleId.state', 'developer.value', 'storeUrl'],
  })
  assert.deepEqual(reply.items[0], {
    name: 'Tidepool Habits',
    state: 'absent',
    developer: 'Salt Marsh Studio',
    storeUrl: 'https://apps.apple.com/us/app/id6449912345',
  })
  assert.ok(!('leftOut' in reply))
})

test('fields are named with commas, or in a list, which may be written as JSON', async () => {
  const asked = (fields: unknown) => agent.call('search_competitors', { q: 'habits', fields })
  const { reply } = await asked(['name', 'developer.value'])
  for (const fields of ['name,developer.value', 'name, developer.value', '["name", "developer.value"]'])
    assert.deepEqual((await asked(fields)).reply, reply, fields)
  assert.deepEqual((await asked('*')).reply, (await asked(['*'])).reply)
  assert.ok((await asked({})).failed)
})

test('a field may be named as a glance shows it', async () => {
  const { reply: glance } = await agent.call('search_competitors', { q: 'habits' })
  const { failed, reply } = await agent.call('search_competitors', {
    q: 'habits',
    fields: ['name', 'primaryCategoryName'],
  })
  assert.ok(!failed, JSON.stringify(reply))
  const [{ name, primaryCategoryName }] = glance.items
  assert.deepEqual(reply.items[0], { name, primaryCategoryName })
  for (const fields of [
    ['share', 'storeId'],
    ['visibility.share', 'app.storeId'],
  ])
    assert.ok(!(await agent.call('list_aso_apps', { fields })).failed, fields.join())
})

test('fields narrow what stands around a list too, and keep what says how far it can be relied on', async () => {
  const { reply } = await agent.call('get_competitor_organic', { storeId: '6449912345', fields: ['postId'] })
  assert.deepEqual(
    Object.keys(reply).filter((name) => !['asOf', 'total', 'nextCursor', 'trouble'].includes(name)),
    ['items'],
  )
  const head = await agent.call('get_competitor_organic', { storeId: '6449912345', fields: ['summary'] })
  assert.ok('summary' in head.reply && 'items' in head.reply && !('app' in head.reply))
})

test('a post is shown with its address, an ad with where it leads, whose it is and when it was seen', async () => {
  const { reply } = await agent.call('search_organic_content', { q: 'tidepool' })
  assert.equal(
    reply.items[0].url,
    (await world.call('search_organic_content', { q: 'tidepool' })).body.items[0].url,
  )
  for (const path of ['links.app.name', 'creatives.linkUrl', 'lastObservedAt'])
    assert.ok(
      contract.search_paid_ads.list.summaryColumns.some((one) => one === path),
      path,
    )
})

test('a reply has at most 60 kB, also where everything is asked for: whole items, and how to get the others', async () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    madePost(`${8000 + index}`, { text: 'lagoon '.repeat(250) }),
  )
  await importPosts(world, many)
  for (const fields of [['*'], ['text', 'evidence'], undefined]) {
    const { reply, text } = await agent.call('search_organic_content', { q: 'lagoon', limit: 100, fields })
    assert.ok(Buffer.byteLength(JSON.stringify(reply)) <= 60_000)
    if (!fields) continue
    assert.ok(reply.items.length > 5 && reply.items.length < 100)
    assert.ok(!('nextCursor' in reply), 'a cursor would skip what is not shown')
    const { length } = reply.items
    assert.ok(reply.leftOut.some((one: string) => one.startsWith(`items: ${length} of 100, `)))
    assert.match(text, /everything is \d+ kB, and a reply at most 60/)
    assert.ok(!text.includes('["*"]'))
    const first = await agent.call('search_organic_content', { q: 'lagoon', limit: length, fields })
    assert.deepEqual(first.reply.items, reply.items)
    const next = await agent.call('search_organic_content', {
      q: 'lagoon',
      limit: length,
      cursor: first.reply.nextCursor,
      fields: ['postId'],
    })
    assert.ok(next.reply.items.length > 0)
  }
})

test('fields with a star answer everything as HTTP does', async () => {
  const { body } = await world.call('search_competitors', { q: 'tidepool' })
  const { reply } = await agent.call('search_competitors', { q: 'tidepool', fields: ['*'] })
  assert.deepEqual(reply, body)
})

test('an unknown field is refused with those there are', async () => {
  const { failed, reply } = await agent.call('search_competitors', {
    fields: ['name', 'stars', 'developer.name'],
  })
  assert.ok(failed)
  const [stars, developer] = reply.errors
  assert.equal(stars.pointer, '/fields/1')
  assert.match(stars.message, /"stars" is not known; known are .*rating/)
  assert.match(developer.message, /developer\.state, developer\.value/)
})

test('long texts are cut at a glance, are named, and come whole when asked for', async () => {
  const whole = (await world.call('search_organic_content', { q: 'tidepool' })).body.items[0].text.value
  const { reply } = await agent.call('search_organic_content', { q: 'tidepool' })
  assert.equal(reply.items[0].text, `${whole.slice(0, 120)}…`)
  assert.ok(reply.leftOut.includes(`text: 120 of ${whole.length} letters`))
  const asked = await agent.call('search_organic_content', { q: 'tidepool', fields: ['text'] })
  assert.equal(asked.reply.items[0].text, whole)
})

test('a reply about one thing has bare values too, and any part of it alone', async () => {
  const { reply, text } = await agent.call('get_competitor', { storeId: '6449912345' })
  assert.equal(reply.name, 'Tidepool Habits')
  assert.equal(reply.developer, 'Salt Marsh Studio')
  assert.ok(!('evidence' in reply))
  assert.match(text, /Tidepool Habits/)
  const part = await agent.call('get_competitor', {
    storeId: '6449912345',
    fields: ['counts.posts', 'evidence'],
  })
  assert.deepEqual(Object.keys(part.reply), ['asOf', 'posts', 'evidence'])
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '6449912345' })
  const all = await agent.call('get_competitor', { storeId: '6449912345', fields: ['*'] })
  assert.deepEqual(all.reply, body)
})

test('a tool that starts work names the call that shows it', async () => {
  const { reply, text } = await agent.call('refresh_competitor_estimates', { storeId: '6449912345' })
  assert.deepEqual(reply.shownBy, {
    tool: 'get_competitor_estimate_history',
    arguments: { storeId: '6449912345' },
    at: 'refresh',
  })
  assert.match(text, /get_competitor_estimate_history/)
  const shown = await agent.call(reply.shownBy.tool, reply.shownBy.arguments)
  assert.equal(shown.reply.refresh.status, reply.status)
})

test('what a tool writes is what HTTP reads', async () => {
  const saved = await agent.call('save_organic_content', { postId: madePost('7001').postId, note: 'Look' })
  assert.equal(saved.failed, false)
  const { body } = await world.call('list_saved_organic_content')
  assert.equal(body.items[0].note, 'Look')
  const removed = await agent.call('remove_saved_organic_content', { postId: madePost('7001').postId })
  assert.match(removed.text, /^Removed/)
  assert.equal((await world.call('list_saved_organic_content')).body.items.length, 0)
})

test('numbers for digits, null for what may be left out, and one value for a list are taken as they are meant', async () => {
  const meant: [Tool, Record<string, unknown>, Record<string, unknown>][] = [
    ['get_competitor', { storeId: 6449912345 }, { storeId: '6449912345' }],
    ['get_competitor', { storeId: 6449912345, country: null, fields: null }, { storeId: '6449912345' }],
    [
      'search_competitors',
      { q: 'tidepool', limit: '1', price: null, categoryId: null },
      { q: 'tidepool', limit: 1 },
    ],
    ['search_organic_content', { q: 'tidepool', network: 'tiktok' }, { q: 'tidepool', network: ['tiktok'] }],
  ]
  for (const [tool, given, exactly] of meant) {
    const [one, other] = [await agent.call(tool, given), await agent.call(tool, exactly)]
    assert.ok(!one.failed, `${tool} ${JSON.stringify(given)}: ${one.text}`)
    assert.deepEqual(one.reply, other.reply, tool)
  }
  const added = await agent.call('request_competitor_data', {
    storeId: 6449912345,
    kinds: 'record',
    note: null,
  })
  assert.ok(!added.failed, added.text)
  for (const [tool, given, name] of [
    ['get_competitor', { storeId: null }, /storeId/],
    ['get_competitor', { storeId: 1.5 }, /storeId/],
    ['search_competitors', { q: 'x', limit: 'many' }, /limit/],
  ] as const) {
    const refused = await agent.call(tool, given)
    assert.ok(refused.failed)
    assert.match(refused.text, name)
  }
})
