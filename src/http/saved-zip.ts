import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { type SavedZip, savedPartIn } from '../api/saved-zip.ts'
import { admitCaller, identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { parseQuery } from './text-input.ts'

/**
 * `/saved-creatives.zip`: what the caller's account saved, or a part of it, with its kept copies, for the page of it. Written as it is
 * read, in bounded memory. Not part of the contract, whose replies are JSON.
 */
export function savedZipRoute(app: FastifyInstance, doors: OperationDoors, zip: SavedZip): void {
  app.get('/saved-creatives.zip', {
    config: { tool: 'saved-zip' },
    exposeHeadRoute: false,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await admitCaller(await identifyCaller(request, doors), request, reply, doors)
      doors.door.admit('list_saved_organic_content', request.caller as Caller)
    },
    handler: async (request, reply) => {
      const part = savedPartIn(parseQuery(request.url))
      return reply
        .headers({
          'cache-control': 'private, no-store',
          'content-type': 'application/zip',
          'content-disposition': 'attachment; filename="saved-creatives.zip"',
        })
        .send(zip(request.caller as Caller, part))
    },
  })
  refuseOtherMethods(app, '/saved-creatives.zip', ['GET'])
}
