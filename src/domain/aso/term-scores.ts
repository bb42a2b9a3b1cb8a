import { type RawBuilder, sql } from 'kysely'

/** What is stored of a term for its scores; a score is null as long as too little is known for it. */
export interface StoredScores {
  /** When the newest page that counts was captured; null without one. */
  pageAt: Date | null
  difficulty: number | null
  difficultyFormula: string | null
  autocomplete: number | null
  autocompleteFormula: string | null
  opportunity: number | null
  opportunityFormula: string | null
}

/** The columns of `StoredScores`. @param terms what the statement calls the table */
export const storedScores = (terms: RawBuilder<unknown>) =>
  sql`${terms}.page_at as "pageAt", ${terms}.difficulty, ${terms}.difficulty_formula as "difficultyFormula",
    ${terms}.autocomplete, ${terms}.autocomplete_formula as "autocompleteFormula",
    ${terms}.opportunity, ${terms}.opportunity_formula as "opportunityFormula"`

/** What is stored of a term that nobody searched for, was suggested or tracked. */
export const unscored: StoredScores = {
  pageAt: null,
  difficulty: null,
  difficultyFormula: null,
  autocomplete: null,
  autocompleteFormula: null,
  opportunity: null,
  opportunityFormula: null,
}
