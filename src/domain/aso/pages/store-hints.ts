import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { mainSurface } from '../../../vocabulary/search-surfaces.ts'
import { autocompleteFormula, autocompleteOf, type SuggestionsOfPrefix } from '../scores/autocomplete.ts'
import { brandMark, difficultyFormula, opportunityFormula, opportunityOf } from '../scores/difficulty.ts'
import { formulaWithMarks, isOfFormula, marksOfFormula } from '../scores/formulas.ts'
import { commonScaleMark } from '../scores/rating-scale.ts'
import { termIdsArray } from './rank-queries.ts'

/** Apple's suggestions for a prefix. */
export interface HintAnswer {
  country: string
  /** The prefix, normalised as terms are. */
  typed: string
  /** The suggested terms in Apple's order; empty when there were none. */
  terms: readonly string[]
  observedAt: Date
  readingId: string
  /** `Reading.key`. */
  readingKey: string
}

/** Sorts after every letter: everything with a given prefix lies between the prefix and the prefix followed by this. */
const lastLetter = '\u{10ffff}'

/**
 * Stores for each prefix the newest answer with suggestions, otherwise the newest, and rescores the terms with that prefix.
 * Between two of one instant the choice is deterministic.
 */
export async function storeHints(db: Database, answers: readonly HintAnswer[]): Promise<void> {
  const newest = new Map<string, HintAnswer>()
  for (const answer of answers) {
    const key = `${answer.country} ${answer.typed}`
    const known = newest.get(key)
    if (!known || tellsMore(answer, known)) newest.set(key, answer)
  }
  if (newest.size === 0) return
  const sent = JSON.stringify([...newest.values()])
  await sql`
    insert into hint_answers as h (country, typed, observed_at, terms, reading_id, reading_key)
    select country, typed, "observedAt", array(select json_array_elements_text(terms)), "readingId", "readingKey"
    from json_to_recordset(${sent}::json) as sent(country text, typed text, "observedAt" timestamptz, terms json,
      "readingId" uuid, "readingKey" text)
    order by country, typed
    on conflict (country, typed) do update
      set observed_at = excluded.observed_at, terms = excluded.terms, reading_id = excluded.reading_id,
        reading_key = excluded.reading_key
      where (cardinality(h.terms) > 0, h.observed_at, h.reading_key)
        < (cardinality(excluded.terms) > 0, excluded.observed_at, excluded.reading_key)`.execute(db)
  const beginnings = [...newest.values()].map(({ country, typed }) => ({
    country,
    typed,
    beyond: `${typed}${lastLetter}`,
  }))
  const touched = await rows(
    db,
    sql<{ termId: number }>`
      select distinct t.term_id as "termId"
      from json_to_recordset(${JSON.stringify(beginnings)}::json) as sent(country text, typed text, beyond text)
      join term_names t on t.country = sent.country and t.surface = ${mainSurface} and t.term >= sent.typed collate "C"
        and t.term < sent.beyond collate "C"`,
  )
  await recomputeAutocomplete(
    db,
    touched.map(({ termId }) => termId),
  )
}

function tellsMore(one: HintAnswer, other: HintAnswer): boolean {
  const suggests = ({ terms }: HintAnswer) => terms.length > 0
  if (suggests(one) !== suggests(other)) return suggests(one)
  const later = one.observedAt.getTime() - other.observedAt.getTime()
  return later === 0 ? one.readingKey > other.readingKey : later > 0
}

/** Recomputes the autocomplete strength of terms from the stored answers for their prefixes. */
export async function recomputeAutocomplete(db: Database, termIds: readonly number[]): Promise<void> {
  if (termIds.length === 0) return
  const found = await rows(
    db,
    sql<{ termId: number; term: string; beginnings: SuggestionsOfPrefix[] }>`
      select t.term_id as "termId", t.term,
        json_agg(json_build_object('typed', h.typed, 'place', array_position(h.terms, t.term))) as beginnings
      from term_names t
      cross join lateral generate_series(1, char_length(t.term)) as letters
      join hint_answers h on h.country = t.country and h.typed = left(t.term, letters)
      where t.term_id = any(${termIdsArray(termIds)})
      group by t.term_id, t.term`,
  )
  const scored = found.flatMap(({ termId, term, beginnings }) => {
    const score = autocompleteOf(term, beginnings)
    return score === undefined ? [] : [{ termId, score }]
  })
  if (scored.length === 0) return
  await sql`
    insert into term_states as t (term_id, autocomplete, autocomplete_formula)
    select "termId", score, ${autocompleteFormula}
    from json_to_recordset(${JSON.stringify(scored)}::json) as sent("termId" integer, score double precision)
    order by "termId"
    on conflict (term_id) do update
      set autocomplete = excluded.autocomplete, autocomplete_formula = excluded.autocomplete_formula
      where (t.autocomplete, t.autocomplete_formula) is distinct from (excluded.autocomplete, excluded.autocomplete_formula)`.execute(
    db,
  )
  await recomputeOpportunity(
    db,
    scored.map(({ termId }) => termId),
  )
}

/** Scores tracked terms without autocomplete strength, as far as there are answers for them. */
export async function scoreTrackedTerms(db: Database): Promise<void> {
  const found = await rows(
    db,
    sql<{ termId: number }>`
      select distinct k.term_id as "termId" from tracked_keywords k left join term_states s using (term_id)
      where s.autocomplete is null`,
  )
  await recomputeAutocomplete(
    db,
    found.map(({ termId }) => termId),
  )
}

/**
 * Recomputes the opportunity of terms from difficulty and autocomplete strength, where both are measured by the current
 * formulas: no formula describes a mixture with older ones.
 */
export async function recomputeOpportunity(db: Database, termIds: readonly number[]): Promise<void> {
  const found = await rows(
    db,
    sql<{
      termId: number
      difficulty: number | null
      autocomplete: number | null
      opportunity: number | null
      formula: string | null
      difficultyFormula: string | null
      autocompleteFormula: string | null
    }>`
      select term_id as "termId", difficulty, autocomplete, opportunity, opportunity_formula as formula,
        difficulty_formula as "difficultyFormula", autocomplete_formula as "autocompleteFormula"
      from terms where term_id = any(${termIdsArray(termIds)})`,
  )
  const changed = found.flatMap(({ termId, difficulty, autocomplete, ...known }) => {
    const isScored =
      difficulty !== null &&
      autocomplete !== null &&
      isOfFormula(known.difficultyFormula, difficultyFormula) &&
      isOfFormula(known.autocompleteFormula, autocompleteFormula)
    const marks = marksOfFormula(known.difficultyFormula).filter((mark) => handedOn.has(mark))
    const score = isScored ? opportunityOf(autocomplete, difficulty, marks.includes(brandMark)) : null
    const formula = isScored ? formulaWithMarks(opportunityFormula, marks) : null
    return score === known.opportunity && formula === known.formula ? [] : [{ termId, score, formula }]
  })
  if (changed.length === 0) return
  await sql`
    update term_states t set opportunity = sent.score, opportunity_formula = sent.formula
    from json_to_recordset(${JSON.stringify(changed)}::json) as sent("termId" integer, score double precision, formula text)
    where t.term_id = sent."termId"`.execute(db)
}

/** Marks of a difficulty that its opportunity inherits. */
const handedOn: ReadonlySet<string> = new Set([brandMark, commonScaleMark])
