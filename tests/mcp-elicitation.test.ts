import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, type ElicitRequestFormParams, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let address: string
before(async () => {
  world = await openWorld()
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const seen = { observedAt: '2026-03-01T06:00:00Z', primaryGenreId: 6002, genreIds: ['6002'] }
  await storeListings(world, [
    { trackId: 701, trackName: 'Marsh Notes', artistName: 'Heron', ...seen },
    { trackId: 702, trackName: 'Marsh Tides', artistName: 'Bittern', ...seen },
    { trackId: 703, trackName: 'Quite Alone', artistName: 'Wren', ...seen },
    { trackId: 704, trackName: 'Rohrdommel', artistName: 'Ried', country: 'de', ...seen },
  ])
})
after(() => world[Symbol.asyncDispose]())

/** A person who answers with this, and what they were shown. */
function person(...answers: ElicitResult[]) {
  const shown: ElicitRequestFormParams[] = []
  return {
    shown,
    answers: (form: ElicitRequestFormParams) => {
      shown.push(form)
      return answers.length > 1 ? (answers.shift() as ElicitResult) : (answers[0] as ElicitResult)
    },
  }
}

const accept = (content: NonNullable<ElicitResult['content']>): ElicitResult => ({ action: 'accept', content })
const valuesOf = (form: ElicitRequestFormParams | undefined, name: string) => {
  const { oneOf = [] } = (form?.requestedSchema.properties[name] ?? {}) as { oneOf?: { const: string }[] }
  return oneOf.map((option) => option.const)
}
const tracked = async (key: string) =>
  (await world.call('list_aso_apps', {}, { key })).body.items.map(({ app, country, role }) => [
    app.storeId,
    country,
    role,
  ])

test('a name that several apps have is asked for, where the client can ask a person', async () => {
  const key = await world.key()
  const heron = person(accept({ storeId: '702' }))
  await using agent = await connectMcp(address, key, 'modern', heron.answers)
  const { reply, failed } = await agent.call('get_competitor', { storeId: 'marsh' })
  assert.equal(failed, false)
  assert.equal(reply.name, 'Marsh Tides')
  assert.equal(heron.shown.length, 1)
  assert.match(heron.shown[0]?.message ?? '', /Which app is meant/)
  assert.deepEqual(valuesOf(heron.shown[0], 'storeId').sort(), ['701', '702'])
  for (const plain of [
    await connectMcp(address, key),
    await connectMcp(address, key, 'legacy', heron.answers),
  ]) {
    const refused = await plain.call('get_competitor', { storeId: 'marsh' })
    assert.equal(refused.reply.code, 'invalid-request')
    assert.match(refused.text, /call search_competitors with q="marsh"/)
    await plain[Symbol.asyncDispose]()
  }
  assert.equal(heron.shown.length, 1, 'a client of 2025 is not asked')
})

test('nobody is asked where one app or none has the name, or something else is wrong as well', async () => {
  const asked = person(accept({ storeId: '701' }))
  await using agent = await connectMcp(address, await world.key(), 'modern', asked.answers)
  for (const given of [
    { storeId: 'Quite Alone' },
    { storeId: 'nothing of the kind' },
    { storeId: 'Marsh Notes' },
    { storeId: 'marsh', country: 'nowhere' },
    { storeId: ' ' },
    { storeId: 'm'.repeat(5_000) },
    { storeId: { a: 1 } },
  ])
    assert.equal(
      (await agent.call('get_competitor', given)).reply.code,
      'invalid-request',
      JSON.stringify(given),
    )
  assert.deepEqual(asked.shown, [])
})

test('what a write lacks is chosen in rounds, and then written once', async () => {
  const key = await world.key(undefined, 'rounds')
  const chooser = person(accept({ role: 'rival' }), accept({ app: '701' }))
  await using agent = await connectMcp(address, key, 'modern', chooser.answers)
  const { text } = await agent.call('track_aso_app', { app: 'marsh' })
  assert.match(text, /Recorded/)
  assert.deepEqual(
    chooser.shown.map(({ requestedSchema }) => Object.keys(requestedSchema.properties)),
    [['role'], ['app']],
  )
  assert.deepEqual(await tracked(key), [['701', 'us', 'rival']])
})

test('a storefront that is left out is asked for where the app is known in another one', async () => {
  const key = await world.key(undefined, 'storefronts')
  const chooser = person(accept({ country: 'de' }))
  await using agent = await connectMcp(address, key, 'modern', chooser.answers)
  await agent.call('track_aso_app', { app: '704', role: 'own' })
  assert.deepEqual(valuesOf(chooser.shown[0], 'country'), ['de', 'us'])
  await agent.call('track_aso_app', { app: '704', role: 'own', country: 'us' })
  await agent.call('track_aso_app', { app: '703', role: 'own' })
  assert.equal(chooser.shown.length, 1)
  assert.deepEqual((await tracked(key)).sort(), [
    ['703', 'us', 'own'],
    ['704', 'de', 'own'],
    ['704', 'us', 'own'],
  ])
})

