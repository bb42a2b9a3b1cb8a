import { parseJson } from '../../ingest/json.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import type { SourceSettings } from '../settings.ts'
import { type FailureFacts, SourceFailure } from './failure.ts'

/** One request as it goes out. */
export interface Exchange {
  upstream: string
  country: string | null
  url: URL
  headers: Record<string, string>
  /** Sent with POST; without one the request is a GET. */
  body: string | undefined
  settings: SourceSettings
  /** What a 403 without `Retry-After` means here. */
  forbiddenMeans: 'throttled' | 'refused'
  /** Interprets failures the upstream reports in its body; without it, bodies of other statuses than 200 are not read. */
  failureIn?: ((answer: UpstreamResponse) => ReportedFailure | undefined) | undefined
  /** Whether the body of a 404 or 410 is read, and kept with the failure. */
  keepsNotFound?: boolean
  /** Removes what must not be stored, before the answer is parsed. */
  clean?: ((bytes: Uint8Array) => Uint8Array) | undefined
  signal: AbortSignal
}

/** A complete answer. */
export interface UpstreamResponse {
  /** As received, after content decoding and cleaning. */
  bytes: Uint8Array
  status: number
  headers: Headers
  /** When the last byte arrived. */
  fetchedAt: Date
}

/** A failure that an answer reports, in words for people. */
export interface ReportedFailure {
  kind: FailureKind
  message: string
  /** The upstream's own code. */
  code?: string
  retryAfterMs?: number
}

/**
 * Sends one request, follows redirects within the same origin, and reads the whole answer within limits of time and size.
 * @throws SourceFailure, or the signal's reason when it aborts
 */
export async function performExchange(request: Exchange): Promise<UpstreamResponse> {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), request.settings.timeoutSeconds * 1000)
  const signal = AbortSignal.any([request.signal, clock.signal])
  const ended = (error: unknown, meaning: (error: unknown) => SourceFailure) => {
    if (request.signal.aborted) return request.signal.reason
    if (clock.signal.aborted)
      return failure(request, 'timeout', `no complete answer within ${request.settings.timeoutSeconds} s`)
    return error instanceof SourceFailure ? error : meaning(error)
  }
  try {
    const response = await follow(request, signal).catch((error: unknown) => {
      throw ended(error, (cause) => connectionFailure(request, cause))
    })
    const raw = await read(request, response).catch((error: unknown) => {
      throw ended(error, (cause) => failure(request, 'cut-off', 'the answer broke off', {}, cause))
    })
    return well(request, response, request.clean?.(raw) ?? raw)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a successful response. @throws SourceFailure when the answer reports a failure, or its status is not 200 */
function well(request: Exchange, response: Response, bytes: Uint8Array): UpstreamResponse {
  const { status, headers } = response
  const answer = { bytes, status, headers, fetchedAt: new Date() }
  const reported = request.failureIn?.(answer)
  if (reported) {
    const { kind, message, ...more } = reported
    throw failure(request, kind, message, { status, ...more })
  }
  if (status !== 200) throw statusFailure(request, response, bytes)
  return answer
}

const mostRedirects = 3

async function follow(request: Exchange, signal: AbortSignal): Promise<Response> {
  let url = request.url
  for (let redirects = 0; ; redirects++) {
    const { headers, body } = request
    const sent = body === undefined ? {} : { method: 'POST', body }
    const response = await fetch(url.href, { ...sent, headers, redirect: 'manual', signal })
    if (response.status === 200) return response
    const location = response.headers.get('location')
    const leads = redirectStatuses.has(response.status) && location !== null
    if (!leads && (request.failureIn || (request.keepsNotFound && isMissing(response)))) return response
    await response.body?.cancel()
    if (!leads || body !== undefined) throw statusFailure(request, response)
    if (redirects === mostRedirects)
      throw failure(request, 'unexpected-shape', `more than ${mostRedirects} redirects`)
    const next = URL.parse(location, url.href)
    if (next?.origin !== url.origin)
      throw failure(request, 'unexpected-shape', `redirects to ${next?.host ?? 'an unreadable address'}`)
    url = next
  }
}

const isMissing = ({ status }: Response) => status === 404 || status === 410

const redirectStatuses = new Set([301, 302, 303, 307, 308])

async function read(request: Exchange, response: Response): Promise<Uint8Array> {
  const { maxBytes } = request.settings
  const tooLarge = () => failure(request, 'too-large', `the answer has more than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the rest of the answer.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** @param bytes of a missing page, where they were read */
function statusFailure(request: Exchange, response: Response, bytes?: Uint8Array): SourceFailure {
  const { status } = response
  const wait = retryAfterMs(response.headers.get('retry-after'), new Date())
  const facts = { status, ...(wait === undefined ? {} : { retryAfterMs: wait }) }
  const asked = wait === undefined ? '' : `, asks to wait ${Math.ceil(wait / 1000)} s`
  if (status === 429 || (status === 403 && (wait !== undefined || request.forbiddenMeans === 'throttled')))
    return failure(request, 'throttled', `answers ${status}: asked too often${asked}`, facts)
  if (status >= 500) return failure(request, 'unavailable', `out of order, answers ${status}${asked}`, facts)
  if (isMissing(response)) {
    const kept = request.keepsNotFound && bytes ? { ...facts, bytes } : facts
    return failure(request, 'not-found', `answers ${status}`, kept)
  }
  if (status >= 400) return failure(request, 'refused', `refuses the call, answers ${status}`, facts)
  return failure(request, 'unexpected-shape', `answers ${status} where 200 is expected`, facts)
}

/** The reason of `fetch`'s "fetch failed" is in the code of its cause. */
function connectionFailure(request: Exchange, error: unknown): SourceFailure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code'
  return certificateCode.test(code)
    ? failure(request, 'certificate', `cannot prove who it is: ${request.url.host} (${code})`, {}, error)
    : failure(request, 'unreachable', `no connection to ${request.url.host} (${code})`, {}, error)
}

/** OpenSSL's verification results, and Node's own for a host name mismatch. */
const certificateCode =
  /CERT|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH/

function failure(
  { upstream, country }: Exchange,
  kind: FailureKind,
  what: string,
  more: Pick<FailureFacts, 'status' | 'retryAfterMs' | 'code' | 'bytes'> = {},
  cause?: unknown,
): SourceFailure {
  return new SourceFailure({ kind, upstream, country, ...more }, what, cause)
}

const longestMs = 3_600_000

/**
 * The wait of a `Retry-After` header in milliseconds, at most an hour. Accepts seconds or an HTTP date. Undefined where
 * there is none or it is invalid. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const at = /^\d+$/.test(text) ? Number(text) * 1000 : dateOf(text) - now.getTime()
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, 0), longestMs)
}

/** Only dates in the format of HTTP: `Date.parse` alone also accepts "7 eggs". */
const dateOf = (text: string) => (/^[A-Z][a-z]{2,8}, .*GMT$/.test(text) ? Date.parse(text) : Number.NaN)

/** The `error` of a JSON answer; undefined where there is none. Never throws. */
export function errorInAnswer(bytes: Uint8Array): Record<string, unknown> | undefined {
  const error = jsonObjectInAnswer(bytes)?.error
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : undefined
}

/** A name or number from an answer, at most 60 characters; undefined for anything else. Never throws. */
export const nameInAnswer = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 60) : undefined

/** The object in a JSON answer; undefined when it is anything else. Never throws. */
export function jsonObjectInAnswer(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const document = parseJson(Buffer.from(bytes).toString('utf8').trim())
    return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
