import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { mulberry32 } from '../sample/dice.ts'
import { openPostgres } from '../src/storage/open-store.ts'
import { chartFiles } from './chart-files.ts'
import { median, print, printTable, report } from './figures.ts'
import { type BenchApp, benchApps, observedAt } from './generate.ts'
import { secondsOfPostgres } from './processor.ts'
import { catalogueFile, databaseUrl, directory, dropDatabase, freshDatabase } from './stores.ts'

/**
 * Imports against the plain script that somebody would write instead, in turns, by processor time of both and of PostgreSQL:
 *
 * - charts: a script that parses, hashes and compresses each file, and inserts it with its places and the names of its apps into
 *   tables with keys of the same database;
 * - a catalogue: a script that parses each record and puts it into a table of SQLite, and its texts into FTS5;
 * - result pages of which only the order changed: the same command the day before, when all was new.
 *
 * The start of each process is part of its time; a command that finds nothing new tells it.
 *
 *   node bench/plain-import.ts                          400 charts, 3,000 apps, 30 pages of 200 apps each, five turns
 *   node bench/plain-import.ts --only pages --turns 9
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '400' },
    apps: { type: 'string', default: '3000' },
    pages: { type: 'string', default: '30' },
    turns: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    /** The script itself: its kind, and what it reads. */
    plain: { type: 'string' },
  },
})
const name = 'plain_import'
const places = 200
const command = new URL('../bin/rivalscope', import.meta.url).pathname
const options = ['--database-url', databaseUrl(name), '--rejected', join(directory, 'rejected.ndjson')]

if (values.plain?.startsWith('charts ')) await insertCharts(values.plain.slice('charts '.length))
else if (values.plain?.startsWith('catalogue ')) insertCatalogue(values.plain.slice('catalogue '.length))
else await compare()

async function compare(): Promise<void> {
  const [charts, apps, pages, turns] = [values.files, values.apps, values.pages, values.turns].map(Number)
  const taken = new Map<string, Took[]>()
  const take = async (what: string, input: () => [string, string[]][]) => {
    if (!what.startsWith(values.only)) return
    await using store = await freshDatabase(name)
    const found = await sql<{ pid: number }>`
      select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`.execute(store.db)
    const postmaster = found.rows[0]?.pid ?? 0
    for (const [way, words] of input()) {
      const key = `${what}, ${way}`
      taken.set(key, [...(taken.get(key) ?? []), took(words, postmaster)])
    }
  }
  const plainly = (words: string): string[] => [process.execPath, import.meta.filename, '--plain', words]
  const folder = chartFiles(charts ?? 0)
  const file = catalogueFile(apps ?? 0)
  const [before, again] = pageFolders(pages ?? 0)
  for (let turn = 0; turn < (turns ?? 0); turn++) {
    const inTurns = <One>(some: One[]) => (turn % 2 === 0 ? some : some.toReversed())
    await take('charts', () =>
      inTurns<[string, string[]]>([
        ['a plain script', plainly(`charts ${folder}`)],
        ['import', [command, 'import', 'charts', folder, ...options]],
      ]),
    )
    await take('catalogue', () =>
      inTurns<[string, string[]]>([
        ['a plain script', plainly(`catalogue ${file}`)],
        ['import', [command, 'import', 'catalogue', file, ...options, '--observed-at', observedAt]],
      ]),
    )
    const pagesIn = (some: string) => [command, 'import', 'search-results', some, ...options]
    await take('pages', () => [
      ['first', pagesIn(before)],
      ['again, in another order', pagesIn(again)],
      ['again, as they were', pagesIn(again)],
    ])
  }
  await dropDatabase(name)
  const of = (key: string) => least(together(taken.get(key) ?? []))
  const ratios = [
    ['charts', 'import', 'a plain script', 1],
    ['catalogue', 'import', 'a plain script', 3],
    ['pages', 'again, in another order', 'first', 0.15],
  ] as const
  for (const [what, way, floor, atMost] of ratios.filter(([what]) => what.startsWith(values.only))) {
    const value = of(`${what}, ${way}`) / of(`${what}, ${floor}`)
    report({ name: `import of ${what}, ${way}`, floor, value, unit: '×', goal: { atMost } })
    print(`import of ${what}: ${way} / ${floor} ${value.toFixed(2)}, goal ${atMost}`)
  }
  printTable(
    ['processor seconds', 'better half', 'of the process', 'of PostgreSQL', 'all'],
    [...taken].map(([key, all]) => [
      key,
      least(together(all)),
      least(all.map(({ own }) => own)),
      least(all.map(({ postgres }) => postgres)),
      together(all)
        .map((one) => one.toFixed(2))
        .join(' '),
    ]),
  )
}

/** The median of the better half, which other work on the machine changes least. */
function least(all: readonly number[]): number {
  return median(all.toSorted((one, other) => one - other).slice(0, Math.ceil(all.length / 2)))
}

/** Seconds of the processor, of a command and of PostgreSQL meanwhile. */
interface Took {
  own: number
  postgres: number
}

function together(all: readonly Took[]): number[] {
  return all.map(({ own, postgres }) => own + postgres)
}

