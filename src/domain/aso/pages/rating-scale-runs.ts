import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../../storage/database.ts'
import { tookTooLong } from '../../../storage/store.ts'
import { autocompleteFormula } from '../scores/autocomplete.ts'
import { brandFormula } from '../scores/brand-term.ts'
import { difficultyFormula } from '../scores/difficulty.ts'
import { opportunityFormula } from '../scores/opportunity.ts'
import { fewestApps, inTwoFigures, markedShares, type RatingScale } from '../scores/rating-scale.ts'
import { rescoreTerms } from './rescore.ts'

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
    if (tookTooLong(error)) return
    throw error
  }
  const run = await lastRun(db)
  if (run?.formulas === formulas) return
  await rescoreTerms(db)
  await sql`update rating_scale_runs set formulas = ${formulas}`.execute(db)
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
        to_json(percentile_disc(${`{${markedShares.join(',')}}`}::float8[]) within group (order by rating_count)) as marks
      from app_records where rating_count is not null
      group by country having count(*) >= ${fewestApps}
      order by country`,
  )
  return found.map(({ country, apps, marks }) => {
    const [middle, high] = marks
    return { country, apps, middle: inTwoFigures(middle), high: inTwoFigures(high) }
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
