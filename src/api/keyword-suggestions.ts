import type { z } from 'zod'
import type { AsoWorkstation } from '../contract/shapes/workstation.ts'
import { type SuggestionSubject, suggestionsFor } from '../domain/aso/keywords/suggestions.ts'
import { unscored } from '../domain/aso/pages/term-queries.ts'
import { notMeasured } from '../domain/facts/fact.ts'
import type { Database } from '../storage/database.ts'
import { relevanceScore, searchSurface, termScores } from './aso-facts.ts'

/**
 * Suggested keywords that a tracked app does not have, in the form of replies.
 * @param lookupFailed whether the last look-up of the app failed
 */
export async function keywordSuggestions(
  db: Database,
  subject: SuggestionSubject,
  lookupFailed: boolean,
): Promise<
  Pick<z.output<typeof AsoWorkstation>, 'suggestions' | 'suggestedFrom' | 'brandsOfRivals' | 'carriedByName'>
> {
  const { items, brands, carried, developers } = await suggestionsFor(db, subject)
  const suggestions = items.map(({ term, reasons, relevance, facts, rank }) => {
    const { difficulty, opportunity } = termScores(facts ?? unscored)
    return {
      term,
      reasons,
      relevance: relevanceScore(relevance, lookupFailed),
      difficulty,
      opportunity,
      rank,
      observedAt: facts?.pageAt?.toISOString() ?? null,
      surface: facts?.pageAt ? searchSurface : null,
    }
  })
  return {
    suggestions,
    suggestedFrom:
      developers === undefined ? notMeasured('too-little-evidence') : { state: 'measured', developers },
    brandsOfRivals: brands,
    carriedByName: carried,
  }
}
