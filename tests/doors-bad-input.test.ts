import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Rivalscope } from '../src/client/client.ts'
import { start } from './support/command-line.ts'
import { openFolder } from './support/files.ts'
import { begin, type Performed, run } from './support/in-process.ts'
import { processorSeconds } from './support/processor-time.ts'
import { json, openScriptedServer, type Play, problem, type ScriptedServer } from './support/scripted-server.ts'
import { openWorld, type World } from './support/world.ts'

const key = 'rsk_neverToBeShown123'
const steering = '\u001b[31mred\u001b]0;title\u0007\u202e'
const parts = new AsyncDisposableStack()
let world: World
let own: string
let server: ScriptedServer
before(async () => {
  world = parts.use(await openWorld())
  own = await world.key()
  server = parts.use(await openScriptedServer())
})
after(() => parts.disposeAsync())

describe('the door for agents', () => {
  interface AgentReply {
    result: { content: [{ text: string }] }
    error: { code: number }
  }

  function ask(method: string, params: object, headers: Record<string, string> = {}) {
    return world.request<AgentReply>({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: `Bearer ${own}`,
        accept: 'application/json, text/event-stream',
        host: 'localhost',
        ...headers,
      },
      payload: { jsonrpc: '2.0', id: 1, method, params },
    })
  }

  test('a field as long as a body is refused as quickly as any other', async () => {
    const fields = ['a.'.repeat(400_000), 'developer.'.repeat(1_000), 'rating.value.nothing']
    const seconds = await processorSeconds(async () => {
      const { body } = await ask('tools/call', { name: 'search_competitors', arguments: { fields } })
      assert.deepEqual(body.result.content[0].text.match(/\/fields\/\d/g), [
        '/fields/0',
        '/fields/1',
        '/fields/2',
      ])
    })
    assert.ok(seconds < 10, `${seconds} s`)
  })

  test('parameters of the wrong kind are the mistake of who asks, whatever is asked for', async () => {
    const odd = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()))
    await fc.assert(
      fc.asyncProperty(odd, async (value) => {
        for (const [method, params] of [
          ['tools/list', { cursor: value }],
          ['prompts/list', { cursor: value }],
          ['prompts/get', { name: value }],
          ['prompts/get', { name: 'morning_check', arguments: value }],
          ['prompts/get', { name: 'morning_check', arguments: { app: value } }],
          ['tools/call', { name: value }],
        ] as const)
          assert.equal(
            (await ask(method, params)).body.error.code,
            -32602,
            `${method} ${JSON.stringify(params)}`,
          )
      }),
      { numRuns: 5 },
    )
  })

  test('what only reads like a name of this machine is not taken for one', async () => {
    for (const host of ['evil.com@localhost', 'localhost/evil.com', 'localhost#evil.com', 'loc%61lhost'])
      assert.equal((await ask('ping', {}, { host })).status, 403, host)
    for (const origin of ['http://evil.com@localhost', 'http://localhost/evil', 'chrome-extension://localhost'])
      assert.equal((await ask('ping', {}, { origin })).status, 403, origin)
  })
})

describe('the client, before a server that means harm,', () => {
  const client = () => new Rivalscope({ server: server.address, key, retries: 0, timeoutSeconds: 20 })
  const page = (items: unknown, nextCursor: unknown) => json({ items, nextCursor })

  test('does not go round in circles', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.nat({ max: 10 }), async (length, lead) => {
        server.plays((reply, request, nth) =>
          page([], nth < lead ? `lead ${nth}` : `c${(nth - lead) % length}`)(reply, request, nth),
        )
        await assert.rejects(Array.fromAsync(client().searchCompetitors()), {
          name: 'ServerUnreachable',
          reason: 'not-rivalscope',
        })
        assert.ok(server.arrived.length < 4 * (length + lead) + 4)
      }),
      { numRuns: 20 },
    )
  })

  test('goes through any number of pages that are others each time', async () => {
    server.plays((reply, request, nth) => page([nth], nth < 300 ? `c${nth}` : null)(reply, request, nth))
    assert.equal((await Array.fromAsync(client().searchCompetitors())).length, 301)
  })

  const strange: [string, Play][] = [
    ...[null, 5, 'text', true, []].map((body): [string, Play] => [JSON.stringify(body), json(body)]),
    ...[5, {}, [], true, false].map((cursor): [string, Play] => [`cursor ${cursor}`, page([], cursor)]),
    ...[5, {}, 'text'].map((items): [string, Play] => [`items ${items}`, page(items, null)]),
    ['a problem that is none', problem('internal', 200)],
    ['errors of another shape', problem('invalid-request', 400, {}, { errors: 'x' })],
    ['nothing', (reply) => reply.writeHead(204).end()],
    [
      'a packed nothing of 100 MB',
      (reply) =>
        reply
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(100e6, 32))),
    ],
    ['what never ends', endless],
  ]
  for (const [what, play] of strange)
    test(`says of ${what} that it is no answer of Rivalscope`, async () => {
      server.plays(play)
      const before = process.memoryUsage().rss
      await assert.rejects(client().searchCompetitors(), { reason: 'not-rivalscope' })
      assert.ok(process.memoryUsage().rss - before < 400e6, 'what was sent is not held')
    })

  test('takes a status that is none for no answer', async () => {
    server.plays((reply) => void reply.socket?.end('HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n'))
    await assert.rejects(client().searchCompetitors(), { reason: 'no-connection' })
  })

  function endless(reply: ServerResponse): void {
    reply.writeHead(200, { 'content-type': 'application/json' })
    const spaces = Buffer.alloc(1e6, 32)
    const more = () => {
      while (!reply.destroyed) if (!reply.write(spaces)) return void reply.once('drain', more)
    }
    more()
  }
})

