import { sql } from 'kysely'
import { defaultShards } from '../vocabulary/shards.ts'
import { type Database, firstRow, inTransaction, rows } from './database.ts'
import type { Store } from './store.ts'

/** A store that cannot be distributed, with the reason. */
export class ClusterError extends Error {
  override name = 'ClusterError'
}

/** A table of the schema, and how a cluster distributes it. */
export interface DistributableTable {
  table: string
  /** The comment of the table, as in migrations/0011_growth.sql. */
  said: string | null
  /** The distribution column; undefined for a small table. */
  by: string | undefined
}

/** The tables of the schema, by their names. */
export async function distributableTables(db: Database): Promise<DistributableTable[]> {
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
  /** Shards of each large table. */
  shards: number
  workers: number
  /** Names of the tables that this call distributed; empty when all were distributed already. */
  distributed: string[]
}

/**
 * Distributes the large tables over the workers of a Citus cluster, each by the column that its comment names; tables with the
 * same column are co-located. Copies the tables they refer to onto every node, and leaves the rest on the coordinator. Each
 * table has its own transaction: an interrupted call is continued by the next one. Existing rows move along. Nobody else should
 * have the store open, since their sessions began without the settings of a cluster. Each call writes those settings again.
 * @param shards as `defaultShards` when left out; only the first call chooses
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
  const chosen = present ?? shards ?? defaultShards
  const database = await firstRow(db, sql<{ name: string }>`select current_database() as name`)
  await configureClusterSessions(db, database?.name ?? '')
  return { shards: chosen, workers, distributed: await distributeRest(store, chosen) }
}

/** Distributes the tables of later migrations on a distributed store; does nothing on any other. */
export async function distributeNewTables(store: Store): Promise<void> {
  const shards = await shardsOf(store.db)
  if (shards !== undefined) await distributeRest(store, shards)
}

/** The number of workers. @throws ClusterError where there is no cluster */
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

/** Whether the large tables are distributed over workers. */
export async function isDistributed(db: Database): Promise<boolean> {
  return (await shardsOf(db)) !== undefined
}

/** Shards of each large table; undefined for a store that is not distributed. */
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
    const tables = await distributableTables(db)
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
        // The rows have moved; the copy left on the coordinator only takes space.
        await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(own)
      })
      if (!beside) first.set(by, table)
    }
    return left
  })
}

const growing = (tables: readonly DistributableTable[]) =>
  tables.filter(({ by }) => by !== undefined).map(({ table }) => table)

/** Small tables that every node holds because large ones refer to them. */
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
 * Settings of every session of a distributed store. Sequential: the transaction that brings the first row of a month creates
 * its partition, which Citus refuses after parallel writes to several shards. Repartition joins, which send whole tables
 * between workers, are refused: selected rows are joined as a list instead.
 */
const settings = { 'citus.multi_shard_modify_mode': 'sequential', 'citus.enable_repartition_joins': 'off' }

/** Sets the settings of a cluster for all future sessions of a database. */
export async function configureClusterSessions(db: Database, database: string): Promise<void> {
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
 * Runs a transaction with the settings of a cluster, which this session may lack. Citus recreates distributed tables, and
 * those with foreign keys to them, without their comments: they are restored.
 */
async function withSettings(db: Database, work: (transaction: Database) => Promise<void>): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    for (const [name, value] of Object.entries(settings))
      await sql`select set_config(${name}, ${value}, true)`.execute(transaction)
    const before = await distributableTables(transaction)
    await work(transaction)
    const after = new Map((await distributableTables(transaction)).map(({ table, said }) => [table, said]))
    for (const { table, said } of before)
      if (said !== null && after.get(table) !== said)
        await sql`comment on table ${sql.table(table)} is ${sql.lit(said)}`.execute(transaction)
  })
}
