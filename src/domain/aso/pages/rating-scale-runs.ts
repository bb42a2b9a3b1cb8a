import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../../storage/database.ts'
import { isStatementTimeout } from '../../../storage/store.ts'
import { writtenRows } from '../../../storage/written-rows.ts'
import { countChange } from '../../evidence/changes.ts'
import { autocompleteFormula } from '../scores/autocomplete.ts'
import { brandFormula } from '../scores/brand-term.ts'
import { difficultyFormula, difficultyOf, opportunityFormula } from '../scores/difficulty.ts'
import {
  minAppsOfScale,
  type RatingScale,
  scaleQuantiles,
  toTwoSignificantDigits,
} from '../scores/rating-scale.ts'
import type { NewestPageDetails } from './page-writes.ts'
import { termIdsArray } from './rank-queries.ts'
import { recomputeAutocomplete, recomputeOpportunity } from './store-hints.ts'

/** Scales are recomputed after this time, and sooner when the words of the catalogue were recounted. */
const staleAfterMs = 86_400_000
/** Maximum time of waiting for writers of pages, and of making them wait. */
const longestWait = '2s'

/** The formulas of the stored scores. */
const formulas = [difficultyFormula, brandFormula, autocompleteFormula, opportunityFormula].join(' ')

/**
 * Recomputes the scale of every storefront from the stored ratings. Where one changed, or scores were made by other
 * formulas, all terms are rescored: a stored score depends on the data stored now, and not on those when its page arrived.
 * While writers of pages hold the scales, it is left for the next time.
 */
export async function computeRatingScales(db: Database, now: Date): Promise<void> {
  const drawn = await drawnScales(db)
  try {
    await inTransaction(db, (transaction) => replaceScales(transaction, drawn, now))
  } catch (error) {
    if (isStatementTimeout(error)) return
    throw error
  }
  const run = await lastRun(db)
  if (run?.formulas === formulas) return
  await rescoreTerms(db)
  await sql`update rating_scale_runs set formulas = ${formulas}`.execute(db)
}

/** Recomputes the scales after an import that has written any record, or when that is due. */
export async function redrawRatingScales(db: Database, now: Date): Promise<void> {
  const written = writtenRows(db)
  const changed = written.of('app_records', 'scales')
  if (changed === 0) return refreshRatingScales(db, now)
  await computeRatingScales(db, now)
  written.settle('app_records', 'scales', changed)
}

/** Recomputes the scales when that is due, and rescores all terms after an update of the program. */
export async function refreshRatingScales(db: Database, now: Date): Promise<void> {
  const run = await lastRun(db)
  const isDue = !run || run.formulas !== formulas || now.getTime() - run.computedAt.getTime() >= staleAfterMs
  if (isDue || run.isOlderThanWords) await computeRatingScales(db, now)
}

const lastRun = (db: Database) =>
  firstRow(
    db,
    sql<{ computedAt: Date; formulas: string; isOlderThanWords: boolean }>`
      select computed_at as "computedAt", formulas,
        exists (select 1 from word_weight_runs w where w.computed_at > r.computed_at) as "isOlderThanWords"
      from rating_scale_runs r`,
  )

type StorefrontScale = RatingScale & { country: string }

async function drawnScales(db: Database): Promise<StorefrontScale[]> {
  const found = await rows(
    db,
    sql<{ country: string; apps: number; marks: [number, number] }>`
      select country, count(*)::int as apps,
        to_json(percentile_disc(${`{${scaleQuantiles.join(',')}}`}::float8[]) within group (order by rating_count)) as marks
      from app_records where rating_count is not null
      group by country having count(*) >= ${minAppsOfScale}
      order by country`,
  )
  return found.map(({ country, apps, marks }) => {
    const [middle, high] = marks
    return { country, apps, middle: toTwoSignificantDigits(middle), high: toTwoSignificantDigits(high) }
  })
}

async function replaceScales(db: Database, drawn: readonly StorefrontScale[], now: Date): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(longestWait)}`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope rating scales'))`.execute(db)
  await sql`set local lock_timeout to default`.execute(db)
  const before = await rows(
    db,
    sql<StorefrontScale>`
      select country, apps, middle::float8 as middle, high::float8 as high from rating_scales order by country`,
  )
  const marksOf = (scales: readonly StorefrontScale[]) =>
    JSON.stringify(scales.map(({ country, middle, high }) => [country, middle, high]))
  const isChanged = marksOf(before) !== marksOf(drawn)
  await sql`delete from rating_scales`.execute(db)
  await sql`
    insert into rating_scales (country, apps, middle, high)
    select country, apps, middle, high
    from json_to_recordset(${JSON.stringify(drawn)}::json) as sent(country text, apps integer, middle bigint, high bigint)`.execute(
    db,
  )
  // No formula is recorded until all terms are rescored by the new scales, so that an interrupted run is repeated.
  await sql`
    insert into rating_scale_runs as r (computed_at, formulas) values (${now}, '')
    on conflict (only_one) do update set computed_at = excluded.computed_at,
      formulas = case when ${isChanged}::boolean then '' else r.formulas end`.execute(db)
}

/** Terms scored in one transaction, so that the others can be read and written meanwhile. */
const termsAtATime = 100

/** Rescores all terms from the stored data of their newest pages and of Apple's suggestions. */
async function rescoreTerms(db: Database): Promise<void> {
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
  shown: (NewestPageDetails | null)[]
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

/** One storefront's scale; null where it has too few apps for its own, or none is computed yet. */
export async function ratingScaleOf(db: Database, country: string): Promise<RatingScale | null> {
  const found = await firstRow(
    db,
    sql<RatingScale>`
      select apps, middle::float8 as middle, high::float8 as high from rating_scales where country = ${country}`,
  )
  return found ?? null
}

/**
 * Keeps the scales from being replaced until the transaction ends: pages stored in it are scored by them, and would be
 * missed when all terms are rescored.
 */
export async function lockRatingScales(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('rivalscope rating scales'))`.execute(db)
}
