import { type AuditEvent, auditEvents } from '../domain/accounts/audit.ts'
import { statedTime } from '../ingest/times.ts'
import type { OperatorContext } from './operator-context.ts'

export interface AuditOptions {
  account?: string
  /** RFC 3339 or a date; UTC without a zone. */
  from?: string
  to?: string
  json?: boolean
}

/** Who wrote what through which door, oldest first: a line for each, or a JSON object. */
export async function auditCommand(
  { db, terminal, signal }: OperatorContext,
  { account, from, to, json }: AuditOptions,
): Promise<0 | 1> {
  const at = (text: string | undefined) => (text === undefined ? undefined : statedTime(text)?.at)
  let told = 0
  for await (const event of auditEvents(db, { account, from: at(from), to: at(to) })) {
    signal.throwIfAborted()
    terminal.out(json ? JSON.stringify(event) : line(event))
    told++
  }
  if (told === 0) terminal.note('Nothing was written that matches.')
  return 0
}

function line({ at, door, actor, key, account, operation, outcome, subject }: AuditEvent): string {
  const who = key === null ? actor : `${actor} ${JSON.stringify(key)}`
  const about = Object.entries(subject).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [at.toISOString(), door.padEnd(12), outcome.padEnd(8), account ?? '-', who, operation, ...about].join(
    '  ',
  )
}
