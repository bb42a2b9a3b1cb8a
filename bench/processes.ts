/**
 * What a request costs where several processes serve one store: requests a second and processor time of the processes and of
 * PostgreSQL for each, with one, two and four of them. On as few cores as a laptop has, more processes are not faster; a cost that
 * stays the same says that more cores would be. Two figures tell where a cost comes from that does not stay: transactions of
 * PostgreSQL for each request, and what a request costs of as many processes of bare Fastify that send the same JSON, which share
 * nothing but the cores.
 *
 *   node bench/processes.ts [--apps 20000] [--requests 4000]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { countChange } from '../src/domain/evidence/changes.ts'
import { firstRow } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { print, printTable, report } from './figures.ts'
import { Client } from './load.ts'
import { questions } from './questions.ts'
import { cpuMsOf, type Served, serveStore, startProcess } from './service.ts'
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
/** Whose replies bare Fastify knows. */
const floorApps = 200
const appAt = (index: number) => `/v1/competitors/ios/${8_000_000_001 + ((index * 97) % apps)}?country=us`
interface Case {
  pathAt: (index: number) => string
  /** A part of the requests is enough where each takes long. */
  share: number
  /** Whether something is stored all the while, so that no reply outlives it. */
  changes?: true
  /** Whether bare Fastify is asked instead of the service. */
  floor?: true
}
const cases: Record<string, Case> = {
  'get_competitor, remembered': { pathAt: appAt, share: 1 },
  'get_competitor, made anew': { pathAt: appAt, share: 0.25, changes: true },
  search_competitors: { pathAt: (index) => searches[index % searches.length]?.path ?? '', share: 0.25 },
  'the same JSON, bare Fastify': { pathAt: (index) => appAt(index % floorApps), share: 1, floor: true },
}

interface Cost {
  rate: number
  /** Milliseconds of processor time for each request. */
  service: number
  postgres: number
  transactions: number
}

const costs = new Map<string, Cost[]>(Object.keys(cases).map((name) => [name, []]))
for (const count of counts) {
  await using stack = new AsyncDisposableStack()
  const services = await severalOf(stack, count, () => serveStore(location))
  const floors = await severalOf(stack, count, startFloor)
  for (const [name, asked] of Object.entries(cases)) {
    const { processes, clients } = asked.floor ? floors : services
    // Each process is asked as much before it is measured, however many there are: code becomes fast by being run.
    await costOf(processes, clients, asked, requests)
    costs.get(name)?.push(await costOf(processes, clients, asked, requests / count))
  }
}

print(`${requests} requests on ${apps.toLocaleString('en')} apps, ${connections} connections in all`)
printTable(
  ['', 'processes', 'requests/s', 'service, ms of processor', 'PostgreSQL', 'transactions'],
  [...costs].flatMap(([name, found]) =>
    found.map(({ rate, service, postgres, transactions }, index) => [
      name,
      counts[index] ?? 0,
      Math.round(rate),
      service,
      postgres,
      transactions,
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

interface Several {
  processes: Served[]
  clients: Client[]
}

async function severalOf(
  stack: AsyncDisposableStack,
  count: number,
  start: () => Promise<Served>,
): Promise<Several> {
  const processes: Served[] = []
  for (let each = 0; each < count; each++) processes.push(stack.use(await start()))
  return {
    processes,
    clients: processes.map(({ address, key }) => stack.use(new Client(address, key, connections / count))),
  }
}

async function startFloor(): Promise<Served> {
  const file = new URL('point-floor.ts', import.meta.url).pathname
  const asked = Array.from({ length: floorApps }, (_, index) => /\d{6,}/.exec(appAt(index))?.[0] ?? '')
  const url = 'databaseUrl' in location ? location.databaseUrl : ''
  return { key: '', ...(await startProcess([process.execPath, file, 'json', url, asked.join()])) }
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
  const begun = await transactionsOf()
  const [service, postgres] = [spent(), postgresMs()]
  const rates = await Promise.all(
    clients.map((client, of) =>
      client.rateOf((index) => pathAt(index * clients.length + of), each, connections / clients.length),
    ),
  )
  clearInterval(changing)
  const asked = each * clients.length
  const cost = {
    rate: rates.reduce((sum, rate) => sum + rate, 0),
    service: (spent() - service) / asked,
    postgres: (postgresMs() - postgres) / asked,
  }
  // A session that has fallen idle tells of its last transactions after ten seconds.
  await pause(11_000)
  return { ...cost, transactions: ((await transactionsOf()) - begun) / asked }
}

/** That this database has committed. */
async function transactionsOf(): Promise<number> {
  const found = await firstRow(
    store.db,
    sql<{ count: number }>`
      select xact_commit::float8 as count from pg_stat_database where datname = current_database()`,
  )
  return found?.count ?? Number.NaN
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
