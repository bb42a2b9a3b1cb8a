import { hkdfSync } from 'node:crypto'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { SessionOwner } from '../domain/accounts/sessions.ts'
import { storeSecret } from '../domain/accounts/store-secret.ts'
import type { Database } from '../storage/database.ts'
import { type Credentials, isValidClaimName, type TokenIssuer } from './credentials.ts'
import { storeFailuresAsProblems } from './problem.ts'

/** This service as a client of the OpenID provider. */
export interface SignInClient {
  id: string
  /** Left out for a public client. */
  secret?: string
  /** Separated by spaces. */
  scopes: string
}

/** Why a sign-in failed, for the sign-in page. */
export type SignInFailureReason = 'provider-refused' | 'provider-failed'

export class SignInFailed extends Error {
  readonly trouble: SignInFailureReason

  constructor(trouble: SignInFailureReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
  }
}

const askWithinSeconds = 10

/** Signs people in at the OpenID provider: authorization code with PKCE. */
export class ProviderSignIn {
  /** The provider's name for people: its host. */
  readonly name: string
  readonly #issuer: TokenIssuer
  readonly #client: SignInClient
  readonly #credentials: Credentials
  readonly #states: SignInStates
  #discovered: Promise<Configuration> | undefined

  constructor(issuer: TokenIssuer, client: SignInClient, credentials: Credentials, states: SignInStates) {
    this.name = new URL(issuer.issuer).host
    this.#issuer = issuer
    this.#client = client
    this.#credentials = credentials
    this.#states = states
  }

  /**
   * Begins a sign-in. Returns the address to send the person to, and the sealed state that the browser keeps until the return.
   * @throws SignInFailed
   */
  async start(redirectUri: string, returnTo: string): Promise<{ address: URL; sealed: string }> {
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const provider = await this.#provider()
    const address = buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: this.#client.scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    })
    return { address, sealed: await this.#states.seal({ ...checks, returnTo }) }
  }

  /** The state sealed at the start; undefined for a foreign or expired one. */
  opened(sealed: string): Promise<SignInState | undefined> {
    return this.#states.open(sealed)
  }

  /**
   * The person whom the provider sent back. Rights are read as from bearer tokens: from the access token where it is one for
   * this service, otherwise from the id token. The session ends with the token they were read from.
   * @param address the whole address that the provider sent the person to
   * @throws SignInFailed
   */
  async finish(address: URL, { state, nonce, verifier }: SignInState): Promise<SessionOwner> {
    try {
      const tokens = await authorizationCodeGrant(await this.#provider(), address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const person = tokens.claims()
      if (!person) throw new SignInFailed('provider-failed', 'The provider sent no id token.')
      return await this.#ownerOf(person, await this.#credentials.claimsOf(tokens.access_token))
    } catch (error) {
      throw asFailure(error)
    }
  }

  async #ownerOf(person: JWTPayload, granted: JWTPayload | undefined): Promise<SessionOwner> {
    // An access token of another person would be a mix-up at the provider.
    if (granted && granted.sub !== person.sub)
      throw new SignInFailed('provider-failed', 'The two tokens of the provider name two people.')
    const claims = granted ?? person
    const caller = await this.#credentials.personOf(claims)
    if (!caller || claims.exp === undefined)
      throw new SignInFailed('provider-failed', 'The token of the provider names no subject or no account.')
    return {
      subject: caller.credentialId,
      accountId: caller.accountId,
      name: [person.name, person.preferred_username, person.email, person.sub].find(isValidClaimName) ?? '',
      scopes: [...caller.scopes],
      bringsEvidence: caller.bringsEvidence,
      administers: caller.administers === true,
      until: new Date(claims.exp * 1_000),
    }
  }

  /** Discovered at the first use, and again after a failure. */
  #provider(): Promise<Configuration> {
    const { id, secret } = this.#client
    const issuer = new URL(this.#issuer.issuer)
    this.#discovered ??= discovery(issuer, id, {}, secret === undefined ? None() : ClientSecretPost(secret), {
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
      timeout: askWithinSeconds,
    }).catch((error: unknown) => {
      this.#discovered = undefined
      throw new SignInFailed('provider-failed', 'The OpenID provider cannot be asked.', error)
    })
    return this.#discovered
  }
}

/** Errors in a redirect that are faults of the provider itself. */
const providerFaults = new Set(['server_error', 'temporarily_unavailable', 'invalid_request', 'invalid_scope'])

function asFailure(error: unknown): SignInFailed {
  if (error instanceof SignInFailed) return error
  if (error instanceof AuthorizationResponseError && !providerFaults.has(error.error))
    return new SignInFailed('provider-refused', `The provider refused: ${error.error}.`, error)
  return new SignInFailed('provider-failed', 'The sign-in at the provider could not be completed.', error)
}

/** Time a person has at the OpenID provider. */
export const signInMinutes = 10

/** The state of a sign-in at the OpenID provider, between its start and its end. */
interface SignInState {
  state: string
  nonce: string
  verifier: string
  /** Path to go to afterwards. */
  returnTo: string
}

/** Encrypts the state of sign-ins, so that the browser can keep it and nobody can forge one. */
export class SignInStates {
  readonly #db: Database
  #key: Promise<Uint8Array> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  async seal(state: SignInState): Promise<string> {
    return new EncryptJWT({ ...state })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setExpirationTime(`${signInMinutes} minutes`)
      .encrypt(await this.#secret())
  }

  /** Decrypts a state; undefined for a foreign or expired one. */
  async open(sealed: string): Promise<SignInState | undefined> {
    const key = await this.#secret()
    const opened = await jwtDecrypt<SignInState>(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    }).catch(() => undefined)
    return opened?.payload
  }

  #secret(): Promise<Uint8Array> {
    this.#key ??= storeFailuresAsProblems(() => storeSecret(this.#db)).then(
      (secret) => new Uint8Array(hkdfSync('sha256', secret, '', 'rivalscope sign-in state', 32)),
      (error: unknown) => {
        this.#key = undefined
        throw error
      },
    )
    return this.#key
  }
}
