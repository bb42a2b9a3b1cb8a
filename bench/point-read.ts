/**
 * Requests a second of get_competitor over HTTP, and processor time of the server for each, in turns in one run:
 *
 * - `remembered`: nothing is stored meanwhile, so each reply is made once. `304`: asked by those who have it.
 * - `beside`: the same while a change of another storefront is counted every hundredth of a second, as when its charts stream in.
 * - `made anew`: a change of everything is counted as often, and no reply outlives it.
 * - `same statements, prepared`: a bare node:http handler that runs the statements of a reply each time, by name, and sends the
 *   same JSON (bench/point-floor.ts). `same JSON`: bare Fastify that writes it from an object, without a database.
 *
 * - `one document`: a bare node:http handler that reads one stored document by its key, and sends it (bench/document-floor.ts).
 *
 * - `Directus`, with `--peers DIR` (bench/peers.ts): its one-record read of a table that holds the same JSON.
 *
 * Servers are pinned to core 0; start this one on another:
 *
 *   taskset -c 1 bin/node bench/point-read.ts [--apps 20000] [--rounds 5] [--requests 4000] [--log-level silent] [--peers DIR]
 *   taskset -c 1 bin/node bench/point-read.ts --engine embedded      the store that a machine of its own has; no floor with SQL
 */
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import { type AreaChange, countChange } from '../src/domain/evidence/changes.ts'
import { openStore } from '../src/storage/open-store.ts'
import { chartedApps, countRanks, fillCharts } from './chart-store.ts'
import { type Figure, median, print, printTable, report, reportTimes } from './figures.ts'
import { Client } from './load.ts'
import { startDirectus } from './peers.ts'
import { postmasterOf, secondsOfPostgres } from './processor.ts'
import { serveStore, startProcess } from './service.ts'
import { catalogueStore, createDatabase, databaseExists, databaseUrl } from './stores.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    apps: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '4000' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    'log-level': { type: 'string', default: 'info' },
    peers: { type: 'string' },
  },
})
const [connections, requests, apps] = [values.connections, values.requests, values.apps].map(Number) as [
  number,
  number,
  number,
]
const core = 0
const changeEveryMs = 10
/** Requests that make or run what others only send take so much longer that fewer are enough. */
const fewer = Math.ceil(requests / 4)

await using stack = new AsyncDisposableStack()
const location = await catalogueStore(values.engine === 'embedded' ? 'embedded' : 'postgres', apps)
const store = stack.use(await openStore(location, 'bench'))
const asked = await askedApps()
const service = stack.use(await serveStore(location, { core, logLevel: values['log-level'] }))
const toService = stack.use(new Client(service.address, service.key, connections))
const pathAt = (index: number) => `/v1/competitors/ios/${asked[index % asked.length]}?country=us`
const firstPath = pathAt(0)
const postmaster = await postmasterOf(store.db)
const bytes = await toService.get(firstPath)
const etag = await etagOf(firstPath)

interface Measured {
  rate: number
  /** Processor time of the server for a request, without PostgreSQL's. */
  cpuMs: number
  /** With it. */
  busyMs: number
}

const cases: Record<string, () => Promise<Measured>> = {
  remembered: () => measure(service, toService, requests),
  '304': () => measure(service, toService, requests, () => firstPath, etag),
  beside: () =>
    whileChanging(requests, [
      { area: 'charts', scopes: ['jp'] },
      { area: 'other', scopes: ['jp'] },
    ]),
  'made anew': () => whileChanging(fewer, ['apps']),
}
if ('databaseUrl' in location) {
  const { databaseUrl } = location
  cases['same statements, prepared'] = await floorCase(['statements', databaseUrl, asked.join()], fewer)
  cases['same JSON'] = await floorCase(['json', databaseUrl, asked.join()], requests)
  cases['one document'] = await documentCase()
  if (values.peers) cases.Directus = await directusCase(values.peers)
}

const measured = new Map<string, Measured[]>(Object.keys(cases).map((name) => [name, []]))
for (const once of Object.values(cases)) await once()
for (let round = 0; round < Number(values.rounds); round++)
  for (const [name, once] of Object.entries(cases)) measured.get(name)?.push(await once())
/** Of the better half of the rounds. */
const busyOf = (name: string) => {
  const times = (measured.get(name) ?? []).map(({ busyMs }) => busyMs).sort((one, other) => one - other)
  return median(times.slice(0, Math.ceil(times.length / 2)))
}
print(
  `get_competitor, ${values.engine}, ${apps} apps, ${connections} connections, log level ${values['log-level']}, ${bytes} bytes`,
)
printTable(
  ['', 'requests/s', 'slowest round', 'fastest round', 'processor ms', 'with PostgreSQL'],
  [...measured].map(([name, rounds]) => {
    const rates = rounds.map(({ rate }) => rate)
    const cpuMs = median(rounds.map((round) => round.cpuMs))
    const all = [median(rates), Math.min(...rates), Math.max(...rates)].map(Math.round)
    return [name, ...all, cpuMs, busyOf(name)]
  }),
)

