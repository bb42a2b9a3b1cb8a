import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai'
import manifest from 'rivalscope/package.json' with { type: 'json' }

/** A failure of a service, in a sentence without secrets. */
export class ServiceFailure extends Error {
  /**
   * - `refused`: a permanent refusal of this request
   * - `trouble`: a transient failure
   * - `unusable`: the answer does not have the requested form
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

/** Most bytes of an answer. */
const mostAnswerBytes = 4 * 1024 * 1024

/**
 * A service that speaks OpenAI's protocol. Each request is sent once, redirects are not followed, and the size of the answer
 * is limited; of the environment only the given key is sent.
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

/** Status codes of permanent failures. */
const lasting = new Set([400, 401, 403, 404, 405, 413, 415, 422])

/**
 * Sends a request with a timeout, and words failures itself: the service's own message can contain the key.
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
