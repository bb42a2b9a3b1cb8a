import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** Maximum valid keys of an account that its admins can create; the operator may exceed it. */
export const mostKeys = 100

/** The rights of a credential, with its networks and expiry. */
export interface KeyRights {
  scopes: readonly string[]
  bringsEvidence: boolean
  /** As CIDR; none for everywhere. */
  networks: readonly string[]
  /** Null for never. */
  expiresAt: Date | null
}

export interface AccountKey extends KeyRights {
  keyId: string
  name: string
  administers: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

const isValid = sql`revoked_at is null and (expires_at is null or expires_at > now())`
const columns = sql`
  key_id as "keyId", name, to_json(scopes) as scopes, brings_evidence as "bringsEvidence", to_json(networks) as networks,
  expires_at as "expiresAt", administers, created_at as "createdAt", last_used_at as "lastUsedAt"`

/** The valid keys of an account, newest first. */
export function validKeysOf(db: Database, accountId: string): Promise<AccountKey[]> {
  return rows(
    db,
    sql<AccountKey>`
      select ${columns} from api_keys where account_id = ${accountId}::uuid and ${isValid}
      order by created_at desc, key_id desc`,
  )
}

/**
 * Serialises changes to the keys of these accounts until the transaction ends, so that a revoked key can pass on no rights.
 */
export async function lockKeysOf(db: Database, accountIds: readonly string[]): Promise<void> {
  await sql`
    select from accounts where account_id = any(${[...accountIds]}::uuid[]) order by account_id for no key update`.execute(
    db,
  )
}

export async function revokeKeyOf(db: Database, accountId: string, keyId: string): Promise<void> {
  await sql`
    update api_keys set revoked_at = now()
    where key_id = ${keyId}::uuid and account_id = ${accountId}::uuid and ${isValid}`.execute(db)
}
