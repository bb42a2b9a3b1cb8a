import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { storeSecret } from '../domain/accounts/store-secret.ts'
import type { Database } from '../storage/database.ts'
import { withStore } from './unavailable.ts'

/** Time a person has at the OpenID provider. */
export const signInMinutes = 10

/** The state of a sign-in at the OpenID provider, between its start and its end. */
export interface SignInState {
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
    this.#key ??= withStore(() => storeSecret(this.#db)).then(
      (secret) => new Uint8Array(hkdfSync('sha256', secret, '', 'rivalscope sign-in state', 32)),
      (error: unknown) => {
        this.#key = undefined
        throw error
      },
    )
    return this.#key
  }
}
