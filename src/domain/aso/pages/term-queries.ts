import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { termWords } from '../../../text/term-words.ts'
import type { AnswerFailure } from '../../../vocabulary/failure-kinds.ts'
import { halfOf } from './beginnings.ts'

/** A term of a storefront. */
export interface TermName {
  country: string
  /** Normalised. */
  term: string
}

/** Why collecting data on a term failed. */
export interface TermFailure {
  at: Date
  code: AnswerFailure
  message: string
}

export interface TermRow extends TermName {
  termId: number
}

/**
 * The rows of terms, creating missing ones, in one order everywhere, so that writers cannot deadlock. They stay locked
 * until the transaction ends: pages of one term are stored one after another.
 * @returns unordered, and which of them are new
 */
export async function lockTerms(
  db: Database,
  names: readonly TermName[],
): Promise<{ terms: TermRow[]; fresh: number[] }> {
  // Arrays instead of JSON: the planner knows their length, and does not scan all terms.
  const sent = sql`
    select distinct country, term, half
    from unnest(${names.map(({ country }) => country)}::text[], ${names.map(({ term }) => term)}::text[],
      ${names.map(({ term }) => halfOf(term))}::text[]) as s(country, term, half)`
  const fresh = await rows(
    db,
    sql<TermName & { termId: number }>`
      insert into term_names (country, term, half)
      select sent.country, sent.term, sent.half from (${sent}) sent
      left join term_names t on t.country = sent.country and t.term = sent.term
      where t.term_id is null
      order by sent.country, sent.term
      on conflict do nothing
      returning term_id as "termId", country, term`,
  )
  const terms = await rows(
    db,
    sql<TermRow>`
      select t.term_id as "termId", t.country, t.term
      from term_names t
      join (${sent}) sent on sent.country = t.country and sent.term = t.term
      order by t.term_id
      for update of t`,
  )
  return { terms, fresh: fresh.map(({ termId }) => termId) }
}

/**
 * Indexes terms by their words for `termsOfWords`. Only done for terms with a page: which terms an account tracks must
 * not become visible to others.
 */
export async function writeWords(
  db: Database,
  terms: readonly (TermName & { termId: number })[],
): Promise<void> {
  const words = terms.flatMap(({ termId, country, term }) =>
    [...termWords(term, country)].map((word) => ({ termId, country, word })),
  )
  await sql`
    insert into term_words (country, word, term_id)
    select country, word, "termId"
    from json_to_recordset(${JSON.stringify(words)}::json) as sent(country text, word text, "termId" integer)
    on conflict do nothing`.execute(db)
}

/** Reindexes terms with a page. @param termIds of terms that have one */
export async function renewTermWords(db: Database, termIds: readonly string[]): Promise<void> {
  const terms = await rows(
    db,
    sql<TermRow>`
      select term_id as "termId", country, term from term_names
      where term_id = any(${termIds}::integer[]) order by term_id for update`,
  )
  await sql`delete from term_words where term_id = any(${termIds}::integer[])`.execute(db)
  await writeWords(db, terms)
}

/** Ids of known terms, by term. */
export async function knownTerms(
  db: Database,
  country: string,
  terms: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows(
    db,
    sql<{ termId: number; term: string }>`
      select term_id as "termId", term from terms
      where country = ${country} and term in (select json_array_elements_text(${JSON.stringify(terms)}::json))`,
  )
  return new Map(found.map(({ termId, term }) => [term, termId]))
}
