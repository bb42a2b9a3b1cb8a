import { hash } from 'node:crypto'
import { type JWTPayload, errors as joseErrors, jwtVerify } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import { scopes as knownScopes, type Scope } from '../contract/scopes.ts'
import { hasKeyForm, keyHash, looksLikeKey } from '../domain/accounts/keys.ts'
import { ensureAccount, recordKeyUse, usableKey } from '../domain/accounts/queries.ts'
import type { Database } from '../storage/database.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import type { Caller } from './caller.ts'
import { FailedAttempts } from './failed-attempts.ts'
import { refuseOtherNetworks } from './networks.ts'
import { Problem, storeFailuresAsProblems } from './problem.ts'
import { addToCache, RememberedSecrets } from './remembered.ts'
import { ProviderError, TokenKeys } from './token-keys.ts'

/** An OpenID provider whose tokens are accepted besides API keys. */
export interface TokenIssuer {
  issuer: string
  /** A token names one of them. */
  audience: string | readonly string[]
  /** Where the provider's keys are published; found through the issuer's discovery document when left out. */
  jwksUrl?: string
  /** Milliseconds before a provider that failed is called again; default one minute. */
  askAgainMs?: number
  /** Name of the claim with the account. */
  accountClaim: string
  /** Name of a claim that is true where a token may import evidence; without it all tokens may. */
  evidenceClaim?: string
  /** Name of a claim that is true where a token administers the keys of its account; without it none does. */
  adminClaim?: string
}

const touchEveryMs = 60_000

/** Turns bearer tokens into callers. */
export class Credentials implements AsyncDisposable {
  readonly #db: Database
  readonly #issuer: TokenIssuer | undefined
  readonly #tokenKeys: TokenKeys | undefined
  readonly #keys = new RememberedSecrets((hash) => this.#lookUp(hash))
  readonly #failures: FailedAttempts
  readonly #accounts = new Map<string, Promise<string>>()
  readonly #used = new Set<string>()
  readonly #touching: NodeJS.Timeout

  constructor(db: Database, issuer: TokenIssuer | undefined, failures = new FailedAttempts()) {
    this.#db = withPreparedStatements(db)
    this.#failures = failures
    this.#issuer = issuer
    this.#tokenKeys = issuer && new TokenKeys(issuer.issuer, issuer.jwksUrl, issuer.askAgainMs)
    this.#touching = setInterval(() => void this.#touch(), touchEveryMs).unref()
  }

  /**
   * The caller behind an `Authorization` header.
   * @throws Problem `unauthenticated` for anything but a valid credential; `unavailable` when the provider of tokens cannot
   * be reached; `rate-limited` when too many invalid ones came from the address. Recently used keys are still accepted then:
   * behind a proxy that is not trusted, all clients share one address. A key with allowed networks is refused from
   * elsewhere, which does not count as an invalid credential.
   */
  async callerOf(authorization: string | undefined, address = ''): Promise<Caller> {
    const token = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '')?.[1]
    if (!token)
      throw new Problem('unauthenticated', 'Send an API key or a token as `Authorization: Bearer ...`.')
    const isKey = looksLikeKey(token)
    const hash = isKey && hasKeyForm(token) ? keyHash(token).toString('base64url') : undefined
    if (hash === undefined || !this.#keys.has(hash)) this.#failures.refuse(address)
    const known = await storeFailuresAsProblems(async () => {
      if (!isKey) return this.#callerOfToken(token)
      return hash === undefined ? undefined : this.#keys.get(hash)
    })
    if (known) {
      const { networks = [], ...caller }: Caller & { networks?: readonly string[] } = known
      refuseOtherNetworks(networks, address)
      return caller
    }
    this.#failures.note(address)
    throw new Problem('unauthenticated', 'The credential is unknown, expired or revoked.')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#touching)
    await this.#touch()
  }

  async #lookUp(hash: Buffer): Promise<(Caller & { networks: readonly string[] }) | undefined> {
    const found = await usableKey(this.#db, hash)
    if (!found) return undefined
    this.#used.add(found.keyId)
    return {
      credentialId: `key:${found.keyId}`,
      accountId: found.accountId,
      scopes: new Set(found.scopes as Scope[]),
      bringsEvidence: found.bringsEvidence,
      administers: found.administers,
      door: 'http',
      networks: found.networks,
    }
  }

  async #callerOfToken(token: string): Promise<Caller | undefined> {
    const claims = await this.claimsOf(token)
    return claims && this.personOf(claims)
  }

  /**
   * The claims of a token that the provider issued for this service; undefined for any other.
   * @throws Problem `unavailable`
   */
  async claimsOf(token: string): Promise<JWTPayload | undefined> {
    return this.#issuer && this.#verified(token, this.#issuer.issuer, this.#issuer.audience)
  }

  /** The caller that verified claims of the provider describe; undefined where they name no subject or account. */
  async personOf(claims: JWTPayload): Promise<Caller | undefined> {
    if (!this.#issuer) return undefined
    const { issuer, accountClaim, evidenceClaim, adminClaim } = this.#issuer
    const account = claims[accountClaim]
    if (!isValidClaimName(claims.sub) || !isValidClaimName(account)) return undefined
    return {
      credentialId: `jwt:${hash('sha256', `${issuer} ${claims.sub}`, 'base64url')}`,
      accountId: await this.#accountOf(`${issuer} ${account}`),
      scopes: scopesIn(claims),
      bringsEvidence: evidenceClaim === undefined || claims[evidenceClaim] === true,
      administers: adminClaim !== undefined && claims[adminClaim] === true,
      door: 'http',
    }
  }

  async #verified(
    token: string,
    issuer: string,
    audience: TokenIssuer['audience'],
  ): Promise<JWTPayload | undefined> {
    try {
      const keys = await this.#tokenKeys?.get()
      if (!keys) return undefined
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: [audience].flat(),
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
      if (!(error instanceof ProviderError)) this.#tokenKeys?.failed()
      throw new Problem('unavailable', 'The provider of tokens cannot be reached.')
    }
  }

  #accountOf(name: string): Promise<string> {
    const known = this.#accounts.get(name)
    if (known !== undefined) return known
    const account = ensureAccount(this.#db, uuidv7(), name)
    addToCache(this.#accounts, name, account)
    account.catch(() => this.#accounts.delete(name))
    return account
  }

  async #touch(): Promise<void> {
    const used = [...this.#used]
    if (used.length === 0) return
    this.#used.clear()
    await recordKeyUse(this.#db, used).catch(() => {
      for (const keyId of used) this.#used.add(keyId)
    })
  }
}

/** Valid names of subjects and accounts: OpenID allows 255 characters, and the store holds no control characters. */
export function isValidClaimName(claim: unknown): claim is string {
  // Lone surrogates would all be stored as the same replacement character, which could merge two accounts.
  return typeof claim === 'string' && claim.isWellFormed() && /^[^\p{Cc}\p{Zl}\p{Zp}]{1,255}$/u.test(claim)
}

/** Providers list scopes in `scope` or `scp`, as words separated by spaces or as an array. */
function scopesIn(claims: JWTPayload): ReadonlySet<Scope> {
  const named = [claims.scope, claims.scp].flatMap((claim) =>
    typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [],
  )
  return new Set(named.filter((scope): scope is Scope => typeof scope === 'string' && scope in knownScopes))
}