describe('the command line', () => {
  const harmless = ({ out, err }: Pick<Performed, 'out' | 'err'>) => {
    assert.doesNotMatch((out + err).replaceAll('\n', ''), /[\p{Cc}\u202e]/u, 'nothing steers the terminal')
    assert.doesNotMatch(out + err, /\n\s+at /, 'no stack is shown')
    assert.doesNotMatch(out + err, /neverToBeShown123/)
  }
  const called = (args: readonly string[]) =>
    run(args, { env: { RIVALSCOPE_SERVER: server.address, RIVALSCOPE_KEY: key } })

  for (const [what, play, args, code] of [
    ['an empty object', json({}), ['search-competitors'], 1],
    ['items of no shape', json({ items: [null, 5, {}], nextCursor: null }), ['search-competitors', '--all'], 1],
    [
      'a cursor that steers',
      json({ items: [], total: { value: 0 }, nextCursor: steering }),
      ['search-competitors'],
      0,
    ],
    [
      'a problem that steers',
      problem('invalid-request', 400, {}, { title: steering, detail: steering }),
      ['get-competitor', '1'],
      1,
    ],
  ] as const)
    test(`shows of ${what} nothing that harms`, async () => {
      server.plays(play)
      const ended = await called(args)
      harmless(ended)
      assert.equal(ended.code, code, ended.err)
    })

  test('says with help NAME what the command takes', async () => {
    const { code, out } = await called(['help', 'search-competitors'])
    assert.equal(code, 0)
    assert.match(out, /--min-rating/)
    assert.deepEqual(out, (await called(['search-competitors', '--help'])).out)
  })

  test('may be left by who reads its help', async () => {
    await using help = start(['--help'])
    help.child.stdout?.destroy()
    harmless(await help.ended)
  })

  test('keeps every profile of several that are set at once', async () => {
    using folder = openFolder()
    const env = { HOME: folder.path, XDG_CONFIG_HOME: '' }
    const names = ['a', 'b', 'c', 'd', 'e']
    const ended = await Promise.all(
      names.map((name) =>
        run(['profile', 'set', name, '--server', 'http://h', '--key-stdin'], { env, input: key }),
      ),
    )
    for (const one of ended) assert.equal(one.code, 0, one.err)
    const file = join(folder.path, '.config/rivalscope/profiles.json')
    const { profiles } = JSON.parse(readFileSync(file, 'utf8')) as { profiles: object }
    assert.deepEqual(Object.keys(profiles).sort(), names)
  })

  test('shows no password that a hand wrote into a profile, and no name that steers', async () => {
    using folder = openFolder()
    const env = { XDG_CONFIG_HOME: folder.path }
    await run(['profile', 'set', 'a', '--server', 'http://h'], { env })
    folder.write(
      'rivalscope/profiles.json',
      JSON.stringify({ profiles: { a: { server: `http://me:${key}@h` } } }),
    )
    for (const args of [
      ['profile', 'list'],
      ['profile', 'use', steering],
      ['search-competitors', '--profile', steering],
    ]) {
      const ended = await run(args, { env })
      harmless(ended)
      assert.equal(ended.code, 2)
    }
  })
})

describe('rivalscope mcp', () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  for (const [what, play, said] of [
    ['answers something else', json({ jsonrpc: '2.0', id: 77, result: {} }), /no message of the protocol/],
    ['takes a question for a notice', (reply) => reply.writeHead(202).end(), /no message of the protocol/],
    [
      'repeats the key and steers',
      (reply, asked, nth) =>
        problem(
          'invalid-request',
          400,
          {},
          { detail: `${asked.headers.authorization}${steering}` },
        )(reply, asked, nth),
      /Bearer …red/,
    ],
  ] satisfies [string, Play, RegExp][])
    test(`answers every question where the server ${what}`, async () => {
      server.plays(play)
      await using relay = begin(['mcp', '--server', server.address], { env: { RIVALSCOPE_KEY: key } })
      relay.stdin.write(`${JSON.stringify(request)}\n`)
      await relay.says(/"id":1,"error"/)
      relay.stdin.end()
      const { code, out, err } = await relay.ended
      assert.equal(code, 0)
      assert.match(err, said)
      assert.doesNotMatch(err.replaceAll('\n', ''), /[\p{Cc}\u202e]/u)
      assert.doesNotMatch(out + err, /neverToBeShown123/)
    })
})
