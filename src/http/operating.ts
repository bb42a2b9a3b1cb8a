import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import type { Operating } from '../api/operating.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'

interface OfRequest {
  Params: { requestId: string }
}

/**
 * `/sources`, `/requests` and `/collecting`: what the pages show of sources and of what is wanted, and what operators do there. Not
 * part of the contract, since no agent should collect for all accounts, or tell one what others ask for
 * (docs/decisions/0116-operators-on-the-pages.md). No GET begins to collect.
 */
export function operatingRoutes(app: FastifyInstance, doors: OperationDoors, operating: Operating): void {
  const config = { tool: 'operating' }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie' })
    await admitCaller(await identifyCaller(request, doors), request, reply, doors)
  }
  const route = { config, onRequest, bodyLimit: 64 * 1024 }
  app.get('/sources', route, (request) => operating.sources(callerOf(request)))
  app.get('/requests', route, async (request) => ({
    items: await operating.requests(callerOf(request), false),
  }))
  app.get('/requests/all', route, async (request) => ({
    items: await operating.requests(callerOf(request), true),
  }))
  app.post<OfRequest>('/requests/:requestId/dismissal', route, async (request, reply) => {
    await operating.dismiss(callerOf(request), request.params.requestId, request.body)
    return reply.status(204).send()
  })
  app.get('/collecting', route, (request) => operating.collecting(callerOf(request)))
  app.post('/collecting', route, async (request, reply) =>
    reply.status(202).send(await operating.collect(callerOf(request), request.body)),
  )
  app.put('/collecting/schedule', route, (request) => operating.keepSchedule(callerOf(request), request.body))
  for (const path of ['/sources', '/requests', '/requests/all']) refuseOtherMethods(app, path, ['GET'])
  refuseOtherMethods(app, '/requests/:requestId/dismissal', ['POST'])
  refuseOtherMethods(app, '/collecting', ['GET', 'POST'])
  refuseOtherMethods(app, '/collecting/schedule', ['PUT'])
}

const callerOf = (request: FastifyRequest) => request.caller as Caller
