import { type RawBuilder, sql } from 'kysely'
import { renewTermWords } from '../domain/aso/pages/term-queries.ts'
import { indexLocalizations } from '../domain/catalogue/localized-search.ts'
import { recordsOfApps } from '../domain/catalogue/record-queries.ts'
import { lockCatalogue, renewSortNames } from '../domain/catalogue/record-writes.ts'
import { searchedFields } from '../domain/catalogue/search-document.ts'
import { addAppsToSearch, searchEntries } from '../domain/catalogue/search-words.ts'
import { lockCreativeKind } from '../domain/creatives/kind.ts'
import { countChange } from '../domain/evidence/changes.ts'
import { lockReadingsForWriting } from '../domain/evidence/queries.ts'
import { postKind } from '../domain/organic/post.ts'
import { indexPosts } from '../domain/organic/post-search.ts'
import { adKind } from '../domain/paid-ads/ad.ts'
import { indexAds } from '../domain/paid-ads/ad-search.ts'
import { renewAdvertiserWords } from '../domain/paid-ads/advertisers.ts'
import { type Database, firstRow, inTransaction, rows } from '../storage/database.ts'
import { wordsVersion } from '../text/words-version.ts'
import type { EvidenceArea } from '../vocabulary/evidence-areas.ts'

/** A kind of record that is found by stored words. */
interface WordIndex {
  area: EvidenceArea
  /** Number of records per transaction; writers wait for it. */
  atATime: number
  /** The ids of the next records, as text, in order. @param reached the last id before them; null at the start */
  next: (reached: string | null, atATime: number) => RawBuilder<{ id: string }>
  /** Stores the current words of these records, inside the caller's transaction. */
  renew: (db: Database, ids: readonly string[]) => Promise<void>
}

/** The next records of a table by a numeric column. */
const nextBy =
  (table: string, column: string): WordIndex['next'] =>
  (reached, atATime) =>
    sql<{ number: unknown; id: string }>`
    select distinct ${sql.ref(column)} as number, ${sql.ref(column)}::text as id from ${sql.table(table)}
    where ${reached === null ? sql`true` : sql`${sql.ref(column)} > ${reached}::bigint`}
    order by number limit ${atATime}`

const wordIndexes: Record<string, WordIndex> = {
  terms: {
    area: 'keywords',
    atATime: 500,
    next: nextBy('newest_pages', 'term_id'),
    renew: renewTermWords,
  },
  apps: {
    area: 'apps',
    atATime: 100,
    next: nextBy('app_records', 'store_id'),
    renew: async (db, storeIds) => {
      await lockCatalogue(db)
      const records = await recordsOfApps(db, storeIds, searchedFields)
      const apps = [...Map.groupBy(records, ({ storeId }) => storeId).values()]
      await addAppsToSearch(db, await searchEntries(apps), true)
      await renewSortNames(db, records)
    },
  },
  localizations: {
    area: 'apps',
    atATime: 100,
    next: nextBy('localized_search', 'store_id'),
    renew: indexLocalizations,
  },
  posts: {
    area: 'posts',
    atATime: 200,
    next: nextBy('posts', 'post_number'),
    renew: async (db, postNumbers) => {
      await lockCreativeKind(db, postKind)
      await indexPosts(db, postNumbers)
    },
  },
  ads: {
    area: 'ads',
    atATime: 200,
    next: nextBy('ads', 'ad_number'),
    renew: async (db, adNumbers) => {
      await lockCreativeKind(db, adKind)
      await indexAds(db, adNumbers)
    },
  },
  advertisers: {
    area: 'ads',
    atATime: 1_000,
    next: (reached, atATime) => sql`
      select distinct advertiser_id as id from ad_advertisers
      where ${reached === null ? sql`true` : sql`advertiser_id > ${reached}`} order by id limit ${atATime}`,
    renew: async (db, advertiserIds) => {
      await lockCreativeKind(db, adKind)
      await renewAdvertiserWords(db, advertiserIds)
    },
  },
}

/** Whether any stored words are of an older version. Those of a newer one, which runs beside this, are left alone. */
export async function hasOutdatedWords(db: Database): Promise<boolean> {
  const found = await firstRow(
    db,
    sql<{ whole: number }>`
      select count(*)::int as whole from word_indexes
      where version > ${wordsVersion} or (version = ${wordsVersion} and reached is null)`,
  )
  return found?.whole !== Object.keys(wordIndexes).length
}

/**
 * Stores the words of this version for all records, in small transactions: a concurrent search or write waits for one of
 * them at most. After an interruption the next call continues.
 * @param signal stops between two transactions
 * @returns the number of records checked, by kind; kinds that were current are left out
 */
export async function renewWords(db: Database, signal?: AbortSignal): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, index] of Object.entries(wordIndexes)) {
    let [renewed, isWhole] = await renewSome(db, name, index)
    while (!isWhole) {
      counts[name] = (counts[name] ?? 0) + renewed
      signal?.throwIfAborted()
      ;[renewed, isWhole] = await renewSome(db, name, index)
    }
  }
  return counts
}

const renewSome = (
  db: Database,
  name: string,
  index: WordIndex,
): Promise<[renewed: number, isWhole: boolean]> =>
  inTransaction(db, async (transaction) => {
    await lockReadingsForWriting(transaction)
    const at = await placeOf(transaction, name)
    if (at?.isWhole) return [0, true]
    const found = await rows(transaction, index.next(at?.reached ?? null, index.atATime))
    const ids = found.map(({ id }) => id)
    if (ids.length > 0) {
      await index.renew(transaction, ids)
      await countChange(transaction, [index.area])
    }
    await sql`
      update word_indexes set reached = ${ids.at(-1) ?? null} where indexed = ${name}`.execute(transaction)
    return [ids.length, ids.length === 0]
  })

/** The progress of this version for a kind, locked until the transaction ends, so that only one process continues at a time. */
async function placeOf(db: Database, name: string) {
  // The progress of an older version does not count for this one.
  await sql`
    insert into word_indexes as w (indexed, version, reached) values (${name}, ${wordsVersion}, '')
    on conflict (indexed) do update set version = excluded.version, reached = excluded.reached
      where w.version < excluded.version`.execute(db)
  const row = await firstRow(
    db,
    sql<{ version: number; reached: string | null }>`
      select version, reached from word_indexes where indexed = ${name} for update`,
  )
  const isWhole = row?.reached === null || (row?.version ?? 0) > wordsVersion
  return row && { isWhole, reached: row.reached === '' ? null : row.reached }
}
