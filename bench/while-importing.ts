/**
 * How long reads wait while apps come in: one after the other over HTTP, each kind in turn, before an import and while
 * `rivalscope import` writes to the same store from a process of its own.
 *
 *   node bench/while-importing.ts [--apps 100000] [--known 20000]     so many come in, beside so many that are known
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runImport } from '../src/imports/run-import.ts'
import { chartedApps, fillCharts } from './chart-store.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { observedAt } from './generate.ts'
import { Client } from './load.ts'
import { questions } from './questions.ts'
import { serveStore } from './service.ts'
import { catalogueFile, databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

const { values } = parseArgs({
  options: { apps: { type: 'string', default: '100000' }, known: { type: 'string', default: '20000' } },
})
const [coming, known] = [Number(values.apps), Number(values.known)]
const longestWait = 100
/** Between two reads, so that they see the import at many moments and are no load themselves. */
const pauseMs = 10

const name = 'while_importing'
await using stack = new AsyncDisposableStack()
const store = stack.use(await freshDatabase(name))
const rejectedFile = join(directory, 'rejected.ndjson')
await runImport(
  store.db,
  { kind: 'catalogue', paths: [catalogueFile(known)], country: 'us', observedAt, directory, rejectedFile },
  () => {},
)
await fillCharts(store.db, { charts: 100, days: 30, depth: 100, apps: known, until: '2026-11-20' })
const charted = await chartedApps(store.db, 'us')
const service = stack.use(await serveStore({ databaseUrl: databaseUrl(name) }))
const client = stack.use(new Client(service.address, service.key, 1))

const searches = questions(known, 50)
const appAt = (index: number) => charted[index % charted.length]
const reads: Record<string, (index: number) => string> = {
  get_competitor: (index) => `/v1/competitors/ios/${appAt(index)}?country=us`,
  search_competitors: (index) => searches[index % searches.length]?.path ?? '',
  list_competitor_categories: () => '/v1/competitors/categories?country=us',
  get_apple_charts: () => '/v1/charts?country=us&chart=top-free&limit=100',
  get_apple_chart_history: (index) => `/v1/charts/apps/${appAt(index)}/history?country=us`,
}

await timesUntil(setTimeout(3_000, undefined))
const quiet = await timesUntil(setTimeout(10_000, undefined))
const started = performance.now()
const busy = await timesUntil(imported())
const seconds = (performance.now() - started) / 1_000

print(
  `reads while ${coming.toLocaleString('en')} apps come in beside ${known.toLocaleString('en')}, ${Math.round(coming / seconds)} apps a second, milliseconds`,
)
printTable(
  ['read', 'quiet p50', 'p99', 'importing p50', 'p99', 'longest', 'reads', `over ${longestWait} ms`],
  Object.keys(reads).map((read) => {
    const [before = [], during = []] = [quiet.get(read), busy.get(read)]
    return [
      read,
      ...[percentile(before, 0.5), percentile(before, 0.99), percentile(during, 0.5), percentile(during, 0.99)],
      Math.max(...during),
      during.length,
      during.filter((ms) => ms > longestWait).length,
    ]
  }),
)
const all = [...busy.values()].flat()
report({
  name: 'longest read during an import',
  value: Math.max(...all),
  unit: 'ms',
  goal: { atMost: longestWait },
})
report({
  name: 'read during an import, p99',
  value: percentile(all, 0.99),
  unit: 'ms',
  goal: { atMost: longestWait },
})
await stack.disposeAsync()
await dropDatabase(name)

/** Milliseconds of each read, again and again until something ends. */
async function timesUntil(end: Promise<unknown>): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(Object.keys(reads).map((read) => [read, []]))
  let isOver = false
  const ended = end.then(() => {
    isOver = true
  })
  for (let index = 0; !isOver; index++)
    for (const [read, pathAt] of Object.entries(reads)) {
      times.get(read)?.push(...(await client.timesOf([pathAt(index)])))
      await setTimeout(pauseMs)
    }
  await ended
  return times
}

async function imported(): Promise<void> {
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const where = ['--country', 'gb', '--observed-at', observedAt, '--rejected', rejectedFile]
  const importing = spawn(
    command,
    ['import', 'catalogue', catalogueFile(coming), ...where, '--database-url', databaseUrl(name)],
    { stdio: 'ignore' },
  )
  const [code] = await once(importing, 'exit')
  if (code !== 0) throw new Error(`the import ended with ${code}`)
}
