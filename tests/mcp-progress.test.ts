import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type PlayedApple, playedSources, startApple } from './support/apple.ts'
import { connectMcp } from './support/mcp.ts'
import { openWorld, type World } from './support/world.ts'

let apple: PlayedApple
let world: World
let address: string
let key: string
before(async () => {
  apple = await startApple()
  world = await openWorld({ works: true, sources: playedSources(apple, { attempts: 1, timeoutSeconds: 4 }) })
  address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  key = await world.key()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await apple[Symbol.asyncDispose]()
})

/** The notices and the reply of a call that takes time. */
async function followed(client: Client, query: string) {
  const notices: { progress: number; message?: string | undefined }[] = []
  const call = { name: 'refresh_aso_keyword', arguments: { query, country: 'us' } }
  const { content, structuredContent, isError } = await client.callTool(call, {
    onprogress: (notice) => void notices.push(notice),
    timeout: 240_000,
  })
  assert.notEqual(isError, true)
  const [line] = content.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []))
  return { notices, line, reply: structuredContent as { workId: string; status: string } }
}

function assertTold({ notices, line, reply }: Awaited<ReturnType<typeof followed>>) {
  assert.ok(reply.workId && reply.status)
  const underWay: Record<string, string> = {
    queued: 'Accepted: the work waits for its turn.',
    running: 'Accepted: the work is running.',
  }
  assert.equal(line, underWay[reply.status] ?? `The work has ended: ${reply.status}.`)
  assert.equal(notices[0]?.message, 'asked')
  assert.ok(
    notices.every(({ progress }, index) => index === 0 || progress > (notices[index - 1]?.progress ?? 0)),
  )
}

for (const era of ['modern', 'legacy'] as const)
  test(`work is followed for a ${era} client that asks for progress`, async () => {
    await using agent = await connectMcp(address, key, era)
    assertTold(await followed(agent.client, `tide ${era}`))
  })

test('notices come through standard input and output', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const env = { ...(process.env as Record<string, string>), RIVALSCOPE_SERVER: address, RIVALSCOPE_KEY: key }
  await client.connect(new StdioClientTransport({ command, args: ['mcp'], env }))
  assertTold(await followed(client, 'tide stdio'))
  await client.close()
})

test('who asks for no progress is answered at once, in one body', async () => {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'refresh_aso_keyword', arguments: { query: 'tide at once' } },
  }
  const accept = 'application/json, text/event-stream'
  const asked = async (params: object) =>
    fetch(`${address}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, params }),
    })
  assert.match((await asked(body.params)).headers.get('content-type') ?? '', /^application\/json/)
  const read = { name: 'list_aso_apps', arguments: {}, _meta: { progressToken: 7 } }
  assert.match((await asked(read)).headers.get('content-type') ?? '', /^application\/json/)
  const refused = await asked({ ...body.params, arguments: { query: '!' }, _meta: { progressToken: 7 } })
  assert.match(await refused.text(), /"isError":true/)
})
