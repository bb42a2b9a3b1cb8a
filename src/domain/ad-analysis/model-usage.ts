import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'

/** Limits per UTC day. */
export interface DailyLimit {
  requests: number
  tokens: number
}

/**
 * Charges a request and its tokens against the limit of a day, for all processes together.
 * @param day `YYYY-MM-DD`
 * @returns whether the limit allows it; false charges nothing
 */
export async function chargeModel(
  db: Database,
  day: string,
  tokens: number,
  limit: DailyLimit,
): Promise<boolean> {
  if (limit.requests < 1 || limit.tokens < tokens) return false
  const spent = await firstRow(
    db,
    sql<{ requests: number }>`
      insert into model_usage as used (day, requests, tokens) values (${day}::date, 1, ${tokens})
      on conflict (day) do update set requests = used.requests + 1, tokens = used.tokens + excluded.tokens
        where used.requests + 1 <= ${limit.requests} and used.tokens + excluded.tokens <= ${limit.tokens}
      returning requests`,
  )
  return spent !== undefined
}

/** Corrects the charged tokens once the actual number is known. */
export async function settleTokens(db: Database, day: string, difference: number): Promise<void> {
  await sql`
    update model_usage set tokens = greatest(0, tokens + ${difference}) where day = ${day}::date`.execute(db)
}
