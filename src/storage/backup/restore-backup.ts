import type { MediaStore } from '../media-store.ts'
import { applyMigrations, knownMigrations } from '../migrate.ts'
import type { Store } from '../store.ts'
import { copyIntoTable, RowSum, type TableContent } from './copy.ts'
import { asFullDiskError, BackupError } from './error.ts'
import { analyze, emptyTables, expectEmpty, fillTable, makeSchema, refuseStoreInUse } from './fill.ts'
import { addCarriedJobs, jobColumns, makeTableOfJobs } from './jobs.ts'
import { copyMedia, refuseMissing } from './media.ts'
import { checkPart, readParts } from './parts.ts'
import type { BackupPlace } from './place.ts'
import { type ReportProgress, RowProgress } from './progress.ts'
import { type FoundBackup, findBackup } from './read-backup.ts'
import { inSession } from './session.ts'
import { otherUsersOf } from './tables.ts'

export interface RestoreParts {
  /** Opened without migrating; it has no schema, or is empty. */
  store: Store
  media: MediaStore
  place: BackupPlace
  /** Creates the queues of this version in a store. */
  prepareQueue: (store: Store) => Promise<void>
  progress: ReportProgress
  signal: AbortSignal
}

export interface RestoreSummary {
  backup: string
  takenAt: string
  /** Version of Rivalscope that wrote the backup. */
  version: string
  tables: number
  rows: number
  media: number
  /** Migrations that were applied after those of the backup. */
  migrated: string[]
}

/** Finds a backup that this version can restore. @throws BackupError as `findBackup`, and when a newer version wrote it */
export async function findRestorable(place: BackupPlace, named: string | undefined): Promise<FoundBackup> {
  const found = await findBackup(place, named)
  const known = await knownMigrations()
  const { migrations, version } = found.manifest
  const unknown = migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new BackupError(
      `The backup ${found.folder} was written by a newer version of Rivalscope, ${version} (it has ${unknown.join(', ')}). Restore it with that version. Nothing was changed.`,
    )
  return found
}

/**
 * Restores a backup into an empty store, in one transaction: completely or not at all. Checks each file against its hash before
 * anything is changed, and each filled table against the number of rows and the sum in the manifest. Then migrates the schema.
 * @throws BackupError
 */
export async function restoreBackup(
  parts: RestoreParts,
  { folder, manifest }: FoundBackup,
): Promise<RestoreSummary> {
  const { store, media, place, prepareQueue, progress, signal } = parts
  const { tables, jobs, migrations } = manifest
  await expectEmpty(store.db, migrations, 'restore')
  refuseStoreInUse(await otherUsersOf(store.db), 'The store')
  const files = [...tables, jobs].flatMap((one) => one.parts)
  for (const [at, part] of files.entries()) {
    signal.throwIfAborted()
    await checkPart(place, folder, part)
    progress({ label: 'checking', done: at + 1, total: files.length, unit: 'files' })
  }
  await prepareQueue(store)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const done = new RowProgress(progress, rows)
  const ended = await inSession(store, 'isolation level read committed', async (session) => {
    const { db, client } = session
    await makeSchema(session, migrations, tables)
    await emptyTables(session, tables)
    for (const table of tables) {
      const sum = new RowSum()
      const counted = sum.through(readParts(place, folder, table.parts), (rows) => done.rows(table.name, rows))
      await fillTable(session, table, counted, () => expected(folder, table, sum.content), signal)
      done.end(table.rows)
    }
    const carried = { name: await makeTableOfJobs(db), columns: jobColumns }
    await copyIntoTable(client, carried, readParts(place, folder, jobs.parts), signal)
    await addCarriedJobs(store, db)
    const except = new Set(manifest.media.missing)
    const copied = await copyMedia(db, place.media, media, { signal, progress, except })
    refuseMissing(folder, copied)
    return { media: copied.objects, migrated: await applyMigrations(db) }
  }).catch((error: unknown) => {
    throw asFullDiskError(error, 'the store or of its kept media', 'Nothing was restored.')
  })
  await analyze(store.db, tables)
  const { takenAt, version } = manifest
  return { backup: folder, takenAt, version, tables: tables.length, rows, ...ended }
}

/** The content that a table should have, after checking that its files held just that. */
function expected(
  folder: string,
  { name, rows, sum }: TableContent & { name: string },
  read: TableContent,
): TableContent {
  if (read.rows === rows && read.sum === sum) return { rows, sum }
  throw new BackupError(
    `The backup ${folder} is damaged: its rows of ${name} are not those that it says. Nothing was restored; name another backup with --backup.`,
  )
}