const rateOf = (name: string) => median((measured.get(name) ?? []).map(({ rate }) => rate))
const told = (what: string, value: number, unit: string, goal: NonNullable<Figure['goal']>) =>
  report({ name: `get_competitor, ${values.engine}, ${what}`, value, unit, goal })
told('remembered', rateOf('remembered'), '/s', { atLeast: 2_000 })
told('304', rateOf('304'), '/s', { atLeast: 5_000 })
if (cases['same JSON'])
  told('made anew, of its statements alone', rateOf('made anew') / rateOf('same statements, prepared'), '×', {
    atLeast: 0.6,
  })
if (cases['one document']) {
  const [ours, bare] = [busyOf('made anew') / 1_000, busyOf('one document') / 1_000]
  reportTimes('get_competitor made anew', 'one stored document by key', 1.5, {
    ours,
    bare,
    each: 1,
    unit: 'ms',
  })
}
if (cases.Directus) {
  const times = (name: string) => rateOf(name) / rateOf('Directus')
  told('remembered, of one record of Directus', times('remembered'), '×', { atLeast: 4 })
  told('made anew, of one record of Directus', times('made anew'), '×', { atLeast: 1 })
}

async function measure(
  server: { cpuMs(): number },
  client: Client,
  count: number,
  path = pathAt,
  known?: string,
): Promise<Measured> {
  const [before, ofPostgres] = [server.cpuMs(), secondsOfPostgres(postmaster)]
  const rate = await client.rateOf(path, count, connections, known)
  const cpuMs = (server.cpuMs() - before) / count
  return { rate, cpuMs, busyMs: cpuMs + ((secondsOfPostgres(postmaster) - ofPostgres) * 1_000) / count }
}

async function whileChanging(count: number, changes: readonly AreaChange[]): Promise<Measured> {
  const changing = setInterval(() => void countChange(store.db, changes), changeEveryMs)
  try {
    return await measure(service, toService, count)
  } finally {
    clearInterval(changing)
  }
}

async function floorCase(args: readonly string[], count: number): Promise<() => Promise<Measured>> {
  const file = new URL('point-floor.ts', import.meta.url).pathname
  const floor = stack.use(await startProcess([process.execPath, file, ...args], core))
  const client = stack.use(new Client(floor.address, service.key, connections))
  const sent = await client.get(firstPath)
  if (sent !== bytes) throw new Error(`the bodies differ: ${sent} and ${bytes} bytes`)
  return () => measure(floor, client, count)
}

/** The bodies of all replies, by the id of their app. */
async function repliesOfService(): Promise<Map<string, string>> {
  const replies = new Map<string, string>()
  for (const [index, storeId] of asked.entries()) {
    const reply = await fetch(`${service.address}${pathAt(index)}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    replies.set(storeId, await reply.text())
  }
  return replies
}

async function documentCase(): Promise<() => Promise<Measured>> {
  const name = 'documents'
  if (!(await databaseExists(name))) await createDatabase(name)
  const replies = [...(await repliesOfService())].map(([storeId, document]) => ({ storeId, document }))
  const pool = new Pool({ connectionString: databaseUrl(name), max: 1 })
  await pool.query('drop table if exists documents')
  await pool.query('create table documents (store_id text primary key, document text not null)')
  await pool.query(
    'insert into documents select "storeId", document from json_to_recordset($1) as sent("storeId" text, document text)',
    [JSON.stringify(replies)],
  )
  await pool.query('analyze documents')
  await pool.end()
  const file = new URL('document-floor.ts', import.meta.url).pathname
  const floor = stack.use(await startProcess([process.execPath, file, databaseUrl(name)], core))
  const client = stack.use(new Client(floor.address, service.key, connections))
  return () => measure(floor, client, requests)
}

async function directusCase(peers: string): Promise<() => Promise<Measured>> {
  const records = new Map<string, unknown>()
  for (const [storeId, reply] of await repliesOfService()) records.set(storeId, JSON.parse(reply))
  const name = 'directus'
  if (!(await databaseExists(name))) await createDatabase(name)
  const directus = stack.use(await startDirectus(peers, { databaseUrl: databaseUrl(name), records }, core))
  const client = stack.use(new Client(directus.address, directus.key, connections))
  const recordAt = (index: number) => `/items/records/${asked[index % asked.length]}`
  const sent = await client.get(recordAt(0))
  if (sent < bytes) throw new Error(`the record is smaller than the reply: ${sent} and ${bytes} bytes`)
  return () => measure(directus, client, fewer, recordAt)
}

async function etagOf(path: string): Promise<string> {
  const reply = await fetch(`${service.address}${path}`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  return reply.headers.get('etag') ?? ''
}

/** Two hundred apps, half of them in charts of the storefront. */
async function askedApps(): Promise<string[]> {
  if ((await countRanks(store.db)) === 0)
    await fillCharts(store.db, { charts: 200, days: 30, depth: 100, apps, until: '2026-11-20' })
  const charted = (await chartedApps(store.db, 'us')).slice(0, 100)
  return [
    ...charted,
    ...Array.from({ length: 100 }, (_, index) => String(8_000_000_001 + ((index * 97) % apps))),
  ]
}
