import { sql } from 'kysely'
import { usualShards } from '../vocabulary/shards.ts'
import { type Database, firstRow, inTransaction, rows } from './database.ts'
import type { Store } from './store.ts'

/** A store that cannot be distributed, and why. */
export class ClusterError extends Error {
  override name = 'ClusterError'
}

/** A table of the schema, and how a cluster distributes it. */
export interface PartedTable {
  table: string
  /** The comment of the table, as migrations/0011_growth.sql says it. */
  said: string | null
  /** The distribution column; undefined for a small table. */
  by: string | undefined
}

/** The tables of the schema, by their names. */
export async function partedTables(db: Database): Promise<PartedTable[]> {
  const tables = await rows(
    db,
    sql<{ table: string; said: string | null }>`
      select relname as table, obj_description(oid, 'pg_class') as said from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely%'
      order by 1`,
  )
  return tables.map(({ table, said }) => ({ table, said, by: /^by (\w+):/.exec(said ?? '')?.[1] }))
}

export interface Distribution {
  /** Shards of each table that grows. */
  shards: number
  workers: number
  /** What was distributed by this call, by their names; empty when nothing was left to do. */
  distributed: string[]
}

/**
 * Distributes what grows over the workers of a cluster of Citus, each table by the column that its comment names, those of one
 * column side by side; copies what they refer to onto every node; and leaves the rest on the coordinator. Each table in a
 * transaction of its own: a call that was cut off is taken up by the next one. Rows that are there move along. Nobody else
 * should have the store open, since their sessions began without the settings of a cluster. Each call gives those anew.
 * @param shards as `usualShards` when left out; only the first call chooses
 * @throws ClusterError
 */
export async function distribute(store: Store, shards?: number): Promise<Distribution> {
  const { db } = store
  const workers = await workersOf(db)
  const present = await shardsOf(db)
  if (present !== undefined && shards !== undefined && shards !== present)
    throw new ClusterError(
      `The store is distributed over ${present} shards a table, and --shards ${shards} would cut it anew. Leave --shards out; alter_distributed_table of Citus changes the number.`,
    )
  const chosen = present ?? shards ?? usualShards
  const database = await firstRow(db, sql<{ name: string }>`select current_database() as name`)
  await settleSessionsOfCluster(db, database?.name ?? '')
  return { shards: chosen, workers, distributed: await distributeRest(store, chosen) }
}

/** Distributes what later migrations made, on a store that is distributed; does nothing on any other. */
export async function distributeNew(store: Store): Promise<void> {
  const shards = await shardsOf(store.db)
  if (shards !== undefined) await distributeRest(store, shards)
}

/** @throws ClusterError where there is no cluster */
async function workersOf(db: Database): Promise<number> {
  const there = await firstRow(
    db,
    sql<{ available: boolean; installed: boolean }>`
      select exists (select 1 from pg_available_extensions where name = 'citus') as available,
        exists (select 1 from pg_extension where extname = 'citus') as installed`,
  )
  if (!there?.installed)
    throw new ClusterError(
      there?.available
        ? 'The database is no cluster yet: on each node, run create extension citus in a database of this name, then add the workers with citus_add_node on the coordinator.'
        : 'This PostgreSQL has no Citus. Install it on each node, and add it to shared_preload_libraries: https://docs.citusdata.com.',
    )
  const [coordinator] = await rows(
    db,
    sql<{ here: boolean; workers: number; named: boolean }>`
      select (select groupid = 0 from pg_dist_local_group) as here,
        count(*) filter (where groupid <> 0 and noderole = 'primary' and isactive)::int as workers,
        coalesce(bool_or(groupid = 0), false) as named
      from pg_dist_node`,
  )
  if (!coordinator?.here)
    throw new ClusterError('--database-url names a worker of the cluster: name its coordinator.')
  if (coordinator.workers === 0)
    throw new ClusterError(
      'No worker has joined the cluster. Add each on the coordinator: select citus_add_node(host, port).',
    )
  if (!coordinator.named)
    throw new ClusterError(
      'The workers do not know where the coordinator is. Tell them: select citus_set_coordinator_host(host, port).',
    )
  return coordinator.workers
}

/** Whether what grows is distributed over workers. */
export async function isDistributed(db: Database): Promise<boolean> {
  return (await shardsOf(db)) !== undefined
}

