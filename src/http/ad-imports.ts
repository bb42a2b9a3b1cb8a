import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ListRuns } from '../api/ad-import-shapes.ts'
import type { Caller } from '../api/caller.ts'
import { storeFailuresAsProblems } from '../api/problem.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'

/**
 * `/ad-imports`: the newest imports of paid ads of the caller's account, for the page of them, with the scope of
 * `admin_get_paid_ad_import`, which tells the rest of one. Not part of the contract, which lists none.
 */
export function adImportsRoute(app: FastifyInstance, doors: OperationDoors, listRuns: ListRuns): void {
  app.get('/ad-imports', {
    config: { tool: 'ad-imports' },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie' })
      await admitCaller(await identifyCaller(request, doors), request, reply, doors)
    },
    handler: async (request) => {
      const caller = request.caller as Caller
      doors.door.admit('admin_get_paid_ad_import', caller)
      return { items: await storeFailuresAsProblems(() => listRuns(caller.accountId)) }
    },
  })
  refuseOtherMethods(app, '/ad-imports', ['GET'])
}
