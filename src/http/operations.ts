import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Caller } from '../api/caller.ts'
import type { Credentials } from '../api/credentials.ts'
import type { Door, OperationOutcome } from '../api/door.ts'
import type { IdempotentRequests, SentReply } from '../api/idempotency.ts'
import { Problem, storeFailuresAsProblems } from '../api/problem.ts'
import { keptBytesOf, replyJsonOf } from '../api/reply-json.ts'
import type { Operation } from '../contract/operation.ts'
import { compileQueryReader, type TextParameters } from '../contract/query-text.ts'
import { refuseAllButOwnPages } from './browser-check.ts'
import { clientAddressOf } from './forwarded.ts'
import { sendFailure } from './problem-replies.ts'
import { allowanceHeaders, countRequest, type RequestCounters } from './rate-limit.ts'
import { cookieOf, type SessionDoors } from './sessions/session-shown.ts'
import { parseQuery } from './text-input.ts'

export interface OperationDoors extends SessionDoors, RequestCounters {
  door: Door
  credentials: Credentials
  idempotentRequests: IdempotentRequests
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

const statusOf: Record<OperationOutcome['ending'], number> = {
  read: 200,
  created: 201,
  known: 200,
  withdrawn: 200,
  accepted: 202,
  done: 200,
  removed: 204,
}
const allMethods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Most JSON values in a body with ads: 1 MiB of ads in the form of the libraries has half as many. */
export const maxAdBodyValues = 50_000

/** A route for every operation of the contract, and 405 for every other method of their paths. */
export function operationRoutes(app: FastifyInstance, doors: OperationDoors): void {
  app.decorateRequest('caller', undefined)
  const methodsOf = new Map<string, HTTPMethods[]>()
  for (const [tool, operation] of Object.entries(doors.door.contract)) {
    const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
    methodsOf.set(url, [...(methodsOf.get(url) ?? []), operation.method])
    app.route({
      method: operation.method,
      url,
      config: {
        tool,
        ...(operation.body && 'records' in operation.body.shape ? { mostValues: maxAdBodyValues } : {}),
      },
      onRequest: async (request, reply) =>
        admitCaller(await identifyCaller(request, doors), request, reply, doors),
      handler: handlerOf(tool, operation, doors),
    })
  }
  for (const [url, methods] of methodsOf) refuseOtherMethods(app, url, methods)
}

/** Answers 405 with `Allow` for the methods a path does not have, before any body is read. */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  methods: readonly HTTPMethods[],
  config: FastifyContextConfig = {},
): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  const allow = allowed.join(', ')
  const others = allMethods.filter((method) => !allowed.includes(method) && !app.hasRoute({ method, url }))
  app.route({
    method: others,
    url,
    config,
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      reply.header('allow', allow)
      sendFailure(
        new Problem('method-not-allowed', `This address answers ${allow}, not ${request.method}.`),
        request,
        reply,
      )
      return reply
    },
    handler: () => undefined,
  })
}

/** Admits a caller with a key or a token who is within the rate limits, before a body is read. */
export async function admitRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  doors: OperationDoors,
): Promise<void> {
  const { authorization } = request.headers
  const caller = await doors.credentials.callerOf(authorization, clientAddressOf(request))
  await admitCaller(caller, request, reply, doors)
}

/** Identifies the caller: besides keys and tokens, operations accept the session of a person, from our own pages only. */
export async function identifyCaller(request: FastifyRequest, doors: OperationDoors): Promise<Caller> {
  const { authorization } = request.headers
  const secret = cookieOf(request, 'rivalscope_session', doors)
  if (authorization !== undefined || secret === undefined)
    return doors.credentials.callerOf(authorization, clientAddressOf(request))
  refuseAllButOwnPages(request, doors.publicUrl)
  const { caller } = await doors.sessions.get(secret, clientAddressOf(request))
  return caller
}

/** Admits a caller within the rate limits. @throws RateLimited */
export async function admitCaller(
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  doors: OperationDoors,
): Promise<void> {
  request.caller = caller
  const allowance = await countRequest(caller, doors)
  if (allowance) reply.headers(allowanceHeaders(allowance))
}

function handlerOf(tool: string, operation: Operation, { door, idempotentRequests }: OperationDoors) {
  const readParams = operation.params ? compileQueryReader(operation.params) : asTheyAre
  const readQuery = operation.query ? compileQueryReader(operation.query) : asTheyAre
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = request.caller as Caller
    const raw = {
      params: readParams(request.params as TextParameters),
      query: readQuery(parseQuery(request.url)),
      body: request.body,
    }
    const key = operation.method === 'POST' ? request.headers['idempotency-key'] : undefined
    // A stored reply is only for callers who may perform the operation now.
    door.admit(tool, caller)
    const prepare = () => door.prepare(tool, raw, caller)
    const sent =
      typeof key === 'string'
        ? await storeFailuresAsProblems(() =>
            idempotentRequests.once({ key, caller, asked: door.meaningOf(tool, raw), prepare, replyOf }),
          )
        : { ...(await sentOf(await door.invoke(tool, raw, caller))), repeated: false }
    if (sent.repeated) reply.header('idempotency-replayed', 'true')
    if (sent.body === '') return reply.status(sent.status).send()
    if (operation.method === 'GET') {
      const vary = reply.getHeader('vary')
      reply.header('cache-control', 'private, no-cache')
      reply.header('vary', `${vary ? `${vary}, ` : ''}Authorization, Cookie`)
    }
    if ('etag' in sent) reply.header('etag', sent.etag)
    return reply.status(sent.status).type('application/json; charset=utf-8').send(sent.body)
  }
}

const replyOf = async ({ ending, body }: OperationOutcome): Promise<SentReply> => ({
  status: statusOf[ending],
  body: body === undefined ? '' : await replyJsonOf(body),
})

/** As `replyOf`; of a remembered reply the bytes that were made before. */
async function sentOf(outcome: OperationOutcome) {
  const kept = keptBytesOf(outcome.body)
  return kept ? { status: statusOf[outcome.ending], body: kept.bytes, etag: kept.etag } : replyOf(outcome)
}

const asTheyAre = (values: TextParameters): Record<string, unknown> => values
