import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { configureClusterSessions, distribute } from './cluster.ts'
import { type Database, firstRow } from './database.ts'
import { type EmbeddedServer, useEmbeddedServer } from './embedded/embedded-server.ts'
import { openPostgres, openStore } from './open-store.ts'
import type { Store } from './store.ts'

/**
 * The PostgreSQL that tests run on: the one named in the environment, else an embedded one shared by all tests of this
 * machine, which ends by itself a while after the last of them.
 */
export interface TestServer extends AsyncDisposable {
  url: string
}

/** Room that databases of tests may need at once, in bytes. */
const roomOfServers = 2 * 1024 ** 3

/**
 * The folder for files of test servers: in memory where there is room for them, else the folder for temporary files. A
 * database is a thousand files, and making them in memory takes a twentieth of the processor time.
 */
export function folderOfTestServers(): string {
  const memory = '/dev/shm'
  // A folder named in the environment is deliberate, as for tests under another clock.
  const isNamed = process.env.TMPDIR !== undefined
  if (isNamed || process.platform !== 'linux' || !existsSync(memory)) return tmpdir()
  // The total size counts and not the free space: all tests of this machine share a server.
  const { blocks, bsize } = statfsSync(memory)
  return blocks * bsize >= roomOfServers ? memory : tmpdir()
}

export async function openTestServer(): Promise<TestServer> {
  const given = process.env.RIVALSCOPE_TEST_DATABASE_URL
  if (given) return { url: given, [Symbol.asyncDispose]: async () => {} }
  const server = await useEmbeddedServer(join(folderOfTestServers(), `rivalscope-tests-${userInfo().uid}`), {
    memoryMiB: 512,
    throwAway: true,
    lingerSeconds: 30,
  })
  return { url: urlOfServer(server), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** The address of an embedded server, for tests that create their own databases on it. */
export function urlOfServer({ connection }: EmbeddedServer): string {
  const { host, port, user, password, database } = connection
  const url = new URL(`postgres://${user}@localhost:${port}/${database}`)
  if (password) {
    url.hostname = host
    url.password = password
  } else url.searchParams.set('host', host)
  return url.href
}

/** An empty, migrated store in a database of its own, dropped at the end. */
export async function openTestStore(): Promise<Store> {
  await using parts = new AsyncDisposableStack()
  const server = parts.use(await openTestServer())
  const database = parts.use(await makeDatabase(server.url))
  const store = parts.use(openPostgres(database.url))
  const opened = parts.move()
  return { ...store, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/**
 * Creates a database on a server, empty and migrated, dropped at the end.
 * @param copied the name of a database to copy instead, to which nobody is connected
 */
export async function makeDatabase(
  serverUrl: string,
  copied?: string,
): Promise<{ url: string } & AsyncDisposable> {
  const nodes: readonly [Store, ...Store[]] = [
    openPostgres(serverUrl),
    ...workers().map((url) => openPostgres(url)),
  ]
  const onEach = (statement: RawBuilder<unknown>) => Promise.all(nodes.map(({ db }) => statement.execute(db)))
  const name = `rivalscope_test_${uuidv7().replaceAll('-', '')}`
  const template = copied ?? (await migratedDatabase(serverUrl, nodes))
  // Copying files takes a quarter of the time of copying through the write-ahead log.
  await onEach(sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`)
  // The settings of a database are not copied with it.
  if (nodes[1]) await configureClusterSessions(nodes[0].db, name)
  return {
    url: urlOf(serverUrl, name),
    async [Symbol.asyncDispose]() {
      // Citus opens sessions by itself, even while the database is being dropped.
      for (const { db } of nodes)
        await retried(50, () => sql`drop database ${sql.id(name)} with (force)`.execute(db))
      for (const node of nodes) await node[Symbol.asyncDispose]()
    },
  }
}

/**
 * The workers of the test server, where it is a cluster: `RIVALSCOPE_TEST_WORKERS` holds their addresses, separated by
 * blanks. Then the database of every test is distributed.
 */
const workers = () => process.env.RIVALSCOPE_TEST_WORKERS?.split(' ') ?? []

/** An empty, migrated template database, created on a server once for each state of the migrations. */
async function migratedDatabase(serverUrl: string, nodes: readonly [Store, ...Store[]]): Promise<string> {
  const [server] = nodes
  const made = `rivalscope_test_template_${migrationsHash()}`
  const isThere = () => firstRow(server.db, sql`select from pg_database where datname = ${made}`)
  if (await isThere()) return made
  await server.alone('test template', async () => {
    if (await isThere()) return
    const partial = `${made}_partial`
    for (const { db } of nodes) {
      await sql`drop database if exists ${sql.id(partial)} with (force)`.execute(db)
      await sql`create database ${sql.id(partial)}`.execute(db)
    }
    if (nodes.length > 1)
      await joinNodes(
        urlOf(serverUrl, partial),
        workers().map((url) => urlOf(url, partial)),
      )
    const store = await openStore({ databaseUrl: urlOf(serverUrl, partial) }, 'test')
    if (nodes.length > 1) await distribute(store, 2)
    await store[Symbol.asyncDispose]()
    // The coordinator last: it is the one where the template is looked up.
    for (const { db } of nodes.toReversed()) {
      if (nodes.length > 1) await leaveAlone(db, partial)
      await sql`alter database ${sql.id(partial)} rename to ${sql.id(made)}`.execute(db)
    }
  })
  return made
}

/** Makes a cluster of the databases of that name on these servers. */
async function joinNodes(coordinatorUrl: string, workerUrls: readonly string[]): Promise<void> {
  await using parts = new AsyncDisposableStack()
  for (const url of [coordinatorUrl, ...workerUrls])
    await sql`create extension citus`.execute(parts.use(openPostgres(url)).db)
  const { db } = parts.use(openPostgres(coordinatorUrl))
  const place = (url: string) =>
    [new URL(url)].map(({ hostname, port }) => sql`${hostname}, ${Number(port)}::int`)[0]
  await sql`select citus_set_coordinator_host(${place(coordinatorUrl)})`.execute(db)
  for (const url of workerUrls) await sql`select citus_add_node(${place(url)})`.execute(db)
}

/** Ends Citus's own session in a database, which would prevent copying it, and keeps new sessions out. */
async function leaveAlone(db: Database, name: string): Promise<void> {
  await sql`alter database ${sql.id(name)} allow_connections false`.execute(db)
  await sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name}`.execute(db)
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Creates a data directory with an empty, migrated store: copying a template is much faster than migrating. */
export async function makeDataDirectory(dataDir: string): Promise<void> {
  const made = join(tmpdir(), `rivalscope-test-${userInfo().uid}-${migrationsHash()}-directory`)
  if (!existsSync(made)) {
    const partial = `${made}.${process.pid}`
    const store = await openStore({ dataDir: partial }, 'test')
    await store[Symbol.asyncDispose]()
    try {
      renameSync(partial, made)
    } catch (error) {
      // Another process was first.
      rmSync(partial, { recursive: true })
      if (!existsSync(made)) throw error
    }
  }
  // Owners stay as they are: where root runs the tests, PostgreSQL's files belong to another user.
  execFileSync('cp', ['-pR', made, dataDir])
}

function migrationsHash(): string {
  const folder = new URL('../../migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}

async function retried(tries: number, perform: () => Promise<unknown>): Promise<void> {
  try {
    await perform()
  } catch (error) {
    if (tries === 0) throw error
    await setTimeout(100)
    await retried(tries - 1, perform)
  }
}
