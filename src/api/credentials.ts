import { hash } from 'node:crypto'
import {
  createRemoteJWKSet,
  type JWTPayload,
  type JWTVerifyGetKey,
  errors as joseErrors,
  jwtVerify,
} from 'jose'
import { v7 as uuidv7 } from 'uuid'
import { scopes as knownScopes, type Scope } from '../contract/scopes.ts'
import { keyHash, looksLikeKey } from '../domain/accounts/keys.ts'
import { ensureAccount, touchKeys, usableKey } from '../domain/accounts/queries.ts'
import type { Database } from '../storage/database.ts'
import type { Caller } from './caller.ts'
import { Problem } from './problem.ts'
import { withStore } from './unavailable.ts'

/** Tokens of an OpenID provider that are accepted beside API keys. */
export interface TokenIssuer {
  issuer: string
  audience: string
  /** Where the provider's keys are; found through the issuer's discovery document when left out. */
  jwksUrl?: string
  /** Claim that names the account. */
  accountClaim: string
  /** Claim that is true where a token may bring evidence; all may when left out. */
  evidenceClaim?: string
}

/** A revoked key stops working within this time, and a busy key costs one query in it. */
const keyMemoryMs = 1_000
const touchEveryMs = 60_000
const mostRemembered = 10_000

/** Turns bearer tokens into callers. */
export class Credentials implements AsyncDisposable {
  readonly #db: Database
  readonly #issuer: TokenIssuer | undefined
  #jwks: Promise<JWTVerifyGetKey> | undefined
  readonly #keys = new Map<string, { caller: Promise<Caller | undefined>; until: number }>()
  readonly #accounts = new Map<string, Promise<string>>()
  readonly #used = new Set<string>()
  readonly #touching: NodeJS.Timeout

  constructor(db: Database, issuer: TokenIssuer | undefined) {
    this.#db = db
    this.#issuer = issuer
    this.#touching = setInterval(() => void this.#touch(), touchEveryMs).unref()
  }

  /**
   * The caller behind an `Authorization` header.
   * @throws Problem `unauthenticated` for anything but a credential that holds; `unavailable` when the provider of
   * tokens cannot be reached
   */
  async callerOf(authorization: string | undefined): Promise<Caller> {
    const token = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '')?.[1]
    if (!token)
      throw new Problem('unauthenticated', 'Send an API key or a token as `Authorization: Bearer ...`.')
    const caller = await withStore(() =>
      looksLikeKey(token) ? this.#callerOfKey(token) : this.#callerOfToken(token),
    )
    if (!caller) throw new Problem('unauthenticated', 'The credential is unknown, expired or revoked.')
    return caller
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#touching)
    await this.#touch()
  }

  #callerOfKey(key: string): Promise<Caller | undefined> {
    const now = Date.now()
    const known = this.#keys.get(key)
    if (known && known.until > now) return known.caller
    if (this.#keys.size >= mostRemembered) this.#keys.clear()
    const caller = this.#lookUp(key)
    this.#keys.set(key, { caller, until: now + keyMemoryMs })
    caller.catch(() => this.#keys.delete(key))
    return caller
  }

  async #lookUp(key: string): Promise<Caller | undefined> {
    const found = await usableKey(this.#db, keyHash(key))
    if (!found) return undefined
    this.#used.add(found.keyId)
    return {
      credentialId: `key:${found.keyId}`,
      accountId: found.accountId,
      scopes: new Set(found.scopes as Scope[]),
      bringsEvidence: found.bringsEvidence,
      door: 'http',
    }
  }

  async #callerOfToken(token: string): Promise<Caller | undefined> {
    if (!this.#issuer) return undefined
    const { issuer, audience, accountClaim, evidenceClaim } = this.#issuer
    const claims = await this.#verified(token, issuer, audience)
    const account = claims?.[accountClaim]
    if (!claims || !isName(claims.sub) || !isName(account)) return undefined
    return {
      credentialId: `jwt:${hash('sha256', `${issuer} ${claims.sub}`, 'base64url')}`,
      accountId: await this.#accountOf(`${issuer} ${account}`),
      scopes: scopesIn(claims),
      bringsEvidence: evidenceClaim === undefined || claims[evidenceClaim] === true,
      door: 'http',
    }
  }

  async #verified(token: string, issuer: string, audience: string): Promise<JWTPayload | undefined> {
    try {
      this.#jwks ??= this.#findKeys(issuer)
      const { payload } = await jwtVerify(token, await this.#jwks, {
        issuer,
        audience,
        algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: 30,
      })
      return payload
    } catch (error) {
      const refused =
        error instanceof joseErrors.JOSEError &&
        !(error instanceof joseErrors.JWKSTimeout) &&
        !(error instanceof joseErrors.JWKSInvalid) &&
        error.code !== 'ERR_JOSE_GENERIC'
      if (refused) return undefined
      this.#jwks = undefined
      throw new Problem('unavailable', 'The provider of tokens cannot be reached.')
    }
  }

  async #findKeys(issuer: string): Promise<JWTVerifyGetKey> {
    if (this.#issuer?.jwksUrl) return createRemoteJWKSet(new URL(this.#issuer.jwksUrl))
    const discovery = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(5_000),
      redirect: 'error',
    })
    const { jwks_uri: jwksUri } = (await discovery.json()) as { jwks_uri?: string }
    if (!jwksUri) throw new Error('The discovery document names no keys.')
    return createRemoteJWKSet(new URL(jwksUri))
  }

  #accountOf(name: string): Promise<string> {
    const known = this.#accounts.get(name)
    if (known) return known
    if (this.#accounts.size >= mostRemembered) this.#accounts.clear()
    const account = ensureAccount(this.#db, uuidv7(), name)
    this.#accounts.set(name, account)
    account.catch(() => this.#accounts.delete(name))
    return account
  }

  async #touch(): Promise<void> {
    const used = [...this.#used]
    if (used.length === 0) return
    this.#used.clear()
    await touchKeys(this.#db, used).catch(() => {
      for (const keyId of used) this.#used.add(keyId)
    })
  }
}

/** What can name a subject or an account: OpenID allows 255 characters, and the store holds no control characters. */
function isName(claim: unknown): claim is string {
  return typeof claim === 'string' && /^\P{Cc}{1,255}$/u.test(claim)
}

/** Providers name scopes in `scope` or `scp`, as words separated by spaces or as a list. */
function scopesIn(claims: JWTPayload): ReadonlySet<Scope> {
  const named = [claims.scope, claims.scp].flatMap((claim) =>
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
  )
  return new Set(named.filter((scope): scope is Scope => typeof scope === 'string' && scope in knownScopes))
}
