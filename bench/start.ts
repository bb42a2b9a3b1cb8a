import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openStore, type StoreLocation } from '../src/storage/open-store.ts'
import { median, print, printTable, report } from './figures.ts'
import {
  inTurns,
  postmasterOf,
  processesOf,
  secondsOf,
  secondsOfEndedChildren,
  secondsOfPostgres,
  type Way,
} from './processor.ts'
import { serveStore, startProcess } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * From the start of `rivalscope serve` on an existing store to the line that says it answers. Target: under 3 s on
 * the embedded store. Then the processor time of that and of `keys list`, in turns with a bare Node.js that ends at once.
 *
 *   node bench/start.ts                    100,000 apps, embedded and PostgreSQL
 *   node bench/start.ts --apps 20000
 */
const { values } = parseArgs({
  options: { apps: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' } },
})
const rounds = Number(values.rounds)
/** A bare Node.js takes little more than the clock of Linux can tell. */
const bareStarts = 10

const rows = []
for (const engine of ['embedded', 'postgres'] as const) {
  const location = await catalogueStore(engine, Number(values.apps))
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await using service = await serveStore(location)
    times.push(service.startMs / 1000)
  }
  report({ name: `start of serve, ${engine}`, value: median(times), unit: 's', goal: { atMost: 3 } })
  rows.push([engine, Math.min(...times), median(times), Math.max(...times)])
  await besideNode(engine, location)
}
print(`rivalscope serve on an existing store of ${Number(values.apps).toLocaleString('en')} apps, seconds`)
printTable(['engine', 'fastest', 'median', 'slowest'], rows)

/** Of serve until it is ready, of a command until it has ended: all processes, PostgreSQL with them. */
async function besideNode(engine: string, location: StoreLocation): Promise<void> {
  const where =
    'dataDir' in location ? ['--data-dir', location.dataDir] : ['--database-url', location.databaseUrl]
  const command = new URL('../bin/rivalscope', import.meta.url).pathname
  const postmaster = 'databaseUrl' in location ? await postmasterOfStore(location) : undefined
  const ofDatabase = () => (postmaster === undefined ? 0 : secondsOfPostgres(postmaster))
  const node: Way = {
    async perform() {
      for (let time = 0; time < bareStarts; time++) spawnSync(process.execPath, ['--eval', '0'])
    },
    seconds: secondsOfEndedChildren,
  }
  let ofServe = 0
  const serve: Way = {
    async perform() {
      if ('dataDir' in location) await ended(location.dataDir)
      const before = ofDatabase()
      await using service = await startProcess([
        command,
        'serve',
        ...where,
        '--port',
        '0',
        '--log-level',
        'silent',
      ])
      const processes = 'dataDir' in location ? processesOf(service.pid, location.dataDir) : [service.pid]
      ofServe += secondsOf(processes) + ofDatabase() - before
    },
    seconds: () => ofServe,
  }
  const list: Way = {
    perform: async () => void spawnSync(command, ['keys', 'list', ...where]),
    seconds: () => secondsOfEndedChildren() + ofDatabase(),
  }
  // Of a command on an embedded store most is the start of that.
  const ways: Record<string, Way> = engine === 'postgres' ? { node, serve, list } : { node, serve }
  const taken = await inTurns(rounds, ways)
  const goals = { serve: 0.4, list: 0.15 }
  for (const [name, atMost] of Object.entries(goals)) {
    const value = taken[name]
    if (value === undefined) continue
    const figure = `${name === 'serve' ? 'serve until ready' : 'keys list'}, ${engine}, processor time`
    report({ name: figure, value, unit: 's', goal: { atMost } })
    print(
      `${figure}: ${value.toFixed(2)} s, ${((value * bareStarts) / (taken.node ?? Number.NaN)).toFixed(1)} times a bare Node.js`,
    )
  }
}

async function postmasterOfStore(location: StoreLocation): Promise<number> {
  await using store = await openStore(location, 'bench')
  return await postmasterOf(store.db)
}

/** Waits until the store of an earlier round has ended. */
async function ended(dataDir: string): Promise<void> {
  while (processesOf(0, dataDir).length > 0) await pause(100)
}
