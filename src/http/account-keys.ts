import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountKeys } from '../api/account-keys.ts'
import type { Caller } from '../api/caller.ts'
import { refuseInput } from '../api/problem.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'

interface OfKey {
  Params: { keyId: string }
}

/**
 * `/keys`: manages the keys of an account, for its admins, with a key or signed in to the pages. Not part of the contract,
 * since no agent and no program should give access to others (docs/decisions/0052-keys-by-admins.md).
 */
export function accountKeyRoutes(app: FastifyInstance, doors: OperationDoors, keys: AccountKeys): void {
  const config = { tool: 'keys' }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    await admitCaller(await identifyCaller(request, doors), request, reply, doors)
  }
  const route = { config, onRequest, bodyLimit: 16 * 1024 }
  app.get('/keys', route, async (request) => ({ items: await keys.list(callerOf(request)) }))
  app.post('/keys', route, async (request, reply) => {
    refuseRepeats(request)
    return reply.status(201).send(await keys.create(callerOf(request), request.body))
  })
  app.post<OfKey>('/keys/:keyId/rotation', route, async (request, reply) => {
    refuseRepeats(request)
    const made = await keys.rotate(callerOf(request), request.params.keyId, request.body)
    return reply.status(201).send(made)
  })
  app.delete<OfKey>('/keys/:keyId', route, async (request, reply) => {
    await keys.revoke(callerOf(request), request.params.keyId)
    return reply.status(204).send()
  })
  refuseOtherMethods(app, '/keys', ['GET', 'POST'])
  refuseOtherMethods(app, '/keys/:keyId', ['DELETE'])
  refuseOtherMethods(app, '/keys/:keyId/rotation', ['POST'])
}

const callerOf = (request: FastifyRequest) => request.caller as Caller

/** Refuses `Idempotency-Key`: a repeatable reply has to be stored, and the key with it. */
function refuseRepeats({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] !== undefined)
    refuseInput([
      {
        pointer: '/header/idempotency-key',
        message:
          'is not taken here: a key is shown once. Where the reply was lost, revoke the key and make another',
      },
    ])
}
