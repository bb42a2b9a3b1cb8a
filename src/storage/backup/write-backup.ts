import { sql } from 'kysely'
import { type Database, firstRow } from '../database.ts'
import type { MediaStore } from '../media-store.ts'
import { appliedMigrations } from '../migrate.ts'
import type { Store } from '../store.ts'
import { copyOutOfTable, copyQuery, RowSum } from './copy.ts'
import { asFullDiskError, BackupError } from './error.ts'
import { unfinishedJobs } from './jobs.ts'
import { type BackupManifest, formatNumber, sealManifest } from './manifest.ts'
import { copyMedia, type MediaCopied } from './media.ts'
import { writeParts } from './parts.ts'
import { type BackupPlace, backupFolderAt, manifestFile } from './place.ts'
import { type ReportProgress, RowProgress } from './progress.ts'
import { finishedBackups } from './read-backup.ts'
import { inSession } from './session.ts'
import { estimatedRows, isDistributed, storedTables, tableNames, withLockIfFree } from './tables.ts'

export interface BackupParts {
  store: Store
  media: MediaStore
  place: BackupPlace
  /** Version of Rivalscope. */
  version: string
  progress: ReportProgress
  signal: AbortSignal
}

export interface BackupSummary {
  backup: string
  tables: number
  rows: number
  /** Size of the compressed tables. */
  bytes: number
  media: Omit<MediaCopied, 'missing'> & { missing: number }
  /** Folders of older backups that were removed. */
  removed: string[]
}

/**
 * Writes a backup: all tables in one consistent state, while others read and write, and the kept media that the place does
 * not have yet. A failed backup is removed again, and a killed one has no manifest: neither can be restored.
 * @param keep how many finished backups stay in the place; all when left out
 * @throws BackupError
 */
export async function writeBackup(parts: BackupParts, keep?: number): Promise<BackupSummary> {
  const { store, place } = parts
  if (await isDistributed(store.db))
    throw new BackupError(
      'The store is distributed over a cluster, whose nodes have no common state that could be copied. Back up each node as its PostgreSQL does: pg_basebackup, or snapshots of the disks.',
    )
  const turn = await withLockIfFree(store.db, 'backup', async () => {
    const folder = backupFolderAt(new Date())
    await removeUnfinished(place)
    try {
      const written = await writeAll(parts, folder)
      return { ...written, removed: await removeOld(place, keep) }
    } catch (error) {
      await place.remove(folder).catch(() => {})
      throw asFullDiskError(
        error,
        place.name,
        'What was written of this backup was removed; earlier ones are as they were.',
      )
    }
  })
  if (!turn) throw new BackupError('Another backup of this store is under way. Wait for its end.')
  return turn.result
}

async function writeAll(parts: BackupParts, folder: string): Promise<Omit<BackupSummary, 'removed'>> {
  const { store, media, place, version, signal, progress } = parts
  const { manifest, copied } = await inSession(store, 'isolation level repeatable read', async (session) => {
    const { db, client } = session
    await lockTables(store, db, 'access share')
    const stored = await storedTables(db)
    const state = await firstRow(
      db,
      sql<{ takenAt: Date; postgresql: string }>`
        select now() as "takenAt", current_setting('server_version') as postgresql`,
    )
    const names = stored.map(({ name }) => name)
    const done = new RowProgress(progress, await estimatedRows(db, names))
    const tables: BackupManifest['tables'] = []
    for (const table of stored) {
      const written = await writeRows(parts, folder, table.name, copyOutOfTable(client, table), done)
      tables.push({ ...table, ...written })
    }
    const jobs = await writeRows(parts, folder, 'jobs', copyQuery(client, unfinishedJobs), done)
    const copied = await copyMedia(db, media, place.media, { signal, progress })
    const { objects, bytes, missing } = copied
    const manifest: BackupManifest = {
      format: formatNumber,
      version,
      takenAt: (state?.takenAt ?? new Date()).toISOString(),
      postgresql: state?.postgresql ?? '',
      migrations: await appliedMigrations(db),
      tables,
      jobs,
      media: { objects, bytes, missing },
    }
    return { manifest, copied }
  })
  signal.throwIfAborted()
  await place.write(`${folder}/${manifestFile}`, once(Buffer.from(sealManifest(manifest))))
  const { tables, jobs } = manifest
  return {
    backup: folder,
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    bytes: [...tables, jobs].flatMap((one) => one.parts).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    media: { ...copied, missing: copied.missing.length },
  }
}

async function writeRows(
  { place, signal }: BackupParts,
  folder: string,
  name: string,
  chunks: AsyncIterable<Buffer>,
  done: RowProgress,
) {
  const sum = new RowSum()
  const counted = sum.through(chunks, (rows) => done.rows(name, rows))
  const parts = await writeParts(place, folder, `tables/${name}`, counted, signal)
  done.end(sum.content.rows)
  return { ...sum.content, parts }
}

/**
 * Locks all tables of a store until the end of the caller's transaction, so that no table is replaced meanwhile, as a replay
 * does. The transaction takes its snapshot afterwards.
 */
export async function lockTables(
  store: Store,
  transaction: Database,
  mode: 'access share' | 'share',
): Promise<void> {
  // Listed on another connection: the first read of the transaction fixes its snapshot.
  const tables = await tableNames(store.db)
  const named = tables.map((table) => sql.table(`public.${table}`))
  await sql`lock table ${sql.join(named)} in ${sql.raw(mode)} mode`.execute(transaction)
}

async function* once(content: Buffer) {
  yield content
}

/** A backup without a manifest that is older than this was killed. */
const underWayForMs = 12 * 3_600_000

/** Removes what killed backups left, but not what another store may still be writing. */
async function removeUnfinished(place: BackupPlace): Promise<void> {
  const finished = new Set(await finishedBackups(place))
  for (const folder of await place.folders())
    if (!finished.has(folder) && folder < backupFolderAt(new Date(Date.now() - underWayForMs)))
      await place.remove(folder)
}

async function removeOld(place: BackupPlace, keep: number | undefined): Promise<string[]> {
  if (keep === undefined) return []
  const old = (await finishedBackups(place)).slice(0, -keep)
  for (const folder of old) await place.remove(folder)
  return old
}
