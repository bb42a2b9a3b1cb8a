const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

/** The headers of replies, under their names in the document. */
export const replyHeaders = {
  'Idempotency-Replayed': header(
    'Present and `true` when this is the reply of an earlier call under the same `Idempotency-Key`.',
    'true',
  ),
  ETag: header('Names this state of the answer; send it back in `If-None-Match`.', '"5f0c9b2e"'),
  RateLimit: header('Requests left in this window, and seconds until it ends.', '"default";r=118;t=42'),
  'RateLimit-Policy': header('Requests a window holds, and its seconds.', '"default";q=120;w=60'),
  'Retry-After': header('Seconds to wait before the next request.', '42'),
  'WWW-Authenticate': header('How to authenticate, or the scope that is missing.', 'Bearer realm="rivalscope"'),
  'X-Request-Id': header(
    'Names the request in the log of the service.',
    '0195806f-3a00-7c41-8d2e-5b7f0a1c9e31',
  ),
}

type HeaderName = keyof typeof replyHeaders

/** Headers of every reply to an authenticated caller whose requests are counted. */
export const usualHeaders = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'] as const satisfies HeaderName[]

export function headerReferences(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/**
 * The headers of calls besides `Authorization`, which the security schemes describe, and `Idempotency-Key`, which the guide does:
 * for a parameter that needs a new value in each call, Postman generates one for all calls, so that only the first is performed.
 */
export const callHeaders = {
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: the reply is 304 without a body while it still stands.',
    required: false,
    schema: { type: 'string' },
    example: '"5f0c9b2e"',
  },
}
