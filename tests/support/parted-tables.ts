import { sql } from 'kysely'
import { type Database, rows } from '../../src/storage/database.ts'

export interface PartedTable {
  table: string
  /** The comment of the table, as migrations/0011_growth.sql says it. */
  said: string | null
  /** The distribution column in a cluster; undefined for a small table. */
  by: string | undefined
}

/** The tables of the schema, and how a cluster would distribute each. */
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
