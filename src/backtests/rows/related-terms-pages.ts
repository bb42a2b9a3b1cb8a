import { sql } from 'kysely'
import { isTelling, type Surroundings, type TermPage } from '../../domain/aso/keywords/related-terms.ts'
import { searchCatalogue } from '../../domain/catalogue/search.ts'
import { type Database, rows } from '../../storage/database.ts'
import { termWords } from '../../text/term-words.ts'
import type { BacktestContext } from '../backtest.ts'

interface Asked {
  country: string
  term: string
}

/** Apps of a page that are compared. */
const places = 10

/** The first places of the newest page of each term, in their order; where none is stored, apps of the store's own search. */
export async function pagesOfTerms(
  { db, signal, progress }: BacktestContext,
  terms: readonly Asked[],
): Promise<{ pages: TermPage[]; stored: number }> {
  const pageOf = await storedPages(db, terms)
  const pages: TermPage[] = []
  for (const { country, term } of terms) {
    signal.throwIfAborted()
    const top = pageOf.get(keyOf({ country, term })) ?? (await standIn(db, country, term))
    pages.push({ term, top })
    progress(pages.length, terms.length)
  }
  return { pages, stored: pageOf.size }
}

const keyOf = ({ country, term }: Asked) => `${country} ${term}`

async function storedPages(db: Database, terms: readonly Asked[]): Promise<Map<string, string[]>> {
  const sent = JSON.stringify(terms.map(({ country, term }) => ({ country, term })))
  const found = await rows(
    db,
    sql<Asked & { top: string[] }>`
      select t.country, t.term, to_json(n.top::text[]) as top
      from json_to_recordset(${sent}::json) as sent(country text, term text)
      join term_names t on t.country = sent.country and t.term = sent.term
      join newest_pages n using (term_id)`,
  )
  return new Map(found.map(({ top, ...asked }) => [keyOf(asked), top]))
}

async function standIn(db: Database, country: string, q: string): Promise<string[]> {
  const { apps } = await searchCatalogue(db, { q, country, filters: {}, sort: 'relevance', limit: places })
  return apps.map(({ storeId }) => storeId)
}

/** What is known around each of these terms, as if their pages were all that is stored of the storefront. */
export function surroundingsAmong(country: string, all: readonly TermPage[]) {
  const telling = all.filter(isTelling)
  const countOf = (things: Iterable<string>) => {
    const counts = new Map<string, number>()
    for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1)
    return counts
  }
  const pagesWith = countOf(telling.flatMap(({ top }) => top))
  const termsWith = countOf(all.flatMap(({ term }) => [...termWords(term, country)]))
  return (page: TermPage, others: readonly TermPage[]): Surroundings => ({
    ...page,
    country,
    pages: telling.length,
    pagesWith,
    termsWith,
    others,
  })
}
