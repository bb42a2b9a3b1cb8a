/**
 * What a request costs where several processes serve one store: requests a second and processor time of the processes and of
 * PostgreSQL for each, with one, two and four of them. On as few cores as a laptop has, more processes are not faster; a cost that
 * stays the same says that more cores would be.
 *
 *   node bench/processes.ts [--apps 20000] [--requests 4000]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { countChange } from '../src/domain/evidence/changes.ts'
import { openStore } from '../src/storage/open-store.ts'
import { print, printTable, report } from './figures.ts'
import { Client } from './load.ts'
import { questions } from './questions.ts'
import { cpuMsOf, type Served, serveStore } from './service.ts'
import { catalogueStore } from './stores.ts'

const { values } = parseArgs({
  options: { apps: { type: 'string', default: '20000' }, requests: { type: 'string', default: '4000' } },
})
const [apps, requests] = [Number(values.apps), Number(values.requests)]
const counts = [1, 2, 4]
/** Asking at once, of all processes together. */
const connections = 32
const changeEveryMs = 10

const location = await catalogueStore('postgres', apps)
await using store = await openStore(location, 'bench')
const searches = questions(apps, 100)
const appAt = (index: number) => `/v1/competitors/ios/${8_000_000_001 + ((index * 97) % apps)}?country=us`
interface Case {
  pathAt: (index: number) => string
  /** A part of the requests is enough where each takes long. */
  share: number
  /** Whether something is stored all the while, so that no reply outlives it. */
  changes?: true
}
const cases: Record<string, Case> = {
  'get_competitor, remembered': { pathAt: appAt, share: 1 },
  'get_competitor, made anew': { pathAt: appAt, share: 0.25, changes: true },
  search_competitors: { pathAt: (index) => searches[index % searches.length]?.path ?? '', share: 0.25 },
}

interface Cost {
  rate: number
  /** Milliseconds of processor time for each request. */
  service: number
  postgres: number
}

const costs = new Map<string, Cost[]>(Object.keys(cases).map((name) => [name, []]))
for (const count of counts) {
  await using stack = new AsyncDisposableStack()
  const processes: Served[] = []
  for (let each = 0; each < count; each++) processes.push(stack.use(await serveStore(location)))
  const clients = processes.map(({ address, key }) => stack.use(new Client(address, key, connections / count)))
  for (const [name, asked] of Object.entries(cases)) {
    // Each process is asked as much before it is measured, however many there are: code becomes fast by being run.
    await costOf(processes, clients, asked, requests)
    costs.get(name)?.push(await costOf(processes, clients, asked, requests / count))
  }
}

print(`${requests} requests on ${apps.toLocaleString('en')} apps, ${connections} connections in all`)
printTable(
  ['', 'processes', 'requests/s', 'service, ms of processor', 'PostgreSQL'],
  [...costs].flatMap(([name, found]) =>
    found.map(({ rate, service, postgres }, index) => [
      name,
      counts[index] ?? 0,
      Math.round(rate),
      service,
      postgres,
    ]),
  ),
)
for (const [name, found] of costs) {
  const [one, four] = [found[0], found.at(-1)].map((cost) => (cost ? cost.service + cost.postgres : Number.NaN))
  report({
    name: `${name}, cost of a request with four processes, of one's`,
    value: (four ?? 0) / (one ?? 0),
    unit: '×',
    goal: { atMost: 1.1 },
  })
}

async function costOf(
  processes: readonly Served[],
  clients: readonly Client[],
  { pathAt, share, changes }: Case,
  requestsEach: number,
): Promise<Cost> {
  const each = Math.ceil(requestsEach * share)
  const spent = () => processes.reduce((sum, one) => sum + one.cpuMs(), 0)
  const changing = changes && setInterval(() => void countChange(store.db, ['apps']), changeEveryMs)
  const [service, postgres] = [spent(), postgresMs()]
  const rates = await Promise.all(
    clients.map((client, of) =>
      client.rateOf((index) => pathAt(index * clients.length + of), each, connections / clients.length),
    ),
  )
  clearInterval(changing)
  const asked = each * clients.length
  return {
    rate: rates.reduce((sum, rate) => sum + rate, 0),
    service: (spent() - service) / asked,
    postgres: (postgresMs() - postgres) / asked,
  }
}

/** Processor time of all PostgreSQL there is on this machine, of connections that stay. */
function postgresMs(): number {
  let ms = 0
  for (const pid of readdirSync('/proc'))
    try {
      if (/^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres')
        ms += cpuMsOf(Number(pid))
    } catch {
      // It has just ended.
    }
  return ms
}
