/**
 * How long reads wait while apps come in: one after the other over HTTP, each kind in turn, before an import and while
 * `rivalscope import` writes to the same store from a process of its own. Beside them, what nothing of ours can hold up: `select 1`
 * through a connection of its own, and the timers of a process that does nothing else. Reads over the limit are told one by one, with
 * what they waited for.
 *
 *   node bench/while-importing.ts [--apps 100000] [--known 20000]     so many come in, beside so many that are known
 *   node bench/while-importing.ts --engine embedded
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { runImport } from '../src/imports/run-import.ts'
import { openStore, type StoreLocation } from '../src/storage/open-store.ts'
import { chartedApps, fillCharts } from './chart-store.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { observedAt } from './generate.ts'
import { Client } from './load.ts'
import { questions } from './questions.ts'
import { serveStore } from './service.ts'
import { catalogueFile, databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'
import { type Delay, ownMs, ranMs, type Timed, Waits } from './waits.ts'

const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '100000' },
    known: { type: 'string', default: '20000' },
    engine: { type: 'string', default: 'postgres' },
  },
})
const [coming, known] = [Number(values.apps), Number(values.known)]
const longestWait = 100
const longestBlock = 50
/** Between two reads, so that they see the import at many moments and are no load themselves. */
const pauseMs = 10
/** Slow reads told one by one at most. */
const mostTold = 25

const name = 'while_importing'
const dataDir = join(directory, 'while-importing')
const isEmbedded = values.engine === 'embedded'
const location: StoreLocation = isEmbedded ? { dataDir } : { databaseUrl: databaseUrl(name) }
const rejectedFile = join(directory, 'rejected.ndjson')

rmSync(dataDir, { recursive: true, force: true })
await using stack = new AsyncDisposableStack()
const store = stack.use(isEmbedded ? await openStore(location, 'bench') : await freshDatabase(name))
await runImport(
  store.db,
  { kind: 'catalogue', paths: [catalogueFile(known)], country: 'us', observedAt, directory, rejectedFile },
  () => {},
)
await fillCharts(store.db, { charts: 100, days: 30, depth: 100, apps: known, until: '2026-11-20' })
const charted = await chartedApps(store.db, 'us')
catalogueFile(coming, 'gb')

const watch = new URL('./loop-watch.ts', import.meta.url).pathname
const [loopFile, bareFile] = [join(directory, 'loop.json'), join(directory, 'bare-loop.json')]
process.env.RIVALSCOPE_BENCH_LOOP_FILE = loopFile
const service = await serveStore(location, { preload: watch })
const bare = spawn(
  process.execPath,
  ['--import', watch, '--eval', `process.once('SIGTERM', () => process.exit()); setInterval(() => {}, 1e6)`],
  {
    env: { ...process.env, RIVALSCOPE_BENCH_LOOP_FILE: bareFile },
    stdio: 'ignore',
  },
)
const client = stack.use(new Client(service.address, service.key, 1))
const waits = new Waits(store.db, service.pid)

const searches = questions(known, 50)
const appAt = (index: number) => charted[index % charted.length]
const paths: Record<string, (index: number) => string> = {
  get_competitor: (index) => `/v1/competitors/ios/${appAt(index)}?country=us`,
  search_competitors: (index) => searches[index % searches.length]?.path ?? '',
  list_competitor_categories: () => '/v1/competitors/categories?country=us',
  get_apple_charts: () => '/v1/charts?country=us&chart=top-free&limit=100',
  get_apple_chart_history: (index) => `/v1/charts/apps/${appAt(index)}/history?country=us`,
}
const floor = 'select 1'

await timesUntil(setTimeout(3_000, undefined))
const loadBefore = loadavg()[0] ?? 0
const quiet = await timesUntil(setTimeout(10_000, undefined))
const [began, started] = [Date.now(), performance.now()]
const busy = await timesUntil(imported())
const seconds = (performance.now() - started) / 1_000
const ended = Date.now()
await service[Symbol.asyncDispose]()
bare.kill()
await once(bare, 'exit')

print(
  `reads while ${coming.toLocaleString('en')} apps come in beside ${known.toLocaleString('en')} (${values.engine}), ${Math.round(coming / seconds)} apps a second, load ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} at the end, milliseconds`,
)
printTable(
  [
    ...['read', 'quiet p50', 'p99', 'longest', 'importing p50', 'p99', 'longest', 'less waiting for a core'],
    ...['processor, quiet p50', 'importing p50', 'longest', 'reads', `over ${longestWait} ms`],
  ],
  [...busy].map(([read, during]) => {
    const calm = quiet.get(read) ?? []
    const before = calm.map(({ ms }) => ms)
    const times = during.map(({ ms }) => ms)
    return [
      read,
      ...[percentile(before, 0.5), percentile(before, 0.99), Math.max(...before)],
      ...[percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)],
      Math.max(...during.map(ownMs)),
      ...[percentile(calm.map(ranMs), 0.5), percentile(during.map(ranMs), 0.5), Math.max(...during.map(ranMs))],
      times.length,
      times.filter((ms) => ms > longestWait).length,
    ]
  }),
)

