import { createKey, rotateKey } from '../domain/accounts/keys.ts'
import { type KeyRow, listKeys, revokeKeys, usableKeysNamed } from '../domain/accounts/queries.ts'
import { createSignInLink, linkMinutes } from '../domain/accounts/sign-in-links.ts'
import { statedTime } from '../ingest/times.ts'
import type { Database } from '../storage/database.ts'
import { counted } from '../text/figures.ts'
import type { OperatorContext } from './operator-context.ts'
import { refusesControl } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

export interface CreateKeyOptions {
  name: string
  scopes: string[]
  account?: string
  /** RFC 3339 or a date; UTC without a zone. */
  expires?: string
  /** Whether it may bring ad records and links of its own; default on. */
  bringEvidence?: 'on' | 'off'
  /** Networks it may be used from, as CIDR. */
  networks?: string[]
  /** Whether it makes, renews and ends keys of its account. */
  admin?: boolean
}

/** Creates a key. Standard output carries the key alone, for scripts. */
export async function createKeyCommand(
  { db, terminal }: OperatorContext,
  { name, scopes, account, expires, bringEvidence, networks, admin }: CreateKeyOptions,
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
    ...(networks ? { networks } : {}),
    administers: admin === true,
  })
  tellKey(terminal, key)
  return 0
}

/** Shows a key, the only time. @param old the one that it replaces */
export function tellKey(terminal: Terminal, key: string, old?: { keyId: string; overlapHours: number }): void {
  const ends =
    old?.overlapHours === 0 ? 'has ended' : `works for ${counted(old?.overlapHours ?? 0, 'more hour')} at most`
  terminal.note(`Keep this key: it is not shown again.${old ? ` ${old.keyId} ${ends}.` : ''}`)
  terminal.out(key)
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
  for (const key of keys) terminal.out(keyLine(key))
  return 0
}

/** A key as it is listed. */
export function keyLine(
  key: Omit<KeyRow, 'account' | 'createdAt' | 'scopes' | 'networks'> & {
    account?: string
    scopes: readonly string[]
    networks: readonly string[]
  },
): string {
  const state = key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt < new Date() ? 'expired' : 'valid'
  const rights = [
    key.scopes.join(','),
    ...(key.administers ? ['admin'] : []),
    ...(key.bringsEvidence ? [] : ['brings no evidence']),
    ...(key.networks.length > 0 ? [`from ${key.networks.join(' ')}`] : []),
  ]
  const used = key.lastUsedAt ? `used ${key.lastUsedAt.toISOString().slice(0, 16)}Z` : 'never used'
  const ends = state === 'valid' && key.expiresAt ? [endIn(key.expiresAt)] : []
  return [
    key.keyId,
    state.padEnd(7),
    ...(key.account ? [key.account] : []),
    key.name,
    rights.join(', '),
    used,
    ...ends,
  ].join('  ')
}

/**
 * Revokes a key by id, or all keys of a name, where they are of one account. Running servers notice within a second.
 */
export async function revokeKeyCommand(
  { db, terminal }: OperatorContext,
  { key }: { key: string },
): Promise<0 | 1> {
  const named = await usableKeysNamed(db, key)
  const accounts = new Set(named.map(({ account }) => account))
  if (accounts.size > 1) {
    terminal.note(`Keys of ${accounts.size} accounts are named "${key}", and none was revoked: give their ids.`)
    for (const { keyId, account } of named) terminal.note(`  ${keyId}  ${account}`)
    return 1
  }
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
  const only = await theKeyNamed(db, terminal, key)
  if (!only) return 1
  terminal.note(`Good for one sign-in as ${only.name} of ${only.account}, within ${linkMinutes} minutes.`)
  terminal.out(`${publicUrl.replace(/\/+$/, '')}${await createSignInLink(db, only.keyId)}`)
  return 0
}

/** Prints a key like another one, which works on for some hours. Standard output carries the key alone, for scripts. */
export async function rotateKeyCommand(
  { db, terminal }: OperatorContext,
  { key, overlapHours }: { key: string; overlapHours: number },
): Promise<0 | 1> {
  const old = await theKeyNamed(db, terminal, key)
  if (!old) return 1
  const successor = await rotateKey(db, old.keyId, overlapHours)
  if (successor === undefined) {
    terminal.note(`The key ${old.keyId} is not valid any longer.`)
    return 1
  }
  tellKey(terminal, successor, { keyId: old.keyId, overlapHours })
  return 0
}

/** The one valid key with this id or name; says what to do where there is none, or more than one. */
async function theKeyNamed(
  db: Database,
  terminal: Terminal,
  key: string,
): Promise<{ keyId: string; name: string; account: string } | undefined> {
  const found = await usableKeysNamed(db, key)
  const [only] = found
  if (found.length === 1) return only
  if (found.length === 0) terminal.note(`No valid key has the id or name "${key}".`)
  else terminal.note(`${found.length} valid keys are named "${key}": give the id of one of them.`)
  for (const { keyId, account } of found) terminal.note(`  ${keyId}  ${account}`)
  return undefined
}

const soonDays = 14

/** When a valid key ends, and what to do where that is soon. */
function endIn(at: Date): string {
  const days = Math.floor((at.getTime() - Date.now()) / 86_400_000)
  const told = `ends ${at.toISOString().slice(0, 16)}Z`
  return days < soonDays ? `${told}, in ${days} days: rivalscope keys rotate` : told
}
