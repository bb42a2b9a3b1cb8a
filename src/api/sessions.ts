import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '../contract/scopes.ts'
import { recordAuditedWrite } from '../domain/accounts/audit.ts'
import { hasKeyForm, keyHash } from '../domain/accounts/keys.ts'
import { recordKeyUse, usableKey } from '../domain/accounts/queries.ts'
import {
  deleteEndedSessions,
  endSession,
  endSessionWith,
  hasSecretForm,
  insertSession,
  isUsableSignInLink,
  type ListedSession,
  newSecret,
  recordSessionUse,
  type SessionCredential,
  type SessionOwner,
  type SessionRow,
  type SignInPlace,
  secretHash,
  sessionsOfOwner,
  usableSession,
  useUpSignInLink,
} from '../domain/accounts/sessions.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import type { Caller } from './caller.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import { isAllowedFrom, refuseOtherNetworks } from './networks.ts'
import { Problem, storeFailuresAsProblems } from './problem.ts'
import { RememberedSecrets } from './remembered.ts'

const touchEveryMs = 60_000
const deleteEveryMs = 60 * 60_000

export type { SessionOwner, SignInPlace } from '../domain/accounts/sessions.ts'

/** A valid session and its caller: the same as with the credential it was started with. */
export interface Session extends SessionRow {
  caller: Caller
}

/** Sessions of people at the web pages, each identified by the secret in a cookie. */
export class Sessions implements AsyncDisposable {
  readonly #db: Database
  /** Invalid credentials of any kind, by address. */
  readonly failures: FailedAttempts
  readonly #sessions = new RememberedSecrets((hash) => this.#lookUp(hash))
  readonly #used = new Set<string>()
  readonly #usedKeys = new Set<string>()
  readonly #timers: readonly NodeJS.Timeout[]

