import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { dice } from '../../sample/dice.ts'
import { playedSources, startApple } from '../../tests/support/apple.ts'
import { runProcess } from '../../tests/support/command-line.ts'
import { png } from '../../tests/support/media.ts'
import { Acknowledged } from '../../tests/support/power/acknowledged.ts'
import { type Ask, amcheck } from '../../tests/support/power/amcheck.ts'
import { givePosts } from '../../tests/support/power/given-files.ts'
import { MixedLoad } from '../../tests/support/power/mixed-load.ts'
import { type Call, callTo } from '../../tests/support/power/service-client.ts'
import { compare } from '../../tests/support/power/what-is-there.ts'
import { percentile, print, printTable } from '../figures.ts'
import { prepareDatabase } from './database.ts'
import { faults } from './faults.ts'
import { AcknowledgedJobs, compareJobs, giveMediaPosts, JobsLoad } from './jobs-load.ts'
import { clockOf, type Kept, keep, program, readyAt } from './processes.ts'

/**
 * Years of operation in an hour: two services and two workers on a PostgreSQL, one of each through pgbouncer in transaction
 * mode, under requests, imports, calls of agents and jobs, while everything happens that `faults.ts` names. After each round
 * the oracle compares what is there with what was acknowledged. The other two processes are never ended; they show whether
 * memory and handles stay flat. As root on Linux, with pgbouncer and libfaketime.
 *
 *   node bench/soak/soak.ts --minutes 60
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'round-seconds': { type: 'string', default: '150' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    programs: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
    /** Only these faults, by part of their names. */
    fault: { type: 'string', multiple: true, default: [] },
  },
})
const draws = dice(values.seed, 'soak')
const folder = mkdtempSync(join(tmpdir(), 'rivalscope-soak-'))
chmodSync(folder, 0o755)
const mediaDisk = mounted('media', '64m')
mounted('store', '1500m')
execFileSync('chown', ['postgres', join(folder, 'store')])
const firstPort = 20_000 + (process.pid % 20_000)
const [a, b] = [`http://127.0.0.1:${firstPort}`, `http://127.0.0.1:${firstPort + 1}`]
const database = prepareDatabase(folder, values.programs, { own: firstPort + 2, pooler: firstPort + 3 })
const clock = join(folder, 'clock')
writeFileSync(clock, '+0')
const apple = await startApple()
const media = createServer(async (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end(await png(Math.floor(Math.random() * 255), 64))
}).listen(0, '127.0.0.1')
await once(media, 'listening')
const config = join(folder, 'rivalscope.json')
writeFileSync(config, JSON.stringify({ sources: playedSources(apple, { timeoutSeconds: 5 }) }))
const workerEnv = {
  NODE_OPTIONS: `--import=${new URL('media-on-loopback.ts', import.meta.url)}`,
  SOAK_MEDIA_PORT: String((media.address() as AddressInfo).port),
}
const common = ['--media-dir', mediaDisk, '--config', config, '--data-dir', folder, '--log-level', 'warn']
const serviceOf = (name: string, address: string, url: string, env: Record<string, string>) =>
  keep({
    name,
    folder,
    env,
    command: [
      ...[program, 'serve', '--database-url', url, '--port', new URL(address).port],
      ...['--rate-limit', '0', '--work', 'off', ...common],
    ],
    ready: () => readyAt(address),
  })
const workerOf = (name: string, url: string, env: Record<string, string>) =>
  keep({
    name,
    folder,
    env: { ...workerEnv, ...env },
    command: [program, 'work', '--database-url', url, ...common],
    ready: () => setTimeout(1_500),
  })
const service = serviceOf('service', a, database.pooled, clockOf(clock))
const steadyService = serviceOf('steady-service', b, database.direct, {})
const worker = workerOf('worker', database.pooled, clockOf(clock))
const steadyWorker = workerOf('steady-worker', database.direct, {})
const all: Kept[] = [service, steadyService, worker, steadyWorker]

