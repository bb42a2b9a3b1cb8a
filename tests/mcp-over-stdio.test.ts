import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { after, before, suite, test } from 'node:test'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createKey } from '../src/domain/accounts/keys.ts'
import { revokeKeys } from '../src/domain/accounts/queries.ts'
import { start } from './support/command-line.ts'
import { cuttableWayTo } from './support/cuttable-way.ts'
import { begin, type Going, run } from './support/in-process.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

const program = new URL('../bin/rivalscope', import.meta.url).pathname

suite('MCP over standard input and output', () => {
  let world: World
  let address: string
  let key: string
  before(async () => {
    world = await openWorld()
    address = await world.server.listen({ host: '127.0.0.1', port: 0 })
    key = await world.key()
  })
  after(() => world[Symbol.asyncDispose]())

  for (const [era, mode] of [
    ['2025-11-25', 'legacy'],
    ['2026-07-28', 'auto'],
  ] as const) {
    test(`a client of revision ${era} meets what the server answers over HTTP, unchanged`, async () => {
      const near = clientOf(mode)
      const far = clientOf(mode)
      await near.connect(relayed({ RIVALSCOPE_SERVER: address, RIVALSCOPE_KEY: key }))
      await far.connect(
        new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        }),
      )
      assert.equal(near.getNegotiatedProtocolVersion(), era)
      assert.deepEqual(near.getServerVersion(), far.getServerVersion())
      const { tools } = await near.listTools()
      assert.equal(tools.length, 45)
      assert.deepEqual(tools, (await far.listTools()).tools)
      assert.deepEqual(await near.listPrompts(), await far.listPrompts())
      const asked = { name: 'morning_check', arguments: { app: '281796108' } }
      assert.deepEqual(await near.getPrompt(asked), await far.getPrompt(asked))
      const call = { name: 'list_competitor_categories', arguments: { country: 'JP' } }
      const answered = await near.callTool(call)
      assert.ok(answered.structuredContent)
      assert.deepEqual(answered, await far.callTool(call))
      await assert.rejects(near.callTool({ name: 'get_weather' }), { code: -32602 })
      await Promise.all([near.close(), far.close()])
    })
  }

  test('without a key, with an unknown one and with one revoked on the way, it says so and what to do', async () => {
    for (const env of [{}, { RIVALSCOPE_KEY: 'rsk_unknown' }]) {
      const refused = clientOf('legacy').connect(relayedHere({ RIVALSCOPE_SERVER: address, ...env }))
      await assert.rejects(refused, { code: -32603, message: /unauthenticated.*rivalscope keys create/s })
    }
    const ending = await createKey(world.store.db, { name: 'ending', scopes: ['context:read'] })
    const client = clientOf('legacy')
    await client.connect(relayedHere({ RIVALSCOPE_SERVER: address, RIVALSCOPE_KEY: ending }))
    const call = () => client.callTool({ name: 'list_competitor_categories', arguments: {} })
    assert.notEqual((await call()).isError, true)
    await revokeKeys(world.store.db, 'ending')
    const { structuredContent } = await until(call, ({ isError }) => isError === true)
    assert.equal((structuredContent as { code: string }).code, 'unauthenticated')
    await client.close()
  })

  test('while the server is away calls say so, and when it is back they are answered', async () => {
    await using way = await cuttableWayTo(address)
    const client = clientOf('auto')
    await client.connect(relayed({ RIVALSCOPE_SERVER: way.url, RIVALSCOPE_KEY: key }))
    const call = () => client.callTool({ name: 'list_competitor_categories', arguments: {} })
    assert.notEqual((await call()).isError, true)
    way.cut()
    const away = await call()
    assert.equal(away.isError, true)
    assert.equal((away.structuredContent as { code: string }).code, 'unavailable')
    assert.match(JSON.stringify(away.content), /No server answers at .*ECONNREFUSED.*rivalscope serve/)
    await assert.rejects(client.getPrompt({ name: 'morning_check', arguments: { app: 'x' } }), { code: -32603 })
    await way.mend()
    assert.notEqual((await call()).isError, true)
    await client.close()
  })

  test('a connection that breaks before the answer is told as such', async () => {
    await using deaf = await deafServer()
    await using command = relaying(deaf.address)
    const answered = answersOf(command)
    command.stdin.write(line({ id: 1, method: 'tools/call', params: { name: 'save_paid_ad' } }))
    const [socket] = await deaf.asked(1)
    socket?.destroy()
    const { result } = await answered(1)
    assert.equal(result.isError, true)
    assert.match(result.content[0].text, /may have been done or not/)
  })

  test('what is asked and given up is given up at the server too, and not answered', async () => {
    await using deaf = await deafServer()
    await using command = relaying(deaf.address)
    command.stdin.write(line({ id: 1, method: 'tools/list' }))
    const [socket] = await deaf.asked(1)
    command.stdin.write(line({ method: 'notifications/cancelled', params: { requestId: 1 } }))
    if (socket && !socket.closed) await once(socket, 'close')
    assert.equal(command.said.out, '')
  })

  for (const way of ['its standard input closes', 'it is asked to stop'] as const) {
    test(`it ends at once when ${way}, with requests under way`, async () => {
      await using deaf = await deafServer()
      await using command = start(['mcp', '--server', deaf.address], { env: { RIVALSCOPE_KEY: 'rsk_any' } })
      for (const id of [1, 2, 3]) command.child.stdin?.write(line({ id, method: 'tools/list' }))
      await deaf.asked(3)
      if (way === 'it is asked to stop') command.child.kill('SIGTERM')
      else command.child.stdin?.end()
      assert.deepEqual(await command.ended, { code: 0, signal: null, out: '', err: '' })
    })
  }

  test('a revision nobody speaks is refused with those that are spoken', async () => {
    await using command = relaying(address, key)
    const answered = answersOf(command)
    const claim = (version: string) => ({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    })
    command.stdin.write(line({ id: 1, method: 'tools/list', params: claim('2099-01-01') }))
    const { error } = await answered(1)
    assert.deepEqual(error.data, { requested: '2099-01-01', supported: ['2026-07-28'] })
    const initialize = {
      protocolVersion: '1999-01-01',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    command.stdin.write(line({ id: 'two', method: 'initialize', params: initialize }))
    assert.equal((await answered('two')).result.protocolVersion, '2025-11-25')
  })

  test('lines that are no messages are refused one by one, and only messages are written', async () => {
    await using command = relaying(address, key)
    const answered = answersOf(command)
    command.stdin.write(`{"neither": "request"}\n[]\n${line({ id: 1, method: 'ping' })}`)
    assert.deepEqual((await answered(1)).result, {})
    const lines = command.said.out
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one))
    assert.deepEqual(
      lines.filter(({ id }) => id === undefined).map(({ error }) => error.code),
      [-32600, -32600],
    )
    assert.match(command.said.err, /^rivalscope mcp: what came on standard input is no message/)
  })

  test('three hundred calls at once are all answered, each under its id', async () => {
    await using command = relaying(address, key)
    const answered = answersOf(command)
    const ids = Array.from({ length: 300 }, (_, index) => index)
    const params = { name: 'list_competitor_categories', arguments: { country: 'us' } }
    for (const id of ids) command.stdin.write(line({ id, method: 'tools/call', params }))
    for (const id of ids) assert.ok((await answered(id)).result.structuredContent, String(id))
  })

  test('an address or a key that cannot be used ends it with words', async () => {
    const wrong = await run(['mcp', '--server', 'ftp://example.com'])
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /--server: the address of a server begins with http/)
    const taken = await run(['mcp', '--key', '-'])
    assert.equal(taken.code, 2)
    assert.match(taken.err, /standard input is for the protocol/)
    assert.equal(wrong.out + taken.out, '')
  })
})

