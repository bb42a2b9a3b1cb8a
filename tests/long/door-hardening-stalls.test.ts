import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contract, type Tool } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { cut, hostileTexts, marks, staysAwake } from '../support/stalls.ts'
import { openWorld, type Reply } from '../support/world.ts'

const world = await openWorld({ works: true })
after(() => world[Symbol.asyncDispose]())
const authorization = `Bearer ${await world.key()}`
const headers = { authorization, 'content-type': 'application/json' }

const largest = 1024 * 1024

async function refused(what: string, reply: Promise<Reply>): Promise<void> {
  const { status, body } = await reply
  assert.equal(status, 400, `${what}: ${JSON.stringify(body).slice(0, 300)}`)
  assert.ok((body.errors?.length ?? 0) <= 100, `${what} names ${body.errors?.length} mistakes`)
  assert.ok(JSON.stringify(body).length < 40_000, `${what} is answered at length`)
}

const someId = '01890000-0000-7000-8000-000000000000'

const pathOf = ({ path }: Operation) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name.endsWith('Id') && /appId|keywordId|runId/.test(name)
      ? someId
      : name === 'platform'
        ? path.includes('paid-ads')
          ? 'meta'
          : 'ios'
        : name === 'postId'
          ? 'tiktok_1'
          : '1',
  )

/** Bodies as large as may be, with every place for text filled. */
function bodiesWith(operation: Operation, text: string): Record<string, unknown>[] {
  const names = Object.keys(operation.body?.shape ?? {})
  const part = cut(text, Math.floor(1_000_000 / names.length))
  return [part, [part]].map((value) => Object.fromEntries(names.map((name) => [name, value])))
}

for (const [kind, text] of Object.entries(hostileTexts))
  test(`no operation is kept busy by a body of ${kind}`, async () => {
    for (const [tool, operation] of Object.entries(contract) as [Tool, Operation][]) {
      if (!operation.body) continue
      for (const body of bodiesWith(operation, text)) {
        const payload = JSON.stringify(body)
        assert.ok(Buffer.byteLength(payload) <= largest)
        await staysAwake(`${tool} with ${Object.keys(body)} of ${kind}`, () =>
          world.request({ method: operation.method, url: pathOf(operation), headers, payload }),
        )
      }
    }
  })

test('marks on one letter beyond all writing are refused in every text', async () => {
  for (const [tool, body] of [
    ['/v1/aso/app-search', { term: marks(400), live: false }],
    ['/v1/competitors/intake/requested', { app: marks(400) }],
    ['/v1/organic/tiktok_1/saved', { note: marks(400) }],
    ['/v1/organic/tiktok_1/saved', { tags: [marks(160)] }],
  ] as const)
    await refused(tool, world.request({ method: 'POST', url: tool, headers, payload: JSON.stringify(body) }))
  for (const name of ['q', 'country', 'categoryId', 'cursor', 'sort'])
    await staysAwake(name, () =>
      refused(
        name,
        world.request({
          url: `/v1/competitors?${name}=${encodeURIComponent(marks(10_000))}`,
          headers: { authorization },
        }),
      ),
    )
})

test('letters that carry as many marks as any language writes are read', async () => {
  for (const term of ['Việt', 'हिन्दी', 'שָׁלוֹם', 'นํ้า', 'i̇̈́', `z${'\u0301'.repeat(20)}`]) {
    const reply = await world.call('search_ios_apps', { term, live: false })
    assert.equal(reply.status, 200, term)
  }
})