const wrong: string[] = []
const happened = new Map<string, number>()
const refused = new Map<string, number>()
const flat = new Map<string, { kilobytes: number; handles: number; minute: number }[]>()
const reported = new Acknowledged()
const jobs = new AcknowledgedJobs()
let ended = false
const began = Date.now()
const minutesGone = () => (Date.now() - began) / 60_000
try {
  await database.start()
  execFileSync(join(values.programs, 'createdb'), [
    '-h',
    '127.0.0.1',
    '-p',
    String(firstPort + 2),
    '-U',
    'postgres',
    'soak',
  ])
  await database.startPooler()
  const location = ['--database-url', database.direct, '--data-dir', folder]
  const key = await keyOf(location)
  await imported(['organic', givePosts(folder)], location)
  for (const kept of all) await kept.start()
  const watching = setInterval(watch, 5_000)
  const calls = [tryingCallTo(a, key), tryingCallTo(b, key)] as const
  for (let round = 1; minutesGone() < Number(values.minutes); round++) {
    const given = giveMediaPosts(folder, round, 40)
    await imported(['organic', given.path], location)
    const files = mkdtempSync(join(folder, 'load-'))
    const both: Call = (...request) => (draws.chance(0.6) ? calls[0] : calls[1])(...request)
    const mixed = new MixedLoad({ call: both, dice: draws, reported, folder: files, location })
    const asking = new JobsLoad({
      ...{ call: both, address: draws.chance(0.5) ? a : b, key, dice: draws, reported, jobs, posts: given.ids },
      refused: (what) => mixed.refused.push(what),
    })
    const until = Date.now() + Number(values['round-seconds']) * 1000
    while (Date.now() < until) {
      await setTimeout(draws.between(2_000, 8_000))
      const fault = draws.pick(chosenFaults())
      const since = performance.now()
      const trouble = await fault.happen({ database, service, worker, mediaDisk, clock, dice: draws })
      await Promise.all([readyAt(a), readyAt(b)])
      print(
        `${minutesGone().toFixed(1)} min: ${fault.name}, ${((performance.now() - since) / 1000).toFixed(1)} s`,
      )
      if (typeof trouble === 'string') note(trouble)
      happened.set(fault.name, (happened.get(fault.name) ?? 0) + 1)
    }
    for (const load of [mixed, asking]) load.stop()
    for (const load of [mixed, asking]) await load.ended()
    for (const what of mixed.refused) refused.set(nameOf(what), (refused.get(nameOf(what)) ?? 0) + 1)
    await Promise.all([readyAt(a), readyAt(b)])
    for (const fault of await faultsFound(key, files, location)) note(fault)
    rmSync(files, { recursive: true })
    print(
      `round ${round}: ${JSON.stringify(reported.count)}, ${jobs.calls} calls of agents, ${wrong.length} wrong`,
    )
  }
  await setTimeout(10_000)
  for (const { name, ends } of [steadyService, steadyWorker])
    if (ends > 0) note(`${name} ended ${ends} times by itself`)
  const rest = all.map((kept) => ({ kept, before: kept.measure().seconds }))
  await setTimeout(60_000)
  const atRest = rest.map(({ kept, before }) => ({
    name: kept.name,
    share: (kept.measure().seconds - before) / 60,
  }))
  clearInterval(watching)
  report(atRest)
  ended = true
} finally {
  for (const kept of all) await kept.end('SIGKILL')
  try {
    database.killPooler()
    database.stop('immediate')
  } catch {
    // They are not there.
  }
  await apple[Symbol.asyncDispose]()
  media.close()
  if (ended && wrong.length === 0) {
    for (const disk of ['media', 'store']) execFileSync('umount', ['-l', join(folder, disk)])
    rmSync(folder, { recursive: true })
  } else print(`left for a look: ${folder}`)
}
process.exitCode = wrong.length > 0 ? 1 : 0

