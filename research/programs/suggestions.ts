import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { v7 as uuidv7 } from 'uuid'
import { print, printTable } from '../../bench/figures.ts'
import { directory } from '../../bench/stores.ts'
import { doorOn } from '../../src/app.ts'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { runImport } from '../../src/imports/run-import.ts'
import type { MappedKind } from '../../src/ingest/mapping/mappable-fields.ts'
import { readMapping } from '../../src/ingest/mapping/mapping.ts'
import type { Database } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'

/**
 * What share of the suggested keywords a professional would take: the suggestions for the apps of
 * `benchmarks/suggestions.json`, held against the verdicts there. A phrase nobody has judged yet is printed; give
 * it a verdict by the rule of that file and run this again. Needs the real data in ../shared/data.
 *
 *   node research/programs/suggestions.ts            prints the share of each app
 *   node research/programs/suggestions.ts --fit      of the apps for tuning alone
 *   node research/programs/suggestions.ts --write    also keeps the lists in the file, which `biome check --write` then lays out
 */
const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, fit: { type: 'boolean', default: false } },
})

interface JudgedApp {
  storeId: string
  country: string
  name: string
  language: string
  use: 'fit' | 'check'
  fresh?: true
  rivals: string[]
  suggestions: string[]
  verdicts: Record<string, string>
}
const file = new URL('../../benchmarks/suggestions.json', import.meta.url)
const benchmark = JSON.parse(readFileSync(file, 'utf8')) as { cases: JudgedApp[] }
const data = new URL('../../../shared/data/', import.meta.url).pathname

await using store = await openStore({ dataDir: join(directory, 'suggestions') }, 'bench')
await fill(store.db)
await computeWordWeights(store.db, new Date())
// Nothing is fetched here, and nothing was asked to be refreshed.
const door = doorOn(store.db, async () => {}, undefined as never)

if (values.fit) benchmark.cases = benchmark.cases.filter(({ use }) => use === 'fit')
for (const app of benchmark.cases) app.suggestions = await suggestionsFor(app)
report()
if (values.write && !values.fit) writeFileSync(file, `${JSON.stringify(benchmark, undefined, 2)}\n`)

async function fill(db: Database): Promise<void> {
  const paths = (folder: string, pattern: RegExp) =>
    readdirSync(join(data, folder))
      .filter((name) => pattern.test(name))
      .map((name) => join(data, folder, name))
  const mapping = (name: string, kind: MappedKind) =>
    readMapping(new URL(`../../docs/maps/${name}.json`, import.meta.url).pathname, kind)
  const [observedAt, catalogue] = ['2017-07-15', 'catalogue' as const]
  const orders = [
    { kind: catalogue, paths: paths('catalogue', /^AppleStore/), observedAt, map: 'app-store-2017' },
    {
      kind: catalogue,
      paths: paths('catalogue', /^appleStore_description\d*\.csv$/),
      observedAt,
      map: 'app-store-2017-descriptions',
    },
    { kind: 'search-results' as const, paths: [join(data, 'apple/search')] },
    {
      kind: 'charts' as const,
      paths: paths('apple/charts/jp-finance-daily', /\.json$/).slice(-1),
      map: 'ranked-list',
    },
  ]
  const rejectedFile = join(directory, 'rejected.ndjson')
  for (const { map, ...order } of orders) {
    const read = map ? { mapping: await mapping(map, order.kind as MappedKind) } : {}
    await runImport(db, { ...order, ...read, country: 'us', directory: data, rejectedFile }, () => {})
  }
}

async function suggestionsFor({ storeId, country, rivals }: JudgedApp): Promise<string[]> {
  // An account of its own, since suggestions rest on the rivals that the account tracks in the storefront.
  const caller = {
    credentialId: 'bench',
    accountId: await ensureAccount(store.db, uuidv7(), `suggestions ${storeId}`),
    scopes: new Set(['context:read', 'content:write'] as const),
    bringsEvidence: true,
    door: 'http' as const,
  }
  const ask = async (tool: Parameters<typeof door.invoke>[0], params: object, body?: object) =>
    (await door.invoke(tool, { params: params as Record<string, unknown>, query: {}, body }, caller))
      .body as unknown
  for (const rival of rivals) await ask('track_aso_app', {}, { app: rival, country, role: 'rival' })
  const { appId } = (await ask('track_aso_app', {}, { app: storeId, country, role: 'own' })) as {
    appId: string
  }
  const { suggestions } = (await ask('get_aso_workstation', { appId })) as { suggestions: { term: string }[] }
  return suggestions.map(({ term }) => term)
}

function report(): void {
  const shares = benchmark.cases.map((app) => {
    const verdicts = app.suggestions.map((term) => app.verdicts[term])
    return { ...app, made: verdicts.length, usable: verdicts.filter((one) => one === 'usable').length }
  })
  for (const { name, suggestions, verdicts } of shares) {
    const unjudged = suggestions.filter((term) => !(term in verdicts))
    if (unjudged.length > 0) print(`${name}: not judged: ${unjudged.join(' | ')}`)
  }
  printTable(
    ['app', 'use', 'language', 'usable', 'of'],
    shares.map(({ name, use, language, usable, made }) => [name, use, language, usable, made]),
  )
  for (const use of ['fit', 'check', 'fresh'] as const) {
    const those = shares.filter((app) => (app.fresh ? 'fresh' : app.use) === use)
    const [usable, made] = [sum(those.map((app) => app.usable)), sum(those.map((app) => app.made))]
    print(`${use}: ${usable} of ${made} usable, ${Math.round((100 * usable) / Math.max(1, made))} %`)
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
