import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ArchivedContent, FindContent } from '../api/pictures.ts'
import { Problem, storeFailuresAsProblems } from '../api/problem.ts'
import { matchesETag } from './not-modified.ts'
import { refuseOtherMethods } from './operations.ts'

/** Keeps browsers from running any content, or letting it load anything. */
export const contentPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/**
 * Serves kept media at `/media/<sha256>` to everyone who knows the hash: pages cannot send credentials with a picture
 * (docs/decisions/0010-kept-media.md). A content never changes, so it may be cached for ever.
 * @param shared whether pages of other origins may show them
 */
export function archivedMediaRoute(app: FastifyInstance, find: FindContent, shared: boolean): void {
  const url = '/media/:sha256'
  app.route<{ Params: { sha256: string } }>({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const { sha256 } = request.params
      const content = await storeFailuresAsProblems(() => find(sha256))
      if (!content) throw notArchived()
      if (content === 'removed') throw new Problem('route-not-found', removedByPolicy)
      const etag = `"${sha256}"`
      reply.headers({
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': shared ? 'cross-origin' : 'same-origin',
        'content-security-policy': contentPolicy,
        'x-content-type-options': 'nosniff',
      })
      if (matchesETag(request.headers['if-none-match'] ?? '', etag)) return reply.status(304).send()
      return send(request, reply, content, sha256)
    },
  })
  refuseOtherMethods(app, url, ['GET'])
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, sizeBytes, open }: ArchivedContent,
  sha256: string,
): Promise<FastifyReply> {
  const part = askedPart(request, sizeBytes, `"${sha256}"`)
  if (part === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${sizeBytes}`).send()
  const { start, end } = part ?? { start: 0, end: sizeBytes - 1 }
  const stream = request.method === 'HEAD' ? undefined : await open(part)
  if (request.method === 'GET' && !stream) {
    request.log.error({ sha256 }, 'the store of media has lost a content')
    throw notArchived()
  }
  if (part) reply.status(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`)
  const [, subtype = ''] = contentType.split('/')
  return reply
    .headers({
      'accept-ranges': 'bytes',
      'content-type': contentType,
      'content-length': end - start + 1,
      'content-disposition': `inline; filename="${sha256.slice(0, 16)}.${subtype}"`,
    })
    .send(stream)
}

/** Honours `If-Range`: a part is sent only of the content the caller began with. */
function askedPart({ headers }: FastifyRequest, sizeBytes: number, etag: string) {
  const begunWith = headers['if-range']
  if (headers.range === undefined || (begunWith !== undefined && begunWith !== etag)) return undefined
  return byteRangeOf(headers.range, sizeBytes)
}

const removedByPolicy =
  'What was kept under this address was removed: this installation keeps media of posts and ads for a time only, once they are not seen any more.'

const notArchived = () => new Problem('route-not-found', 'Nothing is kept under this address.')

/** A range of bytes, both ends included, from 0. */
export interface RequestedBytes {
  start: number
  end: number
}

/**
 * The part of a content that a `Range` header requests. Several parts, other units and invalid headers give undefined, which
 * means the whole content, as RFC 9110 allows.
 */
export function byteRangeOf(range: string, sizeBytes: number): RequestedBytes | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  if (to !== '' && Number(to) < Number(from)) return undefined
  if (Number(from) >= sizeBytes) return 'unsatisfiable'
  return { start: Number(from), end: to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1) }
}
