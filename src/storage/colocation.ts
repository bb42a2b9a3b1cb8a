import { sql } from 'kysely'
import { isDistributed } from './cluster.ts'
import { type Database, firstRow, rows } from './database.ts'

/**
 * Distributes a new, empty table over the nodes of a cluster so that it is co-located with another one, in the caller's
 * transaction. Does nothing where the other is a plain table, as all are on a single PostgreSQL.
 * @param made and `like`: as `schema.table`, or `table` where the search path finds it
 */
export async function distributeColocated(db: Database, made: string, like: string): Promise<void> {
  if (!(await isDistributed(db))) return
  const found = await firstRow(
    db,
    sql<{ by: string | null }>`
      select column_to_column_name(logicalrelid, partkey) as by from pg_dist_partition
      where logicalrelid = ${like}::regclass and (partmethod = 'h' or repmodel = 't')`,
  )
  if (!found) return
  await (found.by === null
    ? sql`select create_reference_table(${made})`
    : sql`select create_distributed_table(${made}, ${found.by}, colocate_with => ${like})`
  ).execute(db)
}

/**
 * Bytes on disk by name of table or partition, with indexes, large values and their own partitions; on a cluster summed over
 * all nodes.
 */
export async function bytesOnDisk(
  db: Database,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const bytes = (await isDistributed(db))
    ? sql`case when exists (select from pg_dist_partition where logicalrelid = relid) then citus_total_relation_size(relid)
        else pg_total_relation_size(relid) end`
    : sql`pg_total_relation_size(relid)`
  const found = await rows(
    db,
    sql<{ name: string; bytes: number }>`
      select name, sum(${bytes})::float8 as bytes
      from unnest(${[...tables]}::text[]) as name cross join lateral (
        select relid from pg_partition_tree(name::regclass) union select name::regclass
      ) part
      group by name`,
  )
  return new Map(found.map(({ name, bytes }) => [name, bytes]))
}
