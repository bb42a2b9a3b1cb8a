import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type Scope, scopes } from '../contract/scopes.ts'
import { keyHash, newKey } from '../domain/accounts/keys.ts'
import {
  type AccountKey,
  insertKey,
  type KeyRights,
  lockKeysOf,
  maxKeys,
  replaceKey,
  revokeKeyOf,
  validKeysOf,
} from '../domain/accounts/queries.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { type Caller, recordWriteOf } from './caller.ts'
import { compileBody } from './input.ts'
import { isNetwork, isWithin } from './networks.ts'
import { type InputError, Problem, refuseInput, storeFailuresAsProblems } from './problem.ts'

const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

const ExpiresAt = z.iso.datetime({
  offset: true,
  error: 'must be an RFC 3339 time, such as 2027-12-31T00:00:00Z',
})

const readNewKey = compileBody(
  z.strictObject({
    name: z.string().min(1).max(100),
    scopes: z.array(z.enum(scopeNames)).min(1).max(scopeNames.length),
    expiresAt: ExpiresAt.nullable().optional(),
    bringsEvidence: z.boolean().optional(),
    networks: z
      .array(z.string().refine(isNetwork, 'must be a network such as 10.0.0.0/8, or an address'))
      .max(50)
      .optional(),
  }),
)

const readRotation = compileBody(
  z.strictObject({
    overlapHours: z.number().min(0).max(2_160).default(24),
    expiresAt: ExpiresAt.nullable().optional(),
  }),
)

/** A valid key in the form shown to its account. */
export interface KeyShown {
  keyId: string
  name: string
  scopes: readonly string[]
  bringsEvidence: boolean
  administers: boolean
  networks: readonly string[]
  createdAt: string
  /** Null for never. */
  expiresAt: string | null
  lastUsedAt: string | null
  /** Whether it is the key of the caller. */
  current: boolean
}

/** A new key. The key itself is stored nowhere. */
export interface KeyMade extends KeyShown {
  key: string
}

/** @param keys the valid keys of the account */
type Perform<Done> = (transaction: Database, admin: KeyRights, keys: readonly AccountKey[]) => Promise<Done>

/** Manages the keys of an account, for its admins. A new key never has more rights than its admin. */
export class AccountKeys {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** The valid keys of the account, newest first. @throws Problem `not-an-admin` */
  async list(caller: Caller): Promise<KeyShown[]> {
    refuseOthers(caller)
    const keys = await storeFailuresAsProblems(() => validKeysOf(this.#db, caller.accountId))
    return keys.map((key) => shown(key, caller))
  }

  /** @throws Problem `not-an-admin`, `invalid-request` */
  create(caller: Caller, body: unknown): Promise<KeyMade> {
    return this.#asAdmin(caller, async (transaction, admin, keys) => {
      const { name, scopes: named, expiresAt: ends, ...asked } = readNewKey(body)
      const rights = {
        scopes: [...new Set(named)],
        bringsEvidence: asked.bringsEvidence ?? admin.bringsEvidence,
        networks: asked.networks ?? admin.networks,
        expiresAt: endIn(ends, admin),
      }
      const errors = beyond(rights, admin)
      if (errors.length > 0) refuseInput(errors)
      const [keyId, key] = [uuidv7(), newKey()]
      const { accountId } = caller
      await insertKey(transaction, {
        keyId,
        accountId,
        name,
        hash: keyHash(key),
        administers: false,
        ...rights,
      })
      await recordWriteOf(transaction, caller, {
        operation: 'keys create',
        input: { keyId, name, ...rights, expiresAt: rights.expiresAt?.toISOString() },
        outcome: 'created',
      })
      return { key, ...(await this.#made(transaction, caller, keyId, keys.length)) }
    })
  }

  /** Replaces a key, which stays valid for some hours. @throws Problem `not-an-admin`, `key-not-found`, `invalid-request` */
  rotate(caller: Caller, keyId: string, body: unknown): Promise<KeyMade> {
    return this.#asAdmin(caller, async (transaction, admin, keys) => {
      const { overlapHours, expiresAt: ends } = readRotation(body ?? {})
      const old = keyNamed(keys, keyId)
      const expiresAt = endIn(ends, admin)
      const { name, scopes, networks, bringsEvidence } = old
      if (beyond({ scopes, networks, bringsEvidence, expiresAt: admin.expiresAt }, admin).length > 0)
        refuseInput([{ pointer: '/path/keyId', message: 'may more than you do: the operator renews it' }])
      const errors = beyond({ ...admin, expiresAt }, admin)
      if (errors.length > 0) refuseInput(errors)
      const [successor, key] = [uuidv7(), newKey()]
      await replaceKey(
        transaction,
        old.keyId,
        { keyId: successor, hash: keyHash(key), expiresAt },
        overlapHours,
      )
      await recordWriteOf(transaction, caller, {
        operation: 'keys rotate',
        input: { keyId, name, successor, overlapHours, expiresAt: expiresAt?.toISOString() },
        outcome: 'created',
      })
      return { key, ...(await this.#made(transaction, caller, successor, keys.length)) }
    })
  }

  /** @throws Problem `not-an-admin`, `key-not-found` */
  revoke(caller: Caller, keyId: string): Promise<void> {
    return this.#asAdmin(caller, async (transaction, _admin, keys) => {
      const { name } = keyNamed(keys, keyId)
      await revokeKeyOf(transaction, caller.accountId, keyId)
      await recordWriteOf(transaction, caller, {
        operation: 'keys revoke',
        input: { keyId, name },
        outcome: 'removed',
      })
    })
  }

