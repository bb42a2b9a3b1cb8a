import { parseArgs } from 'node:util'
import { openStore } from '../src/storage/open-store.ts'
import { chartedApps, countRanks, fillCharts } from './chart-store.ts'
import { median, print, printTable } from './figures.ts'
import { Client } from './load.ts'
import { serveStore, startProcess } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * Requests a second of get_competitor over HTTP on PostgreSQL, against a bare node:http handler that runs the same
 * statements on an equal pool and sends the same JSON (bench/point-floor.ts). Both are pinned to core 0 and asked in
 * turns; start this one on another core:
 *
 *   taskset -c 1 node bench/point-read.ts        20,000 apps; target: at least 0.6 of the floor
 *   taskset -c 1 node bench/point-read.ts --log-level silent
 */
const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '7' },
    connections: { type: 'string', default: '32' },
    'log-level': { type: 'string', default: 'info' },
  },
})
const connections = Number(values.connections)
const requests = Number(values.requests)
const apps = Number(values.apps)
const core = 0

const location = await catalogueStore('postgres', apps)
const asked = await askedApps()
await using service = await serveStore(location, { core, logLevel: values['log-level'] })
const floorFile = new URL('point-floor.ts', import.meta.url).pathname
await using floor = await startProcess(
  [process.execPath, floorFile, (location as { databaseUrl: string }).databaseUrl, asked.join()],
  core,
)
using toService = new Client(service.address, service.key, connections)
using toFloor = new Client(floor.address, service.key, connections)
const pathAt = (index: number) => `/v1/competitors/ios/${asked[index % asked.length]}?country=us`

await measure(service, toService)
await measure(floor, toFloor)
const rounds: { service: Measured; floor: Measured }[] = []
for (let round = 0; round < Number(values.rounds); round++)
  rounds.push({ service: await measure(service, toService), floor: await measure(floor, toFloor) })

const bytes = { service: await toService.get(pathAt(0)), floor: await toFloor.get(pathAt(0)) }
if (bytes.service !== bytes.floor) throw new Error(`the bodies differ: ${JSON.stringify(bytes)}`)
print(`get_competitor, ${connections} connections, log level ${values['log-level']}, ${bytes.service} bytes`)
printTable(
  ['round', 'service req/s', 'floor req/s', 'ratio', 'service CPU ms', 'floor CPU ms', 'ratio'],
  [
    ...rounds.map((round, index) => rowOf(String(index + 1), round.service, round.floor)),
    rowOf('median', middle(rounds.map((round) => round.service)), middle(rounds.map((round) => round.floor))),
  ],
)
const ratio = median(rounds.map((round) => round.service.rate / round.floor.rate))
print(`median of the ratios ${ratio.toFixed(2)}, target 0.6: ${ratio >= 0.6 ? 'met' : 'missed'}`)

interface Measured {
  rate: number
  /** Processor time of the server for a request, without PostgreSQL's. */
  cpuMs: number
}

async function measure(server: { cpuMs(): number }, client: Client): Promise<Measured> {
  const before = server.cpuMs()
  const rate = await client.rateOf(pathAt, requests, connections)
  return { rate, cpuMs: (server.cpuMs() - before) / requests }
}

function middle(measured: readonly Measured[]): Measured {
  return { rate: median(measured.map(({ rate }) => rate)), cpuMs: median(measured.map(({ cpuMs }) => cpuMs)) }
}

function rowOf(name: string, one: Measured, two: Measured): (string | number)[] {
  const rates = [Math.round(one.rate), Math.round(two.rate), one.rate / two.rate]
  return [name, ...rates, one.cpuMs, two.cpuMs, two.cpuMs / one.cpuMs]
}

/** Two hundred apps, half of them in charts of the storefront. */
async function askedApps(): Promise<string[]> {
  await using store = await openStore(location, 'bench')
  if ((await countRanks(store.db)) === 0)
    await fillCharts(store.db, { charts: 200, days: 30, depth: 100, apps, until: '2026-11-20' })
  const charted = (await chartedApps(store.db, 'us')).slice(0, 100)
  return [...charted, ...Array.from({ length: 100 }, (_, index) => String(8_000_000_001 + index * 97))]
}
