import type { FastifyInstance } from 'fastify'
import type { AccountKeys } from '../api/account-keys.ts'
import { refuseInput } from '../api/problem.ts'
import { type Asked, besideContract } from './beside-contract.ts'
import type { OperationDoors } from './operations.ts'

/**
 * `/keys`: manages the keys of an account, for its admins, with a key or signed in to the pages. Not part of the contract,
 * since no agent and no program should give access to others (docs/decisions/0052-keys-by-admins.md).
 */
export function accountKeyRoutes(app: FastifyInstance, doors: OperationDoors, keys: AccountKeys): void {
  besideContract(app, doors, {
    '/keys': {
      GET: async ({ caller }) => ({ items: await keys.list(caller) }),
      POST: async ({ caller, body, ...asked }) => {
        refuseRepeats(asked)
        const made = await keys.create(caller, body)
        asked.reply.status(201)
        return made
      },
    },
    '/keys/:id/rotation': {
      POST: async ({ caller, id, body, ...asked }) => {
        refuseRepeats(asked)
        const made = await keys.rotate(caller, id, body)
        asked.reply.status(201)
        return made
      },
    },
    '/keys/:id': { DELETE: ({ caller, id }) => keys.revoke(caller, id) },
  })
}

/** Refuses `Idempotency-Key`: a repeatable reply has to be stored, and the key with it. */
function refuseRepeats({ headers }: Pick<Asked, 'headers'>): void {
  if (headers['idempotency-key'] !== undefined)
    refuseInput([
      {
        pointer: '/header/idempotency-key',
        message:
          'is not taken here: a key is shown once. Where the reply was lost, revoke the key and make another',
      },
    ])
}
