import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends a page in the best encoding that the request accepts. The caller sets `vary`. */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, page: Buffer): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === 'identity') return reply.send(page)
  return reply.header('content-encoding', encoding).send(compressed[encoding](page))
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
