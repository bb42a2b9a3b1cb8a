import type { FastifyInstance } from 'fastify'
import type { ListingDrafts } from '../api/listing-drafts.ts'
import { besideContract } from './beside-contract.ts'
import type { OperationDoors } from './operations.ts'

/**
 * `/listing-drafts`: texts that an account plans for its listing, and what they cover. Not part of the contract: a draft is no evidence
 * (docs/decisions/0119-plan-a-listing.md).
 */
export function listingDraftRoutes(app: FastifyInstance, doors: OperationDoors, drafts: ListingDrafts): void {
  besideContract(app, doors, {
    '/listing-drafts': { GET: ({ caller, query }) => drafts.list(caller, query) },
    '/listing-drafts/coverage': { POST: ({ caller, body }) => drafts.coverage(caller, body) },
    '/listing-drafts/:id': {
      PUT: async ({ caller, id, body, reply }) => {
        const { draft, isNew } = await drafts.save(caller, id, body)
        reply.status(isNew ? 201 : 200)
        return draft
      },
      DELETE: ({ caller, id, query }) => drafts.remove(caller, id, query),
    },
    '/listing-drafts/:id/fastlane.zip': {
      GET: async ({ caller, id, reply }) => {
        const folder = await drafts.folder(caller, id)
        reply.headers({
          'content-type': 'application/zip',
          'content-disposition': 'attachment; filename="fastlane-metadata.zip"',
        })
        return folder
      },
    },
  })
}
