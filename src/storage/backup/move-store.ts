import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../database.ts'
import type { MediaStore } from '../media-store.ts'
import { appliedMigrations, knownMigrations, moveSchema } from '../migrate.ts'
import type { Store } from '../store.ts'
import {
  copyIntoTable,
  copyOutOfTable,
  copyQuery,
  isSameContent,
  RowSum,
  type TableContent,
  tableContentOf,
} from './copy.ts'
import { asFullDiskError, BackupError } from './error.ts'
import { analyze, emptyTables, expectEmpty, fillTable, makeSchema, refuseStoreInUse } from './fill.ts'
import { addCarriedJobs, jobColumns, makeTableOfJobs, unfinishedJobs } from './jobs.ts'
import { copyMedia, type MediaCopied } from './media.ts'
import { type ReportProgress, RowProgress } from './progress.ts'
import { type BackupSession, inSession } from './session.ts'
import {
  estimatedRows,
  isDistributed,
  otherUsersOf,
  type StoredTable,
  storedTables,
  withLockIfFree,
} from './tables.ts'
import { lockTables } from './write-backup.ts'

export interface MoveParts {
  /** Both are opened as they are, without migrating. */
  source: Store
  target: Store
  /** From where to where kept media are copied; undefined where both stores use the same media store. */
  media: { from: MediaStore; to: MediaStore } | undefined
  prepareQueue: (store: Store) => Promise<void>
  progress: ReportProgress
  signal: AbortSignal
}

export interface MoveSummary {
  tables: number
  rows: number
  /** Number of tables that an earlier run of this move had moved. */
  movedBefore: number
  media: Omit<MediaCopied, 'missing'> & { missing: number }
}

/**
 * Moves a store into an empty one, each table in its own transaction. The source is only read, and nobody may write to it
 * meanwhile. An interrupted move continues with the missing tables, unless the source has changed since: then it starts
 * over. The target cannot be opened before the move ends.
 * @throws BackupError
 */
export async function moveStore(parts: MoveParts): Promise<MoveSummary> {
  const { source, target } = parts
  await expectMovable(parts)
  const turn = await withLockIfFree(source.db, 'move', () =>
    inSession(source, 'isolation level repeatable read', async (from) => {
      await lockTables(source, from.db, 'share')
      return moveAll(parts, from)
    }),
  ).catch((error: unknown) => {
    throw asFullDiskError(
      error,
      'the target',
      'The source is as it was; the same command goes on when there is room.',
    )
  })
  if (!turn) throw new BackupError('Another move of this store is under way. Wait for its end.')
  await analyze(target.db, await storedTables(target.db))
  return turn.result
}

async function expectMovable({ source, target }: MoveParts): Promise<void> {
  for (const { db } of [source, target])
    if (await isDistributed(db))
      throw new BackupError(
        'A store that is distributed over a cluster is not moved: its nodes have no common state.',
      )
  const applied = await appliedMigrations(source.db)
  if (applied.join() !== (await knownMigrations()).join())
    throw new BackupError('The schema of the store is not of this version. Run rivalscope migrate first.')
  if (await isSameDatabase(source.db, target.db))
    throw new BackupError('The store is there already: --to names the store itself.')
  refuseStoreInUse(await otherUsersOf(source.db), 'The store')
  refuseStoreInUse(await otherUsersOf(target.db), 'The target of --to')
}

/** Whether both are the same database, whatever their addresses: then the session of one is visible in the other. */
async function isSameDatabase(one: Database, other: Database): Promise<boolean> {
  return inTransaction(one, async (held) => {
    const session = await firstRow(
      held,
      sql<{ pid: number; since: string }>`
        select pid, backend_start::text as since from pg_stat_activity where pid = pg_backend_pid()`,
    )
    const seen = await firstRow(
      other,
      sql`
        select from pg_stat_activity
        where pid = ${session?.pid}::int and backend_start::text = ${session?.since}::text
          and datname = current_database()`,
    )
    return seen !== undefined
  })
}

