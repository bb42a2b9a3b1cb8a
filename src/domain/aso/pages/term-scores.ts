import { type RawBuilder, sql } from 'kysely'

/** What is stored of a term for its scores; a score is null as long as too little is known for it. */
export interface StoredScores {
  /** When the newest page that counts was captured; null without one. */
  pageAt: Date | null
  /** Whether there is no page because the last search failed. */
  searchFailed: boolean
  /** Whether nothing is known of suggestions because Apple did not say when it was asked last. */
  hintsFailed: boolean
  difficulty: number | null
  difficultyFormula: string | null
  autocomplete: number | null
  autocompleteFormula: string | null
  opportunity: number | null
  opportunityFormula: string | null
}

/** The columns of `StoredScores`. @param terms what the statement calls the table */
export const storedScores = (terms: RawBuilder<unknown>) =>
  sql`${terms}.page_at as "pageAt", ${searchFailed(terms)} as "searchFailed",
    ${hintsFailed(terms)} as "hintsFailed", ${terms}.difficulty, ${terms}.difficulty_formula as "difficultyFormula",
    ${terms}.autocomplete, ${terms}.autocomplete_formula as "autocompleteFormula",
    ${terms}.opportunity, ${terms}.opportunity_formula as "opportunityFormula"`

/** Whether a term has no page because its last search failed. @param terms what the statement calls the table */
export const searchFailed = (terms: RawBuilder<unknown>) =>
  sql`(${terms}.page_at is null and exists (select from search_failures f where f.term_id = ${terms}.term_id))`

/**
 * Whether a term has no autocomplete strength because Apple did not answer. Of its beginnings every refresh types the half.
 * @param terms what the statement calls the table
 */
export const hintsFailed = (terms: RawBuilder<unknown>) =>
  sql`(${terms}.autocomplete is null and exists (
    select from hint_failures f where f.country = ${terms}.country and f.typed in (${terms}.half, ${terms}.term)))`

/** What is stored of a term that nobody searched for, was suggested or tracked. */
export const unscored: StoredScores = {
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
