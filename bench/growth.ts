/**
 * How the reads grow with the store: each is asked at the door, one at a time, at several sizes of one store that is grown in
 * place; nothing is remembered. Apps come through the service's own import, ranks through its own storeCharts, posts and ads as
 * bench/creative-store.ts makes them: ten ranks for each app, a post and an ad up to 2.5 million of each, and one app in 150
 * has a record in every storefront.
 *
 *   node bench/growth.ts --apps 10000,100000,1000000 [--each 30] [--posts 2500000] [--seconds 600]
 *
 * A size that would begin after `--seconds` is left out. Figures are kept in a file beside the picture, so that a later run goes on from
 * the size that the store has. Blocks of 8 kB are counted on one connection, after the times were taken.
 * The picture is `growth.svg` in `RIVALSCOPE_BENCH_DIR`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import type { Caller } from '../src/api/caller.ts'
import { doorOn } from '../src/app.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import type { Database } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { drawGrowth, type Point } from './growth-picture.ts'
import { type Asked, readsAt } from './growth-reads.ts'
import { chartsUntil, countApps, growStore } from './growth-store.ts'
import { databaseExists, databaseUrl, directory, freshDatabase, nobodyAsked } from './stores.ts'

const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '10000,100000,1000000' },
    each: { type: 'string', default: '30' },
    posts: { type: 'string', default: '2500000' },
    seconds: { type: 'string', default: 'Infinity' },
  },
})
const sizes = values.apps
  .split(',')
  .map(Number)
  .sort((one, other) => one - other)
const largest = Math.max(...sizes)
const each = Number(values.each)

const caller: Caller = {
  credentialId: 'bench',
  accountId: '00000000-0000-0000-0000-000000000000',
  scopes: new Set(['context:read']),
  bringsEvidence: true,
  door: 'http',
}

const name = `growth_${largest}`
if (!(await databaseExists(name))) await (await freshDatabase(name))[Symbol.asyncDispose]()
const kept = join(directory, `${name}.json`)
const grown = new Map<string, Point[]>(
  existsSync(kept) ? Object.entries(JSON.parse(readFileSync(kept, 'utf8'))) : [],
)
const started = performance.now()
for (const apps of sizes) {
  if ((performance.now() - started) / 1_000 > Number(values.seconds)) break
  {
    await using store = await openStore({ databaseUrl: databaseUrl(name) }, 'bench')
    if ((await countApps(store.db)) > apps) continue
    await growStore(store, apps, sizes, Number(values.posts))
  }
  await using timed = openDoor(8)
  await using counted = openDoor(1)
  const reads = readsAt({ apps, largest, each, chartsUntil: chartsUntil(apps, sizes) })
  for (const [read, asked] of Object.entries(reads)) {
    const smaller = (grown.get(read) ?? []).filter((point) => point.apps < apps)
    grown.set(read, [...smaller, { apps, ...(await measure({ timed, counted }, asked)) }])
  }
  writeFileSync(kept, JSON.stringify(Object.fromEntries(grown)))
  tell()
}

for (const [read, points] of grown) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first === last) continue
  // What is flat or logarithmic touches at most twice the blocks in a store ten times as large.
  report({
    name: `${read}, blocks at ${last.apps} apps to those at ${first.apps}`,
    value: last.blocks / Math.max(first.blocks, 1),
    unit: '×',
    goal: { atMost: 2 ** Math.log10(last.apps / first.apps) },
  })
}

/** The table and the picture so far: a later size can take hours. */
function tell(): void {
  const reached = [...grown.values()][0]?.map(({ apps }) => apps) ?? []
  printTable(
    [
      'p50, p95 in ms; blocks',
      ...reached.map((apps) => `${apps.toLocaleString('en')} apps`),
      'blocks, last to first',
    ],
    [...grown].map(([read, points]) => [
      read,
      ...points.map(({ p50, p95, blocks }) => `${p50.toFixed(1)}, ${p95.toFixed(1)}; ${Math.round(blocks)}`),
      (points.at(-1)?.blocks ?? 0) / Math.max(1, points[0]?.blocks ?? 1),
    ]),
  )
  const picture = join(directory, 'growth.svg')
  writeFileSync(picture, drawGrowth(grown))
  print(picture)
}

/** The doors through which times are taken and blocks counted, the second with one connection. */
interface Doors {
  timed: Opened
  counted: Opened
}

async function measure({ timed, counted }: Doors, asked: readonly Asked[]): Promise<Omit<Point, 'apps'>> {
  const times: number[] = []
  // The first warm code and connections.
  for (const [index, one] of [...asked.slice(0, 3), ...asked].entries()) {
    await countChange(timed.db, ['apps'])
    const begun = performance.now()
    await timed.ask(one)
    if (index >= 3) times.push(performance.now() - begun)
  }
  const before = await touched(counted.db)
  for (const one of asked) await counted.ask(one)
  const blocks = ((await touched(counted.db)) - before) / asked.length
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), blocks }
}

interface Opened extends AsyncDisposable {
  db: Database
  ask(asked: Asked): Promise<unknown>
}

function openDoor(max: number): Opened {
  const pool = new Pool({ connectionString: databaseUrl(name), max })
  const db: Database = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const door = doorOn(db, async () => {}, nobodyAsked)
  return {
    db,
    ask: ({ tool, params, query }) => door.invoke(tool, { params, query, body: undefined }, caller),
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

/** Blocks that the database has touched, those of the connection that asks included. */
async function touched(db: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  await sql`select 1`.execute(db)
  const { rows } = await sql<{ blocks: number }>`
    select (blks_hit + blks_read)::float8 as blocks from pg_stat_database where datname = current_database()`.execute(
    db,
  )
  return rows[0]?.blocks ?? Number.NaN
}
