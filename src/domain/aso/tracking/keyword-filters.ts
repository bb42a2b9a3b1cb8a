import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'

/** A filter of the tables of keywords, by the name that its account gave it. */
interface KeywordFilter {
  /** Of one account each name is one filter. */
  name: string
  /** The query of the address that shows it, without its question mark. */
  query: string
  savedAt: Date
}

/** Most filters of an account. */
export const maxKeywordFilters = 100

/** The filters of an account, by name. */
export function keywordFiltersOf(db: Database, accountId: string): Promise<KeywordFilter[]> {
  return rows(
    db,
    sql<KeywordFilter>`
      select name, query, saved_at as "savedAt" from keyword_filters
      where account_id = ${accountId}::uuid order by lower(name), name`,
  )
}

/**
 * Keeps a filter, in place of the one that has its name. Runs in a transaction in which writes of the account follow one another.
 * @returns `known` where there was one; `full` where the account has no room for another one; nothing is stored then
 */
export async function keepKeywordFilter(
  db: Database,
  accountId: string,
  { name, query }: Omit<KeywordFilter, 'savedAt'>,
): Promise<'created' | 'known' | 'full'> {
  const there = await firstRow(
    db,
    sql<{ filters: number; isKnown: boolean }>`
      select count(*)::int as filters, coalesce(bool_or(name = ${name}), false) as "isKnown"
      from keyword_filters where account_id = ${accountId}::uuid`,
  )
  const isKnown = there?.isKnown ?? false
  if (!isKnown && (there?.filters ?? 0) >= maxKeywordFilters) return 'full'
  await sql`
    insert into keyword_filters (account_id, name, query) values (${accountId}::uuid, ${name}, ${query})
    on conflict (account_id, name) do update set query = excluded.query, saved_at = now()`.execute(db)
  return isKnown ? 'known' : 'created'
}

/** Gives up a filter of an account. @returns whether there was one */
export async function dropKeywordFilter(db: Database, accountId: string, name: string): Promise<boolean> {
  const gone = await rows(
    db,
    sql<{ name: string }>`
      delete from keyword_filters where account_id = ${accountId}::uuid and name = ${name} returning name`,
  )
  return gone.length > 0
}
