/**
 * Runs all benchmarks of the service one after the other, and ends with a table of the figures that have a goal. Each makes its
 * stores on first use, so the first run of a size takes longer.
 *
 *   npm run bench -- --size small       minutes, on any machine
 *   npm run bench -- --size million     a million apps, posts and ads, ten million ranks
 *   npm run bench -- --size store       three million apps, a hundred million ranks, five million posts and ads: days
 *   npm run bench -- --only search      those with this in their name
 *   npm run bench -- --keep             also writes what was measured into the rows of bench/results.json that say so
 *   npm run bench -- --stale            runs nothing: which of the recorded figures are stale
 *
 * They run on the PostgreSQL of `RIVALSCOPE_BENCH_DATABASE_URL`, or else on one that is started for them. Stores and the output
 * of each stay in `RIVALSCOPE_BENCH_DIR`. Nothing else should run meanwhile: the load before and after is told.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { useEmbeddedServer } from '../src/storage/embedded/embedded-server.ts'
import { urlOfServer } from '../src/storage/testing.ts'
import { type Figure, figuresFile, isMet, print, printTable } from './figures.ts'
import { keepFigures, printStale, refuseUncommitted } from './results.ts'

type Size = 'small' | 'million' | 'store'

/** The arguments of each benchmark by size; the last is that of larger sizes, too. */
const benchmarks: Record<string, string[]> = {
  'point-read': ['--apps 5000 --requests 2000 --rounds 3', '--apps 1000000', '--apps 3000000'],
  'point-read --engine embedded': ['--apps 5000 --requests 2000 --rounds 3', '--apps 100000'],
  search: ['--apps 5000 --each 30', '--apps 1000000', '--apps 3000000'],
  charts: ['--days 60 --requests 200', '--days 365', '--days 3650'],
  ranks: ['--days 60', '--days 365', '--days 3650'],
  aso: ['--keywords 100 --terms 1000 --days 60 --depth 100 --requests 20', ''],
  'creatives-search': ['--count 10000 --each 10', '--count 1000000', '--count 5000000'],
  'creatives-save': ['1000', '4000'],
  import: ['--apps 10000 --files 200', '--apps 100000 --files 2000'],
  'while-importing': ['--apps 5000 --known 5000', '--apps 100000'],
  'while-importing --engine embedded': ['--apps 5000 --known 5000', '--apps 100000'],
  processes: ['--apps 5000 --requests 2000', '--apps 100000'],
  'plain-import': ['--turns 3', ''],
  'small-documents': [''],
  'organic-import': ['--posts 10000', '--posts 100000'],
  bytes: ['--pages 10 --days 6 --files 200', ''],
  'keyword-ranks': [''],
  jobs: ['--jobs 200', '--jobs 400'],
  agent: [''],
  mcp: ['--apps 5000 --requests 100 --rounds 3 --sessions 0', '--apps 100000'],
  estimates: ['--rounds 10', ''],
  emerging: [''],
  'event-loop': ['--apps 2000 --keywords 300', ''],
  embedded: ['--apps 5000 --import 2000 --rounds 3', ''],
  start: ['--apps 5000 --rounds 3', '--apps 100000'],
  'first-hour': [''],
  growth: [
    '--apps 1000,5000,20000 --each 12',
    '--apps 10000,100000,1000000',
    '--apps 10000,100000,1000000,3000000',
  ],
}
const peersDirectory = new URL('peers', import.meta.url).pathname
const sizes: readonly Size[] = ['small', 'million', 'store']

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
    stale: { type: 'boolean', default: false },
  },
})
if (values.stale) {
  printStale()
  process.exit()
}
const size = sizes.indexOf(values.size as Size)
if (size < 0) throw new Error(`There is no size ${values.size}. Sizes: ${sizes.join(', ')}.`)

