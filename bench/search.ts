import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { firstRow } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { Client } from './load.ts'
import { secondsOfPostgres } from './processor.ts'
import { type Question, questions } from './questions.ts'
import { serveStore, startProcess } from './service.ts'
import { catalogueFile, catalogueStore, directory } from './stores.ts'

/**
 * How long search_competitors takes over HTTP, by kind of query, one request at a time, and what it takes of the processor in all
 * processes, against SQLite FTS5 (bench/fts5-floor.ts), which is asked the same in turns.
 *
 *   node bench/search.ts                          100,000 apps on PostgreSQL; target: p95 under 25 ms
 *   node bench/search.ts --engine embedded        the same on the embedded store
 *   node bench/search.ts --apps 1000000           a million apps, loaded once
 *   node bench/search.ts --slowest 10             also prints the slowest queries
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    apps: { type: 'string', default: '100000' },
    each: { type: 'string', default: '100' },
    slowest: { type: 'string', default: '0' },
  },
})
const engine = values.engine === 'embedded' ? 'embedded' : 'postgres'
const target = 25
const apps = Number(values.apps)

const asked = questions(apps, Number(values.each))
const location = await catalogueStore(engine, apps)
await using store = await openStore(location, 'bench')
const postmaster = await firstRow(
  store.db,
  sql<{ pid: string }>`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
)
await using service = await serveStore(location)
await using floor = await startProcess([
  process.execPath,
  new URL('fts5-floor.ts', import.meta.url).pathname,
  catalogueFile(apps),
  join(directory, `fts5-${apps}.sqlite`),
])
using client = new Client(service.address, service.key, 1)
using floorClient = new Client(floor.address, '', 1)
const byKind = Object.groupBy(asked, (question) => question.kind)

// The first questions of each kind warm the code and the cache, as a service that runs has them.
await client.timesOf(Object.values(byKind).flatMap((some) => pathsOf(some ?? []).slice(0, 5)))
await floorClient.timesOf(Object.values(byKind).flatMap((some) => pathsOf(some ?? []).slice(0, 5)))
const spent = await inTurns()
const times = await client.timesOf(pathsOf(asked))
const timed = asked.map((question, index) => ({ ...question, ms: times[index] ?? 0 }))

print(`search_competitors, ${apps.toLocaleString('en')} apps, ${engine}, milliseconds`)
printTable(
  ['kind', 'queries', 'p50', 'p95', 'max'],
  [...new Set(asked.map((question) => question.kind)), 'all'].map((kind) => {
    const ms = timed.filter((question) => kind === 'all' || question.kind === kind).map(({ ms }) => ms)
    return [kind, ms.length, percentile(ms, 0.5), percentile(ms, 0.95), Math.max(...ms)]
  }),
)
printTable(
  ['processor time, ms', 'service', 'PostgreSQL', 'together', 'FTS5', 'times FTS5'],
  [...spent].map(([kind, cost]) => {
    const together = cost.service + cost.postgres
    return [kind, cost.service, cost.postgres, together, cost.floor, together / cost.floor]
  }),
)
const all = spent.get('all')
report({
  name: `search_competitors, ${engine}, processor time in FTS5's`,
  value: all ? (all.service + all.postgres) / all.floor : Number.NaN,
  unit: '×',
  goal: { atMost: 1 },
})
const p95 = percentile(times, 0.95)
report({ name: `search_competitors, ${engine}, p95`, value: p95, unit: 'ms', goal: { atMost: target } })
print(`p95 ${p95.toFixed(1)} ms, target ${target} ms: ${p95 < target ? 'met' : 'missed'}`)
for (const { kind, path, ms } of timed.sort((one, other) => other.ms - one.ms).slice(0, Number(values.slowest)))
  print(`${ms.toFixed(1).padStart(7)} ms  ${kind}  ${decodeURIComponent(path)}`)

function pathsOf(some: readonly Question[]): string[] {
  return some.map((question) => question.path)
}

interface Cost {
  service: number
  postgres: number
  floor: number
}

/** Processor time of a question by kind, in milliseconds: each kind in four parts, of which either side is asked each in turn. */
async function inTurns(): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>()
  const sum: Cost = { service: 0, postgres: 0, floor: 0 }
  for (const [kind, some = []] of Object.entries(byKind)) {
    const cost: Cost = { service: 0, postgres: 0, floor: 0 }
    const each = Math.ceil(some.length / 4)
    for (let at = 0; at < some.length; at += each) {
      const paths = pathsOf(some.slice(at, at + each))
      const [service0, postgres0] = [service.cpuMs(), postgresMs()]
      await client.timesOf(paths)
      cost.service += service.cpuMs() - service0
      cost.postgres += postgresMs() - postgres0
      const floor0 = floor.cpuMs()
      await floorClient.timesOf(paths)
      cost.floor += floor.cpuMs() - floor0
    }
    for (const part of ['service', 'postgres', 'floor'] as const) {
      sum[part] += cost[part] / asked.length
      cost[part] /= some.length
    }
    costs.set(kind, cost)
  }
  return costs.set('all', sum)
}

function postgresMs(): number {
  return secondsOfPostgres(Number(postmaster?.pid)) * 1_000
}
