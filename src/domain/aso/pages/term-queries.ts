import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { termWords } from '../../../text/stemmed-match.ts'
import type { AnswerFailure } from '../../../vocabulary/failure-kinds.ts'
import { mainSurface, type SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import { halfPrefixOf } from '../scores/autocomplete.ts'

/** A term of a storefront, on one surface. */
export interface TermName {
  country: string
  /** Normalised. */
  term: string
  /** The Search API where it is left out. */
  surface?: SearchSurface
}

/** Why collecting data on a term failed. */
export interface TermFailure {
  at: Date
  code: AnswerFailure
  message: string
}

interface TermRow extends TermName {
  termId: number
  surface: SearchSurface
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
    select distinct country, term, half, surface
    from unnest(${names.map(({ country }) => country)}::text[], ${names.map(({ term }) => term)}::text[],
      ${names.map(({ term }) => halfPrefixOf(term))}::text[],
      ${names.map(({ surface = mainSurface }) => surface)}::text[]) as s(country, term, half, surface)`
  const fresh = await rows(
    db,
    sql<TermName & { termId: number }>`
      insert into term_names (country, term, half, surface)
      select sent.country, sent.term, sent.half, sent.surface from (${sent}) sent
      left join term_names t on t.country = sent.country and t.term = sent.term and t.surface = sent.surface
      where t.term_id is null
      order by sent.country, sent.term, sent.surface
      on conflict do nothing
      returning term_id as "termId", country, term`,
  )
  const terms = await rows(
    db,
    sql<TermRow>`
      select t.term_id as "termId", t.country, t.term, t.surface
      from term_names t
      join (${sent}) sent on sent.country = t.country and sent.term = t.term and sent.surface = t.surface
      order by t.term_id
      for update of t`,
  )
  return { terms, fresh: fresh.map(({ termId }) => termId) }
}

/**
 * Indexes terms by their words for `termsOfWords`. Only done for terms with a page: which terms an account tracks must
 * not become visible to others.
 */
export async function indexTermWords(
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
      select term_id as "termId", country, term, surface from term_names
      where term_id = any(${termIds}::integer[]) order by term_id for update`,
  )
  await sql`delete from term_words where term_id = any(${termIds}::integer[])`.execute(db)
  await indexTermWords(db, terms)
}

/** Ids of known terms, by term. */
export async function idsOfKnownTerms(
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

/** Terms of one surface, in place of the view `terms`. */
export const termsOn = (surface: SearchSurface) =>
  surface === mainSurface
    ? sql`terms`
    : sql`(select * from surface_terms where surface_terms.surface = ${surface}) terms`

/** Stored scores of a term; a score is null while its inputs are missing. */
export interface StoredScores {
  /** When the newest page that counts was captured; null without one. */
  pageAt: Date | null
  /** Whether there is no page because the last search failed. */
  searchFailed: boolean
  /** Whether suggestions are unknown because the last request to Apple failed. */
  hintsFailed: boolean
  difficulty: number | null
  difficultyFormula: string | null
  autocomplete: number | null
  autocompleteFormula: string | null
  opportunity: number | null
  opportunityFormula: string | null
}

/** The columns of `StoredScores`. @param terms the name of a materialized list of `terms` in the statement */
export const storedScores = (terms: RawBuilder<unknown>) =>
  sql`${terms}.page_at as "pageAt", ${searchFailed(terms)} as "searchFailed",
    ${hintsFailed(terms)} as "hintsFailed", ${terms}.difficulty, ${terms}.difficulty_formula as "difficultyFormula",
    ${terms}.autocomplete, ${terms}.autocomplete_formula as "autocompleteFormula",
    ${terms}.opportunity, ${terms}.opportunity_formula as "opportunityFormula"`

/** Whether a term has no page because its last search failed. @param terms as for `storedScores` */
export const searchFailed = (terms: RawBuilder<unknown>) =>
  sql`(${terms}.page_at is null and ${terms}.term_id in (
    select term_id from search_failures where term_id in (select term_id from ${terms})))`

/**
 * Whether a term has no autocomplete strength because Apple did not answer. Every refresh requests the half of a term.
 * @param terms as for `storedScores`
 */
export const hintsFailed = (terms: RawBuilder<unknown>) =>
  sql`(${terms}.autocomplete is null and ${terms}.term_id in (
    select t.term_id from ${terms} t
    join hint_failures f on f.country = t.country and f.typed = any(array[t.half, t.term])))`

/** The scores of a term that was never searched for, suggested or tracked. */
export const noScores: StoredScores = {
  pageAt: null,
  searchFailed: false,
  hintsFailed: false,
  difficulty: null,
  difficultyFormula: null,
  autocomplete: null,
  autocompleteFormula: null,
  opportunity: null,
  opportunityFormula: null,
}
