import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { median, print, printTable, report } from './figures.ts'
import { type Served, serveStore } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * What a tool call costs over MCP against the same call over HTTP: the same connections, asked in turns, in both eras of
 * the protocol, in brief and in full. Then 200 clients at once, and what is left of them.
 *
 *   node bench/mcp.ts --apps 100000        target: at most 1.3
 */
const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '7' },
    sessions: { type: 'string', default: '200' },
  },
})
const requests = Number(values.requests)
/** The clients keep their connections for the next request until the server ends them, after 72 idle seconds. */
const idleSeconds = 80

const location = await catalogueStore('postgres', Number(values.apps))
await using service = await serveStore(location)

const revision = '2026-07-28'
const legacy = { 'mcp-protocol-version': '2025-11-25' }
const modern = (tool: string) => ({
  'mcp-protocol-version': revision,
  'mcp-method': 'tools/call',
  'mcp-name': tool,
})
const claim = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Call {
  name: string
  path: string
  tool: string
  given: Record<string, unknown>
}
const calls: Call[] = [
  {
    name: 'get_competitor',
    path: '/v1/competitors/ios/8000000098',
    tool: 'get_competitor',
    given: { storeId: '8000000098' },
  },
  {
    name: 'search, 25 apps',
    path: '/v1/competitors?q=photo',
    tool: 'search_competitors',
    given: { q: 'photo' },
  },
  {
    name: 'search, 100 apps',
    path: '/v1/competitors?q=photo&limit=100',
    tool: 'search_competitors',
    given: { q: 'photo', limit: 100 },
  },
  { name: 'categories', path: '/v1/competitors/categories', tool: 'list_competitor_categories', given: {} },
]

const rows: (string | number)[][] = []
for (const call of calls)
  for (const connections of [1, 16]) {
    using door = doorTo(service, connections)
    const asked = {
      http: () => door.ask('GET', call.path),
      brief: () => door.tool(call.tool, call.given, modern(call.tool)),
      full: () => door.tool(call.tool, { ...call.given, fields: ['*'] }, modern(call.tool)),
      'brief, 2025': () => door.tool(call.tool, call.given, legacy),
    }
    const bytes = Object.fromEntries(
      await Promise.all(Object.entries(asked).map(async ([way, ask]) => [way, (await ask()).length])),
    )
    const times = new Map<string, Cost[]>()
    for (let round = 0; round <= Number(values.rounds); round++)
      for (const [way, ask] of Object.entries(asked)) {
        const cost = await costOf(ask, connections)
        if (round > 0) times.set(way, [...(times.get(way) ?? []), cost])
      }
    const floor = times.get('http') ?? []
    for (const [way, took] of times) {
      const ratio = (of: keyof Cost) =>
        median(took.map((cost, round) => cost[of] / (floor[round]?.[of] ?? Number.NaN)))
      const ms = median(took.map((cost) => cost.ms))
      const cpuMs = median(took.map((cost) => cost.cpuMs))
      const goal = { atMost: 1.3 }
      if (way !== 'http')
        report({
          name: `${call.name}, ${connections} at once, MCP ${way}, processor`,
          value: ratio('cpuMs'),
          unit: '×',
          goal,
        })
      rows.push([call.name, connections, way, bytes[way] ?? 0, ms, ratio('ms'), cpuMs, ratio('cpuMs')])
    }
  }
printTable(['call', 'at once', 'way', 'bytes', 'ms', 'times HTTP', 'CPU ms', 'times HTTP'], rows)

if (Number(values.sessions) > 0) await sessions(Number(values.sessions))

/** Asks over kept-alive connections, so that only the server's work differs. */
function doorTo({ address, key }: Served, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  async function ask(
    method: string,
    path: string,
    body?: string,
    more: Record<string, string> = {},
  ): Promise<string> {
    const headers = { authorization: `Bearer ${key}`, ...more }
    const asked = request(`${address}${path}`, { method, agent, headers }).end(body)
    const [reply] = await once(asked, 'response')
    const said = await text(reply)
    if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} for ${path}: ${said}`)
    return said
  }
  return {
    ask,
    async tool(name: string, given: object, headers: Record<string, string>): Promise<string> {
      const meta = headers === legacy ? {} : { _meta: claim }
      const params = { name, arguments: given, ...meta }
      const said = await ask(
        'POST',
        '/mcp',
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      )
      if (/"isError":true|"error":\{/.test(said)) throw new Error(said)
      return said
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}

interface Cost {
  /** Wall time for each call, when several are under way at any time. */
  ms: number
  /** Processor time of the server for each call, without PostgreSQL's. */
  cpuMs: number
}

async function costOf(ask: () => Promise<string>, connections: number): Promise<Cost> {
  let left = requests
  const worker = async () => {
    while (left-- > 0) await ask()
  }
  const cpu = service.cpuMs()
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  return { ms: (performance.now() - started) / requests, cpuMs: (service.cpuMs() - cpu) / requests }
}

async function sessions(count: number): Promise<void> {
  const before = service.address
  const sizes: (string | number)[][] = [['before', ...(await sizeOf(before))]]
  for (let round = 1; round <= 3; round++) {
    const clients = await Promise.all(Array.from({ length: count }, () => connected(round)))
    await Promise.all(
      clients.map(async (client) => {
        await client.listTools()
        await client.callTool({ name: 'search_competitors', arguments: { q: 'photo' } })
      }),
    )
    sizes.push([`${count} clients, round ${round}`, ...(await sizeOf(before))])
    await Promise.all(clients.map((client) => client.close()))
  }
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000))
  sizes.push([`${idleSeconds} seconds after`, ...(await sizeOf(before))])
  print('')
  printTable(['when', 'resident MB', 'heap MB', 'files and sockets'], sizes)
}

async function connected(round: number): Promise<Client> {
  const mode = round % 2 === 0 ? 'legacy' : 'auto'
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${service.key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), { requestInit: { headers } }),
  )
  return client
}

async function sizeOf(address: string): Promise<number[]> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return [
    of('process_resident_memory_bytes') / 1e6,
    of('nodejs_heap_size_used_bytes') / 1e6,
    of('process_open_fds'),
  ]
}
