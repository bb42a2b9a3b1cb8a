import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, refuseInput } from '../api/problem.ts'
import { asReady } from './as-ready.ts'
import { sendLines } from './built-files.ts'
import { identifyCaller, type OperationDoors, refuseOtherMethods } from './operations.ts'
import { problemBody } from './problem-replies.ts'
import { parseQuery } from './text-input.ts'

export interface BundleLimits {
  /** Reads of one bundle. */
  reads: number
  /** Reads of one bundle that run at once: fewer than the connections to the store, which others need as well. */
  atOnce: number
  /** Bytes of all replies of one bundle; no further read begins beyond them. */
  bytes: number
}

const usualLimits: BundleLimits = { reads: 40, atOnce: 4, bytes: 8 * 1024 * 1024 }

/**
 * `/reads?read=<address>&read=…`: several reads of the contract in one request, for pages. Each runs through this server as if it came
 * alone, with the headers of the bundle: it has its own check of scope, counts as a request, and its line tells its status, `ETag` and
 * reply, in the order in which they are there. A read whose `ETag` is among those of `If-None-Match` answers 304 without a body.
 * Not part of the contract: it answers nothing that its reads do not (docs/decisions/0118-bundled-reads.md).
 */
export function readsRoute(app: FastifyInstance, doors: OperationDoors, limits = usualLimits): void {
  app.get('/reads', {
    config: { tool: 'reads' },
    onRequest: async (request) => {
      request.caller = await identifyCaller(request, doors)
    },
    handler: async (request, reply) => {
      const lines = answersTo(app, request, addressesIn(request, limits), limits)
      reply.headers({
        // As of each read alone. Chromium 156 reports streams that are `no-store` as aborted where a page reads them to their end.
        'cache-control': 'private, no-cache',
        'content-type': 'application/x-ndjson; charset=utf-8',
        vary: 'Authorization, Cookie, Accept-Encoding',
      })
      return sendLines(request, reply, lines)
    },
  })
  refuseOtherMethods(app, '/reads', ['GET'])
}

/** The paths of the reads, with their queries. @throws Problem `invalid-request` */
function addressesIn({ url }: FastifyRequest, limits: BundleLimits): string[] {
  const { read = [], ...others } = parseQuery(url)
  const [other] = Object.keys(others)
  if (other !== undefined)
    refuseInput([{ pointer: `/query/${other.slice(0, 50)}`, message: 'is not a known parameter' }])
  const given = [read].flat()
  if (given.length === 0 || given.length > limits.reads)
    refuseInput([{ pointer: '/query/read', message: `must be given 1 to ${limits.reads} times` }])
  return given.map((text, index) => {
    const address = text.startsWith('/v1/') ? URL.parse(text, 'http://localhost') : null
    // Parsing resolves dots: what is compared is what is asked for.
    if (!address?.pathname.startsWith('/v1/'))
      refuseInput([
        {
          pointer: `/query/read/${index}`,
          message: 'must be the address of a read, such as /v1/charts?country=us',
        },
      ])
    return `${address.pathname}${address.search}`
  })
}

async function* answersTo(
  app: FastifyInstance,
  request: FastifyRequest,
  addresses: readonly string[],
  limits: BundleLimits,
): AsyncGenerator<string, void, void> {
  let bytes = 0
  const reads = addresses.map(
    (url, index) => () =>
      bytes > limits.bytes ? leftOut(index, url, request) : answerTo(app, request, index, url),
  )
  for await (const line of asReady(reads, limits.atOnce)) {
    bytes += Buffer.byteLength(line)
    yield line
  }
}

/** Headers of a request that are about its connection and its body, not about who asks. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'range',
])

async function answerTo(
  app: FastifyInstance,
  request: FastifyRequest,
  index: number,
  url: string,
): Promise<string> {
  const { statusCode, headers, payload } = await app.inject({
    method: 'GET',
    url,
    headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofConnection.has(name))),
    remoteAddress: request.socket.remoteAddress ?? '',
  })
  const { etag } = headers
  return lineOf(index, statusCode, typeof etag === 'string' ? etag : undefined, payload)
}

async function leftOut(index: number, url: string, request: FastifyRequest): Promise<string> {
  const { code, message } = new Problem('unavailable', 'The bundle is full. Ask for this read alone.')
  return lineOf(
    index,
    503,
    undefined,
    JSON.stringify(problemBody(code, message, url.split('?', 1)[0] ?? '', request.id)),
  )
}

/** The reply is JSON already and is not parsed. */
const lineOf = (read: number, status: number, etag: string | undefined, payload: string): string =>
  `{"read":${read},"status":${status}${etag === undefined ? '' : `,"etag":${JSON.stringify(etag)}`}${payload === '' ? '' : `,"body":${payload}`}}\n`
