import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runImport } from '../src/imports/run-import.ts'
import { openStore } from '../src/storage/open-store.ts'
import { percentile, print, printTable } from './figures.ts'
import { benchStoreId } from './generate.ts'
import { Client } from './load.ts'

/** What was asked all the time while something happened to a cluster. */
interface Outcome {
  what: string
  /** Milliseconds of each that was answered. */
  answered: number[]
  /** How often each failure came. */
  failed: Map<string, number>
  /** Of the failures, the one that was waited for longest. */
  longestFailure: number
}

/** Asks and writes, each one after the other with a short pause, until it is told to stop. */
export function keepAsking(
  { address, key }: { address: string; key: string },
  databaseUrl: string,
  folder: string,
  reads: Record<string, (index: number) => string>,
): () => Promise<Outcome[]> {
  const stop = new AbortController()
  const seen = Object.entries(reads).map(async ([what, pathAt]) => {
    using client = new Client(address, key, 1)
    return await repeat(what, (index) => client.get(pathAt(index)), stop.signal)
  })
  const written = writeCharts(databaseUrl, folder, stop.signal)
  return () => {
    stop.abort()
    return Promise.all([...seen, written])
  }
}

async function repeat(
  what: string,
  ask: (index: number) => Promise<unknown>,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = { what, answered: [], failed: new Map(), longestFailure: 0 }
  for (let index = 0; !signal.aborted; index += 1) {
    const started = performance.now()
    try {
      await ask(index)
      outcome.answered.push(performance.now() - started)
    } catch (error) {
      const said = String((error as Error).message).replace(/ for \/.*/, '')
      outcome.failed.set(said, (outcome.failed.get(said) ?? 0) + 1)
      outcome.longestFailure = Math.max(outcome.longestFailure, performance.now() - started)
    }
    await setTimeout(20)
  }
  return outcome
}

const depth = 100
/** Each capture of this process is one that was not there before. */
let minutes = 0

/** Imports one capture of a chart of a hundred places after the other. */
async function writeCharts(databaseUrl: string, folder: string, signal: AbortSignal): Promise<Outcome> {
  await using store = await openStore({ databaseUrl }, 'bench')
  const path = join(folder, 'capture.json')
  return await repeat(
    'a chart of 100 places imported',
    async () => {
      const capturedAt = new Date(Date.parse('2026-11-21T00:00:00Z') + minutes++ * 60_000).toISOString()
      const places = Array.from({ length: depth }, (_, at) => ({
        country: 'us',
        chart: 'top-free',
        category: '36',
        capturedAt,
        rank: at + 1,
        id: benchStoreId(at + (minutes % 7)),
        name: `App ${at}`,
      }))
      writeFileSync(path, JSON.stringify(places))
      const order = { kind: 'charts' as const, directory: folder, paths: [path] }
      await runImport(store.db, { ...order, rejectedFile: join(folder, 'rejected.ndjson') }, () => {})
    },
    signal,
  )
}

export function tellOutcomes(title: string, outcomes: readonly Outcome[]): void {
  print(`\n${title}`)
  printTable(
    ['what', 'answered', 'median ms', 'p95 ms', 'longest ms', 'failed', 'longest failure ms'],
    outcomes.map(({ what, answered, failed, longestFailure }) => [
      what,
      answered.length,
      ...(answered.length === 0
        ? ['', '', '']
        : [0.5, 0.95, 1].map((share) => Math.round(percentile(answered, share)))),
      [...failed].map(([said, times]) => `${times} × ${said}`).join(', '),
      Math.round(longestFailure),
    ]),
  )
}
