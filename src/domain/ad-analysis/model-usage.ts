import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'

/** For each day in UTC. */
export interface DailyLimit {
  requests: number
  tokens: number
}

/**
 * Takes a request and its tokens off what may be spent on a day, for all processes together.
 * @param day `YYYY-MM-DD`
 * @returns whether it may be spent; false takes nothing
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

/** Puts right what was taken off beforehand, once it is known what a request took. */
export async function settleTokens(db: Database, day: string, difference: number): Promise<void> {
  await sql`
    update model_usage set tokens = greatest(0, tokens + ${difference}) where day = ${day}::date`.execute(db)
}