const directory = process.env.RIVALSCOPE_BENCH_DIR ?? '/tmp/rivalscope-bench'
mkdirSync(directory, { recursive: true })
const figuresPath = join(directory, 'figures.ndjson')
rmSync(figuresPath, { force: true })

await using stack = new AsyncDisposableStack()
const databaseUrl = process.env.RIVALSCOPE_BENCH_DATABASE_URL ?? (await startDatabase())
const begun = loadavg()
const failed: string[] = []
const measured: (Figure & { command: string })[] = []
if (values.keep) refuseUncommitted()
for (const [name, args] of Object.entries(benchmarks).filter(([name]) => name.includes(values.only))) {
  const own = args[Math.min(size, args.length - 1)] ?? ''
  const peers = name === 'charts' && installPeers() ? ` --peers ${peersDirectory}` : ''
  const known = readFigures().length
  if (!perform(name, `${own}${peers}`)) failed.push(name)
  const [script, ...options] = name.split(' ')
  const command = [`${script}.ts`, ...options, own].filter(Boolean).join(' ')
  for (const figure of readFigures().slice(known)) measured.push({ ...figure, command })
}

print('')
printTable(['', 'floor', 'measured', 'goal', ''], measured.map(rowOf))
const rounded = (load: readonly number[]) => load.map((one) => one.toFixed(1)).join(' ')
print(`
${new Date().toISOString().slice(0, 10)}, npm run bench -- --size ${values.size}${values.only && ` --only ${values.only}`}
${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.version}
load ${rounded(begun)} before, ${rounded(loadavg())} after`)
if (values.keep)
  print(keepFigures(measured, `${rounded(begun.slice(0, 1))} to ${rounded(loadavg().slice(0, 1))}`))
if (failed.length > 0) print(`did not end well, see their output: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** Those that were told so far, in the order in which they were told. */
function readFigures(): Figure[] {
  if (!existsSync(figuresPath)) return []
  const lines = readFileSync(figuresPath, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Figure)
}

/** A PostgreSQL for this run, whose stores stay for the next. */
async function startDatabase(): Promise<string> {
  return urlOfServer(stack.use(await useEmbeddedServer(join(directory, 'postgres'), { memoryMiB: 2_048 })))
}

/** Installs DuckDB, which nothing else needs. @returns whether it is there: without a network it is done without */
function installPeers(): boolean {
  const script = new URL('../scripts/install-tools', import.meta.url).pathname
  return spawnSync(script, ['bench/peers'], { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

/** Runs a benchmark in a process of its own. @returns whether it ended well */
function perform(name: string, args: string): boolean {
  const [script = '', ...own] = name.split(' ')
  const output = join(directory, `${name.replaceAll(/\W+/g, '-')}.txt`)
  const command = [
    new URL(`${script}.ts`, import.meta.url).pathname,
    ...own,
    ...args.split(' ').filter(Boolean),
  ]
  process.stdout.write(`${name.padEnd(30)} `)
  const started = performance.now()
  const file = openSync(output, 'w')
  const { status } = spawnSync(process.execPath, command, {
    stdio: ['ignore', file, file],
    env: { ...process.env, [figuresFile]: figuresPath, RIVALSCOPE_BENCH_DATABASE_URL: databaseUrl },
  })
  closeSync(file)
  const seconds = Math.round((performance.now() - started) / 1_000)
  print(`${String(seconds).padStart(5)} s  ${status === 0 ? '' : 'failed, see '}${output}`)
  return status === 0
}

function rowOf(figure: Figure): string[] {
  const { name, floor = '', value, unit, goal } = figure
  const written = (number: number) =>
    `${number >= 100 ? Math.round(number).toLocaleString('en') : number.toPrecision(3)} ${unit}`
  if (!goal) return [name, floor, written(value), '', '']
  const wanted = 'atMost' in goal ? `at most ${written(goal.atMost)}` : `at least ${written(goal.atLeast)}`
  return [name, floor, written(value), wanted, isMet(figure) ? 'met' : 'missed']
}
