import type { Scope } from '../contract/scopes.ts'
import { type AuditedWrite, recordAuditedWrite } from '../domain/accounts/audit.ts'
import { lockAccount } from '../domain/accounts/limits.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { isUuid } from '../vocabulary/ids.ts'
import type { Door } from '../vocabulary/provenance.ts'
import { Problem, refuseByLimit, storeFailuresAsProblems } from './problem.ts'

/** The caller: an API key or the subject of a token, and its account. */
export interface Caller {
  /** Stable name of the credential, for rate limits and idempotency. */
  credentialId: string
  accountId: string
  scopes: ReadonlySet<Scope>
  /** Whether it may import evidence of its own: inline ad records and links. */
  bringsEvidence: boolean
  /** Whether it may create, rotate and revoke keys of its account. */
  administers?: boolean
  /** The interface it uses. */
  door: Door
  /** Whether it is a person at the web pages. */
  usesPages?: true
}

/** Refuses a caller that may not import evidence of its own. @throws Problem `evidence-not-allowed` */
export function admitUserEvidence({ bringsEvidence }: Caller): void {
  if (bringsEvidence) return
  throw new Problem(
    'evidence-not-allowed',
    'This credential may not bring ad records and links of its own. The operator makes keys that may with `rivalscope keys create`.',
  )
}

/** Refuses a caller without a scope. @throws Problem `scope-missing` */
export function expectScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes.has(scope))
    throw new Problem('scope-missing', `This operation needs the scope ${scope}.`, { scope })
}

/** Records a write of a caller beside the contract; on the transaction of the write. */
export const recordWriteOf = (
  transaction: Database,
  { usesPages, door, credentialId, accountId }: Caller,
  written: Pick<AuditedWrite, 'operation' | 'input' | 'outcome'>,
): Promise<void> =>
  recordAuditedWrite(transaction, {
    ...written,
    door: usesPages ? 'pages' : door,
    actor: credentialId,
    accountId,
  })

/**
 * Performs a write of a caller beside the contract. Those of an account follow one another, so that together they keep its
 * limits.
 * @throws Problem
 */
export const writeOf = <Done>(
  db: Database,
  { accountId }: Caller,
  perform: (transaction: Database) => Promise<Done>,
): Promise<Done> =>
  storeFailuresAsProblems(() =>
    inTransaction(db, async (transaction) => {
      await lockAccount(transaction, accountId)
      return perform(transaction)
    }),
  ).catch(refuseByLimit)

/** What an account has under an id of a path. @throws Problem `route-not-found` where it has nothing there */
export async function expectOwn<Found>(
  what: 'watch' | 'channel' | 'draft',
  id: string,
  find: (id: string) => Promise<Found | false | undefined>,
): Promise<Found> {
  const found = isUuid(id) && (await find(id))
  if (!found)
    throw new Problem('route-not-found', `Your account has no such ${what}. It may have been removed.`)
  return found
}
