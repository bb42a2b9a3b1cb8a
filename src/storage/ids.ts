import { type RawBuilder, sql } from 'kysely'

/**
 * An id of up to 19 digits as a bigint. The few 19-digit numbers beyond the bigint range become the largest bigint, which no
 * app and no developer has, so looking them up finds nothing instead of failing.
 */
export function bigintId(id: string) {
  return bigintOf(sql`${id}`)
}

/** The same as `bigintId`, for an SQL expression that gives an id as text. */
export function bigintOf(id: RawBuilder<unknown>) {
  return sql`least(${id}::numeric, 9223372036854775807)::bigint`
}
