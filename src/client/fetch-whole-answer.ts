/**
 * Fetches an answer completely, so that a truncated one is retried like any failed attempt.
 * @throws Redirected, Endless, TypeError where the connection breaks
 */
export async function fetchWholeAnswer(request: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { response, body } = await received(request as Request, init)
  const { status, statusText, headers, type } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw new Redirected(headers.get('location'))
  return new Response(body === '' ? null : body, { status, statusText, headers })
}

/** @throws TypeError with the message that the HTTP library recognises as a broken connection, in every engine */
async function received(request: Request, init: RequestInit | undefined) {
  try {
    const response = await fetch(request, init)
    // A Response cannot be created with an invalid status.
    if (response.status > 599) throw new Error(`the status ${response.status}`)
    return { response, body: await textOf(response) }
  } catch (cause) {
    request.signal.throwIfAborted()
    if (cause instanceof AnswerTooLong) throw cause
    throw new TypeError('fetch failed', { cause })
  }
}

/** Maximum bytes of an answer: far above the largest page, and safe to hold in memory. */
export const maxAnswerBytes = 64 * 1_048_576

/** The body as text; after decompression it can be a thousand times the bytes sent. */
async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.byteLength
    if (length > maxAnswerBytes) {
      // A sender that never stops may also fail to cancel.
      reader.cancel().catch(() => {})
      throw new AnswerTooLong('endless')
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** An answer longer than any that the service sends. */
export class AnswerTooLong extends Error {}

/** An answer that redirects elsewhere. */
export class Redirected extends Error {
  readonly to: string
  /** Browsers hide the target of a redirect. */
  constructor(location: string | null) {
    super('redirected')
    this.to = location ?? 'another address'
  }
}
