import { parseArgs } from 'node:util'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { doorOn } from '../src/app.ts'
import type { Tool } from '../src/contract/contract.ts'
import type { ResultPageReading } from '../src/domain/aso/pages/result-pages.ts'
import { storePages } from '../src/domain/aso/pages/store-pages.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import type { Database } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { parsePayload } from '../src/suppliers/formats.ts'
import type { ParsedInput } from '../src/suppliers/parsed-input.ts'
import {
  type AsoLoad,
  benchAccount,
  countPages,
  fillAso,
  lastDay,
  rivals,
  storedTerms,
  trackedAppId,
} from './aso-store.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { benchApps } from './generate.ts'
import { databaseExists, databaseUrl, freshDatabase, nobodyAsked } from './stores.ts'

/**
 * How long the ASO operations take at the door, and storing a result page of 200 places. PostgreSQL: an app with 1,000
 * keywords and a year of daily pages at depth 200, among 10,000 terms with a page. Targets, p95:
 * the workstation under 100 ms, the gap under 150 ms, exploring a keyword under 25 ms, storing a page under 10 ms.
 *
 *   node bench/aso.ts
 *   node bench/aso.ts --only explore       what has this in its name: workstation, gap, explore, storing
 *   node bench/aso.ts --explain            also prints the plans of the statements
 *   node bench/aso.ts --keywords 100 --terms 1000 --days 365 --depth 200 --requests 50
 *
 * The stores are made once for each size. The floor of a reply is its own statements alone, one after the other; the
 * service runs some of them at once.
 */
const { values } = parseArgs({
  options: {
    keywords: { type: 'string', default: '1000' },
    terms: { type: 'string', default: '10000' },
    days: { type: 'string', default: '365' },
    depth: { type: 'string', default: '200' },
    requests: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    explain: { type: 'boolean', default: false },
  },
})
const wanted: AsoLoad = {
  keywords: Number(values.keywords),
  terms: Number(values.terms),
  days: Number(values.days),
  depth: Number(values.depth),
}
const requests = Number(values.requests)

const nameOf = ({ keywords, terms, days, depth }: AsoLoad) => [keywords, terms, days, depth].join('_')
const pagesOf = ({ keywords, terms, days }: AsoLoad) => (keywords + storedTerms) * days + terms - keywords

/** @param target of the p95; none where none was set */
const summary = (times: readonly number[], target?: number) => {
  const p95 = percentile(times, 0.95)
  const met = target === undefined ? '' : p95 < target ? 'met' : 'missed'
  return [percentile(times, 0.5), p95, Math.max(...times), target ?? '', met]
}

/** A call, or several that take turns, so that no cache answers. */
interface Workload {
  name: string
  tool: Tool
  target: number
  input: (index: number) => { params: object; query?: object }
}

const workloads: Workload[] = [
  ...[30, 365].map((windowDays) => ({
    name: `workstation, ${windowDays} days`,
    tool: 'get_aso_workstation' as const,
    target: 100,
    input: () => ({ params: { appId: trackedAppId }, query: { windowDays } }),
  })),
  { name: 'list of apps', tool: 'list_aso_apps', target: 150, input: () => ({ params: {} }) },
  ...['opportunity', 'difficulty', 'relevance', 'own-rank', 'rival-rank', 'distance', 'term'].map((sort) => ({
    name: `gap by ${sort}`,
    tool: 'get_aso_keyword_gap' as const,
    target: 150,
    input: (index: number) => ({
      params: { appId: trackedAppId, rivalStoreId: rivals[index % rivals.length] },
      query: { sort },
    }),
  })),
  {
    name: 'explore a keyword',
    tool: 'explore_aso_keyword',
    target: 25,
    input: (index) => {
      const n = 1 + ((index * 17) % Number(values.keywords))
      return { params: { query: `topic${n % 400} word${n % 97} ${n}` }, query: { limit: 50 } }
    },
  },
]

const name = `aso_${nameOf(wanted)}`
if (!(await filledBefore(name))) {
  await using store = await freshDatabase(name)
  await fill(store.db, wanted)
}
const seen: CompiledQuery[] = []
const pool = new Pool({ connectionString: databaseUrl(name), max: 10, options: '-c TimeZone=UTC' })
await using db: Database = new Kysely({
  dialect: new PostgresDialect({ pool }),
  log: (event) => void seen.push(event.query),
})
await measure(db, wanted, seen)

async function filledBefore(name: string): Promise<boolean> {
  if (!(await databaseExists(name))) return false
  await using store = await openStore({ databaseUrl: databaseUrl(name) }, 'bench')
  return (await countPages(store.db)) >= pagesOf(wanted)
}

async function fill(db: Database, load: AsoLoad): Promise<void> {
  process.stderr.write(`storing ${pagesOf(load).toLocaleString('en')} pages of ${load.depth} places\n`)
  const started = performance.now()
  await fillAso(db, load)
  process.stderr.write(`stored in ${Math.round((performance.now() - started) / 1000)} s\n`)
}

