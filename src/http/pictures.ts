import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Caller, expectScope } from '../api/caller.ts'
import { pictureWidths, type ShowPicture } from '../api/pictures.ts'
import { type InputError, Problem, refuseInput } from '../api/problem.ts'
import { type ProblemCode, problems } from '../contract/problems.ts'
import { contentPolicy } from './archived-media.ts'
import { asReady } from './as-ready.ts'
import { sendLines } from './built-files.ts'
import { identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { parseQuery } from './text-input.ts'

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

/** The widths of icons, and how many one request takes. */
const iconWidths = [64, 128] as const
const mostIcons = 40
/** As many as a browser asks a server for at once. */
const iconsAtOnce = 6

/**
 * `/icons?width=64&url=…&url=…`: small pictures in one request, for pages of lists. Each has a line as soon as it is there: which one,
 * from 0, the status that it has alone, and with 200 its WebP in Base64, with 302 its address
 * (docs/decisions/0121-light-pages.md).
 */
export function iconsRoute(app: FastifyInstance, doors: OperationDoors, show: ShowPicture): void {
  app.get('/icons', {
    config: { tool: 'icons' },
    onRequest: async (request) => {
      request.caller = await identifyCaller(request, doors)
    },
    handler: async (request, reply) => {
      const { urls, width } = iconsAskedIn(request)
      const caller = request.caller as Caller
      expectScope(caller, 'context:read')
      const lines = urls.map((url, icon) => async () => {
        const line = await show(caller, url, width).then(
          (picture) =>
            'address' in picture
              ? { icon, status: 302, address: picture.address }
              : { icon, status: 200, webp: picture.bytes.toString('base64') },
          (error: unknown) => {
            if (!(error instanceof Problem)) request.log.error({ err: error }, 'an icon failed')
            return { icon, status: error instanceof Problem ? problems[error.code].status : 500 }
          },
        )
        return `${JSON.stringify(line)}\n`
      })
      reply.headers({
        'cache-control': failureKeptByBrowsers,
        'content-type': 'application/x-ndjson; charset=utf-8',
        vary: 'Authorization, Cookie, Accept-Encoding',
      })
      return sendLines(request, reply, asReady(lines, iconsAtOnce))
    },
  })
  refuseOtherMethods(app, '/icons', ['GET'])
}

/** @throws Problem `invalid-request` */
function iconsAskedIn(request: FastifyRequest): { urls: string[]; width: number } {
  const { url = [], width, ...others } = parseQuery(request.url)
  const urls = [url].flat()
  const asked = iconWidths.find((one) => String(one) === width)
  const errors = Object.keys(others).map(unknownName)
  if (urls.length === 0 || urls.length > mostIcons)
    errors.push({ pointer: '/query/url', message: `must be given 1 to ${mostIcons} times` })
  const long = urls.findIndex((one) => one.length > longestAddress)
  if (long !== -1)
    errors.push({ pointer: `/query/url/${long}`, message: `must have at most ${longestAddress} letters` })
  if (asked === undefined)
    errors.push({ pointer: '/query/width', message: `must be one of ${iconWidths.join(', ')}` })
  if (asked === undefined || errors.length > 0) return refuseInput(errors)
  return { urls, width: asked }
}

const unknownName = (name: string): InputError => ({
  pointer: `/query/${name.slice(0, 50)}`,
  message: 'is not known here',
})

/** @throws Problem `invalid-request` */
function askedIn(request: FastifyRequest): { url: string; width: number } {
  const { url, width, ...others } = parseQuery(request.url)
  const errors = Object.keys(others).map(unknownName)
  const asked = pictureWidths.find((one) => String(one) === width)
  if (typeof url !== 'string' || url.length > longestAddress)
    errors.push({ pointer: '/query/url', message: `must be one address of at most ${longestAddress} letters` })
  if (asked === undefined)
    errors.push({ pointer: '/query/width', message: `must be one of ${pictureWidths.join(', ')}` })
  if (typeof url !== 'string' || asked === undefined || errors.length > 0) return refuseInput(errors)
  return { url, width: asked }
}
