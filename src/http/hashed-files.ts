import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Serves built files with hashed names, cacheable for ever: from compressed copies beside them, without listings or hidden files. */
export async function hashedFiles(app: FastifyInstance, root: string, prefix: `/${string}/`): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    dotfiles: 'ignore',
    decorateReply: false,
    suppressWarning: true,
  })
}
