import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'

/** Milliseconds between two requests to a provider that failed, or did not know a key. */
const defaultMs = 60_000
/** Largest response, in bytes: keys take a few thousand. */
const mostBytes = 1024 * 1024

/** The provider of tokens cannot be reached, or failed less than a minute ago. */
export class ProviderError extends Error {}

/** The keys of a provider of tokens, fetched at the first use. While the provider fails it is asked once a minute at most. */
export class TokenKeys {
  readonly #issuer: string
  readonly #jwksUrl: string | undefined
  readonly #askAgainMs: number
  #keys: Promise<JWTVerifyGetKey> | undefined
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(issuer: string, jwksUrl: string | undefined, askAgainMs = defaultMs) {
    this.#askAgainMs = askAgainMs
    this.#issuer = issuer
    this.#jwksUrl = jwksUrl
  }

  /** @throws ProviderError */
  get(): Promise<JWTVerifyGetKey> {
    this.#keys ??= this.#find().catch((error: unknown) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }

  /** Discards keys that turned out to be unusable. */
  failed(): void {
    this.#keys = undefined
    this.#failedAt = Date.now()
  }

  async #find(): Promise<JWTVerifyGetKey> {
    const url = this.#jwksUrl ?? (await this.#discovered())
    return createRemoteJWKSet(new URL(url), {
      cooldownDuration: this.#askAgainMs,
      [customFetch]: (address, { headers, signal }) => this.#ask(address, { headers, signal }),
    })
  }

  async #discovered(): Promise<string> {
    const address = `${this.#issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await this.#ask(address, { signal: AbortSignal.timeout(5_000) })
    const { jwks_uri: jwksUri } = (await answer.json()) as { jwks_uri?: string }
    if (jwksUri && URL.canParse(jwksUri)) return jwksUri
    this.#failedAt = Date.now()
    throw new ProviderError('The discovery document names no keys.')
  }

  async #ask(address: string, how: { headers?: Headers; signal: AbortSignal }): Promise<Response> {
    if (Date.now() - this.#failedAt < this.#askAgainMs)
      throw new ProviderError('It failed less than a minute ago.')
    try {
      const answer = await fetch(address, { ...how, redirect: 'error' })
      if (!answer.ok) throw new ProviderError(`It answered ${answer.status}.`)
      const text = await textOf(answer)
      JSON.parse(text)
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    } catch (error) {
      this.#failedAt = Date.now()
      throw new ProviderError('The provider of tokens cannot be asked.', { cause: error })
    }
  }
}

/** @throws ProviderError for a response that is too long */
async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new ProviderError(`It answered more than ${mostBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
