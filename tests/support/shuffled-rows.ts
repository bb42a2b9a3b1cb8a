import { sql } from 'kysely'
import { type Database, inTransaction, rows } from '../../src/storage/database.ts'

/** Rewrites every row of every table in random order, so that a query without `order by` returns another order. */
export function shuffleRows(db: Database): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const tables = await rows(
      transaction,
      sql<{ name: string; columns: string }>`
        select quote_ident(c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.attgenerated = ''
        group by c.relname`,
    )
    // Rows may be written before those they refer to.
    await sql`set local session_replication_role = replica`.execute(transaction)
    for (const { name, columns } of tables) {
      const [table, named] = [sql.raw(name), sql.raw(columns)]
      await sql`create temp table shuffled on commit drop as select ${named} from ${table} order by random()`.execute(
        transaction,
      )
      await sql`delete from ${table}`.execute(transaction)
      await sql`insert into ${table} (${named}) overriding system value select ${named} from shuffled`.execute(
        transaction,
      )
      await sql`drop table shuffled`.execute(transaction)
    }
  })
}
