import manifest from 'rivalscope/package.json' with { type: 'json' }
import { z } from 'zod'

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

export interface ServiceEndpoint {
  baseUrl: string
  name: string
  timeoutSeconds: number
  /** Undefined for a service that needs none. */
  key: string | undefined
}

/** Loaded with the first request: it looks at what `fetch` can do, and so loads all of that. */
const kyOf = () => import('ky')

/** Most bytes of an answer. */
const mostAnswerBytes = 4 * 1024 * 1024

/**
 * POSTs a request to a service with OpenAI's API. Returns the answer, parsed where its type is JSON, else as text. The request is
 * sent once, redirects are not followed, and the size of the answer is limited; of the environment only the given key is sent.
 * @throws ServiceFailure in words of ours, since the service's own can contain the key; or the signal's reason when it aborts
 */
export async function postToService(
  endpoint: ServiceEndpoint,
  path: string,
  sent: { json: unknown } | { body: FormData },
  signal: AbortSignal,
): Promise<unknown> {
  const { baseUrl, timeoutSeconds, key } = endpoint
  try {
    const { default: ky } = await kyOf()
    const response = await ky.post(`${baseUrl.replace(/\/$/, '')}/${path}`, {
      ...sent,
      headers: {
        accept: 'application/json',
        'user-agent': `Rivalscope/${manifest.version}`,
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      signal,
      retry: 0,
      redirect: 'error',
      timeout: timeoutSeconds * 1_000,
      fetch: fetchLimited,
    })
    const text = await response.text()
    return /\bjson\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
  } catch (error) {
    signal.throwIfAborted()
    throw await failureOf(endpoint, error)
  }
}

async function fetchLimited(address: string | URL | Request, init?: RequestInit): Promise<Response> {
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

async function failureOf({ name, timeoutSeconds }: ServiceEndpoint, error: unknown): Promise<ServiceFailure> {
  const { HTTPError, NetworkError, TimeoutError } = await kyOf()
  if (error instanceof TimeoutError)
    return new ServiceFailure('trouble', `${name} did not answer within ${timeoutSeconds} s.`)
  if (error instanceof NetworkError)
    return new ServiceFailure('trouble', `${name} cannot be reached (${causeOf(error)}).`)
  if (error instanceof HTTPError) {
    const { status } = error.response
    const code = codeIn(error.data)
    return new ServiceFailure(lasting.has(status) ? 'refused' : 'trouble', `${name} answers ${status}${code}.`)
  }
  return new ServiceFailure('unusable', `${name} answers something that cannot be read.`)
}

/** The service's code for the failure, where that is a plain word. */
function codeIn(answer: unknown): string {
  const { data } = z.object({ error: z.object({ code: z.string().regex(/^[\w.-]{1,60}$/) }) }).safeParse(answer)
  return data ? `: ${data.error.code}` : ''
}

function causeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return 'no connection'
}
