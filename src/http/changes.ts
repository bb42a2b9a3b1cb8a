import type { FastifyInstance } from 'fastify'
import type { ChangeMarkers } from '../api/changes.ts'
import { identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'

/**
 * `/changes`: tells open pages which areas of evidence have new data. Does not count against the caller's allowance, since
 * it costs next to nothing (bench/web/changes.ts).
 */
export function changesRoute(app: FastifyInstance, doors: OperationDoors, markers: ChangeMarkers): void {
  app.get('/changes', {
    config: { tool: 'changes' },
    onRequest: async (request) => void (await identifyCaller(request, doors)),
    handler: async (_request, reply) =>
      reply
        .headers({
          'cache-control': 'private, no-cache',
          'content-type': 'application/json; charset=utf-8',
          vary: 'Authorization, Cookie',
        })
        .send(await markers.current()),
  })
  refuseOtherMethods(app, '/changes', ['GET'])
}
