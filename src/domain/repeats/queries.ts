import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'

/** A reply kept for an `Idempotency-Key`. */
export interface KeptReply {
  requestHash: string
  /** Null while the first request is still under way. */
  status: number | null
  body: string | null
}

/** Hours a kept reply answers repetitions. */
const keptHours = 24
/** A request that has not ended after this was cut off, and may be made again. */
const abandonedMinutes = 2

/**
 * Takes the key for a request, or answers what is kept under it. A kept reply that is too old, and a request that was
 * cut off, count as never made.
 * @returns undefined when the key is the claim's now
 */
export async function takeKey(
  db: Database,
  credential: string,
  key: string,
  requestHash: string,
  claim: string,
): Promise<KeptReply | undefined> {
  await sql`
    delete from idempotent_replies
    where credential = ${credential} and idempotency_key = ${key}
      and (started_at < now() - make_interval(hours => ${keptHours})
        or (status is null and started_at < now() - make_interval(mins => ${abandonedMinutes})))`.execute(db)
  for (;;) {
    const taken = await firstRow(
      db,
      sql<{ taken: boolean }>`
        insert into idempotent_replies (credential, idempotency_key, request_hash, claim, started_at)
        values (${credential}, ${key}, decode(${requestHash}, 'hex'), ${claim}::uuid, now())
        on conflict (credential, idempotency_key) do nothing
        returning true as taken`,
    )
    if (taken) return undefined
    const kept = await firstRow(
      db,
      sql<KeptReply>`
        select encode(request_hash, 'hex') as "requestHash", status, body
        from idempotent_replies where credential = ${credential} and idempotency_key = ${key}`,
    )
    // Its holder can let the key go between the two statements: then it is free to be taken.
    if (kept) return kept
  }
}

export async function keepReply(db: Database, claim: string, status: number, body: string): Promise<void> {
  await sql`
    update idempotent_replies set status = ${status}, body = ${body}
    where claim = ${claim}::uuid`.execute(db)
}

/** Lets a key go, when its request failed and may be tried again. */
export async function releaseKey(db: Database, claim: string): Promise<void> {
  await sql`delete from idempotent_replies where claim = ${claim}::uuid and status is null`.execute(db)
}

/** Forgets replies that nobody can ask for again. */
export async function forgetOldReplies(db: Database): Promise<void> {
  await sql`delete from idempotent_replies where started_at < now() - make_interval(hours => ${keptHours})`.execute(
    db,
  )
}
