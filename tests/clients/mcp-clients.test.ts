import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { withoutOurs } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { address, command, key, load, run } from './service.ts'

const url = `${address}/mcp`
const relay = fileURLToPath(new URL('../../bin/rivalscope', import.meta.url))

/** What a client does with a server, given a key. */
interface McpClient {
  /** The names of the tools it lists. */
  list(): Promise<string[]>
  /** All that it shows of a result. @throws when it calls that a failure */
  call(tool: string, given: Record<string, unknown>): Promise<string>
}

/** Uses a client for one key. */
type Use = <T>(key: string, use: (client: McpClient) => Promise<T>) => Promise<T>

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })

/** The client of the protocol's own package, whose version 1 most programs use. */
function sdk(transportFor: (secret: string) => Promise<unknown>): Use {
  return async (secret, use) => {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(await transportFor(secret))
    try {
      return await use({
        list: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
        async call(name, given) {
          const result = await client.callTool({ name, arguments: given })
          if (result.isError) throw new Error(JSON.stringify(result.content))
          return JSON.stringify(result)
        },
      })
    } finally {
      await client.close()
    }
  }
}

/** A program that the client starts; what it says on its standard error is the client's failure. */
const started =
  (program: (secret: string) => { command: string; args: string[]; env?: Record<string, string> }): Use =>
  async (secret, use) => {
    let said = ''
    const connect = sdk(async () => {
      const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js')
      const { env = {}, ...rest } = program(secret)
      const transport = new StdioClientTransport({
        ...rest,
        env: { ...plainEnvironment, ...env },
        stderr: 'pipe',
      })
      transport.stderr.on('data', (chunk: Buffer) => {
        said += chunk
      })
      return transport
    })
    return connect(secret, use).catch((error: Error) => Promise.reject(new Error(`${error.message} ${said}`)))
  }

const folder = openFolder()
after(() => folder[Symbol.dispose]())
const plainEnvironment = { ...withoutOurs(process.env), HOME: folder.path, BROWSER: '/bin/true' } as Record<
  string,
  string
>

/** A command of a package that is run for each question. */
const asked =
  (
    argsFor: (
      secret: string,
      question: { list: true } | { tool: string; given: Record<string, unknown> },
    ) => string[],
    name: string,
    namesIn: (out: string) => string[],
  ): Use =>
  (secret, use) => {
    const ask = async (question: Parameters<typeof argsFor>[1]) => {
      const { code, out, err } = await run(name, argsFor(secret, question), { env: plainEnvironment })
      if (code !== 0) throw new Error(out + err)
      return out
    }
    return use({
      list: async () => namesIn(await ask({ list: true })),
      call: (tool, given) => ask({ tool, given }),
    })
  }

const pairs = (given: Record<string, unknown>) =>
  Object.entries(given).map(([name, value]) => `${name}=${value}`)

const clients: Readonly<Record<string, Use>> = {
  'the SDK over HTTP': sdk(async (secret) => {
    const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js')
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(secret) } })
  }),
  'the SDK over rivalscope mcp': started((secret) => ({
    command: relay,
    args: ['mcp', '--server', address],
    env: { RIVALSCOPE_KEY: secret },
  })),
  'mcp-remote': started((secret) => ({
    command: process.execPath,
    args: [command('mcp-remote'), url, '--header', `Authorization: Bearer ${secret}`],
  })),
  async '@ai-sdk/mcp'(secret, use) {
    const { createMCPClient } = await load('@ai-sdk/mcp')
    const client = await createMCPClient({ transport: { type: 'http', url, headers: bearer(secret) } })
    try {
      const tools = await client.tools()
      return await use({
        list: async () => Object.keys(tools),
        async call(name, given) {
          const result = await tools[name].execute(given, { toolCallId: '1', messages: [] })
          if (result.isError) throw new Error(JSON.stringify(result.content))
          return JSON.stringify(result)
        },
      })
    } finally {
      await client.close()
    }
  },
  async '@openai/agents-core'(secret, use) {
    const { MCPServerStreamableHttp } = await load('@openai/agents-core')
    const server = new MCPServerStreamableHttp({ url, requestInit: { headers: bearer(secret) } })
    await server.connect()
    try {
      return await use({
        list: async () => (await server.listTools()).map(({ name }: { name: string }) => name),
        async call(name, given) {
          const result = await server.callToolResult(name, given)
          if (result.isError) throw new Error(JSON.stringify(result.content))
          return JSON.stringify(result)
        },
      })
    } finally {
      await server.close()
    }
  },
  async '@langchain/mcp-adapters'(secret, use) {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters')
    const client = new MultiServerMCPClient({ it: { transport: 'http', url, headers: bearer(secret) } })
    try {
      const tools: { name: string; invoke: (given: object) => Promise<unknown> }[] = await client.getTools()
      return await use({
        list: async () => tools.map(({ name }) => name),
        // It throws what a tool says of its failure.
        call: async (name, given) =>
          JSON.stringify(await tools.find((tool) => tool.name === name)?.invoke(given)),
      })
    } finally {
      await client.close()
    }
  },
  'the Inspector': asked(
    (secret, question) => [
      // It would otherwise have a person sign in at a page.
      ...['--cli', url, '--header', `Authorization: Bearer ${secret}`, '--stored-auth-only'],
      ...('list' in question
        ? ['--method', 'tools/list']
        : [
            ...['--method', 'tools/call', '--tool-name', question.tool],
            ...pairs(question.given).flatMap((pair) => ['--tool-arg', pair]),
          ]),
    ],
    'mcp-inspector',
    (out) => JSON.parse(out).tools.map(({ name }: { name: string }) => name),
  ),
  mcporter: asked(
    (secret, question) => [
      ...[
        '--config',
        folder.write('mcporter.json', JSON.stringify({ mcpServers: { it: { url, headers: bearer(secret) } } })),
      ],
      ...('list' in question
        ? ['list', 'it', '--json']
        : ['call', `it.${question.tool}`, ...pairs(question.given)]),
    ],
    'mcporter',
    (out) => JSON.parse(out).tools.map(({ name }: { name: string }) => name),
  ),
}

/** Clients that show the status of a refusal and not its words: mcporter that of the last transport it tried. */
const statusAlone: ReadonlyMap<string, RegExp> = new Map([
  ['mcporter', /auth required/],
  ['@openai/agents-core', /requires authorization \(HTTP 401\)/],
])

for (const [name, use] of Object.entries(clients)) {
  test(`${name} lists every tool, and calls them`, async () => {
    await use(key, async (client) => {
      const tools = await client.list()
      assert.equal(new Set(tools).size, 45)
      const chart = await client.call('get_apple_charts', { country: 'us', chart: 'top-free', limit: 2 })
      assert.match(chart, /9000000074/)
      // Command lines make a number of the id.
      assert.match(
        await client.call('get_competitor', { storeId: '9000000074', country: 'us' }),
        /Patient Bobbin/,
      )
    })
  })

  test(`${name} shows why a call was refused`, async () => {
    await use(key, async (client) => {
      await assert.rejects(
        client.call('get_competitor', { storeId: '1', country: 'us' }),
        /competitor-not-found/,
      )
    })
  })

  test(`${name} shows that a key is wrong`, async () => {
    await assert.rejects(
      use('rsk_wrong', (client) => client.list()),
      statusAlone.get(name) ?? /unknown, expired or revoked/,
    )
  })
}
