import assert from 'node:assert/strict'
import { join } from 'node:path'
import { sql } from 'kysely'
import { tableNames } from '../../src/storage/backup/tables.ts'
import type { BackupSummary } from '../../src/storage/backup/write-backup.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import type { Store } from '../../src/storage/store.ts'
import { appLines } from './app-lines.ts'
import { openFolder } from './files.ts'
import { type Performed, run } from './in-process.ts'
import { type Installation, openInstallation } from './installation.ts'

/** An installation with a place for its backups. */
export interface BackedUp extends AsyncDisposable {
  installation: Installation
  /** Where its backups lie. */
  backups: string
  /** Of its accounts. */
  key: string
  /** Imports apps with these numbers, the last one excluded. */
  importApps(first: number, last: number): Promise<void>
  /** Keeps a medium. @returns its hash */
  keep(content: string): Promise<string>
  backUp(...more: string[]): Promise<BackupSummary>
  /** Restores the newest backup, unless told otherwise. */
  restore(to: Pick<Installation, 'location'>, ...more: string[]): Promise<Performed>
}

export async function openBackedUp(): Promise<BackedUp> {
  await using parts = new AsyncDisposableStack()
  const installation = parts.use(await openInstallation())
  const { location, folder } = installation
  const backups = join(folder, 'backups')
  const scopes = ['--scopes', 'context:read,content:write']
  const key = (await run(['keys', 'create', '--name', 'a', ...scopes, ...location])).out.trim()
  const opened = parts.move()
  return {
    installation,
    backups,
    key,
    async importApps(first, last) {
      using files = openFolder()
      const file = files.write('apps.ndjson', appLines(first, last))
      const dated = ['--observed-at', '2026-03-01']
      const { code, err } = await run(['import', 'catalogue', file, ...dated, ...location])
      assert.equal(code, 0, err)
    },
    async keep(content) {
      const media = new MediaOnDisk(join(folder, 'media'))
      const { sha256, sizeBytes } = await media.put(once(content))
      await using store = await installation.open()
      await sql`insert into media_objects (sha256, content_type, size_bytes) values (${sha256}, 'image/png', ${sizeBytes})`.execute(
        store.db,
      )
      return sha256
    },
    async backUp(...more) {
      const { code, out, err } = await run(['backup', '--to', backups, '--json', ...more, ...location])
      assert.equal(code, 0, err)
      return JSON.parse(out) as BackupSummary
    },
    restore: (to, ...more) => run(['restore', '--from', backups, ...more, ...to.location]),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function* once(content: string) {
  yield Buffer.from(content)
}

/** Every row of every table, without their order; what is recorded of backups is written after they were taken. */
export async function everyRow(store: Store): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of await tableNames(store.db)) {
    const { rows } = await sql<{
      row: string
    }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t
      where to_jsonb(t) ->> 'operation' is distinct from 'backup'`.execute(store.db)
    found[table] = rows.map(({ row }) => row).sort()
  }
  return found
}
