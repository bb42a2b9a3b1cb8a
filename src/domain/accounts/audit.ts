import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { asPrepared } from '../../storage/prepared.ts'
import { toOneLine } from '../../text/markup.ts'
import type { AuditDoor, AuditOutcome } from '../../vocabulary/audit.ts'

/** A write that is about to be committed. */
export interface AuditedWrite {
  door: AuditDoor
  /** `key:` and the id of a key, `jwt:` and a hash of a subject, or `user:` and the user who runs a command. */
  actor: string
  accountId: string | undefined
  /** The operation or the command. */
  operation: string
  /** The input of the operation or command. */
  input: Readonly<Record<string, unknown>>
  outcome: AuditOutcome
}

/** Records a write; on the transaction of the write, if it has one. */
export async function recordAuditedWrite(db: Database, write: AuditedWrite): Promise<void> {
  await insertAuditEvent(write).execute(db)
}

/** The statement that records a write. */
export const insertAuditEvent = ({
  door,
  actor,
  accountId,
  operation,
  input,
  outcome,
}: AuditedWrite): RawBuilder<unknown> =>
  asPrepared(sql`
    insert into audit_events (door, actor, account_id, operation, subject, outcome)
    values (${door}, ${actor}, ${accountId ?? null}::uuid, ${operation}, ${JSON.stringify(subjectOf(input))}::jsonb, ${outcome})`)

/** Free text and imported records, which are stored elsewhere, and addresses of webhooks, which are secrets. */
const leftOut = new Set(['note', 'records', 'address'])
const mostValues = 20
const longestText = 200

/** The short values of an input, without passwords in addresses; at most 20 of a list. */
function subjectOf(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(input).flatMap(([name, value]) => {
    if (leftOut.has(name)) return []
    const short = Array.isArray(value) ? value.slice(0, mostValues).flatMap(shortValue) : shortValue(value)[0]
    return short === undefined || (Array.isArray(short) && short.length === 0) ? [] : [[name, short] as const]
  })
  return Object.fromEntries(kept.slice(0, mostValues))
}

function shortValue(value: unknown): (string | number | boolean)[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [value]
  if (typeof value !== 'string') return []
  // Refused input may hold characters that the store cannot.
  const open = toOneLine(value.replace(/(\w:\/\/)[^\s/@]*@/g, '$1'))
  return [open.length > longestText ? `${open.slice(0, longestText).toWellFormed()}…` : open]
}

/** A recorded write. */
export interface AuditEvent {
  eventId: string
  at: Date
  door: AuditDoor
  actor: string
  /** The name of the key that acted; null for any other actor. */
  key: string | null
  account: string | null
  operation: string
  subject: Record<string, unknown>
  outcome: AuditOutcome
}

export interface AuditFilter {
  account?: string | undefined
  /** First instant, included. */
  from?: Date | undefined
  /** Last instant, not included. */
  to?: Date | undefined
}

/** Events per statement. */
const batch = 1_000

/** Matching writes, oldest first, read as they are consumed. Writes committed meanwhile may be included. */
export async function* auditEvents(
  db: Database,
  { account, from, to }: AuditFilter,
): AsyncGenerator<AuditEvent> {
  const clauses = [
    sql`true`,
    ...(account === undefined ? [] : [sql`a.name = ${account}`]),
    ...(from === undefined ? [] : [sql`e.at >= ${from}`]),
    ...(to === undefined ? [] : [sql`e.at < ${to}`]),
  ]
  let last: AuditEvent | undefined
  for (;;) {
    const beyond = last ? sql`(e.at, e.event_id) > (${last.at}, ${last.eventId}::bigint)` : sql`true`
    const found: AuditEvent[] = await rows(
      db,
      sql<AuditEvent>`
        select e.event_id::text as "eventId", e.at, e.door, e.actor, k.name as key, a.name as account, e.operation, e.subject,
          e.outcome
        from audit_events e left join accounts a using (account_id)
          left join api_keys k on e.actor = 'key:' || k.key_id
        where ${sql.join(clauses, sql` and `)} and ${beyond}
        order by e.at, e.event_id limit ${batch}`,
    )
    yield* found
    last = found.at(-1)
    if (found.length < batch) return
  }
}
