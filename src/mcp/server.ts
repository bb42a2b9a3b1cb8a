import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  INVALID_PARAMS,
  isLegacyRequest,
  isSpecType,
  legacyStatelessFallback,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Door } from '../api/door.ts'
import { type CallContext, toolCalls } from './calls.ts'
import { canAsk } from './elicitation.ts'
import { Frames, toolCallIn } from './frames.ts'
import { writtenResult } from './json-in-text.ts'
import { takesTime } from './progress.ts'
import { type Exchange, serverFactory } from './tool-server.ts'

/** One POST with its body parsed. */
interface Posted {
  headers: Readonly<IncomingHttpHeaders>
  body: unknown
  /** Aborted when the client has gone. */
  signal: AbortSignal
}

/** Answers one POST of an authenticated caller: a text is a complete JSON body with status 200. */
export type McpDoor = (posted: Posted, context: CallContext) => Promise<Response | string>

/**
 * The MCP interface over HTTP. It supports the protocol of 2026-07-28, and those of 2024 and 2025 without sessions. Only
 * data that is the same for all callers is kept between requests.
 */
export function createMcpDoor(door: Door): McpDoor {
  const calls = toolCalls(door)
  const askSdk = sdkOf(door, calls)
  const frames = new Frames(async ({ headers, message, lineOnly }, result) => {
    const exchange: Exchange = { context: { ...nobody, lineOnly }, result, isStandIn: true }
    const response = await askSdk({ headers, body: message, signal: new AbortController().signal }, exchange)
    if (response.status !== 200 || !isJson(response)) return undefined
    return { text: await response.text(), jsonInText: exchange.jsonInText === true }
  })
  return async (posted, context) => {
    const asked = isConversation(door, posted.body) ? undefined : toolCallIn(posted.body)
    const call = asked && calls.get(asked.name)
    const frame =
      call && (await frames.frameOf(protocolHeaders(posted), posted.body as object, context.lineOnly))
    if (!frame) return withRefusals(posted.body, (body) => askSdk({ ...posted, body }, { context }))
    const result = await call(asked.given, context)
    if (result.isError || !result.structuredContent) return askSdk(posted, { context, result })
    return frame.around(asked.id, await writtenResult(result, frame.jsonInText))
  }
}

/** Whether the call of a message may have another answer than its result: notices of its progress, or a form for a person. */
function isConversation(door: Door, body: unknown): boolean {
  const { params } = (body ?? {}) as { params?: { name?: unknown; _meta?: unknown } }
  if (typeof params !== 'object' || params === null) return false
  if ('inputResponses' in params || 'requestState' in params || wantsProgress(door, body)) return true
  const operation = Object.hasOwn(door.contract, String(params.name)) && door.contract[String(params.name)]
  return operation && operation.method !== 'GET' ? canAsk(params._meta) : false
}

/** Whether a message calls a tool that takes time, for a client that wants to be told how far it is: its answer is a stream. */
function wantsProgress(door: Door, body: unknown): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown; _meta?: unknown } }
  if (method !== 'tools/call' || typeof params?.name !== 'string') return false
  const meta = params._meta as { progressToken?: unknown } | null | undefined
  const operation = Object.hasOwn(door.contract, params.name) ? door.contract[params.name] : undefined
  return meta?.progressToken !== undefined && operation !== undefined && takesTime(operation)
}

/** Requests with required parameters, each with a check for them. */
const needy: Readonly<Record<string, (request: unknown) => boolean>> = {
  initialize: isSpecType.InitializeRequest,
  'tools/call': isSpecType.CallToolRequest,
  'prompts/get': isSpecType.GetPromptRequest,
  'resources/read': isSpecType.ReadResourceRequest,
  'completion/complete': isSpecType.CompleteRequest,
}

/**
 * Refuses requests without their required parameters, which the SDK would answer as an internal error; the rest of a batch
 * is answered as usual.
 */
async function withRefusals(
  body: unknown,
  ask: (body: unknown) => Promise<Response>,
): Promise<Response | string> {
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  const refusals = messages.map(refusalOf)
  if (!refusals.some(Boolean)) return ask(body)
  const refused = refusals.filter((refusal) => refusal !== undefined)
  if (!Array.isArray(body)) return JSON.stringify(refused[0])
  const others = messages.filter((_, at) => !refusals[at])
  const response = others.length > 0 ? await ask(others) : undefined
  if (response && response.status >= 300) return response
  const answered: unknown[] = response && isJson(response) ? [await response.json()].flat() : []
  return JSON.stringify([...refused, ...answered])
}

function refusalOf(message: unknown): object | undefined {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown }
  const isWhole = typeof method === 'string' && Object.hasOwn(needy, method) ? needy[method] : undefined
  if (!isWhole || isWhole(message) || (typeof id !== 'string' && typeof id !== 'number')) return undefined
  const why = `${method} lacks parameters that the protocol asks for, or has them in another form.`
  return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message: why } }
}

/** The context of a stand-in. */
const nobody: CallContext = {
  caller: { credentialId: '', accountId: '', scopes: new Set(), bringsEvidence: false, door: 'mcp' },
  requestId: '',
  lineOnly: false,
  failed: () => {},
}

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') === true

/** The headers of a POST that the SDK reads. */
function protocolHeaders({ headers }: Posted): Record<string, string> {
  const read: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && (name === 'accept' || name === 'content-type' || name.startsWith('mcp-')))
      read[name] = String(value)
  }
  return read
}

/** Answers with an SDK server made for one exchange. Does not call the tool where the exchange has its result already. */
function sdkOf(door: Door, calls: ReturnType<typeof toolCalls>) {
  const serverFor = serverFactory(door, calls)
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo?.extra?.exchange as Exchange
      return serverFor(exchange, !exchange.context.lineOnly)
    },
    { legacy: 'reject' },
  )
  return async (posted: Posted, exchange: Exchange): Promise<Response> => {
    const { body, signal } = posted
    const headers = protocolHeaders(posted)
    const request = new Request('http://rivalscope/mcp', { method: 'POST', headers, signal })
    if (await isLegacyRequest(request, body)) {
      const jsonInText = !(exchange.context.lineOnly && readsStructure(request))
      if (wantsProgress(door, body))
        return legacyStatelessFallback(() => serverFor(exchange, jsonInText))(request, { parsedBody: body })
      return answerOnce(serverFor(exchange, jsonInText), request, body)
    }
    const { credentialId, scopes } = exchange.context.caller
    const authInfo = { token: '', clientId: credentialId, scopes: [...scopes], extra: { exchange } }
    return handler.fetch(request, { parsedBody: body, authInfo })
  }
}

/** Whether a client of 2024 or 2025 reads structured content. Those that do send their protocol version in every request. */
const readsStructure = (request: Request) => (request.headers.get('mcp-protocol-version') ?? '') >= '2025-06-18'

/** Answers with one JSON body: where there are no messages before a result, no stream is needed. */
async function answerOnce(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const close = () => void server.close()
  request.signal.addEventListener('abort', close, { once: true })
  try {
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    request.signal.removeEventListener('abort', close)
    close()
  }
}
