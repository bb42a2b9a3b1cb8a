import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { amcheck } from '../tests/support/power/amcheck.ts'
import { type Cut, openPowerDisk, type PowerDisk } from '../tests/support/power/power-disk.ts'
import { percentile, print, printTable } from './figures.ts'

/**
 * What a cut of the power leaves of a bare PostgreSQL: the proof that the disk of `tests/support/power` takes what was
 * not flushed, and only that. Up to four clients write rows that each are acknowledged, one 2,000
 * at a time, one counts in rows all over a table, and the server is told to make checkpoints, for that is when pages are
 * written over and torn.
 * Nothing may be lost with its own settings; with `fsync=off`, and on a disk that lies about its flushes, it is.
 * As root, with the programs of PostgreSQL 18 in a folder that the user `postgres` may read.
 *
 *   node bench/power.ts --programs DIR --rounds 20
 *   node bench/power.ts --programs DIR --rounds 20 --set fsync=off --set full_page_writes=off
 *   node bench/power.ts --programs DIR --rounds 20 --lie
 */
const { values } = parseArgs({
  options: {
    programs: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    set: { type: 'string', multiple: true, default: [] },
    lie: { type: 'boolean', default: false },
    'flush-ms': { type: 'string', default: '1' },
  },
})
if (!values.programs) throw new Error('--programs: the folder of initdb and postgres')
const programs = values.programs
const user = { uid: idOf('-u'), gid: idOf('-g') }
const prepared = mkdtempSync(join(tmpdir(), 'rivalscope-power-prepared-'))
chownSync(prepared, user.uid, user.gid)
const port = 40_000 + (process.pid % 20_000)

