import type { FastifyInstance } from 'fastify'
import type { AccountChannels } from '../api/account-channels.ts'
import type { AccountWatches } from '../api/account-watches.ts'
import { type Asked, besideContract } from './beside-contract.ts'
import type { OperationDoors } from './operations.ts'

/** What an account watches, and how it is told. */
export interface Watching {
  watches: AccountWatches
  channels: AccountChannels
}

/**
 * `/watches`, `/watch-events`, `/watch-times` and `/channels`: what an account watches, what was found, and how it is told. Not
 * part of the contract: agents read evidence, and send nothing to others
 * (docs/decisions/0114-watches-on-pages-and-shared-reports.md).
 */
export function watchRoutes(
  app: FastifyInstance,
  doors: OperationDoors,
  { watches, channels }: Watching,
): void {
  besideContract(app, doors, {
    '/watches': {
      GET: async ({ caller }) => ({ items: await watches.list(caller) }),
      POST: async ({ caller, body, reply }) => made(reply, await watches.add(caller, body)),
    },
    '/watches/:id': {
      PATCH: ({ caller, id, body }) => watches.mute(caller, id, body),
      DELETE: ({ caller, id }) => watches.remove(caller, id),
    },
    '/watch-events': { GET: ({ caller, query }) => watches.history(caller, query) },
    '/watch-times': { PUT: ({ caller, body }) => channels.setTimes(caller, body) },
    '/channels': {
      GET: ({ caller }) => channels.list(caller),
      POST: async ({ caller, body, reply }) => made(reply, await channels.add(caller, body)),
    },
    '/channels/:id': {
      PATCH: ({ caller, id, body }) => channels.mute(caller, id, body),
      DELETE: ({ caller, id }) => channels.remove(caller, id),
    },
    '/channels/:id/resend': { POST: ({ caller, id }) => channels.resend(caller, id) },
    '/channels/:id/test': { POST: ({ caller, id }) => channels.test(caller, id) },
  })
}

function made<Made extends { isNew: boolean }>(reply: Asked['reply'], what: Made): Made {
  reply.status(what.isNew ? 201 : 200)
  return what
}
