import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { collectingOn } from '../src/jobs/collecting/collecting.ts'
import { chartCategories, Schedule, scheduledCharts } from '../src/jobs/schedule.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { Sources } from '../src/sources/settings.ts'
import type { Store } from '../src/storage/store.ts'
import { parsePayload } from '../src/suppliers/formats.ts'
import type { ParsedInput } from '../src/suppliers/parsed-input.ts'
import { storefrontCodes } from '../src/vocabulary/storefronts.ts'
import { print, printTable } from './figures.ts'
import { dropDatabase, freshDatabase } from './stores.ts'

/**
 * Charts collected from a server on loopback with the pace lifted, against storing the same answers when they are
 * already here and read. Target: 1.5 times the time of storing alone, in flat memory.
 *
 *   node bench/collect.ts --charts 1000
 */
const { values } = parseArgs({ options: { charts: { type: 'string', default: '1000' } } })
const wanted = Number(values.charts)
const port = 18_787
const atATime = 8
const storedTogether = 40

const server = spawn(process.execPath, [new URL('legacy-feeds.ts', import.meta.url).pathname, String(port)])
await once(server.stdout, 'data')
try {
  await measure()
} finally {
  server.kill()
}

async function measure(): Promise<void> {
  const charts = scheduledCharts(
    Schedule.parse({
      charts: [
        {
          countries: storefrontCodes.slice(0, Math.ceil(wanted / chartCategories.length)),
          charts: ['top-free'],
          categories: chartCategories,
        },
      ],
    }),
  ).slice(0, wanted)
  const stored = await inFreshStore(async ({ db }) => {
    const payloads = (await fetchAll(charts.map(addressOf))).map(payloadOf)
    const started = performance.now()
    for (let from = 0; from < payloads.length; from += storedTogether)
      await storeReadings(db, payloads.slice(from, from + storedTogether))
    return performance.now() - started
  })

  const memory: number[] = []
  const collected = await inFreshStore(async ({ db }) => {
    const { collector } = collectingOn(db, { sources: loopback(), schedule: Schedule.parse({}) })
    const limit = pLimit(atATime)
    let done = 0
    const started = performance.now()
    await Promise.all(
      charts.map(({ everyHours: _, ...chart }) =>
        limit(async () => {
          await collector.chart(chart, AbortSignal.timeout(600_000))
          if (++done % Math.ceil(wanted / 10) === 0) memory.push(Math.round(process.memoryUsage.rss() / 1e6))
        }),
      ),
    )
    return performance.now() - started
  })
  print(`${charts.length} charts of 100 places, about 170 kB each, PostgreSQL`)
  printTable(
    ['way', 'seconds', 'charts/s', 'times storing'],
    [
      ['storing answers that are here and read', stored / 1000, charts.length / (stored / 1000), 1],
      ['collecting them', collected / 1000, charts.length / (collected / 1000), collected / stored],
    ],
  )
  print(`resident memory at each tenth of the collecting, MB: ${memory.join(' ')}`)
}

async function inFreshStore<T>(perform: (store: Store) => Promise<T>): Promise<T> {
  const store = await freshDatabase('collect')
  try {
    return await perform(store)
  } finally {
    await store[Symbol.asyncDispose]()
    await dropDatabase('collect')
  }
}

function loopback() {
  const each = { baseUrl: `http://127.0.0.1:${port}`, callsPerMinute: 0 }
  return Sources.parse({ 'apple-rss-legacy': each })
}

function addressOf({ country, categoryId }: { country: string; categoryId: number }): string {
  const genre = categoryId === 36 ? '' : `/genre=${categoryId}`
  return `http://127.0.0.1:${port}/${country}/rss/topfreeapplications/limit=200${genre}/json`
}

async function fetchAll(addresses: readonly string[]): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = []
  for (const address of addresses) answers.push(new Uint8Array(await (await fetch(address)).arrayBuffer()))
  return answers
}

function payloadOf(bytes: Uint8Array): ParsedInput {
  const context = { layout: 'document', country: null } as const
  return {
    bytes,
    format: 'chart-feed',
    context,
    origin: 'collected',
    country: null,
    observedAt: new Date(),
    timeBasis: 'clock',
    parsed: parsePayload('chart-feed', bytes, context),
  }
}