  /** Changes of the keys of one account run one at a time, and each checks again whether the caller is still an admin. */
  #asAdmin<Done>(caller: Caller, perform: Perform<Done>): Promise<Done> {
    refuseOthers(caller)
    return storeFailuresAsProblems(() =>
      inTransaction(this.#db, async (transaction) => {
        await lockKeysOf(transaction, [caller.accountId])
        const keys = await validKeysOf(transaction, caller.accountId)
        return perform(transaction, rightsOf(caller, keys), keys)
      }),
    )
  }

  /** @param before number of valid keys before */
  async #made(transaction: Database, caller: Caller, keyId: string, before: number): Promise<KeyShown> {
    const keys = await validKeysOf(transaction, caller.accountId)
    if (keys.length > maxKeys && keys.length > before)
      throw new Problem(
        'invalid-request',
        `An account with ${maxKeys} valid keys gets no more from its admins. Nothing was stored: revoke some, or ask the operator.`,
      )
    const made = keys.find((key) => key.keyId === keyId)
    if (!made) throw new Error(`The key ${keyId} was not stored.`)
    return shown(made, caller)
  }
}

function refuseOthers({ administers }: Caller): void {
  if (administers !== true)
    throw new Problem('not-an-admin', 'Your key, or the provider you signed in at, does not make you an admin.')
}

/** The rights that an admin may pass on. @throws Problem `unauthenticated` where their key is no longer valid */
function rightsOf(caller: Caller, keys: readonly AccountKey[]): KeyRights {
  const { scopes, bringsEvidence } = caller
  const keyId = keyIdOf(caller)
  if (keyId === undefined) return { scopes: [...scopes], bringsEvidence, networks: [], expiresAt: null }
  const own = keys.find((key) => key.keyId === keyId)
  if (!own?.administers) throw new Problem('unauthenticated', 'Your key has been revoked or has expired.')
  return own
}

/** The key of a caller, or of their session; undefined for people of the provider. */
const keyIdOf = ({ credentialId }: Caller) => /^key:(.+)$/.exec(credentialId)?.[1]

/** @throws Problem `key-not-found`, also for keys of other accounts */
function keyNamed(keys: readonly AccountKey[], keyId: string): AccountKey {
  const found = keys.find((key) => key.keyId === keyId.toLowerCase())
  if (!found) throw new Problem('key-not-found', 'Your account has no valid key with this id.')
  return found
}

/** The expiry of a new key. When left out it is that of its admin; null asks for a key that never expires. */
const endIn = (asked: string | null | undefined, admin: KeyRights): Date | null =>
  asked === undefined ? admin.expiresAt : asked === null ? null : new Date(asked)

/** The fields in which a key would exceed the validity or the rights of its admin. */
function beyond(asked: KeyRights, admin: KeyRights): InputError[] {
  const errors: InputError[] = []
  const refuse = (where: string, message: string) => errors.push({ pointer: `/body/${where}`, message })
  for (const [at, scope] of asked.scopes.entries())
    if (!admin.scopes.includes(scope)) refuse(`scopes/${at}`, `you do not have ${scope} yourself`)
  if (asked.bringsEvidence && !admin.bringsEvidence)
    refuse('bringsEvidence', 'you may bring no evidence yourself')
  if (admin.networks.length > 0) {
    const yours = `your own key may be used from ${admin.networks.join(', ')} only`
    if (asked.networks.length === 0) refuse('networks', yours)
    for (const [at, network] of asked.networks.entries())
      if (!admin.networks.some((own) => isWithin(network, own))) refuse(`networks/${at}`, yours)
  }
  const { expiresAt: ends } = admin
  if (asked.expiresAt !== null && asked.expiresAt <= new Date()) refuse('expiresAt', 'lies in the past')
  else if (ends !== null && (asked.expiresAt === null || asked.expiresAt > ends))
    refuse('expiresAt', `is after the end of your own key, ${ends.toISOString()}`)
  return errors
}

function shown(key: AccountKey, caller: Caller): KeyShown {
  const { keyId, name, scopes, bringsEvidence, administers, networks, createdAt, expiresAt, lastUsedAt } = key
  return {
    keyId,
    name,
    scopes,
    bringsEvidence,
    administers,
    networks,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    current: keyId === keyIdOf(caller),
  }
}