test('whoever declines or closes a question is told so, and nothing is written', async () => {
  const key = await world.key(undefined, 'declines')
  for (const action of ['decline', 'cancel'] as const) {
    const unwilling = person({ action })
    await using agent = await connectMcp(address, key, 'modern', unwilling.answers)
    for (const given of [{ app: 'marsh', role: 'own' }, { app: '704', role: 'own' }, { app: '701' }]) {
      const { failed, text, reply } = await agent.call('track_aso_app', given)
      assert.equal(failed, true)
      assert.match(text, /Nothing was done and nothing was stored/)
      assert.deepEqual([reply.done, reply.answer], [false, action])
    }
    assert.equal(unwilling.shown.length, 3)
  }
  assert.deepEqual(await tracked(key), [])
})

test('what cannot be brought back is confirmed, for this app alone; a client that cannot ask removes at once', async () => {
  const key = await world.key(undefined, 'confirms')
  const appIds: string[] = []
  for (const app of ['701', '702', '703'])
    appIds.push((await world.call('track_aso_app', { app, role: 'own' }, { key })).body.appId)
  const [first, second, third] = appIds
  const answers = person({ action: 'decline' }, accept({ confirm: false }), accept({ confirm: true }))
  await using agent = await connectMcp(address, key, 'modern', answers.answers)
  for (const _no of [1, 2]) {
    const kept = await agent.call('remove_aso_app', { appId: first })
    assert.equal(kept.reply.done, false)
    assert.equal((await tracked(key)).length, 3)
  }
  assert.match((await agent.call('remove_aso_app', { appId: first })).text, /Removed/)
  assert.match(answers.shown[0]?.message ?? '', /Marsh Notes, 701, us\? Its keywords leave the account/)
  assert.equal(answers.shown.length, 3)
  const again = await agent.call('remove_aso_app', { appId: first })
  assert.match(again.text, /Removed, or there was nothing left/)
  assert.equal(answers.shown.length, 3, 'nothing is left to confirm')
  await using plain = await connectMcp(address, key)
  assert.match((await plain.call('remove_aso_app', { appId: second })).text, /Removed/)

  // An answer about one app counts for no other.
  const removal = (appId: unknown, params: object) => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      ...{ name: 'remove_aso_app', arguments: { appId }, ...params },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      },
    },
  })
  const post = async (body: object) => {
    const headers = {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
      ...{ 'mcp-method': 'tools/call', 'mcp-name': 'remove_aso_app' },
    }
    const reply = await fetch(`${address}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await reply.json()) as { result: { resultType: string; inputRequests?: object } }).result
  }
  const form = await post(removal(third, {}))
  assert.equal(form.resultType, 'input_required')
  const [confirmKey = ''] = Object.keys(form.inputRequests ?? {})
  const yes = { inputResponses: { [`${confirmKey}x`]: { action: 'accept', content: { confirm: true } } } }
  assert.equal((await post(removal(third, yes))).resultType, 'input_required')
  assert.equal((await tracked(key)).length, 1)
})

test('answers and states that nobody gave are looked at like arguments of a model', async () => {
  const key = await world.key(['context:read'], 'reader')
  for (const answer of [
    accept({ storeId: 'marsh' }),
    accept({ storeId: '1 or 1' }),
    accept({ other: '701' }),
    accept({}),
  ]) {
    const stranger = person(answer, { action: 'cancel' })
    await using agent = await connectMcp(address, key, 'modern', stranger.answers)
    const { failed } = await agent.call('get_competitor', { storeId: 'marsh' })
    assert.equal(failed, true, JSON.stringify(answer))
  }
  const writer = person(accept({ role: 'own' }))
  await using agent = await connectMcp(address, key, 'modern', writer.answers)
  const { reply } = await agent.call('track_aso_app', { app: '701' })
  assert.deepEqual([reply.code, writer.shown.length], ['scope-missing', 0])
})

test('questions come through standard input and output', async () => {
  const chooser = person(accept({ storeId: '701' }))
  const capabilities = { elicitation: {} }
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities },
  )
  client.setRequestHandler('elicitation/create', ({ params }) =>
    chooser.answers(params as ElicitRequestFormParams),
  )
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const ours = { RIVALSCOPE_SERVER: address, RIVALSCOPE_KEY: await world.key() }
  const env = { ...(process.env as Record<string, string>), ...ours }
  await client.connect(new StdioClientTransport({ command, args: ['mcp'], env }))
  const call = { name: 'get_competitor', arguments: { storeId: 'marsh' } }
  const { structuredContent } = await client.callTool(call).finally(() => client.close())
  assert.equal((structuredContent as { name?: unknown }).name, 'Marsh Notes')
})
