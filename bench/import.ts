import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chartFiles } from './chart-files.ts'
import { print, printTable, report } from './figures.ts'
import { observedAt } from './generate.ts'
import { catalogueFile, databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

/**
 * Rows a second of `rivalscope import` on PostgreSQL against a raw COPY (psql) of what it stored: into the same main
 * table with its indexes, into a copy of that table without indexes, and into all tables that the import fills.
 * Target: a third of COPY into the same tables, in under 300 MB of memory.
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
  const seconds = filled.map((name) => copyInto(name, name))
  const same = seconds[filled.indexOf(table)] ?? Number.NaN
  const all = seconds.reduce((sum, one) => sum + one, 0)

  const share = all / imported.seconds
  report({ name: `import ${kind}, of COPY`, value: share, unit: '×', goal: { atLeast: 0.5 } })
  report({ name: `import ${kind}, memory`, value: imported.megabytes, unit: 'MB', goal: { atMost: 300 } })
  print(`import ${kind}: ${rows.toLocaleString('en')} rows, peak memory ${imported.megabytes} MB`)
  const rowOf = (name: string, took: number) => [name, took, Math.round(rows / took), took / imported.seconds]
  printTable(
    ['way', 'seconds', 'rows/s', 'import / COPY'],
    [
      ['rivalscope import', imported.seconds, Math.round(rows / imported.seconds), ''],
      ['the same import again', repeated.seconds, Math.round(rows / repeated.seconds), ''],
      rowOf(`COPY ${table}`, same),
      rowOf(`COPY ${table}, no indexes`, bare),
      rowOf('COPY every table it fills', all),
    ],
  )
  print(filled.map((name, index) => `${name} ${seconds[index]?.toFixed(1)} s`).join(', '))
  print('')
  await _store[Symbol.asyncDispose]()
  await dropDatabase('import')
}

/** Imports in a process of its own; its start is part of the time. */
function importWith(kind: string, input: readonly string[]): { seconds: number; megabytes: number } {
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const options = ['--database-url', databaseUrl('import'), '--rejected', join(directory, 'rejected.ndjson')]
  const { stderr, status } = spawnSync(
    '/usr/bin/time',
    ['-f', '%e %M', command, 'import', kind, ...input, ...options],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const [seconds = 0, kilobytes = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { seconds, megabytes: Math.round(kilobytes / 1024) }
}

function copyInto(table: string, dump: string): number {
  const started = performance.now()
  psql(`\\copy ${table} from '${dumpOf(dump)}'`)
  return (performance.now() - started) / 1000
}

function psql(command: string): void {
  execFileSync('psql', ['-qXv', 'ON_ERROR_STOP=1', databaseUrl('import'), '-c', command])
}

function dumpOf(table: string): string {
  return join(directory, `${table}.copy`)
}
