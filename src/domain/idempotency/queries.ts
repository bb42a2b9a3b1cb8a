import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { asPrepared, withPreparedStatements } from '../../storage/prepared.ts'

/** A reply stored for an `Idempotency-Key`. */
export interface StoredReply {
  requestHash: string
  status: number
  body: string
}

/** Hours for which a stored reply is returned again. */
const retentionHours = 24
/** Seconds after which a silent transaction is aborted: its machine has vanished. */
const silentSeconds = 30

/**
 * Claims a key for the caller's transaction, unless another one has it. The key is released when the transaction ends, also
 * when its process and thus its connection ends.
 * @param owner an account with one of its credentials
 */
export async function claimKey(transaction: Database, owner: string, key: string): Promise<boolean> {
  const answer = await firstRow(
    withPreparedStatements(transaction),
    sql<{ held: boolean; silent: string }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`rivalscope key ${owner} ${key}`}, 0)) as held,
        set_config('idle_in_transaction_session_timeout', ${`${silentSeconds}s`}, true) as silent`,
  )
  return answer?.held === true
}

/** The reply stored under a key, unless it is too old. */
export function storedReply(db: Database, owner: string, key: string): Promise<StoredReply | undefined> {
  return firstRow(
    withPreparedStatements(db),
    sql<StoredReply>`
      select encode(request_hash, 'hex') as "requestHash", status, body
      from idempotent_replies
      where credential = ${owner} and idempotency_key = ${key}
        and answered_at >= now() - make_interval(hours => ${retentionHours})`,
  )
}

/**
 * The statement that stores a reply, replacing one that is too old; on the transaction of its write, which holds the key.
 */
export const keepReply = (
  owner: string,
  key: string,
  { requestHash, status, body }: StoredReply,
): RawBuilder<unknown> =>
  asPrepared(sql`
    insert into idempotent_replies (credential, idempotency_key, request_hash, status, body)
    values (${owner}, ${key}, decode(${requestHash}, 'hex'), ${status}, ${body})
    on conflict (credential, idempotency_key) do update
      set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
        answered_at = excluded.answered_at`)

/** Deletes replies that are too old. */
export async function deleteOldReplies(db: Database): Promise<void> {
  await sql`delete from idempotent_replies where answered_at < now() - make_interval(hours => ${retentionHours})`.execute(
    db,
  )
}
