import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { mulberry32 } from '../sample/dice.ts'
import { type Database, firstRow } from '../src/storage/database.ts'
import { chartFiles } from './chart-files.ts'
import { print, printTable, report } from './figures.ts'
import { type BenchApp, benchApps } from './generate.ts'
import { databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

/**
 * What a day more takes of the disk, all tables with their indexes and the answers as they came, so that they can be replayed: a page of
 * 200 results that was there the day before, of which a tenth of the places and some ratings changed, and the capture of a chart of a
 * hundred. The first day, when all is new, is told beside it.
 *
 *   node bench/bytes.ts                       20 pages on 8 days; 20 charts on 20 days
 *   node bench/bytes.ts --pages 50 --days 30
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20' },
    days: { type: 'string', default: '8' },
    files: { type: 'string', default: '400' },
  },
})
const name = 'bytes'
const places = 200
const command = new URL('../bin/rivalscope', import.meta.url).pathname
const pages = Number(values.pages)
const days = Number(values.days)

const [firstDay = '', ...later] = pagesByDay()
const page = await growth('search-results', [firstDay], later)
const all = chartFiles(Number(values.files))
const half = firstHalf(all)
const capture = await growth('charts', [half], [all])
const captures = Number(values.files) / 2
const rows = [
  ['page of 200', page.first / pages / 1_000, page.later / pages / later.length / 1_000],
  ['capture of a chart of a hundred', capture.first / captures / 1_000, capture.later / captures / 1_000],
] as const
printTable(['kB, with its indexes and the answer', 'the first days', 'a day more'], rows)
const [[, , ofPage], [, , ofCapture]] = rows
report({ name: 'a daily page of 200 with replay', value: ofPage, unit: 'kB', goal: { atMost: 40 } })
report({ name: 'a capture of a chart', value: ofCapture, unit: 'kB', goal: { atMost: 1.5 } })
print('')

/** Bytes that a store grows by: with what comes first, and with what comes later. */
async function growth(kind: string, first: string[], later: string[]) {
  await using store = await freshDatabase(name)
  const empty = await bytesOf(store.db)
  for (const path of first) importInto(kind, path)
  const begun = await bytesOf(store.db)
  for (const path of later) importInto(kind, path)
  const grown = await bytesOf(store.db)
  await store[Symbol.asyncDispose]()
  await dropDatabase(name)
  return { first: begun - empty, later: grown - begun }
}

function importInto(kind: string, path: string): void {
  const options = ['--database-url', databaseUrl(name), '--rejected', join(directory, 'rejected.ndjson')]
  execFileSync(command, ['import', kind, path, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Of all tables, after what is not needed any more was given back to them. */
async function bytesOf(db: Database): Promise<number> {
  await sql`vacuum`.execute(db)
  const found = await firstRow(
    db,
    sql<{ bytes: number }>`
      select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return found?.bytes ?? Number.NaN
}

/** A folder for each day, with the same pages. */
function pagesByDay(): string[] {
  const roll = mulberry32(7)
  const apps = [...benchApps(pages * places)]
  let known = Array.from({ length: pages }, (_, at) => apps.slice(at * places, (at + 1) * places))
  return Array.from({ length: days }, (_, at) => {
    const day = `2026-11-${String(at + 1).padStart(2, '0')}`
    const folder = join(directory, `bytes-${pages}-${day}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    const captures = ['file,term,country,capturedAt']
    for (const [term, results] of known.entries()) {
      const file = `page-${term}-${day}.json`
      writeFileSync(join(folder, file), JSON.stringify({ resultCount: results.length, results }))
      captures.push(`${file},term ${term},us,${day}T06:00:00Z`)
    }
    writeFileSync(join(folder, 'captures.csv'), `${captures.join('\n')}\n`)
    known = known.map((results) => aDayLater(results, roll))
    return folder
  })
}

/** A tenth of the places changed with their neighbours, and a tenth of the apps rated once more. */
function aDayLater(apps: readonly BenchApp[], roll: () => number): BenchApp[] {
  const order = apps.map((app) => (roll() < 0.1 ? { ...app, userRatingCount: app.userRatingCount + 1 } : app))
  for (let time = 0; time < places / 20; time++) {
    const at = Math.floor(roll() * (places - 1))
    ;[order[at], order[at + 1]] = [order[at + 1] as BenchApp, order[at] as BenchApp]
  }
  return order
}

/** A folder with the charts of the first days. */
function firstHalf(all: string): string {
  const folder = `${all}-first-half`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const names = readdirSync(all).sort()
  for (const file of names.slice(0, names.length / 2)) copyFileSync(join(all, file), join(folder, file))
  return folder
}
