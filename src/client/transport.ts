import ky, { HTTPError, type KyInstance, NetworkError, type ShouldRetryState, TimeoutError } from 'ky'
import { type NoAnswerReason, type ProblemDetails, RivalscopeProblem, ServerUnreachable } from './failures.ts'
import { AnswerTooLong, fetchWholeAnswer, maxAnswerBytes, Redirected } from './fetch-whole-answer.ts'
import type { Tool } from './operation-types.ts'
import { type Arguments, httpRequestOf } from './request.ts'
import { type Route, routes } from './routes.ts'

/** How calls are sent, and with which credential. */
export type TransportOptions = Sending & (WithKey | WithSession)

interface WithKey {
  /** An API key, or a token of an OpenID provider that the service trusts. */
  key: string
  session?: never
}

interface WithSession {
  /** For pages that the service itself serves: calls as the person signed in there, by the session cookie. */
  session: true
  key?: never
}

interface Sending {
  /** The base address of the service, including its path: `https://example.org/rivalscope/`. */
  server: string | URL
  /** Timeout in seconds of one attempt, until its answer is complete; default 60. */
  timeoutSeconds?: number
  /** Attempts after the first; default 4. */
  retries?: number
  /** Maximum wait in seconds before a retry; default 60. A longer `Retry-After` fails the call at once. */
  longestWaitSeconds?: number
}

/**
 * Sends calls and reads their answers. Retries with exponential backoff, honouring `Retry-After`, when the service is busy
 * or unreachable or the connection breaks: writes too, since each carries an idempotency key.
 */
export class Transport {
  readonly #server: string
  readonly #ky: KyInstance

  /** @throws TypeError for an invalid address or key */
  constructor(options: TransportOptions) {
    const { timeoutSeconds = 60, retries = 4, longestWaitSeconds = 60 } = options
    this.#server = addressOf(options.server)
    this.#ky = ky.create({
      ...credentialsOf(options),
      redirect: 'manual',
      fetch: fetchWholeAnswer,
      timeout: timeoutSeconds * 1_000,
      retry: {
        limit: retries,
        methods: ['get', 'post', 'patch', 'delete'],
        statusCodes: [...busy],
        afterStatusCodes: [...busy],
        retryOnTimeout: true,
        backoffLimit: longestWaitSeconds * 1_000,
        jitter: (pause) => pause * (0.75 + Math.random() / 2),
        shouldRetry: (state) => worthAnother(state, longestWaitSeconds),
      },
    })
  }

  /**
   * One call: its reply, or undefined where there is none. Only POSTs carry the idempotency key.
   * @throws RivalscopeProblem, ServerUnreachable, TypeError for arguments that cannot be sent, the signal's reason
   */
  async send(
    tool: Tool,
    given: Arguments,
    signal: AbortSignal | undefined,
    idempotencyKey = freshKey(),
  ): Promise<unknown> {
    const route = Object.hasOwn(routes, tool) ? routes[tool] : undefined
    if (!route) throw new TypeError(`There is no operation "${tool}".`)
    const { path, body } = httpRequestOf(tool, route, given)
    signal?.throwIfAborted()
    try {
      const response = await this.#ky(`${this.#server}${path}`, {
        method: route.method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(route.method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}),
        },
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      })
      return await this.#read(response, route)
    } catch (error) {
      signal?.throwIfAborted()
      throw this.#explained(tool, error)
    }
  }

  /** The failure of a list whose cursors form a cycle. */
  inCircle(): ServerUnreachable {
    return this.#noAnswer(
      'not-rivalscope',
      'answers a list that goes round in a circle, as Rivalscope never does.',
    )
  }

  async #read(response: Response, { ending, list }: Route): Promise<unknown> {
    if (ending === 'remove' && response.status === 204) return undefined
    const reply = isJson(response) ? jsonIn(await response.text()) : undefined
    if (!isReply(reply, list)) throw this.#stranger(response)
    return reply
  }

  /**
   * Converts errors to those that the client documents. Errors of the HTTP library contain the request with its credential,
   * and are not passed on.
   */
  #explained(tool: Tool, error: unknown): unknown {
    if (error instanceof HTTPError)
      return isProblem(error.data)
        ? new RivalscopeProblem(tool, error.data, retryAfterOf(error.response))
        : this.#stranger(error.response)
    if (error instanceof TimeoutError)
      return this.#noAnswer('timeout', 'sent no whole answer in time. It may be busy: try again later.')
    if (error instanceof AnswerTooLong)
      return this.#noAnswer(
        'not-rivalscope',
        `answered more than ${maxAnswerBytes / 1_048_576} MiB, which is no answer of Rivalscope. Is the address right, with its path?`,
      )
    if (error instanceof Redirected)
      return this.#noAnswer('redirected', `points to ${error.to}. Use the address it points to.`)
    if (error instanceof NetworkError)
      return this.#noAnswer(
        'no-connection',
        `cannot be reached${becauseOf(error.cause)}. Is it running there ('rivalscope serve'), and may this page or machine call it?`,
        (error.cause as Error | undefined)?.cause,
      )
    return error
  }

  #stranger({ status, headers }: Response): ServerUnreachable {
    const type = headers.get('content-type') ?? 'nothing'
    return this.#noAnswer(
      'not-rivalscope',
      `answered ${status} with ${type.split(';', 1)[0]}, which is no answer of Rivalscope. Is the address right, with its path?`,
    )
  }

  #noAnswer(reason: NoAnswerReason, what: string, cause?: unknown): ServerUnreachable {
    const options = cause === undefined ? undefined : { cause }
    return new ServerUnreachable(this.#server, reason, `${this.#server} ${what}`, options)
  }
}

