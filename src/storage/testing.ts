import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { firstRow } from './database.ts'
import { onPGlite, openPostgres, openStore, type Store } from './store.ts'
import { ImageInMemory, writeImage } from './store-image.ts'

/** Set to run the tests on PostgreSQL; each store is a database of its own there, dropped at the end. */
const testDatabaseUrl = process.env.RIVALSCOPE_TEST_DATABASE_URL

/** An empty, migrated store on the engine under test. */
export function openTestStore(): Promise<Store> {
  return testDatabaseUrl ? onOwnDatabase(testDatabaseUrl) : inMemory()
}

async function onOwnDatabase(serverUrl: string): Promise<Store> {
  const database = await makeDatabase(serverUrl)
  const store = openPostgres(database.url)
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Enough for what tests store, and an eighth of what PGlite would fill with zeros first. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

async function inMemory(): Promise<Store> {
  const image = await madeOnce('store.image', async (partial) =>
    writeImage(join(await migrated(), 'store'), partial),
  )
  return onPGlite(() => PGlite.create({ fs: new ImageInMemory(image), startParams }))
}

/** Makes a data directory with an empty, migrated store: copying one that is made once is much faster than migrating. */
export async function makeDataDirectory(dataDir: string): Promise<void> {
  cpSync(await migrated(), dataDir, { recursive: true })
}

/** A data directory with an empty, migrated store, to be copied. */
const migrated = () =>
  madeOnce('directory', async (partial) => {
    const store = await openStore({ dataDir: partial }, 'test')
    await store[Symbol.asyncDispose]()
  })

/** A file or directory that is made once for each state of the migrations. @returns its path */
async function madeOnce(name: string, make: (partial: string) => Promise<void>): Promise<string> {
  const made = join(tmpdir(), `rivalscope-test-${migrationsHash()}-${name}`)
  if (existsSync(made)) return made
  const partial = `${made}.${process.pid}`
  await make(partial)
  try {
    renameSync(partial, made)
  } catch (error) {
    // Another process was first.
    rmSync(partial, { recursive: true })
    if (!existsSync(made)) throw error
  }
  return made
}

/** A database of a server, empty and migrated, dropped at the end. */
export async function makeDatabase(serverUrl: string): Promise<{ url: string } & AsyncDisposable> {
  const server = openPostgres(serverUrl)
  const name = `rivalscope_test_${uuidv7().replaceAll('-', '')}`
  const template = await migratedDatabase(serverUrl, server)
  await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(server.db)
  return {
    url: urlOf(serverUrl, name),
    async [Symbol.asyncDispose]() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(server.db)
      await server[Symbol.asyncDispose]()
    },
  }
}

/** An empty, migrated database to make others from, made once on a server for each state of the migrations. */
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

function migrationsHash(): string {
  const folder = new URL('../../migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}
