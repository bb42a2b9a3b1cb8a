import { sql } from 'kysely'
import { type Database, inTransaction, rows } from '../../../storage/database.ts'
import { countChange } from '../../evidence/changes.ts'
import { autocompleteFormula } from '../scores/autocomplete.ts'
import { difficultyOf } from '../scores/difficulty.ts'
import type { ShownBeside } from './page-writes.ts'
import { termIdsArray } from './rank-queries.ts'
import { ratingScaleOf } from './rating-scales.ts'
import { recomputeAutocomplete, recomputeOpportunity } from './store-hints.ts'

/** Terms scored in one transaction, so that the others can be read and written meanwhile. */
const termsAtATime = 100

/** Rescores all terms from the stored data of their newest pages and of Apple's suggestions. */
export async function rescoreTerms(db: Database): Promise<void> {
  let last: number | undefined = 0
  while (last !== undefined) {
    const from: number = last
    last = await inTransaction(db, (transaction) => rescoreSome(transaction, from))
  }
}

/** @returns the last rescored term after the given one; undefined where there is none */
async function rescoreSome(db: Database, after: number): Promise<number | undefined> {
  // The same locks as of writers of pages.
  const terms = await rows(
    db,
    sql<{ termId: number }>`
      select term_id as "termId" from term_names
      where term_id > ${after} order by term_id limit ${termsAtATime} for update`,
  )
  const ids = terms.map(({ termId }) => termId)
  if (ids.length === 0) return undefined
  await recomputeDifficulty(db, ids)
  const outdated = await rows(
    db,
    sql<{ termId: number }>`
      select term_id as "termId" from term_states
      where term_id = any(${termIdsArray(ids)}) and autocomplete_formula <> ${autocompleteFormula}`,
  )
  await recomputeAutocomplete(
    db,
    outdated.map(({ termId }) => termId),
  )
  await recomputeOpportunity(db, ids)
  await countChange(db, ['other'])
  return ids.at(-1)
}

interface NewestPage {
  termId: number
  term: string
  country: string
  requested: number | null
  stated: number | null
  storeIds: (string | null)[]
  shown: (ShownBeside | null)[]
}

async function recomputeDifficulty(db: Database, termIds: readonly number[]): Promise<void> {
  const pages = await rows(
    db,
    sql<NewestPage>`
      select t.term_id as "termId", t.term, t.country, p.requested, n.stated::float8 as stated,
        to_json(p.store_ids::text[]) as "storeIds", n.shown
      from newest_pages n join result_pages p using (term_id, captured_at) join term_names t using (term_id)
      where t.term_id = any(${termIdsArray(termIds)})`,
  )
  const countries = [...new Set(pages.map(({ country }) => country))]
  const scales = new Map(
    await Promise.all(countries.map(async (country) => [country, await ratingScaleOf(db, country)] as const)),
  )
  const scored = pages.map(({ termId, storeIds, shown, ...page }) => {
    const places = shown.map((place, index) => place && { storeId: storeIds[index] ?? '', ...place })
    const difficulty = difficultyOf({ ...page, places }, scales.get(page.country) ?? null)
    return { termId, value: difficulty?.value ?? null, formula: difficulty?.formula ?? null }
  })
  await sql`
    update term_states t set difficulty = sent.value, difficulty_formula = sent.formula
    from json_to_recordset(${JSON.stringify(scored)}::json) as sent("termId" integer, value double precision, formula text)
    where t.term_id = sent."termId"
      and (t.difficulty, t.difficulty_formula) is distinct from (sent.value, sent.formula)`.execute(db)
}
