import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { type ArchivedContent, type FindContent, pictureWidths, type ShowPicture } from '../api/pictures.ts'
import { type InputError, Problem, refuseInput, storeFailuresAsProblems } from '../api/problem.ts'
import type { ProblemCode } from '../contract/problems.ts'
import { matchesETag } from './not-modified.ts'
import { identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { parseQuery } from './text-input.ts'

/** Keeps browsers from running any content, or letting it load anything. */
const contentPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

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

/** Signed addresses of the networks are long. */
const longestAddress = 4_096
const keptByBrowsers = 'private, max-age=604800, immutable'
/** The time for which this service remembers that there is no picture. */
const failureKeptByBrowsers = 'private, max-age=300'
const lasting: ReadonlySet<ProblemCode> = new Set(['route-not-found', 'upstream-failed'])

/**
 * `/pictures?url=…&width=…`: serves pictures of stores and networks from our own origin, so that no third party learns what
 * is viewed (docs/decisions/0036-pictures-through-our-own-origin.md).
 */
export function pictureRoute(app: FastifyInstance, doors: OperationDoors, show: ShowPicture): void {
  app.get('/pictures', {
    config: { tool: 'pictures' },
    onRequest: async (request) => {
      request.caller = await identifyCaller(request, doors)
    },
    handler: async (request, reply) => {
      const { url, width } = askedIn(request)
      reply.header('vary', 'Authorization, Cookie')
      const picture = await show(request.caller as Caller, url, width).catch((error: unknown) => {
        if (error instanceof Problem && lasting.has(error.code))
          reply.header('cache-control', failureKeptByBrowsers)
        throw error
      })
      if ('address' in picture)
        return reply.header('cache-control', keptByBrowsers).redirect(picture.address, 302)
      return reply
        .headers({
          'cache-control': keptByBrowsers,
          'content-type': 'image/webp',
          'content-security-policy': contentPolicy,
          'content-disposition': 'inline; filename="picture.webp"',
        })
        .send(picture.bytes)
    },
  })
  refuseOtherMethods(app, '/pictures', ['GET'])
}

/** @throws Problem `invalid-request` */
function askedIn(request: FastifyRequest): { url: string; width: number } {
  const { url, width, ...others } = parseQuery(request.url)
  const errors: InputError[] = Object.keys(others).map((name) => ({
    pointer: `/query/${name.slice(0, 50)}`,
    message: 'is not known here',
  }))
  const asked = pictureWidths.find((one) => String(one) === width)
  if (typeof url !== 'string' || url.length > longestAddress)
    errors.push({ pointer: '/query/url', message: `must be one address of at most ${longestAddress} letters` })
  if (asked === undefined)
    errors.push({ pointer: '/query/width', message: `must be one of ${pictureWidths.join(', ')}` })
  if (typeof url !== 'string' || asked === undefined || errors.length > 0) return refuseInput(errors)
  return { url, width: asked }
}
