/**
 * How long the service keeps its event loop from everybody else while it answers: each read of the contract is asked over HTTP for its
 * largest reply, and the longest stretch between two turns of the loop is written down, in processor time of the thread, so that other
 * work on the machine counts for nothing. Goal: no stretch of 50 ms.
 *
 *   node bench/event-loop.ts [--apps 5000] [--keywords 1000] [--rounds 10]
 *
 * A store of apps, charts, posts and ads, and one of keywords with a page on each of 60 days, are made once for each size.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { startService } from '../src/app.ts'
import { readConfiguration } from '../src/configuration.ts'
import { contract, type Tool } from '../src/contract/contract.ts'
import { scopes } from '../src/contract/scopes.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { type Database, firstRow } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { type AsoLoad, benchAccount as asoAccount, fillAso, rivals, trackedAppId } from './aso-store.ts'
import { benchAccount as creativesAccount } from './creative-store.ts'
import { median, print, printTable, report } from './figures.ts'
import { benchStoreId } from './generate.ts'
import { growStore } from './growth-store.ts'
import { Client } from './load.ts'
import { databaseExists, databaseUrl, directory, freshDatabase } from './stores.ts'

const most = 50
/** The first rounds compile the code. */
const warming = 3

/** Reads that need what this store does not hold, and how large they get. */
const leftOut: Partial<Record<Tool, string>> = {
  admin_get_paid_ad_import: 'one run',
}

type Asked = [tool: Tool, path: string]

if (isMainThread) await measureAll()
else askForMain()

async function measureAll(): Promise<void> {
  const { values } = parseArgs({
    options: {
      apps: { type: 'string', default: '5000' },
      keywords: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '10' },
    },
  })
  const rounds = Number(values.rounds)
  const apps = Number(values.apps)
  const load = { keywords: Number(values.keywords), days: 60, depth: 100, terms: 2 * Number(values.keywords) }
  const rows = [
    ...(await measure(await appStore(apps), creativesAccount, rounds, pathsOfApps)),
    ...(await measure(await keywordStore(load), asoAccount, rounds, async () => pathsOfKeywords())),
  ]
  const reads = Object.entries(contract).flatMap(([tool, { method }]) =>
    method === 'GET' ? [tool as Tool] : [],
  )
  const missing = reads.filter((tool) => !(tool in leftOut) && !rows.some(([asked]) => asked.startsWith(tool)))
  if (missing.length > 0) throw new Error(`Nobody asks for ${missing.join(', ')}.`)
  printTable(
    ['', 'kB', 'longest block, ms', 'median of rounds'],
    rows.sort((one, other) => other[2] - one[2]),
  )
  for (const [tool, why] of Object.entries(leftOut)) print(`not asked: ${tool} (${why})`)
  const [worst] = rows
  if (worst)
    report({ name: `longest block (${worst[0]})`, value: worst[2], unit: 'ms', goal: { atMost: most } })
}

async function appStore(apps: number): Promise<string> {
  const name = `event_loop_${apps}`
  if (!(await databaseExists(name))) await (await freshDatabase(name))[Symbol.asyncDispose]()
  await using store = await openStore({ databaseUrl: databaseUrl(name) }, 'bench')
  await growStore(store, apps, [apps], apps)
  return name
}

async function keywordStore(load: AsoLoad): Promise<string> {
  const name = `event_loop_aso_${load.keywords}`
  if (await databaseExists(name)) return name
  await using store = await freshDatabase(name)
  await fillAso(store.db, load)
  return name
}

