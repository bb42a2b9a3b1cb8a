import type { Scope } from '../contract/scopes.ts'
import type { Door } from '../vocabulary/provenance.ts'

/** Who calls: an API key or the subject of a token, and the account it belongs to. */
export interface Caller {
  /** Stable name of the credential, for rate limits and repeated writes. */
  credentialId: string
  accountId: string
  scopes: ReadonlySet<Scope>
  /** Whether it may bring evidence of its own: inline ad records and links. */
  bringsEvidence: boolean
  /** The way it came in. */
  door: Door
}
