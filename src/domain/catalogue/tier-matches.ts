import { type RawBuilder, sql } from 'kysely'

/** Where a text is looked for: in names and developers, or in these and descriptions. */
export type Reach = 'name_terms' | 'all_terms'

/**
 * A tier that grows with the catalogue is looked through in shares: of every 512 apps by their number those below the first
 * bound, then those below the next, and at the end the others. Each bound has indexes of its own, which hold only the apps below it.
 */
const shareBounds: Record<number, readonly number[]> = { 2: [64], 3: [8, 64], 4: [1, 8, 64] }

/**
 * The first matches of a tier, as queries to be joined in this order: where a limit ends with one of them, those after it are not
 * run. A common word has enough matches in the first share, and a share that is looked through since those before it held too few
 * holds no more than about eight times as many, so the work does not follow the size of the tier.
 * @param asked a `tsquery`
 * @param most matches of each query, those with the lowest ids, so that it means nothing which of more than `most` arrived first
 */
export function matchesOfTier(
  tier: number,
  reach: Reach,
  asked: string,
  most: number,
  columns: RawBuilder<unknown> = sql`store_id`,
): RawBuilder<unknown>[] {
  const bounds = shareBounds[tier] ?? []
  return [...bounds, undefined].map((end, index) => {
    const share = sql.join([sql`true`, ...below(end), ...from(bounds[index - 1])], sql` and `)
    // No index has this order: where one does, the planner goes through the whole tier for a rare word, which it takes for a common one.
    return sql`(select ${columns} from ${sql.table(`app_search_${tier}`)}
      where ${sql.ref(reach)} @@ ${asked}::tsquery and ${share}
      order by store_id + 0 limit ${most})`
  })
}

const place = sql`store_id % 512`
const below = (end: number | undefined) => (end === undefined ? [] : [sql`${place} < ${sql.lit(end)}`])
const from = (start: number | undefined) => (start === undefined ? [] : [sql`${place} >= ${sql.lit(start)}`])
