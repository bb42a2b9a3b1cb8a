import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { openPostgres } from '../src/storage/open-store.ts'
import { median, print, printTable, report } from './figures.ts'
import { databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

/**
 * Ranks of keywords of another tool, imported by `rivalscope import keyword-ranks`, against a plain script that reads the same
 * table and inserts a row for each rank into a table with a key, a thousand rows a statement, in one transaction, in the same
 * database. Both are processes of their own, whose start is part of the time; they take turns. Target: at most three times.
 *
 *   node bench/keyword-ranks.ts                100,000 ranks, five turns
 *   node bench/keyword-ranks.ts --ranks 10000 --turns 3
 */
const { values } = parseArgs({
  options: {
    ranks: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '5' },
    plain: { type: 'string' },
  },
})
const name = 'keyword_ranks'
if (values.plain === undefined) await compare(Number(values.ranks), Number(values.turns))
else await insertPlainly(values.plain)

async function compare(ranks: number, turns: number): Promise<void> {
  const [imported, plain]: [number[], number[]] = [[], []]
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const options = ['--database-url', databaseUrl(name), '--rejected', join(directory, 'rejected.ndjson')]
  for (let turn = 0; turn < turns; turn++) {
    await using _store = await freshDatabase(name)
    const file = tableOf(ranks)
    const byScript = () => plain.push(took(process.execPath, [import.meta.filename, '--plain', file]))
    if (turn % 2 === 0) byScript()
    imported.push(took(command, ['import', 'keyword-ranks', file, ...options]))
    if (turn % 2 === 1) byScript()
  }
  await dropDatabase(name)
  const ratio = median(imported) / median(plain)
  report({ name: 'import keyword-ranks, of a plain script', value: ratio, unit: '×', goal: { atMost: 3 } })
  print(`${ranks.toLocaleString('en')} ranks, ${turns} turns`)
  printTable(
    ['way', 'seconds', 'ranks/s', 'of the script'],
    [
      ['rivalscope import keyword-ranks', median(imported), Math.round(ranks / median(imported)), ratio],
      ['a plain script', median(plain), Math.round(ranks / median(plain)), 1],
    ],
  )
  const all = (seconds: readonly number[]) => seconds.map((one) => one.toFixed(2)).join(' ')
  print(`import ${all(imported)}; script ${all(plain)}`)
}

/** A table of one app and four rivals, with a hundred keywords each, day by day. */
function tableOf(ranks: number): string {
  const file = join(directory, `keyword-ranks-${ranks}.csv`)
  const lines = ['date,keyword,country,rank,app_id']
  for (let at = 0; at < ranks; at++) {
    const [app, keyword, day] = [at % 5, Math.floor(at / 5) % 100, Math.floor(at / 500)]
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
    lines.push(`${date},keyword number ${keyword},us,${1 + ((at * 7919) % 200)},${6_551_000_001 + app}`)
  }
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

function took(command: string, words: readonly string[]): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return (performance.now() - started) / 1_000
}

async function insertPlainly(file: string): Promise<void> {
  const rows = parse(readFileSync(file), { columns: true }) as Record<string, string>[]
  await using store = openPostgres(databaseUrl(name))
  await sql`create table plain_ranks (app_id bigint, country text, keyword text, day date, rank integer,
    primary key (app_id, country, keyword, day))`.execute(store.db)
  await store.db.transaction().execute(async (transaction) => {
    for (let at = 0; at < rows.length; at += 1_000) {
      const some = rows.slice(at, at + 1_000)
      const of = (column: string) => some.map((row) => row[column])
      await sql`insert into plain_ranks select * from unnest(${of('app_id')}::bigint[], ${of('country')}::text[],
        ${of('keyword')}::text[], ${of('date')}::date[], ${of('rank')}::integer[])`.execute(transaction)
    }
  })
}
