import { z } from 'zod'
import { scopes as knownScopes } from '../contract/scopes.ts'
import type { KeyRow } from '../domain/accounts/queries.ts'
import type { Database } from '../storage/database.ts'
import { command, printList, Refusal } from './command.ts'
import { flag, given } from './field-help.ts'
import { expectPrintable, jsonFlag, Moment, Network, Scope, Text, WebAddress } from './fields.ts'
import type { Terminal } from './operator-context.ts'

/** The default address of `serve`. */
const defaultAddress = 'http://127.0.0.1:8787'

export const newKeyInput = {
  name: given('<name>', 'what the key is for', Text),
  scopes: given('<list>', 'context:read, content:write or both, separated by a comma', z.array(Scope), {
    usually: Object.keys(knownScopes),
  }),
  account: given('<name>', 'account it belongs to; "default" when left out', Text.exactOptional()),
  expires: given('<time>', 'when it ends; never when left out', Moment.exactOptional()),
  bringEvidence: given(
    '<on|off>',
    'whether it may bring ad records and links of its own; on when left out',
    z.enum(['on', 'off']).exactOptional(),
  ),
  networks: given(
    '<list>',
    'addresses it may be used from, such as 10.0.0.0/8,2001:db8::/32; everywhere when left out',
    z.array(Network).exactOptional(),
  ),
  admin: flag('whether it makes, rotates and revokes keys of its account, by --server'),
}
const oneKey = given('<key>', 'id of the key, or its name where only one valid key has it', Text)
export const rotateKeyInput = {
  key: oneKey,
  overlapHours: given(
    '<hours>',
    'how long the old one still works',
    z.coerce.number().min(0).max(2_160).default(24),
  ),
}

export const keyCommands = {
  /** Standard output has only the key, for scripts; the same holds for `keys rotate`, and for the link of `keys link`. */
  'keys create': command({
    writes: true,
    makesStore: true,
    input: newKeyInput,
    async perform({ db, terminal }, { name, scopes, account, expires, bringEvidence, networks, admin }) {
      expectPrintable({ name, account })
      const { statedTime } = await import('../ingest/times.ts')
      const expiresAt = expires === undefined ? undefined : statedTime(expires)?.at
      if (expires !== undefined && !expiresAt) throw new Refusal(`"${expires}" is no date or RFC 3339 time.`)
      const { createKey } = await import('../domain/accounts/keys.ts')
      const key = await createKey(db, {
        name,
        scopes,
        ...(account ? { account } : {}),
        ...(expiresAt ? { expiresAt } : {}),
        bringsEvidence: bringEvidence !== 'off',
        ...(networks ? { networks } : {}),
        administers: admin === true,
      })
      await printKey(terminal, key)
      return 0
    },
    remotely: {
      perform: async (context, input) => (await import('./remote-keys.ts')).createRemotely(context, input),
      onlyInStore: { fields: ['account', 'admin'], because: 'an admin makes keys of their own account' },
    },
  }),

  /** Every key ever created, newest first; never the keys themselves. */
  'keys list': command({
    input: { json: jsonFlag },
    async perform(context, { json: jsonFlag }) {
      const { listKeys } = await import('../domain/accounts/queries.ts')
      const none = 'No keys yet: make one with rivalscope keys create.'
      return printList(context, await listKeys(context.db), { json: jsonFlag, none, line: keyLine })
    },
    remotely: {
      perform: async (context, input) => (await import('./remote-keys.ts')).listRemotely(context, input),
    },
  }),

  'keys rotate': command({
    writes: true,
    input: rotateKeyInput,
    places: ['key'],
    async perform({ db, terminal }, { key, overlapHours }) {
      const { keyId } = await theKeyNamed(db, key)
      const { rotateKey } = await import('../domain/accounts/keys.ts')
      const successor = await rotateKey(db, keyId, overlapHours)
      if (successor === undefined) throw new Refusal(`The key ${keyId} is not valid any longer.`)
      await printKey(terminal, successor, { keyId, overlapHours })
      return 0
    },
    remotely: {
      perform: async (context, input) => (await import('./remote-keys.ts')).rotateRemotely(context, input),
    },
  }),

  /** All keys of a name are revoked where they are of one account. Running servers notice within a second. */
  'keys revoke': command({
    writes: true,
    input: { key: given('<key>', '', Text) },
    places: ['key'],
    async perform({ db, terminal }, { key }) {
      const { revokeKeys, usableKeysNamed } = await import('../domain/accounts/queries.ts')
      const named = await usableKeysNamed(db, key)
      const accounts = new Set(named.map(({ account }) => account))
      if (accounts.size > 1)
        throw new Refusal(
          [
            `Keys of ${accounts.size} accounts are named "${key}", and none was revoked: give their ids.`,
            ...named.map(({ keyId, account }) => `  ${keyId}  ${account}`),
          ].join('\n'),
        )
      const ended = await revokeKeys(db, key)
      if (ended.length === 0) throw new Refusal(`No valid key has the id or name "${key}".`)
      for (const { keyId, name, account } of ended) terminal.out(`revoked ${keyId}  ${account}  ${name}`)
      return 0
    },
    remotely: {
      perform: async (context, input) => (await import('./remote-keys.ts')).revokeRemotely(context, input),
    },
  }),

  'keys link': command({
    writes: true,
    input: {
      key: oneKey,
      publicUrl: given('<url>', 'address that people reach the service by', WebAddress.default(defaultAddress)),
    },
    places: ['key'],
    async perform({ db, terminal }, { key, publicUrl }) {
      const only = await theKeyNamed(db, key)
      const { createSignInLink, signInLinkMinutes } = await import('../domain/accounts/sessions.ts')
      terminal.note(
        `Good for one sign-in as ${only.name} of ${only.account}, within ${signInLinkMinutes} minutes.`,
      )
      terminal.out(`${publicUrl.replace(/\/+$/, '')}${await createSignInLink(db, only.keyId)}`)
      return 0
    },
  }),
}

/** Shows a new key; it cannot be shown again. @param old the key that it replaces */
export async function printKey(
  terminal: Terminal,
  key: string,
  old?: { keyId: string; overlapHours: number },
): Promise<void> {
  const { countWithNoun } = await import('../text/numbers.ts')
  const ends =
    old?.overlapHours === 0
      ? 'has ended'
      : `works for ${countWithNoun(old?.overlapHours ?? 0, 'more hour')} at most`
  terminal.note(`Keep this key: it is not shown again.${old ? ` ${old.keyId} ${ends}.` : ''}`)
  terminal.out(key)
}

/** The line of a key in a list. */
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

/** The valid key with this id or name. @throws Refusal with advice where there is none, or more than one */
async function theKeyNamed(
  db: Database,
  key: string,
): Promise<{ keyId: string; name: string; account: string }> {
  const { usableKeysNamed } = await import('../domain/accounts/queries.ts')
  const found = await usableKeysNamed(db, key)
  const [only] = found
  if (!only) throw new Refusal(`No valid key has the id or name "${key}".`)
  if (found.length === 1) return only
  const several = found.map(({ keyId, account }) => `\n  ${keyId}  ${account}`)
  throw new Refusal(
    `${found.length} valid keys are named "${key}": give the id of one of them.${several.join('')}`,
  )
}

const soonDays = 14

/** When a valid key expires, with advice where that is soon. */
function endIn(at: Date): string {
  const days = Math.floor((at.getTime() - Date.now()) / 86_400_000)
  const told = `ends ${at.toISOString().slice(0, 16)}Z`
  return days < soonDays ? `${told}, in ${days} days: rivalscope keys rotate` : told
}
