import { type RawBuilder, sql } from 'kysely'

/**
 * An id of up to 19 digits as a bigint. The few 19-digit numbers that no bigint holds become the largest one, which no
 * app and no developer has, so asking for them finds nothing instead of failing.
 */
export function bigintId(id: string) {
  return bigintOf(sql`${id}`)
}

/** As `bigintId`, of an expression that gives an id as text. */
export function bigintOf(id: RawBuilder<unknown>) {
  return sql`least(${id}::numeric, 9223372036854775807)::bigint`
}
