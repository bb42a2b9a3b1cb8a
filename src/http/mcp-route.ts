import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { Problem, refuseInput } from '../api/problem.ts'
import { type Scope, scopes } from '../contract/scopes.ts'
import { isTrustedOrigin, refuseForeignPages, type TrustedPlaces } from './browser-check.ts'
import { baseAddressOf } from './forwarded.ts'
import { admitRequest, maxAdBodyValues, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { countRequest } from './rate-limit.ts'
import { parseQuery } from './text-input.ts'

/** The context of a request for the MCP implementation. */
interface McpContext {
  caller: Caller
  requestId: string
  /** Whether the client wants no text besides the summary line for people. */
  lineOnly: boolean
  /** Logs an internal error. */
  failed: (error: unknown) => void
}

/** Answers a POST of the Model Context Protocol; a text is a complete JSON body. Provided by the MCP implementation. */
type AnswerMcp = (
  posted: { headers: IncomingHttpHeaders; body: unknown; signal: AbortSignal },
  context: McpContext,
) => Promise<Response | string>

export interface McpRouteOptions extends ProtectedResource {
  answer: AnswerMcp
}

/**
 * `/mcp`, with the credentials, limits and log of the operations. Every request is authenticated, so a revoked credential
 * fails at the next one.
 */
export function mcpRoute(
  app: FastifyInstance,
  { answer, ...resource }: McpRouteOptions,
  doors: OperationDoors,
  corsOrigins: TrustedPlaces['corsOrigins'],
): void {
  const places = { publicUrl: resource.publicUrl, corsOrigins }
  // A page that may call also reads the answers, a refusal with its challenge included.
  const cors = {
    origin: async (origin: string | undefined) =>
      origin !== undefined && isTrustedOrigin(origin, { server: app }, places) && origin,
  }
  app.decorateRequest('asked', undefined)
  const doorOfMcp = {
    config: { tool: 'mcp', mostValues: maxAdBodyValues, cors },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      refuseForeignPages(request, places)
      await admitRequest(request, reply, doors)
    },
    onSend: async (request: FastifyRequest, reply: FastifyReply) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', challengeOf(request, resource))
      if (reply.statusCode === 403 && isToken(request.caller)) widenChallenge(request, reply, resource)
    },
  }
  app.post('/mcp', {
    ...doorOfMcp,
    preHandler: async (request) => {
      await admitBatch(request, doors)
      admitToken(request, doors)
    },
    handler: (request, reply) => answerOver(answer, request, reply),
  })
  // A client whose key is refused may try the older transport, and shows the last refusal: the key's, not the method's.
  app.get('/mcp', {
    ...doorOfMcp,
    exposeHeadRoute: false,
    handler: (_request, reply) => {
      reply.header('allow', 'POST')
      throw new Problem('method-not-allowed', 'This address answers POST, not GET.')
    },
  })
  refuseOtherMethods(app, '/mcp', ['POST'], { cors })
  resourceMetadata(app, resource)
}

/** Clients of 2024 and early 2025 may send several messages at once: each counts as a request. */
async function admitBatch({ body, caller }: FastifyRequest, doors: OperationDoors): Promise<void> {
  if (!caller || !Array.isArray(body)) return
  for (const _message of body.slice(1)) await countRequest(caller, doors)
}

/**
 * Refuses a token the tool that it lacks the scope for, so that its client can ask the provider for more; a key stays as it is, and its
 * client is told by the result of the call.
 * @throws Problem `scope-missing`
 */
function admitToken({ body, caller }: FastifyRequest, { door }: OperationDoors): void {
  if (!caller || !isToken(caller)) return
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  const tool = method === 'tools/call' ? String(params?.name) : ''
  if (Object.hasOwn(door.contract, tool)) door.admit(tool, caller)
}

const isToken = (caller: Caller | undefined): boolean => caller?.credentialId.startsWith('jwt:') === true

async function answerOver(
  answer: AnswerMcp,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const lineOnly = wantsLineOnly(request.url)
  request.asked = whatIsAsked(request.body)
  const posted = {
    headers: request.headers,
    body: request.body,
    // Created on demand: most answers do not need it.
    get signal() {
      return signalOf(reply)
    },
  }
  const response = await answer(posted, {
    caller: { ...(request.caller as Caller), door: 'mcp' },
    requestId: request.id,
    lineOnly,
    failed: (error) => request.log.error({ err: error, ...request.asked }, 'request failed'),
  })
  if (typeof response === 'string') return reply.type('application/json').send(response)
  if (!response.headers.get('content-type')?.startsWith('application/json')) return reply.send(response)
  // A complete body costs less than a stream.
  const headers = Object.fromEntries(response.headers)
  return reply
    .status(response.status)
    .headers(headers)
    .send(await response.text())
}

