import { type RawBuilder, sql } from 'kysely'

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
