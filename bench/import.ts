import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chartFiles } from './chart-files.ts'
import { print, printTable, report } from './figures.ts'
import { observedAt } from './generate.ts'
import { secondsOfPostgres } from './processor.ts'
import { catalogueFile, databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

/**
 * Rows a second of `rivalscope import` on PostgreSQL against a raw COPY (psql) of what it stored: into the same main
 * table with its indexes, into a copy of that table without indexes, and into all tables that the import fills.
 * Target: half of COPY into the same tables, in under 300 MB of memory; by the clock, and by the processor time of the command
 * and of PostgreSQL together, which other work on the machine changes less.
 *
 *   node bench/import.ts                       100,000 iTunes records; 2,000 chart files of 100 places
 *   node bench/import.ts --apps 30000 --files 500
 */
const { values } = parseArgs({
  options: { apps: { type: 'string', default: '100000' }, files: { type: 'string', default: '2000' } },
})

const apps = Number(values.apps)
await measure({
  kind: 'catalogue',
  input: [catalogueFile(apps), '--country', 'us', '--observed-at', observedAt],
  rows: apps,
  table: 'app_records',
  filled: [
    'payloads',
    'readings',
    'app_records',
    'rating_observations',
    'app_search',
    'search_words',
    'described_words',
  ],
})
const files = Number(values.files)
await measure({
  kind: 'charts',
  input: [chartFiles(files)],
  rows: files * 100,
  table: 'chart_months',
  filled: [
    'payloads',
    'readings',
    'app_records',
    'app_search',
    'search_words',
    'described_words',
    'charts',
    'chart_snapshots',
    'chart_months',
  ],
})

interface Measured {
  kind: 'catalogue' | 'charts'
  input: string[]
  rows: number
  /** The table whose rows are counted. */
  table: string
  /** Every table that the import fills, in an order that keeps their references. */
  filled: string[]
}

async function measure({ kind, input, rows, table, filled }: Measured): Promise<void> {
  await using _store = await freshDatabase('import')
  const imported = importWith(kind, input)
  const repeated = importWith(kind, input)
  for (const name of filled) psql(`\\copy (select * from ${name}) to '${dumpOf(name)}'`)
  psql(`create table bare (like ${table})`)
  const bare = copyInto('bare', table)
  psql(`truncate ${filled.join(', ')} cascade`)
  const copies = filled.map((name) => copyInto(name, name))
  const same = copies[filled.indexOf(table)] ?? { clock: Number.NaN, busy: Number.NaN }
  const all = copies.reduce((sum, one) => ({ clock: sum.clock + one.clock, busy: sum.busy + one.busy }), {
    clock: 0,
    busy: 0,
  })

  const times = { 'the clock': imported.clock / all.clock, 'processor time': imported.busy / all.busy }
  const floor = 'COPY into all its tables'
  for (const [by, value] of Object.entries(times))
    report({ name: `import ${kind}, by ${by}`, floor, value, unit: '×', goal: { atMost: 2 } })
  report({ name: `import ${kind}, memory`, value: imported.megabytes, unit: 'MB', goal: { atMost: 300 } })
  print(`import ${kind}: ${rows.toLocaleString('en')} rows, peak memory ${imported.megabytes} MB`)
  const rowOf = (name: string, { clock, busy }: Took) => [
    name,
    clock,
    Math.round(rows / clock),
    clock / imported.clock,
    busy,
    busy / imported.busy,
  ]
  printTable(
    ['way', 'seconds', 'rows/s', 'of import', 'processor', 'of import'],
    [
      rowOf('rivalscope import', imported),
      rowOf('the same import again', repeated),
      rowOf(`COPY ${table}`, same),
      rowOf(`COPY ${table}, no indexes`, bare),
      rowOf('COPY every table it fills', all),
    ],
  )
  print(`processor: the command ${imported.command.toFixed(1)} s, again ${repeated.command.toFixed(1)} s`)
  print(filled.map((name, index) => `${name} ${copies[index]?.busy.toFixed(1)} s`).join(', '))
  print('')
  await _store[Symbol.asyncDispose]()
  await dropDatabase('import')
}

interface Took {
  clock: number
  /** Seconds of the processor, of the command and of PostgreSQL. */
  busy: number
}

/** Imports in a process of its own; its start is part of the time. */
function importWith(kind: string, input: readonly string[]): Took & { command: number; megabytes: number } {
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const options = ['--database-url', databaseUrl('import'), '--rejected', join(directory, 'rejected.ndjson')]
  return took(command, ['import', kind, ...input, ...options])
}

function copyInto(table: string, dump: string): Took {
  return took('psql', psqlWords(`\\copy ${table} from '${dumpOf(dump)}'`))
}

/** Runs a command, and what it took. */
function took(command: string, words: readonly string[]): Took & { command: number; megabytes: number } {
  const before = secondsOfDatabase()
  const { stderr, status } = spawnSync('/usr/bin/time', ['-f', '%e %U %S %M', command, ...words], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const measured = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  const [clock = 0, user = 0, system = 0, kilobytes = 0] = measured
  const busy = user + system
  return {
    clock,
    command: busy,
    busy: busy + secondsOfDatabase() - before,
    megabytes: Math.round(kilobytes / 1024),
  }
}

function secondsOfDatabase(): number {
  return secondsOfPostgres(Number(psql("select split_part(pg_read_file('postmaster.pid'), chr(10), 1)")))
}

function psql(command: string): string {
  return execFileSync('psql', psqlWords(command), { encoding: 'utf8' }).trim()
}

function psqlWords(command: string): string[] {
  return ['-qXAtv', 'ON_ERROR_STOP=1', databaseUrl('import'), '-c', command]
}

function dumpOf(table: string): string {
  return join(directory, `${table}.copy`)
}
