import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { ownerOf } from '../../src/storage/embedded/owner.ts'
import { programsFor } from '../../src/storage/embedded/programs.ts'
import { databaseAnswers } from './database-answers.ts'
import { openFolder } from './files.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A PostgreSQL on loopback with an empty database. */
export interface StreamingServer {
  url: string
  query<Row>(text: string): Promise<Row[]>
  start(): Promise<void>
  /** Ends all its processes as a power cut does. */
  kill(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
}

/** A primary and its streaming replicas, which lie beside each other and end with this. */
export interface Streaming extends AsyncDisposable {
  primary: StreamingServer
  replicas: StreamingServer[]
  /** Waits until each replica has replayed what the primary has written by now. */
  caughtUp(): Promise<void>
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '150',
  shared_buffers: '64MB',
  wal_keep_size: '512MB',
  fsync: 'off',
  // Replicas wait for nobody who reads, and cancel their statements instead.
  max_standby_streaming_delay: '0',
}

export async function openStreaming(replicas: number): Promise<Streaming> {
  await using parts = new AsyncDisposableStack()
  const { path: folder } = parts.use(openFolder())
  chmodSync(folder, 0o755)
  const owner = ownerOf(join(folder, 'primary'), undefined)
  const { directory } = programsFor(owner)
  const as = owner ? { uid: owner.uid, gid: owner.gid } : {}
  const run = (program: string, ...words: string[]) =>
    execFileSync(join(directory, 'bin', program), words, { ...as, cwd: '/', stdio: 'ignore' })
  const cluster = (name: string) => join(folder, name)
  const makeFolder = (name: string) => {
    mkdirSync(cluster(name), { mode: 0o700 })
    if (owner) chownSync(cluster(name), owner.uid, owner.gid)
  }
  makeFolder('primary')
  run(
    'initdb',
    '-D',
    cluster('primary'),
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  )
  const names = ['primary', ...Array.from({ length: replicas }, (_, index) => `replica${index + 1}`)]
  // Copied before its first start, a cluster is a replica of the other from its first record on.
  for (const name of names.slice(1)) execFileSync('cp', ['-pR', cluster('primary'), cluster(name)])
  const servers: StreamingServer[] = []
  let primaryPort = 0
  for (const name of names) {
    const port = await freePort()
    const own = { ...settings, port: String(port) }
    if (name === 'primary') primaryPort = port
    else {
      Object.assign(own, { primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=postgres` })
      writeFileSync(join(cluster(name), 'standby.signal'), '')
    }
    const lines = Object.entries(own).map(([setting, value]) => `${setting} = '${value}'\n`)
    appendFileSync(join(cluster(name), 'postgresql.conf'), lines.join(''))
    const server = serverIn(cluster(name), port, (...words) =>
      run('pg_ctl', '-D', cluster(name), '-w', ...words),
    )
    parts.defer(() => server.kill())
    await server.start()
    servers.push(server)
    if (name === 'primary')
      await queryAt(server.url.replace(/rivalscope$/, 'postgres'), 'create database rivalscope')
  }
  const [primary, ...others] = servers
  if (!primary) throw new Error('There is no primary.')
  const caughtUp = async () => {
    const [{ position } = { position: '' }] = await primary.query<{ position: string }>(
      'select pg_current_wal_flush_lsn()::text as position',
    )
    for (const replica of others)
      await until(
        () =>
          replica.query<{ has: boolean }>(`select pg_last_wal_replay_lsn() >= '${position}'::pg_lsn as has`),
        ([found]) => found?.has === true,
      )
  }
  await Promise.all(others.map(({ url }) => databaseAnswers(url)))
  const opened = parts.move()
  return { primary, replicas: others, caughtUp, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function serverIn(cluster: string, port: number, control: (...words: string[]) => void): StreamingServer {
  const url = `postgres://postgres@127.0.0.1:${port}/rivalscope`
  const processes = () => {
    const inside = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && placeOf(name) === cluster)
    return inside.map(Number)
  }
  return {
    url,
    query: (text) => queryAt(url, text),
    async start() {
      for (let attempt = 1; ; attempt++) {
        try {
          return control('-l', join(cluster, 'log'), 'start')
        } catch (error) {
          // The memory of one that was killed takes a moment to be let go of.
          if (attempt === 20) throw error
          await setTimeout(500)
        }
      }
    },
    async kill() {
      for (const pid of processes()) signal(pid, 'SIGKILL')
      await until(
        async () => processes().length,
        (left) => left === 0,
      )
    },
    signal: (name) => {
      for (const pid of processes()) signal(pid, name)
    },
  }
}

async function queryAt<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end().catch(() => {})
  }
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
