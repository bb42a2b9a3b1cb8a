import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { admit, type OperationDoors, refuseOtherMethods } from './operations.ts'

/** Answers one message of the Model Context Protocol, given by the part that speaks it. */
export interface McpAnswers {
  answer(
    request: Request,
    body: unknown,
    context: { caller: Caller; requestId: string; failed: (error: unknown) => void },
  ): Promise<Response>
  close(): Promise<void>
}

/** `/mcp`: the same credentials, limits and log as the operations. */
export function mcpRoute(app: FastifyInstance, mcp: McpAnswers, doors: OperationDoors): void {
  app.post('/mcp', {
    onRequest: (request, reply) => admit(request, reply, doors),
    handler: (request, reply) => answer(mcp, request, reply),
  })
  refuseOtherMethods(app, '/mcp', ['POST'])
  app.addHook('preClose', () => mcp.close())
}

async function answer(mcp: McpAnswers, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const response = await mcp.answer(webRequest(request, gone.signal), request.body, {
    caller: request.caller as Caller,
    requestId: request.id,
    failed: (error) => request.log.error({ err: error }, 'request failed'),
  })
  return reply.send(response)
}

/** What is asked, without the body, which has been read. */
function webRequest({ headers }: FastifyRequest, signal: AbortSignal): Request {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return new Request('http://rivalscope/mcp', { method: 'POST', headers: lines, signal })
}
