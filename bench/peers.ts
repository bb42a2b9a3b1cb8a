import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { cpuMsOf, type Served } from './service.ts'

/**
 * What a user would take instead, in the directory that `--peers DIR` names. DuckDB is pinned in `bench/peers`, where `npm run bench` installs
 * it. Directus is larger than all of this project, so whoever wants it measured installs it apart:
 *
 *   npm install --prefix DIR directus@12.3.0
 */

/** What Directus has to answer with. */
interface DirectusRecords {
  /** A database that is empty but for what an earlier call made. */
  databaseUrl: string
  /** By the key of the record. */
  records: ReadonlyMap<string, unknown>
}

const token = 'a-token-of-the-benchmark'

/**
 * Directus without cache, limit of rate and telemetry, as the administrator, of whom no permission is checked: what makes it
 * fastest. Records are at `/items/records/KEY`. It runs on the `node` of the PATH, for which its packages were built.
 */
export async function startDirectus(
  directory: string,
  { databaseUrl, records }: DirectusRecords,
  core: number,
): Promise<Served> {
  const port = await freePort()
  const env = {
    ...process.env,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl, // as many connections as the service
    DB_POOL__MAX: '8',
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: token,
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: token,
    ADMIN_TOKEN: token,
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'silent',
  }
  const command = join(directory, 'node_modules/directus/cli.js')
  const bootstrap = spawn('node', [command, 'bootstrap'], { cwd: directory, env, stdio: 'ignore' })
  const [code] = (await once(bootstrap, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`directus bootstrap ended with ${code}`)
  await fillRecords(databaseUrl, records)
  const started = performance.now()
  const server = spawn('taskset', ['-c', String(core), 'node', command, 'start'], {
    cwd: directory,
    env,
    stdio: 'ignore',
  })
  const address = `http://127.0.0.1:${port}`
  while (!(await answers(`${address}/server/ping`))) {
    if (server.exitCode !== null) throw new Error(`directus start ended with ${server.exitCode}`)
    await pause(200)
  }
  return {
    address,
    key: token,
    startMs: performance.now() - started,
    cpuMs: () => cpuMsOf(server.pid ?? 0),
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

async function fillRecords(databaseUrl: string, records: DirectusRecords['records']): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  try {
    await pool.query('drop table if exists records')
    await pool.query('create table records (key text primary key, record json not null)')
    const sent = [...records].map(([key, record]) => ({ key, record }))
    await pool.query(
      'insert into records select key, record from json_to_recordset($1) as sent(key text, record json)',
      [JSON.stringify(sent)],
    )
    await pool.query('analyze records')
  } finally {
    await pool.end()
  }
}

const answers = (address: string) =>
  fetch(address).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** The part of DuckDB's client that the benchmarks use. */
interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> }
}

export interface DuckDbConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string, values: unknown[]): Promise<{ getRowsJson(): unknown[][] }>
  createAppender(table: string): Promise<{
    appendVarchar(value: string): void
    appendInteger(value: number): void
    appendBigInt(value: bigint): void
    endRow(): void
    closeSync(): void
  }>
  closeSync(): void
}

/** A connection to a file of DuckDB, which is made when it is missing. */
export async function openDuckDb(directory: string, file: string): Promise<DuckDbConnection> {
  const { DuckDBInstance } = createRequire(join(directory, 'package.json'))('@duckdb/node-api') as DuckDb
  return await (await DuckDBInstance.create(file)).connect()
}
