import { hash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction } from '../../storage/database.ts'
import { ensureAccount, insertKey } from './queries.ts'

/** The account of keys for which none is named. */
const defaultAccount = 'default'

/** Stands for the operator where an account is asked for: no account has it, it keeps nothing, and is told of every copy. */
export const operatorId = '00000000-0000-0000-0000-000000000000'

const prefix = 'rsk_'

export interface KeyRequest {
  name: string
  scopes: readonly string[]
  account?: string
  expiresAt?: Date
  /** Whether it may bring evidence of its own; it may when left out. */
  bringsEvidence?: boolean
}

/** Makes an API key. It is answered this once; the store keeps its hash. */
export async function createKey(db: Database, request: KeyRequest): Promise<string> {
  const key = `${prefix}${randomBytes(32).toString('base64url')}`
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
    })
  })
  return key
}

export function keyHash(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** Whether a bearer token has the form of a key of ours. */
export function looksLikeKey(token: string): boolean {
  return token.startsWith(prefix)
}

/** Whether it is as long as keys are, and of their letters: nothing else need be looked up. */
export function canBeKey(token: string): boolean {
  return /^rsk_[A-Za-z0-9_-]{43}$/.test(token)
}
