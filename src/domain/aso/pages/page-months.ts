import { sql } from 'kysely'
import type { Database } from '../../../storage/database.ts'

/** The months, by their first day, of the newest page of a term before and after a write; null without a page. */
export interface NewestMonth {
  country: string
  before: string | null
  after: string | null
}

/** Counts newest pages by storefront and month, once a transaction: other writers of the storefront wait for its end. */
export async function countPageMonths(db: Database, changes: readonly NewestMonth[]): Promise<void> {
  const sums = new Map<string, number>()
  const add = (country: string, month: string | null, terms: number) => {
    const key = `${country} ${month}`
    if (month !== null) sums.set(key, (sums.get(key) ?? 0) + terms)
  }
  for (const { country, before, after } of changes) {
    add(country, before, -1)
    add(country, after, 1)
  }
  const sent = [...sums].flatMap(([key, terms]) => {
    const [country = '', month] = key.split(' ')
    return terms === 0 ? [] : [{ country, month, terms }]
  })
  if (sent.length === 0) return
  // In one order everywhere, so that writers cannot deadlock.
  await sql`
    insert into page_months as counted (country, month, terms)
    select country, month, terms
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent(country text, month date, terms integer)
    order by country, month
    on conflict (country, month) do update set terms = counted.terms + excluded.terms`.execute(db)
  const left = new Set(sent.filter(({ terms }) => terms < 0).map(({ country }) => country))
  if (left.size > 0)
    await sql`delete from page_months where terms = 0 and country = any(${[...left]}::text[])`.execute(db)
}
