import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brotliCompressSync, createBrotliCompress, createGzip, gzipSync, constants as zlib } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../api/problem.ts'

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

/** Sends a page in the best encoding that the request accepts. The caller sets `vary`. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, page: Buffer): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === 'identity') return reply.send(page)
  return reply.header('content-encoding', encoding).send(compressed[encoding](page))
}

/** Sends lines as `sendCompressed` does a page, each as soon as it is there. The caller sets `vary`. */
export function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncIterable<string>,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const source = Readable.from(lines)
  if (encoding === 'identity') return reply.send(source)
  const packed = packing[encoding]()
  // Where one of them fails or its reader leaves, both end; the reply tells it.
  pipeline(source, packed).catch(() => {})
  return reply.header('content-encoding', encoding).send(packed)
}

/** What is written is sent at once. */
const packing = {
  br: () =>
    createBrotliCompress({
      flush: zlib.BROTLI_OPERATION_FLUSH,
      params: { [zlib.BROTLI_PARAM_QUALITY]: 4, [zlib.BROTLI_PARAM_LGWIN]: 18 },
    }),
  gzip: () => createGzip({ flush: zlib.Z_SYNC_FLUSH, level: 4 }),
}

/** Compression of each request takes a quarter of a millisecond: more effort would cost more time than it saves in transfer. */
const compressed = {
  br: (page: Buffer) =>
    brotliCompressSync(page, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: 4, [zlib.BROTLI_PARAM_SIZE_HINT]: page.length },
    }),
  gzip: (page: Buffer) => gzipSync(page, { level: 4 }),
}

/** The best encoding that an `Accept-Encoding` allows. */
function encodingFor(accepted = ''): 'br' | 'gzip' | 'identity' {
  const allowed = accepted
    .toLowerCase()
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => allowed.includes(encoding)) ?? 'identity'
}

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
