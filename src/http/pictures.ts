import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../api/caller.ts'
import { pictureWidths, type ShowPicture } from '../api/pictures.ts'
import { type InputError, Problem, refuseInput } from '../api/problem.ts'
import type { ProblemCode } from '../contract/problems.ts'
import { contentPolicy } from './archived-media.ts'
import { identify, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { queryOf } from './text-input.ts'

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
export function pictures(app: FastifyInstance, doors: OperationDoors, show: ShowPicture): void {
  app.get('/pictures', {
    config: { tool: 'pictures' },
    onRequest: async (request) => {
      request.caller = await identify(request, doors)
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
  const { url, width, ...others } = queryOf(request.url)
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
