import type { z } from 'zod'
import type { KeywordSuggestion } from '../contract/shapes/workstation.ts'
import { relevanceFormula } from '../domain/aso/scores/relevance.ts'
import { type SuggestionSubject, suggestionsFor } from '../domain/aso/suggestions.ts'
import { unscored } from '../domain/aso/term-scores.ts'
import type { Database } from '../storage/database.ts'
import { score100, searchSurface, termScores } from './aso-facts.ts'

/** Keywords a tracked app does not have and might want, as replies show them. */
export async function keywordSuggestions(
  db: Database,
  subject: SuggestionSubject,
): Promise<z.output<typeof KeywordSuggestion>[]> {
  return (await suggestionsFor(db, subject)).map(({ term, reasons, relevance, facts, rank }) => {
    const { difficulty, opportunity } = termScores(facts ?? unscored)
    return {
      term,
      reasons,
      relevance: score100(relevance, relevanceFormula, 'never-collected'),
      difficulty,
      opportunity,
      rank,
      observedAt: facts?.pageAt?.toISOString() ?? null,
      surface: facts?.pageAt ? searchSurface : null,
    }
  })
}
