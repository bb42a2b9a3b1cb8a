import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Door } from '../api/door.ts'
import type { CallContext } from './calls.ts'
import { serverFactory } from './tool-server.ts'

/** The MCP door over HTTP: messages in, responses out. It keeps nothing between requests. */
export interface McpDoor {
  /** Answers one POST, whose body has been read and whose caller is known. */
  answer(request: Request, body: unknown, context: CallContext): Promise<Response>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Speaks the protocol of 2026-07-28, and those of 2024 and 2025 without sessions. */
export function createMcpDoor(door: Door): McpDoor {
  const serverFor = serverFactory(door)
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.context as CallContext, true), {
    legacy: 'reject',
  })
  return {
    async answer(request, parsedBody, context) {
      if (await isLegacyRequest(request, parsedBody))
        return answerOnce(serverFor(context, readsStructure(request)), request, parsedBody)
      const { credentialId, scopes } = context.caller
      const authInfo = { token: '', clientId: credentialId, scopes: [...scopes], extra: { context } }
      return handler.fetch(request, { parsedBody, authInfo })
    },
    close: () => handler.close(),
  }
}

/** Whether a client of 2024 or 2025 reads structured content. Those that do name their version in every request. */
const readsStructure = (request: Request) => (request.headers.get('mcp-protocol-version') ?? '') >= '2025-06-18'

/** Answers with one JSON body: nothing of ours speaks before its result, so no stream is needed. */
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
