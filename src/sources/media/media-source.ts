import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { allSuppliers, supplierRow } from '../../vocabulary/suppliers.ts'
import { type Medium, recogniseMedium, tooLargeFailure } from './content.ts'
import { MediaFailure } from './failure.ts'
import { HostTurns } from './host-turns.ts'
import { refusalOfAddress, refusalOfUrl } from './refusals.ts'
import type { MediaFetching } from './settings.ts'

/** An HTTP response: status, headers and body. */
export type MediaAnswer = Readable & { statusCode?: number | undefined; headers: IncomingHttpHeaders }

/** Name resolution and connections. Tests and the demo have their own, so that every rule applies to them as well. */
export interface MediaNetwork {
  /** All addresses of a host. */
  addressesOf(host: string): Promise<string[]>
  /** Sends a request to one address. */
  send(options: RequestOptions & { host: string }, signal: AbortSignal): Promise<MediaAnswer>
}

const internet: MediaNetwork = {
  addressesOf: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  send: (options, signal) =>
    new Promise((resolve, reject) => {
      httpsRequest({ ...options, signal }, resolve)
        .on('error', reject)
        .end()
    }),
}

const mostRedirects = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Fetches pictures and videos from allowed hosts only. */
export class MediaSource {
  readonly #settings: MediaFetching
  readonly #network: MediaNetwork
  readonly #turns: HostTurns

  /** @param atATime concurrent requests to the same host */
  constructor(settings: MediaFetching, network: MediaNetwork = internet, atATime = 2) {
    this.#settings = settings
    this.#network = network
    this.#turns = new HostTurns(atATime)
  }

  /**
   * Requests a medium and passes it to `use` as a stream. Redirects are followed to allowed hosts only.
   * @throws MediaFailure, what `use` throws, or the signal's reason when it aborts
   */
  async fetch<T>(address: string, signal: AbortSignal, use: (medium: Medium) => Promise<T>): Promise<T> {
    const url = URL.parse(address)
    if (!url) throw new MediaFailure('refused', 'The source gives an address that cannot be read.')
    return this.#turns.within(url.hostname, signal, () => this.#inTime(url, signal, use))
  }

  async #inTime<T>(url: URL, signal: AbortSignal, use: (medium: Medium) => Promise<T>): Promise<T> {
    const { timeoutSeconds } = this.#settings
    const clock = AbortSignal.timeout(timeoutSeconds * 1_000)
    try {
      return await this.#follow(url, AbortSignal.any([signal, clock]), use)
    } catch (error) {
      signal.throwIfAborted()
      if (!clock.aborted || (error instanceof MediaFailure && error.kind !== 'trouble')) throw error
      throw trouble(`It did not arrive within ${timeoutSeconds} s.`, error)
    }
  }

  async #follow<T>(first: URL, signal: AbortSignal, use: (medium: Medium) => Promise<T>): Promise<T> {
    let url = first
    for (let redirects = 0; ; redirects++) {
      const response = await this.#ask(url, signal)
      try {
        const next = redirectOf(response, url)
        if (!next) return await use(await this.#read(response, url))
        if (redirects === mostRedirects)
          throw new MediaFailure('refused', `The address leads on more than ${mostRedirects} times.`)
        url = next
      } finally {
        response.destroy()
      }
    }
  }

  async #ask(url: URL, signal: AbortSignal): Promise<MediaAnswer> {
    const refusal = refusalOfUrl(url, this.#settings.hosts)
    if (refusal) throw new MediaFailure('refused', refusal)
    const address = await this.#addressOf(url.hostname)
    // Connects to the address that was checked: a second DNS lookup could return another.
    const options = {
      host: address,
      port: 443,
      servername: url.hostname,
      path: `${url.pathname}${url.search}`,
      agent: false as const,
      headers: { host: url.host, accept: 'image/*, video/*', 'accept-encoding': 'identity', ...ownName },
    }
    return this.#network.send(options, signal).catch((error: unknown) => {
      throw trouble(`The host ${url.hostname} cannot be reached (${codeOf(error)}).`, error)
    })
  }

  /** An address of a host. A private address among them indicates DNS rebinding, so the host is refused. */
  async #addressOf(host: string): Promise<string> {
    const addresses = await this.#network.addressesOf(host).catch((error: unknown) => {
      throw trouble(`The host ${host} has no address (${codeOf(error)}).`, error)
    })
    const [first] = addresses
    if (first === undefined) throw trouble(`The host ${host} has no address.`)
    const refused = addresses.map(refusalOfAddress).find((refusal) => refusal !== undefined)
    if (refused) throw new MediaFailure('refused', `The host ${host} is not asked: ${refused}`)
    return addresses.find((address) => isIP(address) === 4) ?? first
  }

  async #read(response: MediaAnswer, url: URL): Promise<Medium> {
    const { statusCode: status = 0 } = response
    if (status !== 200) throw statusFailure(status, url)
    const { maxBytes } = this.#settings
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLargeFailure(maxBytes)
    return recogniseMedium(arriving(response), maxBytes)
  }
}

const ownName = { 'user-agent': `Rivalscope/${manifest.version}` }

function redirectOf({ statusCode = 0, headers }: MediaAnswer, from: URL): URL | undefined {
  if (!redirectStatuses.has(statusCode) || headers.location === undefined) return undefined
  const next = URL.parse(headers.location, from.href)
  if (!next) throw new MediaFailure('refused', 'The address leads on to one that cannot be read.')
  return next
}

async function* arriving(response: MediaAnswer): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Uint8Array
  } catch (error) {
    throw trouble('It broke off.', error)
  }
}

/** Hosts that answer 403 once the signature in an address has expired. */
const signing = allSuppliers.flatMap((supplier) => supplierRow(supplier).signedMediaHosts ?? [])

function statusFailure(status: number, { hostname }: URL): MediaFailure {
  if (status === 404 || status === 410)
    return new MediaFailure('removed', `The address answered ${status} before a copy was made.`)
  if (status === 403 && signing.some((host) => hostname === host || hostname.endsWith(`.${host}`)))
    return new MediaFailure(
      'removed',
      'The address answered 403: its signature expired before a copy was made.',
    )
  if (status === 408 || status === 429 || status >= 500) return trouble(`The source answered ${status}.`)
  return new MediaFailure('refused', `The source answered ${status} where 200 is expected.`)
}

const trouble = (message: string, cause?: unknown) => new MediaFailure('trouble', message, cause)

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'no code')
