import { parseArgs } from 'node:util'
import { percentile, print, printTable, report } from './figures.ts'
import { Client } from './load.ts'
import { type Question, questions } from './questions.ts'
import { serveStore } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * How long search_competitors takes over HTTP, by kind of query, one request at a time.
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
await using service = await serveStore(location)
using client = new Client(service.address, service.key, 1)
const byKind = Object.groupBy(asked, (question) => question.kind)

// The first questions of each kind warm the code and the cache, as a service that runs has them.
await client.timesOf(Object.values(byKind).flatMap((some) => pathsOf(some ?? []).slice(0, 5)))
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
const p95 = percentile(times, 0.95)
report({ name: `search_competitors, ${engine}, p95`, value: p95, unit: 'ms', goal: { atMost: target } })
print(`p95 ${p95.toFixed(1)} ms, target ${target} ms: ${p95 < target ? 'met' : 'missed'}`)
for (const { kind, path, ms } of timed.sort((one, other) => other.ms - one.ms).slice(0, Number(values.slowest)))
  print(`${ms.toFixed(1).padStart(7)} ms  ${kind}  ${decodeURIComponent(path)}`)

function pathsOf(some: readonly Question[]): string[] {
  return some.map((question) => question.path)
}
