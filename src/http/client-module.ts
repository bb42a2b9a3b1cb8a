import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../api/problem.ts'

const built = new URL(import.meta.resolve('rivalscope/client'))

/** The client as one module, so that a page can import it from the installation it calls (docs/client.md). */
export function clientModule(app: FastifyInstance): void {
  app.get('/client.js', async (_request, reply) => {
    const module = await readFile(built).catch(() => undefined)
    if (!module)
      throw new Problem('route-not-found', 'The client has not been built here: run `npm run build`.')
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(module)
  })
}
