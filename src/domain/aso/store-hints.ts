import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { termIdsArray } from './rank-queries.ts'
import { autocompleteFormula, autocompleteOf, type TypedBeginning } from './scores/autocomplete.ts'
import { opportunityFormula, opportunityOf } from './scores/opportunity.ts'

/** What Apple suggested for something typed. */
export interface HintAnswer {
  country: string
  /** Normalised, as the terms. */
  typed: string
  /** In Apple's order; empty when it suggested nothing. */
  terms: readonly string[]
  observedAt: Date
  readingId: string
}

/** No term goes on with it: everything that begins with a text lies before the text with it. */
const lastLetter = '\u{10ffff}'

/** Keeps the newest answer for each thing typed, and scores the terms that begin with it anew. */
export async function storeHints(db: Database, answers: readonly HintAnswer[]): Promise<void> {
  const newest = new Map<string, HintAnswer>()
  for (const answer of answers) {
    const key = `${answer.country} ${answer.typed}`
    const known = newest.get(key)
    if (!known || known.observedAt <= answer.observedAt) newest.set(key, answer)
  }
  if (newest.size === 0) return
  const sent = JSON.stringify([...newest.values()])
  await sql`
    insert into hint_answers as h (country, typed, observed_at, terms, reading_id)
    select country, typed, "observedAt", array(select json_array_elements_text(terms)), "readingId"
    from json_to_recordset(${sent}::json) as sent(country text, typed text, "observedAt" timestamptz, terms json,
      "readingId" uuid)
    order by country, typed
    on conflict (country, typed) do update
      set observed_at = excluded.observed_at, terms = excluded.terms, reading_id = excluded.reading_id
      where h.observed_at < excluded.observed_at and (cardinality(excluded.terms) > 0 or cardinality(h.terms) = 0)`.execute(
    db,
  )
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
      join terms t on t.country = sent.country and t.term >= sent.typed collate "C"
        and t.term < sent.beyond collate "C"`,
  )
  await restateAutocomplete(
    db,
    touched.map(({ termId }) => termId),
  )
}

/** Scores terms anew by the stored answers for their beginnings. */
export async function restateAutocomplete(db: Database, termIds: readonly number[]): Promise<void> {
  if (termIds.length === 0) return
  const found = await rows(
    db,
    sql<{ termId: number; term: string; beginnings: TypedBeginning[] }>`
      select t.term_id as "termId", t.term,
        json_agg(json_build_object('typed', h.typed, 'place', array_position(h.terms, t.term))) as beginnings
      from terms t
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
    update terms t set autocomplete = sent.score, autocomplete_formula = ${autocompleteFormula}
    from json_to_recordset(${JSON.stringify(scored)}::json) as sent("termId" integer, score double precision)
    where t.term_id = sent."termId"
      and (t.autocomplete, t.autocomplete_formula) is distinct from (sent.score, ${autocompleteFormula}::text)`.execute(
    db,
  )
  await restateOpportunity(
    db,
    scored.map(({ termId }) => termId),
  )
}

/** Scores terms anew by their difficulty and autocomplete strength, as far as both are measured. */
export async function restateOpportunity(db: Database, termIds: readonly number[]): Promise<void> {
  const found = await rows(
    db,
    sql<{
      termId: number
      difficulty: number | null
      autocomplete: number | null
      opportunity: number | null
      formula: string | null
    }>`
      select term_id as "termId", difficulty, autocomplete, opportunity, opportunity_formula as formula from terms
      where term_id = any(${termIdsArray(termIds)})`,
  )
  const changed = found.flatMap(({ termId, difficulty, autocomplete, ...known }) => {
    const score = difficulty === null || autocomplete === null ? null : opportunityOf(autocomplete, difficulty)
    const formula = score === null ? null : opportunityFormula
    return score === known.opportunity && formula === known.formula ? [] : [{ termId, score, formula }]
  })
  if (changed.length === 0) return
  await sql`
    update terms t set opportunity = sent.score, opportunity_formula = sent.formula
    from json_to_recordset(${JSON.stringify(changed)}::json) as sent("termId" integer, score double precision, formula text)
    where t.term_id = sent."termId"`.execute(db)
}
