import type { Scope } from '../contract/scopes.ts'
import { type AuditedWrite, recordAuditedWrite } from '../domain/accounts/audit.ts'
import type { Database } from '../storage/database.ts'
import type { Door } from '../vocabulary/provenance.ts'
import { Problem } from './problem.ts'

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
