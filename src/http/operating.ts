import type { FastifyInstance } from 'fastify'
import type { Operating } from '../api/operating.ts'
import { besideContract } from './beside-contract.ts'
import type { OperationDoors } from './operations.ts'

/**
 * `/sources`, `/requests` and `/collecting`: what the pages show of sources and of what is wanted, and what operators do there. Not
 * part of the contract, since no agent should collect for all accounts, or tell one what others ask for
 * (docs/decisions/0116-operators-on-the-pages.md). No GET begins to collect.
 */
export function operatingRoutes(app: FastifyInstance, doors: OperationDoors, operating: Operating): void {
  const largestBody = 64 * 1024
  besideContract(
    app,
    doors,
    {
      '/sources': { GET: ({ caller }) => operating.sources(caller) },
      '/requests': { GET: async ({ caller }) => ({ items: await operating.requests(caller, false) }) },
      '/requests/all': { GET: async ({ caller }) => ({ items: await operating.requests(caller, true) }) },
      '/requests/:id/dismissal': { POST: ({ caller, id, body }) => operating.dismiss(caller, id, body) },
      '/collecting': {
        GET: ({ caller }) => operating.collecting(caller),
        POST: async ({ caller, body, reply }) => {
          const asked = await operating.collect(caller, body)
          reply.status(202)
          return asked
        },
      },
      '/collecting/schedule': { PUT: ({ caller, body }) => operating.keepSchedule(caller, body) },
    },
    largestBody,
  )
}
