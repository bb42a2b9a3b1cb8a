import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Door } from '../api/door.ts'
import type { CallContext } from './calls.ts'
import { serverFactory } from './tool-server.ts'

/** Answers one POST with a parsed body and an authenticated caller. */
export type McpDoor = (request: Request, body: unknown, context: CallContext) => Promise<Response>

/**
 * The MCP interface over HTTP. It supports the protocol of 2026-07-28, and those of 2024 and 2025 without sessions, and is
 * stateless.
 */
export function createMcpDoor(door: Door): McpDoor {
  const serverFor = serverFactory(door)
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const context = authInfo?.extra?.context as CallContext
      return serverFor(context, !context.lineOnly)
    },
    { legacy: 'reject' },
  )
  return async (request, parsedBody, context) => {
    if (await isLegacyRequest(request, parsedBody))
      return answerOnce(serverFor(context, !(context.lineOnly && readsStructure(request))), request, parsedBody)
    const { credentialId, scopes } = context.caller
    const authInfo = { token: '', clientId: credentialId, scopes: [...scopes], extra: { context } }
    return handler.fetch(request, { parsedBody, authInfo })
  }
}

/** Whether a client of 2024 or 2025 reads structured content. Those that do send their protocol version in every request. */
const readsStructure = (request: Request) => (request.headers.get('mcp-protocol-version') ?? '') >= '2025-06-18'

/** Answers with one JSON body: there are no messages before a result, so no stream is needed. */
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
