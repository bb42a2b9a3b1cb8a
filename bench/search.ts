import { parseArgs } from 'node:util'
import { countChange } from '../src/domain/evidence/changes.ts'
import { openStore } from '../src/storage/open-store.ts'
import { askAgain } from './bare-http.ts'
import { percentile, print, printTable, report, reportTimes } from './figures.ts'
import { fullTextFloor } from './full-text-floor.ts'
import { Client } from './load.ts'
import { inTurns, postmasterOf, secondsOfPostgres, secondsOfThisProcess } from './processor.ts'
import { type Question, questions } from './questions.ts'
import { serveStore } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * How long search_competitors takes over HTTP, by kind of query, one request at a time; then its processor time, of the service and of
 * PostgreSQL, in turns with SQLite's FTS5 (bench/full-text-floor.ts), and that of one search asked again and again, in turns with a
 * bare node:http.
 *
 *   node bench/search.ts                          100,000 apps on PostgreSQL; target: p95 under 25 ms
 *   node bench/search.ts --engine embedded        the same on the embedded store
 *   node bench/search.ts --apps 1000000           a million apps, loaded once
 *   node bench/search.ts --slowest 10             also prints the slowest queries
 *   node bench/search.ts --turns 8                more turns beside the floors
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    apps: { type: 'string', default: '100000' },
    each: { type: 'string', default: '100' },
    slowest: { type: 'string', default: '0' },
    turns: { type: 'string', default: '4' },
  },
})
const engine = values.engine === 'embedded' ? 'embedded' : 'postgres'
const target = 25
/** What FTS5 does not find. */
const notFound = ['misspelt', 'CJK']
const apps = Number(values.apps)

/** Each once: a reply is remembered until something is stored. */
const asked = [
  ...new Map(questions(apps, Number(values.each)).map((question) => [question.path, question])).values(),
]
const location = await catalogueStore(engine, apps)
await using store = await openStore(location, 'bench')
await using service = await serveStore(location)
using client = new Client(service.address, service.key, 1)
const byKind = Object.groupBy(asked, (question) => question.kind)

// The first questions of each kind warm the code and the cache, as a service that runs has them.
await client.timesOf(Object.values(byKind).flatMap((some) => pathsOf(some ?? []).slice(0, 5)))
await forget()
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

const p50 = percentile(times, 0.5)
report({ name: `search_competitors, ${engine}, p95 of p50`, value: p95 / p50, unit: '', goal: { atMost: 2 } })
await besideFloors()

/** Has no reply outlive what was asked so far, as when an app is stored. */
async function forget(): Promise<void> {
  await countChange(store.db, ['apps'])
}

async function besideFloors(): Promise<void> {
  const postmaster = await postmasterOf(store.db)
  const ofService = () => service.cpuMs() / 1_000 + secondsOfPostgres(postmaster)
  const turns = Number(values.turns)
  using floor = fullTextFloor(apps)
  const sum = { ours: 0, bare: 0 }
  const rows: (string | number)[][] = []
  for (const [kind, some = []] of Object.entries(byKind)) {
    const { ours, bare } = await inTurns(turns, {
      ours: {
        async perform() {
          await forget()
          await client.timesOf(pathsOf(some))
        },
        seconds: ofService,
      },
      bare: {
        perform: async () => some.forEach((question) => void floor.find(question)),
        seconds: secondsOfThisProcess,
      },
    })
    sum.ours += ours
    sum.bare += bare
    rows.push([kind, ...[ours, bare].map((seconds) => (seconds * 1_000) / some.length), ours / bare])
  }
  printTable(['processor time, ms', 'service and PostgreSQL', 'FTS5', 'times'], rows)
  const name = `search of ${apps.toLocaleString('en')} apps, ${engine}`
  reportTimes(`${name}, mix`, 'SQLite FTS5 with bm25', 1, { ...sum, each: asked.length, unit: 'ms' })
  const of = (column: number, areFound: boolean) =>
    Math.max(
      ...rows
        .filter(([kind = '']) => notFound.includes(String(kind)) !== areFound)
        .map((row) => Number(row[column])),
    )
  report({
    name: `${name}, dearest kind`,
    floor: 'SQLite FTS5 with bm25',
    value: of(3, true),
    unit: '×',
    goal: { atMost: 3 },
  })
  report({ name: `${name}, misspelt or CJK`, value: of(1, false), unit: 'ms', goal: { atMost: 10 } })

  const path = asked.find(({ kind }) => kind === 'common word')?.path ?? ''
  await askAgain('search', path, service, postmaster, turns)
}

function pathsOf(some: readonly Question[]): string[] {
  return some.map((question) => question.path)
}
