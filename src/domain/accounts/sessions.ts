import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { keyHash } from './keys.ts'
import { usableKey } from './queries.ts'

/** Hours after its last use at which a session ends. */
const idleHours = 12
/** Days after sign-in at which a session ends, however much it is used. */
const longestDays = 14
/** The oldest ones above this number end, so that a single key cannot fill the store. */
const mostOfOneCredential = 1_000

/** The owner of a session: an API key, or a person authenticated by the OpenID provider. */
export type SessionOwner =
  | { keyId: string; accountId: string }
  | {
      subject: string
      accountId: string
      /** The provider's name of the person. */
      name: string
      scopes: readonly string[]
      bringsEvidence: boolean
      /** Whether they make, renew and end keys of their account. */
      administers: boolean
      /** When the provider's token ends, and the session with it. */
      until: Date
    }

/** Data by which its owner can recognise a session. */
export interface SignInPlace {
  browser: string | null
  address: string | null
}

/** The credential behind a session: a key, or else a person of the provider. */
export interface SessionCredential {
  keyId: string | null
  subject: string | null
  accountId: string
}

export interface SessionRow extends SessionCredential {
  sessionId: string
  /** Name of the account. */
  account: string
  /** Name of the key or of the person. */
  name: string
  scopes: string[]
  bringsEvidence: boolean
  administers: boolean
  createdAt: Date
  expiresAt: Date
  /** Networks its key may be used from, as CIDR; none for everywhere. */
  networks: string[]
}

export const newSecret = (): string => randomBytes(32).toString('base64url')

export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Whether a text has the form of a secret; anything else needs no look-up. */
export const hasSecretForm = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export async function insertSession(
  db: Database,
  sessionId: string,
  hash: Uint8Array,
  owner: SessionOwner,
  { browser, address }: SignInPlace,
): Promise<void> {
  const ofKey = 'keyId' in owner
  const { keyId } = ofKey ? owner : { keyId: null }
  const { subject, name, scopes, bringsEvidence, administers, until } = ofKey
    ? { subject: null, name: null, scopes: null, bringsEvidence: null, administers: false, until: null }
    : owner
  await inTransaction(db, async (transaction) => {
    await sql`
      insert into sessions (session_id, secret_hash, key_id, subject, account_id, name, scopes, brings_evidence, administers,
        expires_at, ends_at, browser, address)
      select ${sessionId}::uuid, ${hash}, ${keyId}::uuid, ${subject}, ${owner.accountId}::uuid, ${name},
        ${scopes && [...scopes]}::text[], ${bringsEvidence}::boolean, ${administers},
        least(now() + make_interval(hours => ${idleHours}), ends_at), ends_at, ${browser}, ${address}
      from (select least(now() + make_interval(days => ${longestDays}), ${until}::timestamptz)) as latest (ends_at)`.execute(
      transaction,
    )
    await sql`
      delete from sessions where session_id in (
        select session_id from sessions where key_id = ${keyId}::uuid or subject = ${subject}
        order by created_at desc, session_id desc offset ${mostOfOneCredential})`.execute(transaction)
  })
}

