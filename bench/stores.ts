import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { mergeSearchIndexes } from '../src/domain/catalogue/record-writes.ts'
import { runImport } from '../src/imports/run-import.ts'
import { Schedule } from '../src/jobs/schedule.ts'
import { openPostgres, openStore, type StoreLocation } from '../src/storage/open-store.ts'
import type { Store } from '../src/storage/store.ts'
import { observedAt } from './generate.ts'

/**
 * Where benchmarks keep their files and databases. What takes long to load is loaded once and used again; remove
 * `RIVALSCOPE_BENCH_DIR` and the databases `bench_rs_*` to begin anew.
 */

/** A PostgreSQL on which databases may be made. */
const serverUrl = process.env.RIVALSCOPE_BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5455/postgres'
export const directory = process.env.RIVALSCOPE_BENCH_DIR ?? '/tmp/rivalscope-bench'
mkdirSync(directory, { recursive: true })

export function databaseUrl(name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/bench_rs_${name}`
  return url.href
}

/** For workloads that ask no upstream, of a store for which nothing is collected by a schedule. */
export const nobodyAsked = { adLibraries: {}, current: { schedule: async () => Schedule.parse({}) } } as never

/** An empty, migrated store in a database of its own; one of that name is dropped before. */
export async function freshDatabase(name: string): Promise<Store> {
  await dropDatabase(name)
  await createDatabase(name)
  return openStore({ databaseUrl: databaseUrl(name) }, 'bench')
}

/** An empty database. */
export async function createDatabase(name: string): Promise<void> {
  await using server = openPostgres(serverUrl)
  await sql`create database ${sql.id(`bench_rs_${name}`)}`.execute(server.db)
}

export async function databaseExists(name: string): Promise<boolean> {
  await using server = openPostgres(serverUrl)
  const { rows } = await sql`select from pg_database where datname = ${`bench_rs_${name}`}`.execute(server.db)
  return rows.length > 0
}

export async function dropDatabase(name: string): Promise<void> {
  await using server = openPostgres(serverUrl)
  await sql`drop database if exists ${sql.id(`bench_rs_${name}`)} with (force)`.execute(server.db)
}

/** A file of that many generated iTunes records of a storefront, one a line. */
export function catalogueFile(apps: number, country = 'us'): string {
  const file = join(directory, `apps-${apps}${country === 'us' ? '' : `-${country}`}.ndjson`)
  if (!existsSync(file))
    execFileSync(process.execPath, [
      new URL('generate.ts', import.meta.url).pathname,
      'apps',
      String(apps),
      file,
      country,
    ])
  return file
}

/** A store that holds that many generated apps, imported through the service's own import on first use. */
export async function catalogueStore(engine: 'postgres' | 'embedded', apps: number): Promise<StoreLocation> {
  const name = String(apps)
  const location =
    engine === 'postgres'
      ? { databaseUrl: databaseUrl(name) }
      : { dataDir: join(directory, `embedded-${apps}`) }
  if (engine === 'postgres' && !(await databaseExists(name)))
    await (await freshDatabase(name))[Symbol.asyncDispose]()
  await using store = await openStore(location, 'bench')
  const { rows } = await sql<{ apps: number }>`select count(*)::int as apps from app_records`.execute(store.db)
  if (rows[0]?.apps === apps) return location
  process.stderr.write(`loading ${apps} apps into ${JSON.stringify(location)}\n`)
  await importCatalogue(store, apps)
  await mergeSearchIndexes(store.db)
  return location
}

async function importCatalogue(store: Store, apps: number): Promise<void> {
  const order = { kind: 'catalogue' as const, paths: [catalogueFile(apps)], country: 'us', observedAt }
  await runImport(store.db, { ...order, directory, rejectedFile: join(directory, 'rejected.ndjson') }, () => {})
}
