import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { compressPayload } from '../src/domain/evidence/packed-payload.ts'
import { insertPayloads } from '../src/domain/evidence/payload-queries.ts'
import { insertReadings } from '../src/domain/evidence/queries.ts'
import { type Database, rows } from '../src/storage/database.ts'
import { openStore } from '../src/storage/open-store.ts'
import { storefrontCodes } from '../src/vocabulary/storefronts.ts'
import { chartedApps, countRanks, fillCharts } from './chart-store.ts'
import { median, percentile, print, printTable } from './figures.ts'
import { benchCharts } from './generate.ts'
import { Client } from './load.ts'
import { serveStore } from './service.ts'
import { databaseExists, databaseUrl, freshDatabase } from './stores.ts'

/**
 * How long readers of charts wait while `rivalscope replay charts` rebuilds ten million ranks on PostgreSQL, and how
 * much memory that takes: 274 charts of 100 places on 365 days, a feed of Apple's for each capture. Targets: no read waits
 * 100 ms for a lock, and memory is flat.
 *
 *   node bench/replay.ts
 *   node bench/replay.ts --days 30
 */
const { values } = parseArgs({ options: { days: { type: 'string', default: '365' } } })
const load = {
  charts: 274,
  days: Number(values.days),
  depth: 100,
  apps: 20_000,
  until: '2026-11-20',
  storefronts: storefrontCodes,
}
const target = 100
/** People who read at once, and how long each looks at what came. */
const readers = 4
const pauseMs = 100
/** Payloads written at once. */
const payloadsHeld = 500

await loadOnce()
const location = { databaseUrl: databaseUrl('replay') }
await using store = await openStore(location, 'bench')
const apps = (await chartedApps(store.db, 'us')).slice(0, 300)
await using service = await serveStore(location)

const year = 'from=2025-11-21&to=2026-11-20'
const pathAt = (index: number) =>
  index % 3 === 0
    ? `/v1/charts?country=${['us', 'jp', 'de', 'gb', 'fr'][index % 5]}&chart=top-free&limit=100`
    : `/v1/charts/apps/${apps[index % apps.length]}/history?country=us&chart=top-free&categoryId=36&${year}`

const memory: number[] = []
const before = await readWhile(setTimeout(30_000))
const command = new URL('../bin/rivalscope', import.meta.url).pathname
const started = performance.now()
const replaying = spawn(command, ['replay', 'charts', '--database-url', location.databaseUrl], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const ended = new Promise<number | null>((resolve) => replaying.once('exit', resolve))
const sampled = sampleMemory(replaying.pid ?? 0)
const during = await readWhile(ended)
await sampled
const seconds = (performance.now() - started) / 1000
if ((await ended) !== 0) throw new Error('the replay failed')

const ranks = await countRanks(store.db)
print(
  `replay of ${ranks.toLocaleString('en')} ranks in ${Math.round(seconds)} s, ${Math.round(ranks / seconds)} a second`,
)
printTable(
  ['reads over HTTP, ms', 'count', 'p50', 'p95', 'p99', 'max', 'longest wait for a lock', `under ${target}`],
  [
    ['without a replay', ...figuresOf(before)],
    ['during the replay', ...figuresOf(during)],
  ],
)
const quarter = (number: number) =>
  median(memory.slice((memory.length * number) / 4, (memory.length * (number + 1)) / 4))
printTable(
  ['memory of the replay, MB', 'first quarter', 'second', 'third', 'last', 'most'],
  [['resident', ...[0, 1, 2, 3].map(quarter), Math.max(...memory)]],
)

interface Reads {
  times: number[]
  longestLock: number
}

function figuresOf({ times, longestLock }: Reads): (string | number)[] {
  const figures = [0.5, 0.95, 0.99].map((share) => percentile(times, share))
  return [times.length, ...figures, Math.max(...times), longestLock, longestLock < target ? 'met' : 'missed']
}

/** Reads with several at once until something ends, and looks how long statements of the service wait for locks. */
async function readWhile(end: Promise<unknown>): Promise<Reads> {
  let isOver = false
  const over = end.then(() => {
    isOver = true
  })
  const times: number[] = []
  let next = 0
  const reader = async () => {
    using client = new Client(service.address, service.key, 1)
    while (!isOver) {
      times.push(...(await client.timesOf([pathAt(next++)])))
      await setTimeout(pauseMs)
    }
  }
  let longestLock = 0
  const watch = async () => {
    while (!isOver) {
      const [found] = await rows(
        store.db,
        sql<{ ms: number | null }>`
          select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms
          from pg_locks where not granted and mode = 'AccessShareLock'`,
      )
      longestLock = Math.max(longestLock, found?.ms ?? 0)
      await setTimeout(2)
    }
  }
  await Promise.all([over, watch(), ...Array.from({ length: readers }, reader)])
  return { times, longestLock }
}

/** Megabytes of a process, and of the one it starts, each second until it ends. */
async function sampleMemory(pid: number): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    try {
      const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      memory.push(Number(kilobytes) / 1024)
    } catch {
      // It has just ended.
    }
    await setTimeout(1000)
  }
}

async function loadOnce(): Promise<void> {
  const wanted = load.charts * load.days * load.depth
  if (await databaseExists('replay')) {
    await using store = await openStore({ databaseUrl: databaseUrl('replay') }, 'bench')
    if ((await countRanks(store.db)) === wanted) return
  }
  await using store = await freshDatabase('replay')
  process.stderr.write(`making evidence of ${wanted.toLocaleString('en')} ranks\n`)
  await writeEvidence(store.db)
  process.stderr.write('storing what follows from it\n')
  await fillCharts(store.db, load)
  await sql`vacuum analyze`.execute(store.db)
}

async function writeEvidence(db: Database): Promise<void> {
  let feeds: { country: string; capturedAt: string; bytes: Buffer }[] = []
  const write = async () => {
    const packed = await Promise.all(
      feeds.map(async (feed) => ({ ...feed, readingId: uuidv7(), payload: await compressPayload(feed.bytes) })),
    )
    feeds = []
    await insertPayloads(
      db,
      packed.map(({ payload, readingId }) => ({ ...payload, readingId })),
    )
    await insertReadings(
      db,
      packed.map(({ readingId, payload, country, capturedAt }) => ({
        readingId,
        key: payload.hash.slice(0, 16),
        payloadHash: payload.hash,
        format: 'chart-feed',
        source: 'apple-rss',
        origin: 'collected',
        country,
        observedAt: new Date(capturedAt),
        timeBasis: 'clock',
        context: { layout: 'document', country },
        identity: hash('sha256', `identity ${payload.hash}`),
        records: load.depth,
        rejected: 0,
      })),
    )
  }
  for (const { country, chart, capturedAt, storeIds } of benchCharts(load)) {
    const id = `https://rss.marketingtools.apple.com/api/v2/${country}/apps/${chart}/100/apps.json`
    const results = storeIds.map((storeId) => ({
      id: storeId,
      name: `App ${storeId}`,
      artistName: 'Maker',
      releaseDate: '2020-01-01',
    }))
    const bytes = Buffer.from(JSON.stringify({ feed: { id, updated: capturedAt, results } }))
    feeds.push({ country, capturedAt, bytes })
    if (feeds.length === payloadsHeld) await write()
  }
  await write()
}