/** Bodies of many small values, each within 1 MiB. */
const crowds: Record<string, (names: string[]) => string> = {
  'unknown properties': () =>
    `{${Array.from({ length: 90_000 }, (_, i) => `"${i.toString(36)}":1`).join(',')}}`,
  'unknown properties that hold lists': () =>
    `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":[]`).join(',')}}`,
  'one long name': () => `{"${'n'.repeat(1_000_000)}":1}`,
  numbers: (names) => `{"${names[0]}":[${Array(500_000).fill('1').join(',')}]}`,
  texts: (names) => `{"${names.at(-1)}":[${Array(340_000).fill('""').join(',')}]}`,
  objects: (names) => `{"${names.at(-1)}":[${Array(340_000).fill('{}').join(',')}]}`,
  lists: () => `[${Array(340_000).fill('[]').join(',')}]`,
  'large numbers': (names) => `{"${names.at(-1)}":[1234567890123456789,${Array(500_000).fill('1').join(',')}]}`,
  'records of nothing': () => `{"platform":"meta","records":[${Array(340_000).fill('{}').join(',')}]}`,
  'a record of much': () =>
    `{"platform":"meta","records":[{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(',')}}]}`,
  'a record of many lists': () =>
    `{"platform":"meta","records":[{"id":[${Array(340_000).fill('[]').join(',')}]}]}`,
  'nested lists': () => `{"a":${'['.repeat(190)}${']'.repeat(190)}}`,
  'deep lists': () => '['.repeat(largest - 1),
  'deep objects': () => '{"a":'.repeat(200_000),
}

for (const [kind, made] of Object.entries(crowds))
  test(`a body of ${kind} is refused in few words, at once`, async () => {
    for (const [tool, operation] of Object.entries(contract) as [Tool, Operation][]) {
      if (operation.method === 'GET') continue
      const payload = made(Object.keys(operation.body?.shape ?? { a: 1 }))
      assert.ok(payload.length <= largest, `${payload.length} bytes`)
      await staysAwake(`${tool} with ${kind}`, () =>
        refused(
          `${tool} with ${kind}`,
          world.request({ method: operation.method, url: pathOf(operation), headers, payload }),
        ),
      )
    }
  })

test('agents are refused as shortly, and as soon', async () => {
  const say = (message: unknown) =>
    world.request({
      method: 'POST',
      url: '/mcp',
      headers: {
        ...headers,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      payload: typeof message === 'string' ? message : JSON.stringify(message),
    })
  const call = (name: string, given: unknown) =>
    say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 1]))
  const isShort = async (what: string, asked: () => Promise<Reply>) =>
    staysAwake(what, async () => {
      const { body, status } = await asked()
      assert.ok(status < 500, `${what}: ${status}`)
      assert.ok(
        JSON.stringify(body).length < 100_000,
        `${what} is answered at length: ${JSON.stringify(body).length}`,
      )
    })
  for (const [kind, text] of Object.entries(hostileTexts)) {
    for (const [name, given] of [
      ['search_competitors', { q: text }],
      ['search_competitors', { fields: [text] }],
      ['get_competitor', { storeId: text }],
      ['save_paid_ad', { platform: 'meta', archiveId: '1', note: text }],
      [text, {}],
    ] as const)
      await isShort(`${name.slice(0, 30)} with ${kind}`, () => call(name, given))
    await isShort(`prompt of ${kind}`, () =>
      say({
        jsonrpc: '2.0',
        id: 1,
        method: 'prompts/get',
        params: { name: 'morning-check', arguments: { app: text } },
      }),
    )
    await isShort(`method ${kind}`, () => say({ jsonrpc: '2.0', id: 1, method: text }))
    await staysAwake(`id ${kind}`, () => say({ jsonrpc: '2.0', id: text, method: 'ping' }))
  }
  await isShort('many arguments', () => call('search_competitors', many))
  await isShort('many arguments of a body', () => call('save_paid_ad', many))
  await isShort('many columns', () => call('search_competitors', { fields: Array(100_000).fill('x.y') }))
  await isShort('many arguments of a prompt', () =>
    say({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'morning-check', arguments: many } }),
  )
  await isShort('a batch of nothing', () => say(`[${Array(500_000).fill('1').join(',')}]`))
  await isShort('a batch of calls', () =>
    say(`[${Array(15_000).fill('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').join(',')}]`),
  )
  await isShort('deep', () => say('['.repeat(1_000_000)))
})