/** Into how many shards the tables are cut; undefined for a store that is not distributed. */
async function shardsOf(db: Database): Promise<number | undefined> {
  const there = await firstRow(
    db,
    sql<{ there: boolean }>`select to_regclass('pg_dist_partition') is not null as there`,
  )
  if (!there?.there) return undefined
  const found = await firstRow(
    db,
    sql<{ shards: number }>`
      select c.shardcount as shards
      from pg_dist_partition p join pg_dist_colocation c using (colocationid) join pg_class t on t.oid = p.logicalrelid
      where p.partmethod = 'h' and t.relnamespace = 'public'::regnamespace
      limit 1`,
  )
  return found?.shards
}

async function distributeRest(store: Store, shards: number): Promise<string[]> {
  const { db } = store
  const stillToDo = async () => {
    const tables = await partedTables(db)
    const done = await distributedTables(db)
    return {
      tables,
      done,
      left: [...(await copiedTables(db)), ...growing(tables)].filter((table) => !done.has(table)),
    }
  }
  if ((await stillToDo()).left.length === 0) return []
  return store.alone('cluster', async () => {
    const { tables, done, left } = await stillToDo()
    const columns = new Map(tables.map(({ table, by }) => [table, by]))
    await copyOntoNodes(
      db,
      left.filter((table) => columns.get(table) === undefined),
    )
    const first = new Map<string, string>()
    for (const { table, by } of tables) if (by !== undefined && done.has(table)) first.set(by, table)
    for (const table of left) {
      const by = columns.get(table)
      if (by === undefined) continue
      const beside = first.get(by)
      const where = beside
        ? sql`colocate_with => ${beside}`
        : sql`colocate_with => 'none', shard_count => ${shards}::int`
      await withSettings(db, async (own) => {
        await sql`select create_distributed_table(${table}, ${by}, ${where})`.execute(own)
        // Its rows have moved; what is left of them on the coordinator is only room.
        await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(own)
      })
      if (!beside) first.set(by, table)
    }
    return left
  })
}

const growing = (tables: readonly PartedTable[]) =>
  tables.filter(({ by }) => by !== undefined).map(({ table }) => table)

/** Small tables that every node holds: those that growing ones refer to. */
async function copiedTables(db: Database): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ table: string }>`
      select distinct r.relname as table
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace and not c.relispartition
        and obj_description(c.oid, 'pg_class') like 'by %'
      order by 1`,
  )
  return found.map(({ table }) => table)
}

async function distributedTables(db: Database): Promise<Set<string>> {
  const found = await rows(
    db,
    sql<{ table: string }>`
      select c.relname as table from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = 'public'::regnamespace and (p.partmethod = 'h' or p.repmodel = 't')`,
  )
  return new Set(found.map(({ table }) => table))
}

/**
 * What every session of a distributed store needs, whoever opens it. A month that begins is made in the transaction that brings
 * its first row, which Citus refuses where it has written to several shards at once before. A join that would send whole tables
 * from worker to worker is refused: chosen rows are joined as a list.
 */
const settings = { 'citus.multi_shard_modify_mode': 'sequential', 'citus.enable_repartition_joins': 'off' }

/** Gives the settings of a cluster to all sessions of a database that begin from now on. */
export async function settleSessionsOfCluster(db: Database, database: string): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql`alter database ${sql.id(database)} set ${sql.raw(name)} to ${sql.lit(value)}`.execute(db)
}

async function copyOntoNodes(db: Database, tables: readonly string[]): Promise<void> {
  await withSettings(db, async (own) => {
    for (const table of tables) {
      await sql`select create_reference_table(${table})`.execute(own)
      await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(own)
    }
  })
}

/**
 * A transaction with the settings of a cluster, which this session may have begun without. Citus makes tables anew that are
 * distributed, and those with foreign keys to them, without their comments: they are given back.
 */
async function withSettings(db: Database, work: (transaction: Database) => Promise<void>): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    for (const [name, value] of Object.entries(settings))
      await sql`select set_config(${name}, ${value}, true)`.execute(transaction)
    const before = await partedTables(transaction)
    await work(transaction)
    const after = new Map((await partedTables(transaction)).map(({ table, said }) => [table, said]))
    for (const { table, said } of before)
      if (said !== null && after.get(table) !== said)
        await sql`comment on table ${sql.table(table)} is ${sql.lit(said)}`.execute(transaction)
  })
}