async function moveAll(parts: MoveParts, from: BackupSession): Promise<MoveSummary> {
  const { target, media, progress, signal } = parts
  const tables = await storedTables(from.db)
  const names = tables.map(({ name }) => name)
  const done = new RowProgress(progress, await estimatedRows(from.db, names))
  const before = await beginOrGoOn(parts, from, tables, done)
  let rows = before.rows
  for (const table of tables) {
    if (before.tables.has(table.name)) continue
    const sum = new RowSum()
    const counted = sum.through(copyOutOfTable(from.client, table), (moved) => done.rows(table.name, moved))
    await inSession(target, 'isolation level read committed', async (to) => {
      await fillTable(to, table, counted, () => sum.content, signal)
      await note(to.db, table.name, sum.content)
    })
    rows += sum.content.rows
    done.end(sum.content.rows)
  }
  const copied = media
    ? await copyMedia(from.db, media.from, media.to, { signal, progress })
    : { objects: 0, bytes: 0, copied: 0, missing: [] }
  await inSession(target, 'isolation level read committed', async (to) => {
    const carried = { name: await makeTableOfJobs(to.db), columns: jobColumns }
    await copyIntoTable(to.client, carried, copyQuery(from.client, unfinishedJobs), signal)
    await addCarriedJobs(target, to.db)
    await sql`drop schema ${sql.id(moveSchema)} cascade`.execute(to.db)
  })
  const { objects, bytes, missing } = copied
  return {
    tables: tables.length,
    rows,
    movedBefore: before.tables.size,
    media: { objects, bytes, copied: copied.copied, missing: missing.length },
  }
}

interface MovedBefore {
  tables: Set<string>
  rows: number
}

/** Prepares the target, or finds the tables that an interrupted move filled. @throws BackupError if it had another source */
async function beginOrGoOn(
  { target, prepareQueue, signal }: MoveParts,
  from: BackupSession,
  tables: readonly StoredTable[],
  done: RowProgress,
): Promise<MovedBefore> {
  const secret = await secretOf(from.db)
  const begun = await begunMove(target.db)
  if (begun === undefined) {
    const migrations = await appliedMigrations(from.db)
    await expectEmpty(target.db, migrations, 'move')
    await prepareQueue(target)
    await inSession(target, 'isolation level read committed', async (to) => {
      await makeSchema(to, migrations, tables)
      await begin(to, tables, secret)
    })
    return { tables: new Set(), rows: 0 }
  }
  if (begun !== secret)
    throw new BackupError(
      'The target of --to holds the beginning of a move from another store. Name an empty one. Nothing was changed.',
    )
  const noted = new Map((await notedTables(target.db)).map(({ name, ...content }) => [name, content]))
  const before: MovedBefore = { tables: new Set(), rows: 0 }
  for (const table of tables) {
    const there = noted.get(table.name)
    if (!there) continue
    const now = await tableContentOf(from.client, table, signal)
    if (!isSameContent(now, there)) {
      await inSession(target, 'isolation level read committed', (to) => begin(to, tables, secret))
      return { tables: new Set(), rows: 0 }
    }
    before.tables.add(table.name)
    before.rows += now.rows
    done.rows(table.name, now.rows)
    done.end(now.rows)
  }
  return before
}

/** Empties the target, and records that a move has begun. */
async function begin(to: BackupSession, tables: readonly StoredTable[], secret: string): Promise<void> {
  const { db } = to
  await sql`drop schema if exists ${sql.id(moveSchema)} cascade`.execute(db)
  await sql`create schema ${sql.id(moveSchema)}`.execute(db)
  await sql`create table ${sql.table(`${moveSchema}.source`)} (secret text not null)`.execute(db)
  await sql`insert into ${sql.table(`${moveSchema}.source`)} values (${secret})`.execute(db)
  await sql`create table ${sql.table(`${moveSchema}.tables`)} (name text primary key, rows bigint not null, sum text not null)`.execute(
    db,
  )
  await emptyTables(to, tables)
}

async function note(db: Database, table: string, { rows, sum }: TableContent): Promise<void> {
  await sql`insert into ${sql.table(`${moveSchema}.tables`)} values (${table}, ${rows}, ${sum})`.execute(db)
}

const notedTables = (db: Database) =>
  rows(
    db,
    sql<TableContent & { name: string }>`
      select name, rows::float8 as rows, sum from ${sql.table(`${moveSchema}.tables`)}`,
  )

/** The source of the unfinished move into this store, as `secretOf`; undefined when there is none. */
async function begunMove(db: Database): Promise<string | undefined> {
  const there = await firstRow(
    db,
    sql<{ isThere: boolean }>`select to_regclass(${`${moveSchema}.source`}) is not null as "isThere"`,
  )
  if (!there?.isThere) return undefined
  return (await firstRow(db, sql<{ secret: string }>`select secret from ${sql.table(`${moveSchema}.source`)}`))
    ?.secret
}

/** Identifies a store by a hash of its secret. */
async function secretOf(db: Database): Promise<string> {
  const found = await firstRow(
    db,
    sql<{ secret: string }>`select encode(secret, 'hex') as secret from store_secret`,
  )
  return hash('sha256', found?.secret ?? '')
}
