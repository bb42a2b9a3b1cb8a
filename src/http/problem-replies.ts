import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemExtras } from '../api/problem.ts'
import { type ProblemCode, problems } from '../contract/problems.ts'
import { problemAddress } from '../contract/shapes/problem.ts'
import { allowanceHeaders, RateLimited } from './rate-limit.ts'

export const problemType = 'application/problem+json'

/** A problem in the form of RFC 9457. */
export function problemBody(
  code: ProblemCode,
  detail: string,
  instance: string,
  requestId: string,
  extras: ProblemExtras = {},
) {
  const { status, title } = problems[code]
  return { type: problemAddress(code), title, status, detail, instance, code, requestId, ...extras }
}

/** Problems for errors of the HTTP engine. */
const engineProblems: Record<string, [code: ProblemCode, detail: string, pointer?: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'Send the body as application/json in UTF-8.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid-request',
    'The body is not as long as Content-Length says.',
    '/body',
  ],
  FST_ERR_BAD_URL: ['invalid-request', 'The address is not properly percent-encoded.', '/path'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid-request', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid-request', 'The body is empty.'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid-request', 'A part of the path is too long.', '/path'],
}

/** Answers any failure of a request. Internal errors are logged with their cause and answered without it. */
export function sendFailure(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = asProblem(error, request)
  if (!problem) request.log.error({ err: error, ...request.asked }, 'request failed')
  const { code, message, extras } =
    problem ?? new Problem('internal', 'The service failed. The operator finds the cause under the request id.')
  if (code === 'unauthenticated') reply.header('www-authenticate', 'Bearer realm="rivalscope"')
  if (code === 'scope-missing')
    reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${extras.scope ?? ''}"`)
  if (code === 'unavailable') reply.header('retry-after', '5')
  if (extras.retryAfterSeconds !== undefined) reply.header('retry-after', String(extras.retryAfterSeconds))
  if (problem instanceof RateLimited) {
    reply.headers({
      ...allowanceHeaders(problem.allowance),
      'retry-after': String(problem.allowance.resetSeconds),
    })
  }
  return reply
    .status(problems[code].status)
    .type(problemType)
    .send(JSON.stringify(problemBody(code, message, pathOf(request), request.id, extras)))
}

function asProblem(error: FastifyError | Error, request: FastifyRequest): Problem | undefined {
  if (error instanceof Problem) return error
  const engineCode = 'code' in error ? error.code : undefined
  if (engineCode === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('body-too-large', `The body is larger than ${sizeOf(request.routeOptions.bodyLimit)}.`)
  // The client has disconnected: nobody reads the answer, and nothing failed here.
  if (engineCode === 'ECONNRESET' && request.raw.destroyed)
    return new Problem('invalid-request', 'The body broke off before its end.')
  const known = engineCode === undefined ? undefined : engineProblems[engineCode]
  if (known) {
    const [code, message, pointer] = known
    return new Problem(code, message, pointer ? { errors: [{ pointer, message }] } : {})
  }
  // The status of an error from an operation is ignored; that of an error from serving files counts.
  const { tool } = request.routeOptions.config
  const status = 'statusCode' in error && tool === undefined ? Number(error.statusCode) : 500
  if (status === 403 || status === 404)
    return new Problem('route-not-found', 'Nothing is served at this address.')
  return status >= 400 && status < 500 ? new Problem('invalid-request', error.message) : undefined
}

/** A number of bytes for the text of a refusal. */
function sizeOf(bytes: number | undefined): string {
  return bytes === undefined || bytes >= 1024 * 1024 ? '1 MiB' : `${Math.round(bytes / 1024)} KiB`
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}