  /** @param failures shared with API keys: both are limited together */
  constructor(db: Database, failures: FailedAttempts) {
    this.#db = withPreparedStatements(db)
    this.failures = failures
    this.#timers = [
      setInterval(() => void this.#touch(), touchEveryMs).unref(),
      setInterval(() => void deleteEndedSessions(db).catch(() => {}), deleteEveryMs).unref(),
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#touch()
  }

  /**
   * The session of a secret; undefined where it is unknown, has ended or is not allowed from there, or its credential is invalid.
   */
  async find(secret: string, address: string): Promise<Session | undefined> {
    if (!hasSecretForm(secret)) return undefined
    const hash = nameOf(secret)
    // A page left open keeps sending the secret of an ended session: that counts as one attempt, not as many.
    if (this.#sessions.isKnownInvalid(hash)) return undefined
    if (!this.#sessions.has(hash)) this.failures.refuse(address)
    const found = await storeFailuresAsProblems(() => this.#sessions.get(hash))
    if (!found) this.failures.note(address)
    return found && isAllowedFrom(found.networks, address) ? found : undefined
  }

  /** @throws Problem `unauthenticated` */
  async get(secret: string, address: string): Promise<Session> {
    const found = await this.find(secret, address)
    if (!found)
      throw new Problem('unauthenticated', 'Nobody is signed in here, or the session has ended. Sign in.')
    return found
  }

  /** The owner of an API key, to sign in. @throws Problem `unauthenticated`, `rate-limited` */
  async ownerOfKey(key: string, address: string): Promise<SessionOwner & { keyId: string }> {
    this.failures.refuse(address)
    const found = hasKeyForm(key)
      ? await storeFailuresAsProblems(() => usableKey(this.#db, keyHash(key)))
      : undefined
    if (found) {
      refuseOtherNetworks(found.networks, address)
      return found
    }
    this.failures.note(address)
    throw new Problem('unauthenticated', 'The key is unknown, expired or revoked.')
  }

  /** Whether a sign-in link is valid, without using it. @throws Problem `rate-limited` */
  async isUsable(link: string, address: string): Promise<boolean> {
    this.failures.refuse(address)
    const usable =
      hasSecretForm(link) && (await storeFailuresAsProblems(() => isUsableSignInLink(this.#db, link)))
    if (!usable) this.failures.note(address)
    return usable
  }

  /** Uses up a sign-in link. Returns its owner; undefined when it was used before or has expired. */
  async ownerOfLink(link: string, address: string): Promise<SessionOwner | undefined> {
    this.failures.refuse(address)
    const owner = hasSecretForm(link)
      ? await storeFailuresAsProblems(() => useUpSignInLink(this.#db, link))
      : undefined
    if (!owner) this.failures.note(address)
    return owner
  }

  /** Begins a session, in place of any that the browser has. @returns its secret, which is stored nowhere */
  async begin(owner: SessionOwner, place: SignInPlace, before: string | undefined): Promise<string> {
    const secret = newSecret()
    const replaced = before !== undefined && hasSecretForm(before) ? before : undefined
    await this.#audited('sign in', 'created', place, async (transaction) => {
      await insertSession(transaction, uuidv7(), secretHash(secret), owner, place)
      if (replaced !== undefined) await endSessionWith(transaction, secretHash(replaced))
      return 'keyId' in owner ? { ...owner, subject: null } : { ...owner, keyId: null }
    })
    if (replaced !== undefined) this.#sessions.forget(nameOf(replaced))
    return secret
  }

  /** Ends the session with a secret, if there is one. */
  async end(secret: string, place: SignInPlace): Promise<void> {
    if (!hasSecretForm(secret)) return
    await this.#audited('sign out', 'removed', place, (transaction) =>
      endSessionWith(transaction, secretHash(secret)),
    )
    this.#sessions.forget(nameOf(secret))
  }

  /** All sessions of the owner of a session, newest first. */
  listOfOwner(session: SessionRow): Promise<ListedSession[]> {
    return storeFailuresAsProblems(() => sessionsOfOwner(this.#db, session))
  }

  /** Ends another session of the same owner. @returns whether there is such a session */
  async endOfOwner(session: SessionRow, sessionId: string, place: SignInPlace): Promise<boolean> {
    let hash: Buffer | undefined
    await this.#audited('sign out', 'removed', place, async (transaction) => {
      hash = await endSession(transaction, session, sessionId)
      return hash && session
    })
    if (hash) this.#sessions.forget(hash.toString('base64url'))
    return hash !== undefined
  }

  /** Records the beginning or end of a session in the same transaction; nothing where `perform` finds none to end. */
  async #audited(
    operation: 'sign in' | 'sign out',
    outcome: 'created' | 'removed',
    { browser, address }: SignInPlace,
    perform: (transaction: Database) => Promise<SessionCredential | undefined>,
  ): Promise<void> {
    await storeFailuresAsProblems(() =>
      inTransaction(this.#db, async (transaction) => {
        const owner = await perform(transaction)
        if (!owner) return
        const actor = credentialOf(owner)
        const input = { browser, from: address }
        await recordAuditedWrite(transaction, {
          door: 'pages',
          actor,
          accountId: owner.accountId,
          operation,
          input,
          outcome,
        })
      }),
    )
  }

  async #lookUp(hash: Buffer): Promise<Session | undefined> {
    const found = await usableSession(this.#db, hash)
    if (!found) return undefined
    const { sessionId, keyId, accountId, scopes, bringsEvidence, administers } = found
    this.#used.add(sessionId)
    if (keyId !== null) this.#usedKeys.add(keyId)
    const caller = {
      credentialId: credentialOf(found),
      accountId,
      scopes: new Set(scopes as Scope[]),
      bringsEvidence,
      administers,
      door: 'http',
      usesPages: true,
    } as const
    return { ...found, caller }
  }

  async #touch(): Promise<void> {
    const [sessions, keys] = [[...this.#used], [...this.#usedKeys]]
    if (sessions.length === 0) return
    this.#used.clear()
    this.#usedKeys.clear()
    try {
      await recordSessionUse(this.#db, sessions)
      await recordKeyUse(this.#db, keys)
    } catch {
      for (const sessionId of sessions) this.#used.add(sessionId)
      for (const keyId of keys) this.#usedKeys.add(keyId)
    }
  }
}

/** The id of the credential of a session, in the form of {@link Caller}. */
const credentialOf = ({ keyId, subject }: SessionCredential): string =>
  keyId === null ? String(subject) : `key:${keyId}`

const nameOf = (secret: string): string => secretHash(secret).toString('base64url')
