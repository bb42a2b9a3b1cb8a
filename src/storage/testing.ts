import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { migrate } from './migrate.ts'
import { onPGlite, openPostgres, openStore, type Store } from './store.ts'

/** Set to run the tests on PostgreSQL; each store is a database of its own there, dropped at the end. */
const testDatabaseUrl = process.env.RIVALSCOPE_TEST_DATABASE_URL

/** An empty, migrated store on the engine under test. */
export function openTestStore(): Promise<Store> {
  return testDatabaseUrl ? ownDatabase(testDatabaseUrl) : inMemory()
}

async function ownDatabase(serverUrl: string): Promise<Store> {
  const name = `rivalscope_test_${uuidv7().replaceAll('-', '')}`
  const server = openPostgres(serverUrl)
  await sql`create database ${sql.id(name)}`.execute(server.db)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const store = await openStore({ databaseUrl: url.href }, 'test')
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await sql`drop database ${sql.id(name)} with (force)`.execute(server.db)
      await server[Symbol.asyncDispose]()
    },
  }
}

async function inMemory(): Promise<Store> {
  const image = await migratedImage()
  return onPGlite(() => PGlite.create({ loadDataDir: new Blob([image]) }))
}

/** A migrated store as an image, made once for each state of the migrations: loading it is much faster than migrating. */
async function migratedImage(): Promise<Uint8Array<ArrayBuffer>> {
  const file = join(tmpdir(), `rivalscope-test-store-${migrationsHash()}.tar`)
  if (!existsSync(file)) {
    const pglite = await PGlite.create()
    const store = onPGlite(async () => pglite)
    await migrate(store)
    const image = await pglite.dumpDataDir('none')
    const partial = `${file}.${process.pid}`
    writeFileSync(partial, new Uint8Array(await image.arrayBuffer()))
    renameSync(partial, file)
    await store[Symbol.asyncDispose]()
  }
  return new Uint8Array(readFileSync(file))
}

/** Makes a data directory with an empty, migrated store: copying one that is made once is much faster than migrating. */
export async function makeDataDirectory(dataDir: string): Promise<void> {
  const made = join(tmpdir(), `rivalscope-test-directory-${migrationsHash()}`)
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
  cpSync(made, dataDir, { recursive: true })
}

function migrationsHash(): string {
  const folder = new URL('../../migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 16)
}
