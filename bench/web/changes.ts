import { parseArgs } from 'node:util'
import { median, print, printTable } from '../figures.ts'
import { Client } from '../load.ts'
import { serveStore } from '../service.ts'
import { catalogueStore } from '../stores.ts'

/**
 * What it costs that pages stay open: `/changes` against the cheapest reads that a page would otherwise repeat, over 64
 * kept-alive connections, in turns. Processor time of the service counts; rates depend on who else is at work.
 *
 *   taskset -c 1 node bench/web/changes.ts                     20,000 apps; the service on core 0
 *   taskset -c 1 node bench/web/changes.ts --engine embedded
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    apps: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
  },
})
const connections = 64
const requests = Number(values.requests)
const engine = values.engine === 'embedded' ? 'embedded' : 'postgres'
const location = await catalogueStore(engine, Number(values.apps))
await using service = await serveStore(location, { core: 0 })
using client = new Client(service.address, service.key, connections)

const search = '/v1/competitors?country=us&limit=25'
const competitor = `/v1/competitors/ios/${await someApp()}?country=us`
const asked = [
  { name: '/changes, 304', path: '/changes', etag: await etagOf('/changes') },
  { name: '/changes, 200', path: '/changes', etag: undefined },
  { name: 'search_competitors, 304', path: search, etag: await etagOf(search) },
  { name: 'get_competitor, 304', path: competitor, etag: await etagOf(competitor) },
  { name: 'get_competitor, 200', path: competitor, etag: undefined },
]
const rounds: Record<string, { rate: number; cpuMicros: number }[]> = {}
for (const { path, etag } of asked) await client.rateOf(() => path, requests / 3, connections, etag)
for (let round = 0; round < Number(values.rounds); round++)
  for (const { name, path, etag } of asked) {
    const before = service.cpuMs()
    const rate = await client.rateOf(() => path, requests, connections, etag)
    rounds[name] = [
      ...(rounds[name] ?? []),
      { rate, cpuMicros: ((service.cpuMs() - before) * 1_000) / requests },
    ]
  }

print(`${connections} connections, ${requests} requests a round, ${values.rounds} rounds in turns, medians`)
printTable(
  ['', 'requests/s', 'CPU µs each', 'core for 1,000 pages every 5 s'],
  asked.map(({ name }) => {
    const cpuMicros = median((rounds[name] ?? []).map((round) => round.cpuMicros))
    const share = `${((cpuMicros * 200) / 10_000).toFixed(1)} %`
    return [
      name,
      Math.round(median((rounds[name] ?? []).map(({ rate }) => rate))),
      Math.round(cpuMicros),
      share,
    ]
  }),
)

async function etagOf(path: string): Promise<string> {
  const { headers } = await fetch(`${service.address}${path}`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  return headers.get('etag') ?? ''
}

async function someApp(): Promise<string> {
  const reply = await fetch(`${service.address}${search}`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  const { items } = (await reply.json()) as { items: { storeId: string }[] }
  return items[0]?.storeId ?? ''
}
