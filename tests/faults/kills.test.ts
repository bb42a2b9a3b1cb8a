import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { dice } from '../../sample/dice.ts'
import { useEmbeddedServer } from '../../src/storage/embedded/embedded-server.ts'
import { defaultMemoryMiB } from '../../src/storage/embedded/settings.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { type Running, runProcess, start } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { pause } from '../support/pause.ts'
import { Acknowledged } from '../support/power/acknowledged.ts'
import { type Ask, amcheck } from '../support/power/amcheck.ts'
import { givePosts } from '../support/power/given-files.ts'
import { MixedLoad } from '../support/power/mixed-load.ts'
import { callTo } from '../support/power/service-client.ts'
import { compare } from '../support/power/what-is-there.ts'
import { storeProcesses } from '../support/store-processes.ts'
import { until } from '../support/until.ts'

/**
 * SIGKILL for processes that are drawn by lot while clients and imports write: a service, a worker, the supervisor, and each
 * kind of PostgreSQL's processes, each kind once before any comes again. Set RIVALSCOPE_KILLS for more of them,
 * RIVALSCOPE_KILL_SEED for the same draws.
 */
const kills = Number(process.env.RIVALSCOPE_KILLS ?? 12)
const seed = Number(process.env.RIVALSCOPE_KILL_SEED ?? Date.now() % 2 ** 31)
/** Kills between two comparisons of what is there with what was acknowledged. */
const killsOfOneLoad = 8
const skip = process.platform === 'linux' ? false : 'only Linux tells which processes belong to a directory'

test('what was acknowledged survives the death of any process, once, and the store is there again by itself', {
  skip,
}, async (t) => {
  t.diagnostic(`seed ${seed}`)
  const draws = dice(seed, 'kills')
  using files = openFolder()
  const dataDir = join(files.path, 'store')
  await makeDataDirectory(dataDir)
  const key = (
    await runProcess([
      'keys',
      'create',
      '--name',
      't',
      '--scopes',
      'context:read,content:write',
      '--data-dir',
      dataDir,
    ])
  ).out.trim()
  const brought = await runProcess(['import', 'organic', givePosts(files.path), '--data-dir', dataDir], {
    cwd: files.path,
  })
  assert.equal(brought.code, 0, brought.err)
  const reported = new Acknowledged()
  const again: number[] = []
  const wrong: string[] = []
  let dealt: Victim[] = []
  let service = await serve(dataDir)
  let worker = await work(dataDir)
  try {
    for (let done = 0; done < kills; ) {
      const folder = mkdtempSync(join(files.path, 'load-'))
      const load = new MixedLoad({
        call: callTo(service.address, key),
        dice: draws,
        reported,
        folder,
        location: ['--data-dir', dataDir],
      })
      let serviceDied = false
      for (let kill = 0; kill < killsOfOneLoad && done < kills && !serviceDied; kill++, done++) {
        await pause(draws.between(100, 1_500), 'the kill comes at any moment')
        if (dealt.length === 0) dealt = draws.some(victims, victims.length)
        const victim = dealt.pop() as Victim
        const died = await victim.kill({ dataDir, service: service.command, worker: worker })
        serviceDied = victim.name === 'service'
        const began = performance.now()
        if (serviceDied) {
          // Clients go on against the address of a process that is gone: what they hear from now on is no acknowledgement.
          load.stop()
          service = await serve(dataDir)
        } else if (victim.name === 'worker') worker = await work(dataDir)
        else await readyAgain(service.address)
        again.push(performance.now() - began)
        t.diagnostic(`${done + 1}: ${victim.name} ${died}, ready in ${Math.round(again.at(-1) ?? 0)} ms`)
      }
      load.stop()
      await load.ended()
      await readyAgain(service.address)
      wrong.push(...(await faultsOf(reported, dataDir, service.address, key, folder)))
    }
    again.sort((a, b) => a - b)
    t.diagnostic(
      `ready again after ${Math.round(again[again.length >> 1] ?? 0)} ms at the median, ${Math.round(again.at(-1) ?? 0)} at most`,
    )
    t.diagnostic(`acknowledged ${JSON.stringify(reported.count)}`)
    assert.deepEqual(wrong, [], `seed ${seed}`)
  } finally {
    for (const { child, ended } of [service.command, worker]) {
      child.kill('SIGKILL')
      await ended
    }
  }
  await until(
    async () => storeProcesses(dataDir),
    ({ postgres, supervisor }) => postgres.length === 0 && supervisor === undefined,
  )
})

interface Alive {
  dataDir: string
  service: Running
  worker: Running
}

interface Victim {
  name: string
  /** @returns the number of the process that was killed */
  kill(alive: Alive): Promise<number | string>
}

const victims: readonly Victim[] = [
  { name: 'service', kill: ({ service }) => killCommand(service) },
  { name: 'worker', kill: ({ worker }) => killCommand(worker) },
  { name: 'supervisor', kill: async ({ dataDir }) => killed(storeProcesses(dataDir).supervisor) },
  { name: 'postmaster', kill: async ({ dataDir }) => killed(storeProcesses(dataDir).postmaster) },
  {
    name: 'supervisor and postmaster',
    async kill({ dataDir }) {
      const { supervisor, postmaster } = storeProcesses(dataDir)
      return `${killed(supervisor)} and ${killed(postmaster)}`
    },
  },
  {
    name: 'one of PostgreSQL',
    async kill({ dataDir }) {
      const { postgres, postmaster } = storeProcesses(dataDir)
      const others = postgres.filter(({ pid }) => pid !== postmaster)
      return killed(others[Math.floor(Math.random() * others.length)]?.pid)
    },
  },
]

async function killCommand({ child, ended }: Running): Promise<number> {
  const pid = killed(child.pid)
  await ended
  return pid
}

/** @returns 0 when there was none at that moment */
function killed(pid: number | undefined): number {
  if (pid === undefined) return 0
  try {
    process.kill(pid, 'SIGKILL')
    return pid
  } catch {
    return 0
  }
}

async function serve(dataDir: string): Promise<{ command: Running; address: string }> {
  const command = start([
    'serve',
    '--data-dir',
    dataDir,
    '--port',
    '0',
    '--rate-limit',
    '0',
    '--log-level',
    'silent',
  ])
  const [, address = ''] = await command.says(/^ready (http\S+)$/m)
  return { command, address }
}

async function work(dataDir: string): Promise<Running> {
  const command = start(['work', '--data-dir', dataDir, '--log-level', 'silent'])
  await command.says(/^working$/m)
  return command
}

const readyAgain = (address: string) =>
  until(
    async () => (await fetch(`${address}/readyz`)).status,
    (status) => status === 200,
  )

async function faultsOf(reported: Acknowledged, dataDir: string, address: string, key: string, folder: string) {
  await using server = await useEmbeddedServer(dataDir, { memoryMiB: defaultMemoryMiB })
  const client = new Client(server.connection)
  await client.connect()
  try {
    const ask: Ask = async <Row>(text: string) => (await client.query(text)).rows as Row[]
    const faults = await compare(reported, {
      call: callTo(address, key),
      ask,
      location: ['--data-dir', dataDir],
      folder,
    })
    return [...faults, ...(await amcheck(ask)).faults]
  } finally {
    await client.end()
  }
}
