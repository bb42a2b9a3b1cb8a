import { hash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction } from '../../storage/database.ts'
import { ensureAccount, insertKey, replaceKey } from './queries.ts'

/** The account of a key when none is named. */
const defaultAccount = 'default'

/**
 * The operator's id where an account id is expected. No account has this id; nothing is saved under it, and it sees every
 * copy.
 */
export const operatorId = '00000000-0000-0000-0000-000000000000'

const prefix = 'rsk_'

export interface KeyRequest {
  name: string
  scopes: readonly string[]
  account?: string
  expiresAt?: Date
  /** Whether it may import user-provided evidence; default true. */
  bringsEvidence?: boolean
  /** Networks it may be used from, as CIDR; everywhere when left out. */
  networks?: readonly string[]
  /** Whether it makes, renews and ends keys of its account; default false. */
  administers?: boolean
}

/** Creates an API key. The key itself is returned only here; the store holds its hash. */
export async function createKey(db: Database, request: KeyRequest): Promise<string> {
  const key = newKey()
  await inTransaction(db, async (transaction) => {
    const accountId = await ensureAccount(transaction, uuidv7(), request.account ?? defaultAccount)
    await insertKey(transaction, {
      keyId: uuidv7(),
      accountId,
      name: request.name,
      hash: keyHash(key),
      scopes: request.scopes,
      expiresAt: request.expiresAt ?? null,
      bringsEvidence: request.bringsEvidence ?? true,
      networks: request.networks ?? [],
      administers: request.administers ?? false,
    })
  })
  return key
}

/**
 * Replaces a valid key by one with the same rights and no expiry; the old one remains valid for some hours at most.
 * @returns the new key, only here; undefined where the old one is no longer valid
 */
export async function rotateKey(
  db: Database,
  keyId: string,
  overlapHours: number,
): Promise<string | undefined> {
  const key = newKey()
  const successor = { keyId: uuidv7(), hash: keyHash(key), expiresAt: null }
  return (await replaceKey(db, keyId, successor, overlapHours)) ? key : undefined
}

/** A new random key. */
export const newKey = () => `${prefix}${randomBytes(32).toString('base64url')}`

export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** Whether a bearer token has the format of a Rivalscope key. */
export function looksLikeKey(token: string): boolean {
  return token.startsWith(prefix)
}

/** Whether it has the length and alphabet of a key; anything else needs no look-up. */
export function hasKeyForm(token: string): boolean {
  return /^rsk_[A-Za-z0-9_-]{43}$/.test(token)
}
