import { sql } from 'kysely'
import { countsIn } from '../../domain/aso/pages/page-writes.ts'
import { firstRow, rows } from '../../storage/database.ts'
import { countedByMonth, type RetainedKind, withParts } from './kind.ts'

/** Whether the newest page of a term, of `term_states`, is of a later month than one that begins on a day. */
const goneBy = (first: ReturnType<typeof sql>) =>
  sql`coalesce(t.page_day >= ${first} + interval '1 month', false)`

/**
 * Result pages and the ranks in them, by the month of their storefront day. The month of the newest page of a term stays, however old
 * it is, and so do pages in doubt that no later one has settled.
 */
export const resultPages: RetainedKind = {
  unit: 'pages',
  areas: ['keywords'],
  async newest(db) {
    const found = await firstRow(db, sql<{ at: Date | null }>`select max(captured_at) as at from result_pages`)
    return found?.at ?? undefined
  },
  async months(db, until) {
    const pages = await countedByMonth(
      db,
      'result_pages',
      {
        from: sql`result_pages p join term_states t using (term_id)`,
        month: sql`to_char(p.day, 'YYYY-MM')`,
        goes: goneBy(sql`date_trunc('month', p.day)`),
      },
      until,
    )
    return withParts(pages, await bytesOfRanks(db))
  },
  async remove(db, month) {
    const first = sql`${`${month}-01`}::date`
    const of = (table: ReturnType<typeof sql>) => sql`t.term_id = ${table}.term_id and ${goneBy(first)}`
    const [removed] = await rows(
      db,
      sql<{ pages: number; terms: number[] | null }>`
        with gone as (
          delete from result_pages p using term_states t
          where ${of(sql`p`)} and p.day >= ${first} and p.day < ${first} + interval '1 month'
          returning p.term_id
        )
        select count(*)::int as pages, json_agg(distinct term_id) as terms from gone`,
    )
    await sql`delete from rank_months m using term_states t where ${of(sql`m`)} and m.month = ${first}`.execute(
      db,
    )
    await sql`delete from depth_months m using term_states t where ${of(sql`m`)} and m.month = ${first}`.execute(
      db,
    )
    const terms = sql`(select value::int from json_array_elements_text(${JSON.stringify(removed?.terms ?? [])}::json))`
    await sql`
      delete from duplicate_pages d
      where term_id in ${terms} and not exists (
        select from result_pages p where p.term_id = d.term_id and p.captured_at = d.captured_at)`.execute(db)
    // What an app that never ranked was looked for in is what is stored.
    await sql`
      update term_states t set pages = counted.pages, deepest = counted.deepest
      from (
        select p.term_id, count(*)::int as pages, max(p.depth) as deepest
        from result_pages p join term_states s on s.term_id = p.term_id
        where p.term_id in ${terms} and ${countsIn(sql`p`, sql`s`)} group by p.term_id
      ) counted
      where t.term_id = counted.term_id`.execute(db)
    return removed?.pages ?? 0
  },
}

/** Bytes of the ranks and depths of each month, by their share of the rows. */
async function bytesOfRanks(db: Parameters<RetainedKind['newest']>[0]): Promise<ReadonlyMap<string, number>> {
  const found = await rows(
    db,
    sql<{ month: string; bytes: number }>`
      select to_char(month, 'YYYY-MM') as month, sum(bytes)::float8 as bytes
      from (
        select month, count(*) * (pg_total_relation_size('rank_months') / sum(count(*)) over ()) as bytes
        from rank_months group by month
        union all
        select month, count(*) * (pg_total_relation_size('depth_months') / sum(count(*)) over ()) as bytes
        from depth_months group by month
      ) one
      group by month`,
  )
  return new Map(found.map(({ month, bytes }) => [month, Math.round(bytes)]))
}