/** @param seen statements are noted here */
async function measure(db: Database, load: AsoLoad, seen: CompiledQuery[]): Promise<void> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from accounts where name = ${benchAccount}`.execute(db)
  const caller = {
    credentialId: 'bench',
    accountId: rows[0]?.accountId ?? '',
    scopes: new Set(['context:read'] as const),
    bringsEvidence: true,
    door: 'http' as const,
  }
  const door = doorOn(db, async () => {}, nobodyAsked)
  const ask = ({ tool, input }: Workload, index: number) => {
    const { params, query = {} } = input(index) as {
      params: Record<string, unknown>
      query?: Record<string, unknown>
    }
    return door.invoke(tool, { params, query, body: undefined }, caller)
  }
  const figures = []
  for (const workload of workloads.filter(({ name }) => name.includes(values.only))) {
    for (let index = 0; index < 5; index++) await ask(workload, index)
    const times = await timesOf(requests, (index) => ask(workload, index))
    const goal = { atMost: workload.target }
    report({ name: `${workload.name}, p95`, value: percentile(times, 0.95), unit: 'ms', goal })
    seen.length = 0
    const reply = JSON.stringify((await ask(workload, 0)).body)
    const statements = [...seen]
    const floor = await timesOf(statements.length > 0 ? 20 : 0, async () => {
      for (const statement of statements) await db.executeQuery(statement)
    })
    figures.push([
      workload.name,
      ...summary(times, workload.target),
      floor.length > 0 ? percentile(floor, 0.5) : '',
      statements.length,
      `${Math.round(reply.length / 1000)} kB`,
    ])
    if (values.explain) for (const statement of statements) await explain(db, workload.name, statement)
  }
  const stored = 'storing'.includes(values.only) ? await storing(db) : {}
  for (const [name, times] of Object.entries(stored))
    figures.push([name, ...summary(times, name.endsWith('alone') ? 10 : undefined), '', '', ''])
  print(
    `ASO, ${load.keywords.toLocaleString('en')} keywords, ${load.days} days, depth ${load.depth}, ${load.terms.toLocaleString('en')} terms, milliseconds`,
  )
  printTable(['at the door', 'p50', 'p95', 'max', 'target', '', 'floor p50', 'statements', 'reply'], figures)
}

async function timesOf(count: number, perform: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const started = performance.now()
    await perform(index)
    times.push(performance.now() - started)
  }
  return times
}

async function explain(db: Database, name: string, { sql: text, parameters }: CompiledQuery): Promise<void> {
  const { rows } = await db.executeQuery<Record<string, string>>({
    sql: `explain (analyze, buffers) ${text}`,
    parameters,
  } as CompiledQuery<Record<string, string>>)
  print(`${name}\n${text}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
}

/**
 * Pages of 200 places of a few terms, day after day, the apps mostly those of the day before. Alone, and as a whole
 * reading, which also keeps the payload, the records of 200 apps, their ratings and search documents.
 */
async function storing(db: Database): Promise<Record<string, number[]>> {
  const apps = [...benchApps(240, 1, 'gb')]
  const { rows } = await sql<{ readingId: string; before: number }>`
    select reading_id as "readingId", (
      select count(*)::int from result_pages join terms using (term_id) where country = 'gb' and day > ${lastDay}::date) as before
    from readings limit 1`.execute(db)
  const { readingId = '', before = 0 } = rows[0] ?? {}
  const madeAt = (index: number) =>
    new Date(Date.UTC(2027, 0, 1, 6) + Math.floor((before + index) / storedTerms) * 86_400_000)
  const shown = (index: number) =>
    apps
      .map((app, place) => ({ app, order: place + (((place * 7919 + index * 104_729) % 97) / 97) * 25 }))
      .sort((one, other) => one.order - other.order)
      .slice(0, 200)
      .map(({ app }) => ({ ...app, userRatingCount: app.userRatingCount + index }))
  const rounds = Array.from({ length: requests + 20 }, (_, index) => index)
  const pages = rounds.map((index): ResultPageReading => {
    const capturedAt = madeAt(index)
    return {
      term: `storing ${index % storedTerms}`,
      country: 'gb',
      surface: 'itunes-search',
      places: shown(index).map(({ trackId, trackName, userRatingCount }) => ({
        storeId: String(trackId),
        name: trackName,
        rating: 4.5,
        ratingCount: userRatingCount,
      })),
      stated: null,
      requested: 200,
      capturedAt,
      day: capturedAt.toISOString().slice(0, 10),
      origin: 'collected',
      readingId,
    }
  })
  const answers = rounds.map((index) =>
    searchAnswer(`storing ${index % storedTerms}`, shown(index), madeAt(rounds.length + index)),
  )
  const alone = await timesOf(rounds.length, (index) =>
    db
      .transaction()
      .execute((transaction) => storePages(transaction, pages.slice(index, index + 1), async () => undefined)),
  )
  const whole = await timesOf(rounds.length, (index) => storeReadings(db, answers.slice(index, index + 1)))
  return { 'storing a page alone': alone.slice(20), 'storing a whole reading': whole.slice(20) }
}

function searchAnswer(term: string, apps: readonly object[], observedAt: Date): ParsedInput {
  const results = apps.map((app) => ({ wrapperType: 'software', kind: 'software', ...app }))
  const bytes = Buffer.from(JSON.stringify({ resultCount: results.length, results }))
  const context = { layout: 'document' as const, country: 'gb', term, requested: 200 }
  return {
    bytes,
    format: 'itunes-search',
    context,
    origin: 'collected',
    country: 'gb',
    observedAt,
    timeBasis: 'clock',
    parsed: parsePayload('itunes-search', bytes, context),
  }
}
