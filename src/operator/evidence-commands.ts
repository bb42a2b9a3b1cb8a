import { sql } from 'kysely'
import { broughtEvidence } from '../domain/paid-ads/brought-queries.ts'
import { withdrawDecision } from '../domain/paid-ads/link-decisions.ts'
import { withdrawRun } from '../jobs/ad-imports/withdraw-records.ts'
import type { OperatorContext } from './operator-context.ts'

export interface ListEvidenceOptions {
  account?: string
  json?: boolean
}

/** Evidence that accounts brought, newest first: imports of inline records, and links. */
export async function listEvidenceCommand(
  { db, terminal }: OperatorContext,
  { account, json }: ListEvidenceOptions,
): Promise<0 | 1> {
  const found = await broughtEvidence(db, account)
  if (json) terminal.out(JSON.stringify(found))
  else if (found.length === 0) terminal.out('No account brought any evidence.')
  else
    for (const { id, kind, what, account, door, broughtAt, withdrawnAt } of found) {
      const state = withdrawnAt ? `withdrawn ${withdrawnAt.toISOString().slice(0, 16)}Z` : 'stands'
      terminal.out(
        `${id}  ${kind.padEnd(7)}  ${state}  ${account}  ${door}  ${broughtAt.toISOString().slice(0, 16)}Z  ${what}`,
      )
    }
  return 0
}

/** Withdraws the evidence of one import of inline records, or one decision about links. Idempotent. */
export async function withdrawEvidenceCommand(
  { db, terminal }: OperatorContext,
  { id }: { id: string },
): Promise<0 | 1> {
  const { rows: runs } = await sql`
    select from ad_imports where run_id::text = ${id} and query is null`.execute(db)
  if (runs.length > 0) await withdrawRun(db, id, new Date())
  else if (!(await withdrawDecision(db, id))) {
    terminal.note(
      `No import of inline records and no decision about links has the id "${id}"; rivalscope evidence list names them.`,
    )
    return 1
  }
  terminal.out(`withdrawn ${id}`)
  return 0
}