function took(words: readonly string[], postmaster: number): Took {
  const before = secondsOfPostgres(postmaster)
  const { stderr, status } = spawnSync('/usr/bin/time', ['-f', '%U %S', ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { own: user + system, postgres: secondsOfPostgres(postmaster) - before }
}

/** Two folders: pages of searches, each of its own apps, and the same pages on the next day, each in another order. */
function pageFolders(pages: number): [string, string] {
  const folders: [string, string] = [join(directory, `pages-${pages}`), join(directory, `pages-${pages}-again`)]
  const roll = mulberry32(7)
  const apps = [...benchApps(pages * places)]
  for (const [at, folder] of folders.entries()) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    const day = `2026-11-0${at + 1}`
    const captures = ['file,term,country,capturedAt']
    for (let page = 0; page < pages; page++) {
      const some = apps.slice(page * places, (page + 1) * places)
      const results = at === 0 ? some : withSwaps(some, roll)
      const file = `page-${page}-${day}.json`
      writeFileSync(join(folder, file), JSON.stringify({ resultCount: results.length, results }))
      captures.push(`${file},term ${page},us,${day}T06:00:00Z`)
    }
    writeFileSync(join(folder, 'captures.csv'), `${captures.join('\n')}\n`)
  }
  return folders
}

/** A fifth of the places, each with its neighbour. */
function withSwaps(apps: readonly BenchApp[], roll: () => number): BenchApp[] {
  const order = [...apps]
  for (let time = 0; time < places / 5; time++) {
    const at = Math.floor(roll() * (places - 1))
    ;[order[at], order[at + 1]] = [order[at + 1] as BenchApp, order[at] as BenchApp]
  }
  return order
}

interface Feed {
  title: string
  country: string
  updated: string
  results: { id: string; name: string; artistName: string }[]
}

/** Charts of a folder, fifty a transaction, each table with one statement. */
async function insertCharts(folder: string): Promise<void> {
  await using store = openPostgres(databaseUrl(name))
  await sql`
    create table plain_payloads (hash bytea primary key, content bytea);
    create table plain_apps (store_id bigint primary key, name text, developer text);
    create table plain_charts (chart text, captured_at timestamptz, store_ids bigint[], primary key (chart, captured_at));
    create table plain_ranks (store_id bigint, chart text, captured_at timestamptz, rank smallint,
      primary key (store_id, chart, captured_at))`.execute(store.db)
  const names = readdirSync(folder).sort()
  for (let at = 0; at < names.length; at += 50) {
    const read = names.slice(at, at + 50).map((file) => {
      const bytes = readFileSync(join(folder, file))
      const { feed } = JSON.parse(bytes.toString()) as { feed: Feed }
      const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
      const hash = createHash('sha256').update(bytes).digest('hex')
      const chart = `${feed.country} ${feed.title}`
      return { hash, content: packed.toString('hex'), chart, at: feed.updated, apps: feed.results }
    })
    const charts = read.map((one) => ({
      ...one,
      ids: one.apps.map(({ id }) => id),
      apps: undefined,
      content: undefined,
    }))
    const apps = [...new Map(read.flatMap((one) => one.apps.map((app) => [app.id, app] as const))).values()]
    await store.db.transaction().execute(async (transaction) => {
      const sent = (rows: unknown) => sql`json_to_recordset(${JSON.stringify(rows)}::json)`
      await sql`insert into plain_payloads select decode(hash, 'hex'), decode(content, 'hex') from
        unnest(${read.map(({ hash }) => hash)}::text[], ${read.map(({ content }) => content)}::text[]) as sent(hash, content)
        on conflict do nothing`.execute(transaction)
      await sql`insert into plain_apps select id, name, "artistName"
        from ${sent(apps)} as sent(id bigint, name text, "artistName" text)
        on conflict (store_id) do update set name = excluded.name, developer = excluded.developer
        where (plain_apps.name, plain_apps.developer) is distinct from (excluded.name, excluded.developer)`.execute(
        transaction,
      )
      await sql`insert into plain_charts select chart, at, ids
        from ${sent(charts)} as sent(chart text, at timestamptz, ids bigint[]) on conflict do nothing`.execute(
        transaction,
      )
      await sql`insert into plain_ranks select id, chart, at, rank
        from ${sent(charts)} as sent(chart text, at timestamptz, ids bigint[]),
          unnest(ids) with ordinality as place(id, rank) on conflict do nothing`.execute(transaction)
    })
  }
}

/** A catalogue in SQLite: a row for each app, and its texts in FTS5. */
function insertCatalogue(file: string): void {
  const path = join(directory, 'plain.sqlite')
  rmSync(path, { force: true })
  using database = new DatabaseSync(path)
  database.exec(`
    create table apps (store_id integer primary key, country text, name text, developer text, record text);
    create virtual table texts using fts5(name, developer, description, content='')`)
  const app = database.prepare('insert into apps values (?, ?, ?, ?, ?)')
  const texts = database.prepare('insert into texts (rowid, name, developer, description) values (?, ?, ?, ?)')
  database.exec('begin')
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { trackId, trackName, artistName, description } = JSON.parse(line) as BenchApp
    app.run(trackId, 'us', trackName, artistName, line)
    texts.run(trackId, trackName, artistName, description)
  }
  database.exec('commit')
}