const clientOf = (mode: 'legacy' | 'auto') =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })

/** A client's end of a process that relays. */
function relayed(env: Record<string, string>): Transport {
  const { PATH = '' } = process.env
  return new StdioClientTransport({ command: program, args: ['mcp'], env: { PATH, ...env }, stderr: 'ignore' })
}

/** The same of a command of this process. */
function relayedHere(env: Record<string, string>): Transport {
  const command = begin(['mcp'], { env })
  const transport: Transport = {
    async start() {
      createInterface({ input: command.stdout }).on('line', (text) => transport.onmessage?.(JSON.parse(text)))
    },
    async send(message) {
      command.stdin.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      command.stdin.end()
      await command.ended
      transport.onclose?.()
    },
  }
  return transport
}

const relaying = (server: string, key = 'rsk_any'): Going =>
  begin(['mcp', '--server', server], { env: { RIVALSCOPE_KEY: key } })

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

/** Waits for the answer to a request of a command that relays. */
function answersOf({ stdout }: Going) {
  // Answers of any method, looked at by tests that know what they asked.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const waiting = new Map<unknown, PromiseWithResolvers<any>>()
  const of = (id: unknown) => {
    const known = waiting.get(id) ?? Promise.withResolvers()
    waiting.set(id, known)
    return known
  }
  createInterface({ input: stdout }).on('line', (text) => {
    const message = JSON.parse(text)
    of(message.id).resolve(message)
  })
  return (id: unknown) => of(id).promise
}

/** A server that takes what it is asked and never answers. */
async function deafServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      sockets.push(socket)
      server.emit('asked')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    address: addressOf(server),
    async asked(times: number): Promise<Socket[]> {
      while (sockets.length < times) await once(server, 'asked')
      return sockets
    },
    [Symbol.asyncDispose]: () => close(server, sockets),
  }
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as { port: number }).port}`
async function close(server: Server, sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy()
  if (server.listening) await once(server.close(), 'close')
}