function chosenFaults() {
  const { fault: names } = values
  return names.length ? faults.filter(({ name }) => names.some((part) => name.includes(part))) : faults
}

function note(fault: string): void {
  wrong.push(fault)
  print(`WRONG: ${fault}`)
}

function nameOf(what: string): string {
  return what.startsWith('import:') ? `an import command: ${what.split('\n')[0]?.slice(0, 90)}` : what
}

function mounted(name: string, size: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  return path
}

async function keyOf(location: string[]): Promise<string> {
  const words = ['keys', 'create', '--name', 'soak', '--scopes', 'context:read,content:write', ...location]
  const { out, err, code } = await runProcess(words)
  if (code !== 0) throw new Error(err)
  return out.trim()
}

async function imported(what: string[], location: string[]): Promise<void> {
  const { code, err } = await runProcess(['import', ...what, ...location], { cwd: folder })
  if (code !== 0) throw new Error(err)
}

/** A call that never throws: where nobody answers, the status is 599. */
function tryingCallTo(address: string, key: string): Call {
  const call = callTo(address, key)
  return async (...request) => {
    try {
      return await call(...request)
    } catch {
      await setTimeout(50)
      return { status: 599, body: undefined }
    }
  }
}

async function faultsFound(key: string, files: string, location: string[]): Promise<string[]> {
  const client = new pg.Client(database.direct)
  client.on('error', () => {})
  await client.connect()
  try {
    const ask: Ask = async <Row>(text: string) => (await client.query(text)).rows as Row[]
    const call = callTo(b, key)
    return [
      ...(await compareJobs(jobs, call, ask, 180)),
      ...(await compare(reported, { call, ask, location, folder: files })),
      ...(await amcheck(ask)).faults,
    ]
  } finally {
    await client.end()
  }
}

function watch(): void {
  for (const kept of [steadyService, steadyWorker]) {
    if (!kept.runs) continue
    const { kilobytes, handles } = kept.measure()
    const seen = flat.get(kept.name) ?? []
    flat.set(kept.name, [...seen, { kilobytes, handles, minute: minutesGone() }])
  }
}

function report(atRest: { name: string; share: number }[]): void {
  print(`\nseed ${values.seed}, ${minutesGone().toFixed(0)} minutes`)
  printTable(
    ['what happened', 'times'],
    [...happened].map(([name, times]) => [name, times]),
  )
  printTable(
    ['answered instead of a success', 'times'],
    [...refused].map(([name, times]) => [name, times]),
  )
  printTable(['acknowledged', 'writes'], Object.entries(reported.count))
  const quarters = [...flat].map(([name, seen]) => {
    const part = (quarter: number) =>
      seen.filter(({ minute }) => Math.floor((minute / minutesGone()) * 4) === quarter)
    const middle = (quarter: number, of: 'kilobytes' | 'handles') =>
      Math.round(
        percentile(
          part(quarter).map((one) => one[of]),
          0.5,
        ) / (of === 'kilobytes' ? 1024 : 1),
      )
    return [
      name,
      ...[0, 1, 2, 3].map((quarter) => middle(quarter, 'kilobytes')),
      ...[0, 1, 2, 3].map((quarter) => middle(quarter, 'handles')),
    ]
  })
  printTable(['median in each quarter', ...['MB', '', '', ''], ...['handles', '', '', '']], quarters)
  printTable(
    ['process', 'ended by itself', 'logged kB a minute', '% of a core at rest'],
    all.map((kept) => [
      kept.name,
      kept.ends,
      (kept.logged() / 1024 / minutesGone()).toFixed(1),
      (100 * (atRest.find(({ name }) => name === kept.name)?.share ?? 0)).toFixed(2),
    ]),
  )
  print(wrong.length ? `${wrong.length} wrong` : 'nothing lost, nothing doubled, nothing stuck')
}