/** The session with this secret, if it and its credential are valid. */
export function usableSession(db: Database, hash: Uint8Array): Promise<SessionRow | undefined> {
  return firstRow(
    db,
    sql<SessionRow>`
      select s.session_id as "sessionId", s.key_id as "keyId", s.subject, s.account_id as "accountId", a.name as account,
        coalesce(s.name, k.name) as name, to_json(coalesce(s.scopes, k.scopes)) as scopes,
        coalesce(s.brings_evidence, k.brings_evidence) as "bringsEvidence",
        s.administers or coalesce(k.administers, false) as administers, s.created_at as "createdAt",
        least(s.expires_at, k.expires_at) as "expiresAt", to_json(coalesce(k.networks, '{}')) as networks
      from sessions s join accounts a using (account_id) left join api_keys k using (key_id)
      where s.secret_hash = ${hash} and s.expires_at > now()
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
  )
}

export interface ListedSession extends SignInPlace {
  sessionId: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

/** All valid sessions of the owner of a session, newest first. */
export function sessionsOfOwner(
  db: Database,
  { keyId, subject }: Pick<SessionRow, 'keyId' | 'subject'>,
): Promise<ListedSession[]> {
  return rows(
    db,
    sql<ListedSession>`
      select s.session_id as "sessionId", s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
        least(s.expires_at, k.expires_at) as "expiresAt", s.browser, s.address
      from sessions s left join api_keys k using (key_id)
      where (s.key_id = ${keyId}::uuid or s.subject = ${subject}) and s.expires_at > now()
      order by s.created_at desc, s.session_id desc`,
  )
}

/** Ends a session of the same owner. @returns the hash of its secret; undefined where the owner has no such session */
export async function endSession(
  db: Database,
  { keyId, subject }: Pick<SessionRow, 'keyId' | 'subject'>,
  sessionId: string,
): Promise<Buffer | undefined> {
  const ended = await firstRow(
    db,
    sql<{ hash: Buffer }>`
      delete from sessions
      where session_id = ${sessionId}::uuid and (key_id = ${keyId}::uuid or subject = ${subject}) and expires_at > now()
      returning secret_hash as hash`,
  )
  return ended?.hash
}

/** Ends the session with this secret. @returns its credential; undefined where there is no such session */
export function endSessionWith(db: Database, hash: Uint8Array): Promise<SessionCredential | undefined> {
  return firstRow(
    db,
    sql<SessionCredential>`
      delete from sessions where secret_hash = ${hash} and expires_at > now()
      returning key_id as "keyId", subject, account_id as "accountId"`,
  )
}

/** Records the use of sessions, which extends them. */
export async function recordSessionUse(db: Database, sessionIds: readonly string[]): Promise<void> {
  await sql`
    update sessions
    set last_used_at = now(), expires_at = least(now() + make_interval(hours => ${idleHours}), ends_at)
    where session_id = any(${[...sessionIds]}::uuid[])`.execute(db)
}

/** Deletes sessions and links that have ended. */
export async function deleteEndedSessions(db: Database): Promise<void> {
  await sql`
    delete from sessions s where expires_at < now() or exists (
      select 1 from api_keys k where k.key_id = s.key_id and (k.revoked_at is not null or k.expires_at < now()))`.execute(
    db,
  )
  await sql`delete from sign_in_links where expires_at < now()`.execute(db)
}

/** Minutes for which a link is valid. */
export const signInLinkMinutes = 15

/** Creates a one-time link for a key. @returns its path, which holds the secret: only its hash is stored */
export async function createSignInLink(db: Database, keyId: string): Promise<string> {
  const secret = newSecret()
  await sql`
    insert into sign_in_links (link_hash, key_id, expires_at)
    values (${secretHash(secret)}, ${keyId}::uuid, now() + make_interval(mins => ${signInLinkMinutes}))`.execute(
    db,
  )
  return `/session/link/${secret}`
}

/** The same for a key that is at hand. @throws where the key is not valid */
export async function createSignInLinkOf(db: Database, key: string): Promise<string> {
  const found = await usableKey(db, keyHash(key))
  if (!found) throw new Error('The key was revoked meanwhile.')
  return createSignInLink(db, found.keyId)
}

export async function isUsableSignInLink(db: Database, secret: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select 1 from sign_in_links where link_hash = ${secretHash(secret)} and expires_at > now()`,
  )
  return found !== undefined
}

/** Uses up a link. @returns its key, to the first caller only */
export function useUpSignInLink(
  db: Database,
  secret: string,
): Promise<{ keyId: string; accountId: string } | undefined> {
  return firstRow(
    db,
    sql<{ keyId: string; accountId: string }>`
      delete from sign_in_links l using api_keys k
      where l.link_hash = ${secretHash(secret)} and l.expires_at > now() and k.key_id = l.key_id
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      returning k.key_id as "keyId", k.account_id as "accountId"`,
  )
}
