import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { firstRow } from './database.ts'
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

export async function openTestServer(): Promise<TestServer> {
  const given = process.env.RIVALSCOPE_TEST_DATABASE_URL
  if (given) return { url: given, [Symbol.asyncDispose]: async () => {} }
  const server = await useEmbeddedServer(join(tmpdir(), `rivalscope-tests-${userInfo().uid}`), {
    memoryMiB: 512,
    throwAway: true,
    lingerSeconds: 30,
  })
  return { url: urlOfServer(server), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** The address of an embedded server, for whoever wants databases of his own on it. */
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

/** A database of a server, empty and migrated, dropped at the end. */
export async function makeDatabase(serverUrl: string): Promise<{ url: string } & AsyncDisposable> {
  const server = openPostgres(serverUrl)
  const name = `rivalscope_test_${uuidv7().replaceAll('-', '')}`
  const template = await migratedDatabase(serverUrl, server)
  // Copying files takes a quarter of the time of copying through the write-ahead log.
  await sql`create database ${sql.id(name)} template ${sql.id(template)} strategy file_copy`.execute(server.db)
  return {
    url: urlOf(serverUrl, name),
    async [Symbol.asyncDispose]() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(server.db)
      await server[Symbol.asyncDispose]()
    },
  }
}

/** An empty, migrated template database, created on a server once for each state of the migrations. */
async function migratedDatabase(serverUrl: string, server: Store): Promise<string> {
  const made = `rivalscope_test_template_${migrationsHash()}`
  const isThere = () => firstRow(server.db, sql`select from pg_database where datname = ${made}`)
  if (await isThere()) return made
  await server.alone('test template', async () => {
    if (await isThere()) return
    const partial = `${made}_partial`
    await sql`drop database if exists ${sql.id(partial)} with (force)`.execute(server.db)
    await sql`create database ${sql.id(partial)}`.execute(server.db)
    const store = await openStore({ databaseUrl: urlOf(serverUrl, partial) }, 'test')
    await store[Symbol.asyncDispose]()
    await sql`alter database ${sql.id(partial)} rename to ${sql.id(made)}`.execute(server.db)
  })
  return made
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
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}