async function pathsOfApps(db: Database): Promise<Asked[]> {
  const app = `/v1/competitors/ios/${benchStoreId(1)}`
  const post = await firstRow(
    db,
    sql<{ id: string }>`select post_id as id from posts order by observation_count desc, post_id limit 1`,
  )
  const ad = await firstRow(
    db,
    sql<{ path: string }>`
      select platform || '/' || archive_id as path from ads order by observation_count desc, archive_id limit 1`,
  )
  const year = 'from=2025-11-21&to=2026-11-20'
  return [
    ['search_competitors', '/v1/competitors?q=planner&limit=100'],
    ['search_competitors', '/v1/competitors?sort=name&limit=100'],
    ['list_competitor_categories', '/v1/competitors/categories'],
    ['get_competitor', app],
    ['get_similar_competitors', `${app}/similar?limit=100`],
    ['get_competitor_organic', `${app}/organic?limit=100`],
    ['get_competitor_aso', `${app}/aso`],
    ['list_competitor_data_requests', `${app}/data-requests?limit=100`],
    ['get_competitor_estimate_history', `${app}/estimates/history?${year}`],
    ['get_competitor_media', `${app}/media`],
    ['list_emerging_ios_competitors', '/v1/competitors/intake/emerging?limit=100'],
    ['get_apple_charts', '/v1/charts?limit=200'],
    ['get_apple_chart_history', `/v1/charts/apps/${benchStoreId(1)}/history?${year}`],
    ['search_organic_content', '/v1/organic?limit=100'],
    ['search_organic_content', '/v1/organic?sort=outlier&limit=100'],
    ['get_organic_content', `/v1/organic/${post?.id}`],
    ['list_saved_organic_content', '/v1/organic/saved?limit=100'],
    ['search_paid_ads', '/v1/paid-ads?limit=100'],
    ['search_paid_ads', '/v1/paid-ads?q=free&limit=100'],
    ['get_paid_ad', `/v1/paid-ads/${ad?.path}`],
    ['admin_search_paid_ad_advertisers', '/v1/admin/paid-ads/advertisers?platform=meta&q=a&limit=100'],
  ]
}

function pathsOfKeywords(): Asked[] {
  const app = `/v1/aso/apps/${trackedAppId}`
  return [
    ['list_aso_apps', '/v1/aso/apps?limit=100'],
    ['get_aso_workstation', `${app}?windowDays=30`],
    ['get_aso_workstation', `${app}?windowDays=365`],
    ['get_aso_keyword_gap', `${app}/gap/${rivals[0]}?limit=100`],
    ['get_aso_keyword_gap', `${app}/gap/${rivals[0]}?limit=100&sort=relevance`],
    ['explore_aso_keyword', '/v1/aso/keywords/topic7?limit=200'],
    ['get_competitor_aso', `/v1/competitors/ios/${benchStoreId(0)}/aso`],
  ]
}

/** Asks each path of a service in this process from another thread. @returns what was asked, kB of the reply, and blocks in ms */
async function measure(
  name: string,
  account: string,
  rounds: number,
  pathsOn: (db: Database) => Promise<Asked[]>,
): Promise<[string, number, number, number][]> {
  await using service = await startService({
    location: { databaseUrl: databaseUrl(name) },
    host: '127.0.0.1',
    port: 0,
    logLevel: 'silent',
    rateLimit: 0,
    corsOrigins: [],
    works: false,
    configuration: await readConfiguration(undefined, {}),
    mediaDirectory: join(directory, 'event-loop-media'),
    tokenIssuer: undefined,
  })
  const key = await createKey(service.db, { name: 'bench', account, scopes: Object.keys(scopes) })
  const client = new Worker(new URL(import.meta.url), { workerData: { address: service.address, key } })
  const rows: [string, number, number, number][] = []
  for (const [tool, path] of await pathsOn(service.db)) {
    const blocks: number[] = []
    let bytes = 0
    for (let round = 0; round < warming + rounds; round++) {
      // What is remembered is made anew.
      await countChange(service.db, ['other'])
      const { longestMs, result } = await whileWatched(async () => {
        client.postMessage(path)
        const [answer] = (await once(client, 'message')) as [number | string]
        return answer
      })
      if (typeof result === 'string') throw new Error(result)
      bytes = result
      if (round >= warming) blocks.push(longestMs)
    }
    rows.push([`${tool} ${path.split('?')[1] ?? ''}`, bytes / 1_000, Math.max(...blocks), median(blocks)])
  }
  await client.terminate()
  return rows
}

/** The longest time that the thread computed between two turns of its loop while something was under way. */
async function whileWatched<T>(perform: () => Promise<T>): Promise<{ longestMs: number; result: T }> {
  let [longest, before, watching] = [0, used(), true]
  const turn = () => {
    const now = used()
    longest = Math.max(longest, now - before)
    before = now
    if (watching) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await perform()
  watching = false
  return { longestMs: longest / 1_000, result }
}

/** Microseconds of processor time of this thread. */
function used(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** The other thread: answers each path with the size of its reply, or what went wrong. */
function askForMain(): void {
  const { address, key } = workerData as { address: string; key: string }
  const client = new Client(address, key, 1)
  parentPort?.on('message', (path: string) => {
    client.get(path).then(
      (bytes) => parentPort?.postMessage(bytes),
      (error: Error) => parentPort?.postMessage(error.message),
    )
  })
}
