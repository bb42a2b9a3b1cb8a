import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { writtenRows } from '../../storage/written-rows.ts'
import { countChange } from '../evidence/changes.ts'
import { createShareIndexes } from './tier-matches.ts'

/** Listings counted, about; more say little more about common words and cost more. */
const listingsCounted = 20_000
/** The word weights are stale after this time, and sooner when the catalogue has grown by this share. */
const staleAfterMs = 86_400_000
const staleGrowth = 0.2
/** They are stale as well when an import has changed the words of this share of the catalogue. */
const staleChanges = 0.01
/** How long the word weights are taken as fresh without counting the catalogue. */
const uncheckedMs = 3_600_000

/** In how many stored listings words stand. */
export interface WordCounts {
  /** Listings counted; 0 while nothing was counted. */
  listings: number
  /** By word as search stores it. A word that is missing stands in one of them or in none. */
  holding: ReadonlyMap<string, number>
}

/**
 * Counts the words of stored listings anew: names, subtitles, developers and descriptions as search holds them. Beyond
 * some size of the catalogue only every so-many-th app is looked at. One process does it at a time; others pass it over.
 * A catalogue that has become large gets its indexes of shares before.
 */
export async function computeWordWeights(db: Database, now: Date): Promise<void> {
  await createShareIndexes(db, await cataloguedApps(db))
  await inTransaction(db, async (transaction) => {
    const lock = sql<{
      locked: boolean
    }>`select pg_try_advisory_xact_lock(hashtext('rivalscope words')) as locked`
    if (!(await firstRow(transaction, lock))?.locked) return
    const catalogued = await cataloguedApps(transaction)
    const every = Math.max(1, Math.round(catalogued / listingsCounted))
    const looked = every === 1 ? '' : ` where hashint8(store_id) % ${every} = 0`
    await sql`delete from word_weights`.execute(transaction)
    await sql`
      insert into word_weights (word, listings)
      select word, ndoc from ts_stat(${`select all_terms from app_search${looked}`})
      where ndoc > 1 and not starts_with(word, '#')`.execute(transaction)
    await sql`
      insert into word_weight_runs (computed_at, listings, catalogued)
      select ${now}, (select count(*) from app_search ${sql.raw(looked)}), ${catalogued}
      on conflict (only_one) do update
        set computed_at = excluded.computed_at, listings = excluded.listings, catalogued = excluded.catalogued`.execute(
      transaction,
    )
    await countChange(transaction, ['other'])
  })
}

/** Counts the words anew after an import that has changed enough of them, or when that is due. */
export async function recountWords(db: Database, now: Date): Promise<void> {
  const written = writtenRows(db)
  const changed = written.of('app_search', 'words')
  const last = await lastCount(db)
  if (changed === 0 || (last && changed < staleChanges * last.catalogued)) return refreshWordWeights(db, now)
  await computeWordWeights(db, now)
  written.settle('app_search', 'words', changed)
}

/**
 * Counts the words anew when the last count is a day old, or the catalogue has grown by a fifth since. A large catalogue that was
 * restored, moved or replayed without its indexes of shares gets them at once.
 */
export async function refreshWordWeights(db: Database, now: Date): Promise<void> {
  const last = await lastCount(db)
  if (last) await createShareIndexes(db, last.catalogued)
  const age = last ? now.getTime() - last.computedAt.getTime() : Number.POSITIVE_INFINITY
  if (age < uncheckedMs) return
  if (last && age < staleAfterMs && (await cataloguedApps(db)) < last.catalogued * (1 + staleGrowth)) return
  await computeWordWeights(db, now)
}

const lastCount = (db: Database) =>
  firstRow(
    db,
    sql<{ computedAt: Date; catalogued: number }>`
      select computed_at as "computedAt", catalogued from word_weight_runs`,
  )

async function cataloguedApps(db: Database): Promise<number> {
  const found = await firstRow(db, sql<{ apps: number }>`select count(*)::int as apps from app_search`)
  return found?.apps ?? 0
}

/** @param words as search stores them */
export async function wordCounts(db: Database, words: Iterable<string>): Promise<WordCounts> {
  const sent = JSON.stringify([...new Set(words)])
  const found = await rows(
    db,
    sql<{ word: string | null; listings: number }>`
      select null as word, listings from word_weight_runs
      union all
      select word, listings from word_weights
      where word in (select json_array_elements_text(${sent}::json) collate "C")`,
  )
  return {
    listings: found.find(({ word }) => word === null)?.listings ?? 0,
    holding: new Map(found.flatMap(({ word, listings }) => (word === null ? [] : [[word, listings] as const]))),
  }
}