const all = [...busy].flatMap(([read, timed]) => (read === floor ? [] : timed))
const slow = all.filter(({ ms }) => ms > longestWait).sort((one, other) => other.ms - one.ms)
if (slow.length > 0) {
  print(
    '\nreads over the limit: processor time and time without a core, of who asks, of the service and of its sessions',
  )
  printTable(
    ['read', 'ms', 'who asks', 'no core', 'service', 'no core', 'database', 'no core', 'rest'],
    slow.slice(0, mostTold).map((read) => [read.what, read.ms, ...sharesOf(read)]),
  )
  for (const { what, seen } of slow.slice(0, mostTold))
    for (const [doing, times] of seen) print(`${what}: ${times} × ${doing}`)
}

const [ofService, ofBare] = [delaysIn(loopFile), delaysIn(bareFile)]
print('\nevent loops during the import, milliseconds late')
printTable(
  ['process', 'longest', 'longest of its own processor time', `over ${longestBlock} ms`, 'times over 20 ms'],
  (
    [
      ['serve', ofService],
      ['a bare process', ofBare],
    ] as const
  ).map(([which, delays]) => [
    which,
    ...[longestOf(delays, 'lateMs'), longestOf(delays, 'ownMs')],
    delays.filter(({ lateMs }) => lateMs > longestBlock).length,
    delays.length,
  ]),
)

const goal = { atMost: longestWait }
const longest = Math.max(...all.map(({ ms }) => ms))
report({ name: 'longest read during an import', value: longest, unit: 'ms', goal })
report({
  name: 'longest read during an import, without waiting for a core',
  value: Math.max(...all.map(ownMs)),
  unit: 'ms',
  goal,
})
const p99 = percentile(
  all.map(({ ms }) => ms),
  0.99,
)
report({ name: 'read during an import, p99', value: p99, unit: 'ms', goal })
report({
  name: 'event loop during an import, longest of its own processor time',
  value: longestOf(ofService, 'ownMs'),
  unit: 'ms',
  goal: { atMost: longestBlock },
})
await stack.disposeAsync()
if (!isEmbedded) await dropDatabase(name)

/** Each read, again and again until something ends. */
async function timesUntil(end: Promise<unknown>): Promise<Map<string, Timed[]>> {
  const reads = [...Object.keys(paths), floor]
  const times = new Map<string, Timed[]>(reads.map((read) => [read, []]))
  let isOver = false
  const over = end.then(() => {
    isOver = true
  })
  for (let index = 0; !isOver; index++)
    for (const read of reads) {
      const path = paths[read]?.(index)
      const perform = path ? () => client.get(path) : () => sql`select 1`.execute(store.db)
      times.get(read)?.push(await waits.time(path ?? read, perform))
      await setTimeout(pauseMs)
    }
  await over
  return times
}

/** As from a terminal of its own: Linux shares cores out among terminals before it looks at who gives way. */
async function imported(): Promise<void> {
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const where = isEmbedded ? ['--data-dir', dataDir] : ['--database-url', databaseUrl(name)]
  const read = ['--country', 'gb', '--observed-at', observedAt, '--rejected', rejectedFile]
  const importing = spawn(command, ['import', 'catalogue', catalogueFile(coming, 'gb'), ...read, ...where], {
    env: { ...process.env, RIVALSCOPE_BENCH_LOOP_FILE: '' },
    stdio: 'ignore',
    detached: true,
  })
  const stop = () => importing.kill()
  process.once('exit', stop)
  const [code] = await once(importing, 'exit')
  process.off('exit', stop)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
}

function sharesOf({ ms, client: asking, service: serving, database }: Timed): number[] {
  const known = [asking, serving, database].flatMap(({ ran, unscheduled }) => [ran, unscheduled])
  return [...known, Math.max(0, ms - known.reduce((sum, one) => sum + one, 0))]
}

function delaysIn(file: string): Delay[] {
  const delays = JSON.parse(readFileSync(file, 'utf8')) as Delay[]
  return delays.filter(({ at }) => at >= began && at <= ended)
}

function longestOf(delays: readonly Delay[], which: 'lateMs' | 'ownMs'): number {
  return Math.max(0, ...delays.map((delay) => delay[which]))
}
