import { createKey } from '../domain/accounts/keys.ts'
import { listKeys, revokeKeys, usableKeysNamed } from '../domain/accounts/queries.ts'
import { createSignInLink, linkMinutes } from '../domain/accounts/sign-in-links.ts'
import { statedTime } from '../ingest/times.ts'
import type { OperatorContext } from './operator-context.ts'
import { refusesControl } from './plain-text.ts'

export interface CreateKeyOptions {
  name: string
  scopes: string[]
  account?: string
  /** RFC 3339 or a date; UTC without a zone. */
  expires?: string
  /** Whether it may bring ad records and links of its own; default on. */
  bringEvidence?: 'on' | 'off'
}

/** Creates a key. Standard output carries the key alone, for scripts. */
export async function createKeyCommand(
  { db, terminal }: OperatorContext,
  { name, scopes, account, expires, bringEvidence }: CreateKeyOptions,
): Promise<0 | 1> {
  if (refusesControl(terminal, { name, account })) return 1
  const expiresAt = expires === undefined ? undefined : statedTime(expires)?.at
  if (expires !== undefined && !expiresAt) {
    terminal.note(`"${expires}" is no date or RFC 3339 time.`)
    return 1
  }
  const key = await createKey(db, {
    name,
    scopes,
    ...(account ? { account } : {}),
    ...(expiresAt ? { expiresAt } : {}),
    bringsEvidence: bringEvidence !== 'off',
  })
  terminal.note('Keep this key: it is not shown again.')
  terminal.out(key)
  return 0
}

/** Every key ever created, newest first; never the keys themselves. */
export async function listKeysCommand(
  { db, terminal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  const keys = await listKeys(db)
  if (json) {
    terminal.out(JSON.stringify(keys))
    return 0
  }
  if (keys.length === 0) terminal.out('No keys yet: make one with rivalscope keys create.')
  for (const key of keys) {
    const state = key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt < new Date() ? 'expired' : 'valid'
    const used = key.lastUsedAt ? `used ${key.lastUsedAt.toISOString().slice(0, 16)}Z` : 'never used'
    terminal.out(
      `${key.keyId}  ${state.padEnd(7)}  ${key.account}  ${key.name}  ${key.scopes.join(',')}${key.bringsEvidence ? '' : ', brings no evidence'}  ${used}`,
    )
  }
  return 0
}

/** Revokes a key by id, or all keys of a name. Running servers notice within a second. */
export async function revokeKeyCommand(
  { db, terminal }: OperatorContext,
  { key }: { key: string },
): Promise<0 | 1> {
  const ended = await revokeKeys(db, key)
  if (ended.length === 0) {
    terminal.note(`No valid key has the id or name "${key}".`)
    return 1
  }
  for (const { keyId, name, account } of ended) terminal.out(`revoked ${keyId}  ${account}  ${name}`)
  return 0
}

/** Makes a link that signs in with a key. Standard output carries the link alone, for scripts. */
export async function linkKeyCommand(
  { db, terminal }: OperatorContext,
  { key, publicUrl }: { key: string; publicUrl: string },
): Promise<0 | 1> {
  const found = await usableKeysNamed(db, key)
  const [only] = found
  if (!only) {
    terminal.note(`No valid key has the id or name "${key}".`)
    return 1
  }
  if (found.length > 1) {
    terminal.note(`${found.length} valid keys are named "${key}": give the id of one of them.`)
    for (const { keyId, account } of found) terminal.note(`  ${keyId}  ${account}`)
    return 1
  }
  terminal.note(`Good for one sign-in as ${only.name} of ${only.account}, within ${linkMinutes} minutes.`)
  terminal.out(`${publicUrl.replace(/\/+$/, '')}${await createSignInLink(db, only.keyId)}`)
  return 0
}