/** Aborts when the client disconnects before it has the whole answer. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Whether the address has `?text=line`: for clients that can be configured with little more than an address. */
function wantsLineOnly(url: string): boolean {
  const { text } = parseQuery(url)
  if (text !== undefined && text !== 'line') refuseInput([{ pointer: '/query/text', message: 'must be line' }])
  return text === 'line'
}

/** Fields of the log about a message besides its address. */
interface Asked {
  /** The method of the message. */
  rpc?: string
  tool?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    asked: Asked | undefined
  }
  interface FastifyContextConfig {
    /** Other origins than those of all routes. */
    cors?: Pick<FastifyCorsOptions, 'origin'>
  }
}

function whatIsAsked(body: unknown): Asked {
  if (Array.isArray(body)) return { rpc: `batch of ${body.length}` }
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  return {
    ...(typeof method === 'string' ? { rpc: method.slice(0, 100) } : {}),
    ...(typeof params?.name === 'string' ? { tool: params.name.slice(0, 100) } : {}),
  }
}

/** Metadata for clients about credentials. */
interface ProtectedResource {
  /** Base address of the service; the address of each request when undefined. */
  publicUrl: string | undefined
  /** Issuer of tokens that are accepted besides API keys. */
  issuer: string | undefined
}

const wellKnown = '/.well-known/oauth-protected-resource'
const scopesSupported = Object.keys(scopes)

/** The documents of RFC 9728, for the whole service and for `/mcp`. Nothing in them is secret. */
function resourceMetadata(app: FastifyInstance, resource: ProtectedResource): void {
  for (const path of ['', '/mcp']) {
    const url = `${wellKnown}${path}`
    // Public, so that any page finds out where to sign in.
    const config = { cors: { origin: '*' } }
    app.get(url, { config }, async (request) => ({
      resource: `${baseAddressOf(request, resource.publicUrl)}${path}`,
      ...(resource.issuer ? { authorization_servers: [resource.issuer] } : {}),
      scopes_supported: scopesSupported,
      bearer_methods_supported: ['header'],
      resource_name: 'Rivalscope',
    }))
    refuseOtherMethods(app, url, ['GET'], config)
  }
  if (!resource.issuer) refuseRegistration(app)
}

/**
 * Refuses to register a client, in the form of RFC 7591. MCP clients that get 401 and find no issuer try to register here, and
 * show people this refusal in place of the 401; after a 404 some try other transports, and then show the failure of those.
 */
function refuseRegistration(app: FastifyInstance): void {
  const url = '/register'
  app.post(url, {
    onRequest: async (_request, reply) => reply.status(403).send(noRegistration),
    handler: () => undefined,
  })
  refuseOtherMethods(app, url, ['POST'])
}

const noRegistration = {
  error: 'access_denied',
  error_description:
    'The key is missing, unknown, expired or revoked. Send "Authorization: Bearer <key>" with every request; an operator makes keys with `rivalscope keys create`. Clients are not registered here.',
}

/** The `WWW-Authenticate` of RFC 9728 for a request to `/mcp`: where to find out how to get a credential. */
function challengeOf(request: FastifyRequest, resource: ProtectedResource): string {
  const failed = request.headers.authorization === undefined ? '' : 'error="invalid_token", '
  return `Bearer realm="rivalscope", ${failed}scope="${scopesSupported.join(' ')}", ${metadataOf(request, resource)}`
}

/** Adds to a refusal for a scope which scopes a token needs in all, and where to get it. */
function widenChallenge(request: FastifyRequest, reply: FastifyReply, resource: ProtectedResource): void {
  const missing = /scope="([^"]+)"/.exec(String(reply.getHeader('www-authenticate')))?.[1]
  if (missing === undefined) return
  const all = scopesSupported.filter((one) => one === missing || request.caller?.scopes.has(one as Scope))
  const scope = `scope="${all.join(' ')}"`
  reply.header(
    'www-authenticate',
    `Bearer error="insufficient_scope", ${scope}, ${metadataOf(request, resource)}`,
  )
}

const metadataOf = (request: FastifyRequest, { publicUrl }: ProtectedResource): string =>
  `resource_metadata="${baseAddressOf(request, publicUrl)}${wellKnown}/mcp"`
