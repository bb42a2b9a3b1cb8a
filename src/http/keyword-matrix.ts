import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import type { ReadKeywordMatrix } from '../api/keyword-matrix.ts'
import { refuseInput, storeFailuresAsProblems } from '../api/problem.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { parseQuery } from './text-input.ts'

/**
 * `/keyword-matrix?app=9000000001.us&app=…`: ranks of up to six apps for the same keywords, for the page that compares them, with the
 * scope of `get_aso_keyword_gap`, which tells of a tracked app and one rival. Not part of the contract.
 */
export function keywordMatrixRoute(app: FastifyInstance, doors: OperationDoors, read: ReadKeywordMatrix): void {
  app.get('/keyword-matrix', {
    config: { tool: 'keyword-matrix' },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization, Cookie' })
      await admitCaller(await identifyCaller(request, doors), request, reply, doors)
    },
    handler: async (request) => {
      const caller = request.caller as Caller
      doors.door.admit('get_aso_keyword_gap', caller)
      const { app: apps = [], ...others } = parseQuery(request.url)
      const [other] = Object.keys(others)
      if (other !== undefined)
        refuseInput([{ pointer: `/query/${other.slice(0, 50)}`, message: 'is not a known parameter' }])
      return storeFailuresAsProblems(() => read(caller.accountId, [apps].flat()))
    },
  })
  refuseOtherMethods(app, '/keyword-matrix', ['GET'])
}
