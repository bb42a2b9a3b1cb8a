import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'

/** What is searched: names and developers, or descriptions as well. */
export type TextScope = (typeof reaches)[number]

const reaches = ['name_terms', 'all_terms'] as const

/**
 * A tier that grows with the catalogue is looked through in shares: of every 512 apps by their number those below the first
 * bound, then those below the next, and at the end the others. Each bound has indexes of its own, which hold only the apps below it.
 */
const shareBounds: Record<number, readonly number[]> = { 2: [64], 3: [8, 64], 4: [1, 8, 64] }

/** Apps of a catalogue from which on tiers are looked through in shares: with fewer, planning the parts takes longer than it saves. */
const manyApps = 30_000

/**
 * Makes the indexes of shares that a large catalogue lacks; a small one is planned faster without them. Each in a transaction
 * of its own: who writes waits for one at a time, and nobody for each other. Must not run within a transaction.
 * @param catalogued apps of the catalogue
 */
export async function createShareIndexes(db: Database, catalogued: number): Promise<void> {
  if (catalogued < manyApps) return
  const wanted = Object.entries(shareBounds).flatMap(([tier, bounds]) =>
    bounds.flatMap((end) => reaches.map((reach) => ({ table: `app_search_${tier}`, end, reach }))),
  )
  const named = wanted.map((share) => ({ ...share, name: `${share.table}_${share.end}_${share.reach}` }))
  const found = await rows(
    db,
    sql<{ name: string }>`
      select relname as name from pg_class
      where relname = any(${named.map(({ name }) => name)}::text[]) and pg_table_is_visible(oid)`,
  )
  const made = new Set(found.map(({ name }) => name))
  // Even an index that is there would wait for who writes.
  for (const { name, table, end, reach } of named.filter((share) => !made.has(share.name)))
    await inTransaction(db, async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('rivalscope shares'))`.execute(transaction)
      await sql`
        create index if not exists ${sql.id(name)} on ${sql.table(table)} using gin (${sql.id(reach)})
        where ${sql.raw(below(end).join(' and '))}`.execute(transaction)
    })
}

/**
 * Whether the catalogue was large when its words were counted last, which is once a day or when it has grown by a fifth. A large
 * one has the indexes of shares.
 */
export async function isLargeCatalogue(db: Database): Promise<boolean> {
  const counted = await firstRow(
    db,
    sql<{ catalogued: number }>`select catalogued::float8 as catalogued from word_weight_runs`,
  )
  return isLarge(counted?.catalogued ?? 0)
}

/** Whether so many apps have the indexes of shares. */
export const isLarge = (catalogued: number): boolean => catalogued >= manyApps

/** A text for the index. */
export const tsquery = (text: string): RawBuilder<unknown> => sql`${text}::tsquery`

/**
 * The same, out of sight of the planner: whatever is asked for, the plan is the same, so that PostgreSQL keeps it where the statement is
 * prepared. Planning all parts of all tiers takes longer than to look through them.
 */
export const unplannedQuery = (text: string): RawBuilder<unknown> => sql`(select ${text}::text::tsquery)`

/** A text search within one tier. */
interface Wanted {
  reach: TextScope
  /** A `tsquery`, as `tsquery` or `unplannedQuery` writes it. */
  asked: RawBuilder<unknown>
  /** Matches of each query, those with the lowest ids, so that it means nothing which of more than `most` arrived first. */
  most: number
  /** Whether the catalogue is large. */
  large: boolean
  columns?: RawBuilder<unknown>
}

/**
 * The first matches of a tier, as queries to be joined in this order: where a limit ends with one of them, those after it are not
 * run. In a large catalogue a common word has enough matches in the first share, and a share that is looked through since those
 * before it held too few holds no more than about eight times as many, so the work does not follow the size of the tier.
 */
export function matchesOfTier(
  tier: number,
  { reach, asked, most, large, columns = sql`store_id` }: Wanted,
): RawBuilder<unknown>[] {
  const bounds = (large && shareBounds[tier]) || []
  // No index has this order: where one does, the planner goes through a whole large tier for a rare word, which it takes for a common one.
  const order = large ? 'store_id + 0' : 'store_id'
  return [...bounds, undefined].map((end, index) => {
    const share = ['true', ...below(end), ...from(bounds[index - 1])].join(' and ')
    // In few parts: a search has 25 of these, and putting their texts together would take longer than anything else in this process.
    const scan = sql.raw(`from app_search_${tier} where ${reach} @@`)
    const first = sql.raw(`and ${share} order by ${order} limit ${most})`)
    return sql`(select ${columns} ${scan} ${asked} ${first}`
  })
}

const place = 'store_id % 512'
const below = (end: number | undefined) => (end === undefined ? [] : [`${place} < ${end}`])
const from = (start: number | undefined) => (start === undefined ? [] : [`${place} >= ${start}`])
