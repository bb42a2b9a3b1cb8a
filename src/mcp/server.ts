import {
  createMcpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }
import type { Door } from '../api/door.ts'
import { type CallContext, callTool } from './calls.ts'
import { toolListing } from './tools.ts'

/** The MCP door over HTTP: messages in, responses out. It keeps nothing between requests. */
export interface McpDoor {
  /** Answers one POST, whose body has been read. Who calls is known. */
  answer(request: Request, body: unknown, context: CallContext): Promise<Response>
  /** Ends streams and what is under way. */
  close(): Promise<void>
}

export function createMcpDoor(door: Door): McpDoor {
  const listing = toolListing(door.contract)
  const serverFor = (request: McpRequestContext): Server => {
    const context = request.authInfo?.extra as unknown as CallContext
    const server = new Server(
      { name: 'rivalscope', version: manifest.version },
      { capabilities: { tools: {} } },
    )
    server.setRequestHandler('tools/list', () => ({ tools: listing(context.caller.scopes) }))
    server.setRequestHandler('tools/call', ({ params }) => {
      if (!Object.hasOwn(door.contract, params.name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`)
      return callTool(door, params.name, params.arguments ?? {}, context)
    })
    return server
  }
  const handler = createMcpHandler(serverFor)
  return {
    answer: (request, parsedBody, context) =>
      handler.fetch(request, {
        parsedBody,
        authInfo: {
          token: '',
          clientId: context.caller.credentialId,
          scopes: [...context.caller.scopes],
          extra: { ...context },
        },
      }),
    close: () => handler.close(),
  }
}
