import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { storeFailuresAsProblems } from '../api/problem.ts'
import type { TextParameters } from '../contract/query-text.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { parseQuery } from './text-input.ts'

/** A request of an admitted caller. */
export interface Asked {
  caller: Caller
  /** The id in the path; empty without one. */
  id: string
  query: TextParameters
  headers: FastifyRequest['headers']
  body: unknown
  reply: FastifyReply
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Answers = { [M in Method]?: (asked: Asked) => Promise<unknown> }

/**
 * Routes beside the contract, by path and method, for people at the pages and whoever has a key: admitted and counted like
 * operations, never cached; 204 where there is nothing to answer. Each checks scopes itself.
 * @param largestBody bytes; usually that of a form that a person filled in
 */
export function besideContract(
  app: FastifyInstance,
  doors: OperationDoors,
  routes: Readonly<Record<string, Answers>>,
  largestBody = 16 * 1024,
): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    await admitCaller(await identifyCaller(request, doors), request, reply, doors)
  }
  for (const [url, answers] of Object.entries(routes)) {
    const tool = url.split('/')[1] ?? ''
    for (const [method, answer] of Object.entries(answers))
      app.route<{ Params: { id?: string } }>({
        method,
        url,
        config: { tool },
        bodyLimit: largestBody,
        onRequest,
        handler: async (request, reply) => {
          const { params, headers, body } = request
          const caller = request.caller as Caller
          const query = parseQuery(request.url)
          const asked = { caller, id: params.id ?? '', query, headers, body, reply }
          const answered = await storeFailuresAsProblems(() => answer(asked))
          return answered === undefined ? reply.status(204).send() : answered
        },
      })
    refuseOtherMethods(app, url, Object.keys(answers) as Method[])
  }
}
