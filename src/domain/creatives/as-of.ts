import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'

const dayMs = 86_400_000

/**
 * The moment a search ranks and narrows by: the end of the UTC day of the newest evidence. It is not the clock's, so the
 * same evidence gives the same list whenever it is asked for. 1970 while nothing is stored.
 * @param column seconds since 1970
 */
export async function endOfNewestDay(
  db: Database,
  table: 'post_search' | 'ad_standing',
  column: 'published' | 'observed',
): Promise<Date> {
  const newest = await firstRow(
    db,
    sql<{ seconds: number }>`
      select ${sql.ref(column)} as seconds from ${sql.table(table)} where ${sql.ref(column)} > '-infinity'
      order by ${sql.ref(column)} desc limit 1`,
  )
  return new Date(Math.ceil(((newest?.seconds ?? 0) * 1_000) / dayMs) * dayMs)
}
