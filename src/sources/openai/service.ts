import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import manifest from '../../../package.json' with { type: 'json' }

/** What a service could not do, in a sentence without secrets. */
export class ServiceFailure extends Error {
  /**
   * - `refused`: this request is not answered, now or later
   * - `trouble`: it may go better another time
   * - `unusable`: the answer is not what was asked for
   */
  readonly kind: 'refused' | 'trouble' | 'unusable'

  constructor(kind: ServiceFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ServiceFailure'
    this.kind = kind
  }
}

export interface Endpoint {
  baseUrl: string
  name: string
  timeoutSeconds: number
  /** Undefined for a service that needs none. */
  key: string | undefined
}

/** Bytes of an answer that are read. */
const mostAnswerBytes = 4 * 1024 * 1024

/**
 * A service that speaks OpenAI's protocol. It is asked once, led nowhere else by redirects, and its answer is read only so
 * far; nothing of the environment but the key given is sent.
 */
export function openService({ baseUrl, timeoutSeconds, key }: Endpoint): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    adminAPIKey: null,
    maxRetries: 0,
    timeout: timeoutSeconds * 1_000,
    logLevel: 'off',
    defaultHeaders: { 'user-agent': `Rivalscope/${manifest.version}`, ...(key ? {} : { authorization: null }) },
    fetch: boundedFetch,
  })
}

async function boundedFetch(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, redirect: 'error' })
  const { body, status, headers } = response
  if (!body) return response
  let size = 0
  const bounded = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength
        if (size > mostAnswerBytes) controller.error(new Error(`more than ${mostAnswerBytes} bytes`))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(bounded, { status, headers })
}

/** Answers of the service that no other attempt would change. */
const lasting = new Set([400, 401, 403, 404, 405, 413, 415, 422])

/**
 * Asks, within time, and says what went wrong in our words: what a service says of itself can hold the key it was sent.
 * @throws ServiceFailure, or the signal's reason when it aborts
 */
export async function asked<T>(endpoint: Endpoint, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ServiceFailure) throw error
    throw failureOf(endpoint, error)
  }
}

function failureOf({ name, timeoutSeconds }: Endpoint, error: unknown): ServiceFailure {
  if (error instanceof APIConnectionTimeoutError)
    return new ServiceFailure('trouble', `${name} did not answer within ${timeoutSeconds} s.`)
  if (error instanceof APIConnectionError)
    return new ServiceFailure('trouble', `${name} cannot be reached (${causeOf(error)}).`)
  if (error instanceof APIError && error.status !== undefined) {
    const code = /^[\w.-]{1,60}$/.test(error.code ?? '') ? `: ${error.code}` : ''
    const kind = lasting.has(error.status) ? 'refused' : 'trouble'
    return new ServiceFailure(kind, `${name} answers ${error.status}${code}.`)
  }
  return new ServiceFailure('unusable', `${name} answers something that cannot be read.`)
}

function causeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return 'no connection'
}