try {
  const cluster = join(prepared, 'cluster')
  execFileSync(
    join(programs, 'initdb'),
    ['-D', cluster, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'],
    {
      ...user,
      stdio: 'ignore',
    },
  )
  const rounds: Round[] = []
  for (let number = 1; number <= Number(values.rounds); number++) {
    const round = await oneRound(Number(values.seed) + number, cluster)
    rounds.push(round)
    const { cut } = round
    print(
      `${number}: ${cut.mode} kept ${cut.kept} of ${cut.sectors} sectors in ${cut.writes} writes; ` +
        `${round.acknowledged} rows acknowledged, ${round.found ?? 'unknown'} found; ` +
        `${round.seconds.toFixed(1)} s, ready in ${round.ready?.toFixed(2) ?? '-'} s: ${round.faults.join('; ') || 'well'}`,
    )
  }
  const reported = (of: (round: Round) => number | undefined) => {
    const known = rounds.map(of).filter((value) => value !== undefined)
    return known.length ? [percentile(known, 0.5), Math.max(...known)] : ['-', '-']
  }
  print(
    `\nseed ${values.seed}, ${values.set.join(' ') || 'own settings'}${values.lie ? ', a disk that lies' : ''}`,
  )
  printTable(
    ['over the rounds', 'median', 'most'],
    [
      ['rows acknowledged', ...reported(({ acknowledged }) => acknowledged)],
      ['sectors in the cache', ...reported(({ cut }) => cut.sectors)],
      ['seconds until ready', ...reported(({ ready }) => ready)],
      ['seconds of a round', ...reported(({ seconds }) => seconds)],
    ],
  )
  print(`${rounds.filter(({ faults }) => faults.length > 0).length} of ${rounds.length} rounds with faults`)
} finally {
  rmSync(prepared, { recursive: true })
}

interface Round {
  cut: Cut
  acknowledged: number
  found?: number
  ready?: number
  seconds: number
  faults: string[]
}

async function oneRound(seed: number, cluster: string): Promise<Round> {
  const began = performance.now()
  await using disk = await openPowerDisk({ sizeMiB: 600, seed, flushMs: Number(values['flush-ms']) })
  chmodSync(disk.path, 0o777)
  const data = join(disk.path, 'data')
  execFileSync('cp', ['-a', cluster, data])
  execFileSync('sync', ['-f', data])
  await startServer(disk, data)
  const { rows, batches, counted, stop } = await load()
  if (values.lie) await disk.lie()
  await setTimeout(300 + Math.random() * 500)
  const cut = await disk.cut({ afterWrites: 1 + Math.floor(Math.random() * 1500), gone: stop })
  const round = { cut, acknowledged: rows.size, seconds: 0, faults: [] as string[] }
  const ended = (more: Partial<Round> = {}): Round => ({
    ...round,
    ...more,
    seconds: (performance.now() - began) / 1000,
  })
  const faulty = (what: string) => round.faults.push(what)
  try {
    await disk.powerOn()
  } catch (error) {
    faulty(`does not mount: ${error}`)
    return ended()
  }
  const fileSystem = await disk.fileSystemFaults()
  if (fileSystem) faulty(`file system: ${fileSystem.split('\n')[1]}`)
  const started = performance.now()
  try {
    await startServer(disk, data)
  } catch (error) {
    faulty(`does not start: ${error instanceof Error ? error.message : error}`)
    return ended()
  }
  const ready = (performance.now() - started) / 1000
  const client = await connect()
  const ask = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  try {
    const stored = await ask<{ of: string; copies: number }>(
      `select writer || ' ' || place as of, count(*)::int as copies from singles group by 1`,
    )
    const copies = new Map(stored.map(({ of, copies }) => [of, copies]))
    const lost = [...rows].filter((row) => !copies.has(row))
    if (lost.length) faulty(`${lost.length} acknowledged rows lost`)
    const doubled = stored.filter(({ copies }) => copies > 1)
    if (doubled.length) faulty(`${doubled.length} rows doubled`)
    const loads = await ask<{ batch: number; rows: number }>(
      `select batch, count(*)::int as rows from bulk group by 1`,
    )
    const whole = new Set(loads.filter(({ rows }) => rows === 2000).map(({ batch }) => batch))
    if (whole.size < loads.length) faulty(`${loads.length - whole.size} copies in part`)
    const missing = [...batches].filter((batch) => !whole.has(batch))
    if (missing.length) faulty(`${missing.length} acknowledged copies lost`)
    const counters = await ask<{ wrong: number }>(`
      select count(*)::int as wrong from counters where count not between
        (${countedOf(counted.ended)})[id % 40 + 1] and (${countedOf(counted.begun)})[id % 40 + 1]`)
    if (counters[0]?.wrong) faulty(`${counters[0].wrong} counters wrong`)
    const { faults } = await amcheck(ask)
    if (faults.length) faulty(`amcheck: ${faults.length} faults, ${faults[0]}`)
    return ended({ ready, found: stored.length })
  } catch (error) {
    faulty(`does not answer: ${error instanceof Error ? error.message : error}`)
    return ended({ ready })
  } finally {
    await client.end().catch(() => {})
  }
}

/** Starts the server on a folder and waits until it answers. Whoever takes the power ends it. */
async function startServer(disk: PowerDisk, data: string): Promise<void> {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', ...values.set]
  const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(join(programs, 'postgres'), words, {
    ...user,
    cwd: disk.path,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(server, 'close')
  ended.catch(() => {})
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await setTimeout(10)) {
    if (server.exitCode !== null || server.signalCode !== null) break
    try {
      await (await connect()).end()
      return
    } catch {}
  }
  throw new Error(/(FATAL|PANIC):(?! +the database system is starting).*/.exec(said)?.[0] ?? said.slice(-200))
}

function countedOf(counts: readonly number[]): string {
  return `array[${counts.join()}]`
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Writes until it is stopped or fails; reports what was acknowledged before the stop. */
async function load() {
  const rows = new Set<string>()
  const batches = new Set<number>()
  let stopped = false
  const first = await connect()
  await first.query(
    'create table singles (id bigint generated always as identity primary key, writer int, place int)',
  )
  await first.query('create index on singles (writer, place)')
  await first.query('create table bulk (batch int, place int, text text)')
  await first.query('create index on bulk (batch, place)')
  await first.query('create table counters (id int, count int default 0, text text) with (fillfactor = 45)')
  await first.query(`insert into counters select id, 0, repeat('x', 300) from generate_series(1, 12000) id`)
  await first.query('create index on counters (id)')
  const counted = { begun: Array(40).fill(0) as number[], ended: Array(40).fill(0) as number[] }
  const count = async () => {
    for (const client = await connect(); !stopped; ) {
      const part = Math.floor(Math.random() * 40)
      counted.begun[part] = (counted.begun[part] ?? 0) + 1
      await client.query('update counters set count = count + 1 where id % 40 = $1', [part])
      if (!stopped) counted.ended[part] = (counted.ended[part] ?? 0) + 1
    }
  }
  const write = async (writer: number) => {
    const client = await connect()
    for (let place = 0; !stopped; place++) {
      await client.query('insert into singles (writer, place) values ($1, $2)', [writer, place])
      if (!stopped) rows.add(`${writer} ${place}`)
    }
  }
  const copy = async () => {
    for (let batch = 0; !stopped; batch++) {
      await first.query(`
        insert into bulk select ${batch}, place, md5(place || ' ${batch}') from generate_series(1, 2000) place`)
      if (!stopped) batches.add(batch)
    }
  }
  const checkpoint = async () => {
    for (const client = await connect(); !stopped; await setTimeout(Math.random() * 300))
      await client.query('checkpoint')
  }
  checkpoint().catch(() => {})
  for (let writer = Math.floor(Math.random() * 5); writer > 0; writer--) write(writer).catch(() => {})
  count().catch(() => {})
  copy().catch(() => {})
  return {
    rows,
    batches,
    counted,
    stop: () => {
      stopped = true
    },
  }
}

function idOf(which: string): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
}
