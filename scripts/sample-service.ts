import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { mock } from 'node:test'
import { sql } from 'kysely'
import { demoConfig, fillWholly } from '../sample/demo/demo.ts'
import type { ServiceConfig } from '../src/app.ts'
import { openPostgres } from '../src/storage/open-store.ts'
import { makeDatabase, openTestServer } from '../src/storage/testing.ts'
import { openFolder } from '../tests/support/files.ts'

/** The evening of the last day of the sample evidence: the present of everything that is recorded on it. */
export const recordedAt = new Date('2026-11-20T20:00:00Z')

/** Performs something on a day that is always the same, by the clock of this process: it stands at `recordedAt`. */
export async function onTheRecordedDay<T>(perform: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['Date'], now: recordedAt })
  try {
    return await perform()
  } finally {
    mock.timers.reset()
  }
}

/** The demo's evidence, to be copied: filling a store takes most of the time that a recording needs. */
export interface FilledSample {
  /** A demo with a store of its own, in which it is the evening of `recordedAt`. */
  copy(parts: AsyncDisposableStack): Promise<ServiceConfig>
}

/** Fills a demo; where the clock shows `recordedAt`, it is the same on every day. */
export async function fillSample(parts: AsyncDisposableStack): Promise<FilledSample> {
  const server = parts.use(await openTestServer())
  const { path } = parts.use(openFolder())
  const filled = parts.use(await makeDatabase(server.url))
  await setClock(filled.url)
  await using filling = new AsyncDisposableStack()
  await fillWholly(await configOf(filled.url, join(path, 'demo'), filling))
  return {
    async copy(copyParts) {
      const database = copyParts.use(await makeDatabase(server.url, new URL(filled.url).pathname.slice(1)))
      const folder = copyParts.use(openFolder())
      await setClock(database.url)
      await forgetPacing(database.url)
      await cp(path, folder.path, { recursive: true })
      return configOf(database.url, join(folder.path, 'demo'), copyParts)
    },
  }
}

async function configOf(
  databaseUrl: string,
  dataDir: string,
  parts: AsyncDisposableStack,
): Promise<ServiceConfig> {
  const config = await demoConfig({ dataDir, host: '127.0.0.1', port: 0, logLevel: 'silent' }, parts)
  return { ...config, location: { databaseUrl }, rateLimit: 0 }
}

/** Filling took a while, after which its sources may be asked again: by a clock that was set back since. */
async function forgetPacing(databaseUrl: string): Promise<void> {
  await using store = openPostgres(databaseUrl)
  await sql`delete from upstream_rate_limits`.execute(store.db)
}

/**
 * Sets the clock of a database to `recordedAt`, from where it goes on: functions of the names that queries and defaults use
 * stand before PostgreSQL's own.
 */
async function setClock(databaseUrl: string): Promise<void> {
  await using store = openPostgres(databaseUrl)
  await store.db.connection().execute(async (db) => {
    const { rows } = await sql<{ ahead: string }>`
      select (${recordedAt.toISOString()}::timestamptz - clock_timestamp())::text as ahead`.execute(db)
    const ahead = sql.lit(rows[0]?.ahead)
    for (const name of ['now', 'clock_timestamp'])
      await sql`create or replace function public.${sql.id(name)}() returns timestamptz stable parallel safe
        language sql return pg_catalog.${sql.id(name)}() + interval ${ahead}`.execute(db)
    const name = sql.id(new URL(databaseUrl).pathname.slice(1))
    await sql`alter database ${name} set search_path = public, pg_catalog`.execute(db)
    await sql`
      do $$
        declare it record;
        begin
          for it in select table_name, column_name from information_schema.columns
            where table_schema = 'public' and column_default = 'now()'
          loop
            execute format('alter table %I alter column %I set default public.now()', it.table_name, it.column_name);
          end loop;
        end
      $$`.execute(db)
  })
}
