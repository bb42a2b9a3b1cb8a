import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'

export interface KeyRow {
  keyId: string
  account: string
  name: string
  scopes: string[]
  bringsEvidence: boolean
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  /** Networks it may be used from, as CIDR; none for everywhere. */
  networks: string[]
  /** Whether it makes, renews and ends keys of its account. */
  administers: boolean
}

/** The id of the account with that name; creates the account when it is new. */
export async function ensureAccount(db: Database, accountId: string, name: string): Promise<string> {
  const found = await firstRow(
    db,
    sql<{ accountId: string }>`
      insert into accounts (account_id, name) values (${accountId}::uuid, ${name})
      on conflict (name) do update set name = excluded.name
      returning account_id as "accountId"`,
  )
  if (!found) throw new Error(`The account ${name} was not stored.`)
  return found.accountId
}

/** The id of the account with that name, if there is one. */
export async function accountNamed(db: Database, name: string): Promise<string | undefined> {
  const found = await firstRow(
    db,
    sql<{ accountId: string }>`select account_id as "accountId" from accounts where name = ${name}`,
  )
  return found?.accountId
}

/** The name of an account. */
export async function accountName(db: Database, accountId: string): Promise<string> {
  const found = await firstRow(
    db,
    sql<{ name: string }>`select name from accounts where account_id = ${accountId}::uuid`,
  )
  if (!found) throw new Error(`There is no account ${accountId}.`)
  return found.name
}

export interface NewKey {
  keyId: string
  accountId: string
  name: string
  hash: Uint8Array
  scopes: readonly string[]
  expiresAt: Date | null
  bringsEvidence: boolean
  networks: readonly string[]
  administers: boolean
}

export async function insertKey(db: Database, key: NewKey): Promise<void> {
  await sql`
    insert into api_keys (key_id, account_id, name, key_hash, scopes, expires_at, brings_evidence, administers, networks)
    values (${key.keyId}::uuid, ${key.accountId}::uuid, ${key.name}, ${key.hash}, ${[...key.scopes]}::text[], ${key.expiresAt}::timestamptz,
      ${key.bringsEvidence}, ${key.administers}, (select coalesce(array_agg(network(given::inet)), '{}') from unnest(${[...key.networks]}::text[]) given))`.execute(
    db,
  )
}

export type UsableKey = Pick<KeyRow, 'keyId' | 'scopes' | 'bringsEvidence' | 'administers' | 'networks'> & {
  accountId: string
}

/** The key with this hash, if it is currently valid. */
export function usableKey(db: Database, hash: Uint8Array): Promise<UsableKey | undefined> {
  return firstRow(
    db,
    sql<UsableKey>`
      select key_id as "keyId", account_id as "accountId", to_json(scopes) as scopes, brings_evidence as "bringsEvidence",
        administers, to_json(networks) as networks
      from api_keys
      where key_hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`,
  )
}

/** Valid keys by id or by name, newest first. */
export function usableKeysNamed(
  db: Database,
  idOrName: string,
): Promise<{ keyId: string; name: string; account: string }[]> {
  return rows(
    db,
    sql<{ keyId: string; name: string; account: string }>`
      select k.key_id as "keyId", k.name, a.name as account
      from api_keys k join accounts a using (account_id)
      where (k.key_id::text = ${idOrName} or k.name = ${idOrName})
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      order by k.created_at desc, k.key_id desc`,
  )
}

/**
 * Adds a key with another secret and the same rights as a valid one, which then ends after some hours, unless it ends
 * before.
 * @returns whether the key was valid
 */
export async function replaceKey(
  db: Database,
  keyId: string,
  successor: Pick<NewKey, 'keyId' | 'hash' | 'expiresAt'>,
  overlapHours: number,
): Promise<boolean> {
  const replaced = await firstRow(
    db,
    sql`
      with ended as (
        update api_keys
        -- Cut, since it would be rounded: without an overlap, the key has ended now.
        set expires_at = least(expires_at, date_trunc('milliseconds', now() + ${overlapHours} * interval '1 hour'))
        where key_id = ${keyId}::uuid and revoked_at is null and (expires_at is null or expires_at > now())
        returning account_id, name, scopes, brings_evidence, administers, networks
      )
      insert into api_keys (key_id, account_id, name, key_hash, expires_at, scopes, brings_evidence, administers, networks)
      select ${successor.keyId}::uuid, account_id, name, ${successor.hash}, ${successor.expiresAt}::timestamptz, scopes,
        brings_evidence, administers, networks
      from ended
      returning key_id`,
  )
  return replaced !== undefined
}

/** Records the last use of keys, to the minute. */
export async function recordKeyUse(db: Database, keyIds: readonly string[]): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
    where key_id = any(${[...keyIds]}::uuid[])`.execute(db)
}

/** All keys ever created, newest first. */
export function listKeys(db: Database): Promise<KeyRow[]> {
  return rows(
    db,
    sql<KeyRow>`
      select k.key_id as "keyId", a.name as account, k.name, to_json(k.scopes) as scopes,
        k.brings_evidence as "bringsEvidence", k.created_at as "createdAt",
        k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
        to_json(k.networks) as networks, k.administers
      from api_keys k join accounts a using (account_id)
      order by k.created_at desc, k.key_id desc`,
  )
}

/** Revokes keys by id or by name. @returns those revoked by this call */
export function revokeKeys(
  db: Database,
  idOrName: string,
): Promise<{ keyId: string; name: string; account: string }[]> {
  return inTransaction(db, async (transaction) => {
    const owners = await rows(
      transaction,
      sql<{ accountId: string }>`
        select distinct account_id as "accountId" from api_keys
        where revoked_at is null and (key_id::text = ${idOrName} or name = ${idOrName})`,
    )
    await lockKeysOf(
      transaction,
      owners.map(({ accountId }) => accountId),
    )
    return rows(
      transaction,
      sql<{ keyId: string; name: string; account: string }>`
        update api_keys k set revoked_at = now()
        from accounts a
        where a.account_id = k.account_id and revoked_at is null and (key_id::text = ${idOrName} or k.name = ${idOrName})
        returning key_id as "keyId", k.name, a.name as account`,
    )
  })
}

export async function anyKeys(db: Database): Promise<boolean> {
  const found = await firstRow(db, sql<{ any: boolean }>`select exists (select 1 from api_keys) as any`)
  return found?.any ?? false
}

/** Maximum valid keys of an account that its admins can create; the operator may exceed it. */
export const maxKeys = 100

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