/** Statuses that may be temporary; the problem says which of them are worth a retry. */
const busy = [429, 502, 503, 504]

/** Undefined leaves the decision to the status; see `busy`. */
function worthAnother(
  { error, retryCount }: ShouldRetryState,
  longestWaitSeconds: number,
): boolean | undefined {
  if (!(error instanceof HTTPError)) return undefined
  if ((retryAfterOf(error.response) ?? 0) > longestWaitSeconds) return false
  if (!isProblem(error.data)) return undefined
  switch (error.data.code) {
    case 'rate-limited':
    case 'unavailable':
      return undefined
    case 'already-running':
      // The client's own earlier attempt, whose connection broke, is still running at the service.
      return retryCount > 1
    default:
      return false
  }
}

/** Seconds of `Retry-After`, given as a number or a date. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}

function isProblem(body: unknown): body is ProblemDetails {
  if (!isObject(body)) return false
  const { code, status, title, detail, requestId, errors = [] } = body
  return (
    [code, title, detail, requestId].every((text) => typeof text === 'string') &&
    typeof status === 'number' &&
    Array.isArray(errors) &&
    errors.every((one) => typeof one?.pointer === 'string' && typeof one.message === 'string')
  )
}

/** Whether an answer has the basic shape of the operation's reply; its fields are trusted. */
function isReply(reply: unknown, list: string | null): boolean {
  if (!isObject(reply)) return false
  const { nextCursor = null } = reply
  const items = list === null ? [] : (reply[list] ?? [])
  return Array.isArray(items) && (nextCursor === null || typeof nextCursor === 'string')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined where the text is not valid JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isJson = ({ headers }: Response) => /^application\/json\b/i.test(headers.get('content-type') ?? '')

/** The first code among an error and its causes, such as ECONNREFUSED. */
function becauseOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? ` (${code})` : becauseOf(error.cause)
}

function addressOf(server: string | URL): string {
  const url = URL.parse(String(server))
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError(
      'The server is an http or https address such as http://127.0.0.1:8787, without a password or a query.',
    )
  return url.href.replace(/\/*$/, '/')
}

/**
 * With a session, replies are cached and revalidated by `ETag`, and the header tells the service that a page of its own
 * calls: other sites cannot add it.
 * @throws TypeError
 */
function credentialsOf({ key, session }: WithKey | WithSession): RequestInit {
  const accept = 'application/json'
  if (session && key === undefined)
    return { headers: { 'x-rivalscope-page': '1', accept }, cache: 'no-cache', credentials: 'same-origin' }
  return { headers: { authorization: `Bearer ${keyOf(key)}`, accept }, cache: 'no-store', credentials: 'omit' }
}

/** Checked here, because the error of an invalid header would contain it. */
function keyOf(key: unknown): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError('The key is visible ASCII text without spaces, as `rivalscope keys create` printed it.')
}

/** Browsers have no `randomUUID` outside secure contexts. */
const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
