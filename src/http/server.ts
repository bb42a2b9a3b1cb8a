import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { AccountKeys } from '../api/account-keys.ts'
import type { ListRuns } from '../api/ad-import-shapes.ts'
import type { ChangeMarkers } from '../api/changes.ts'
import type { FileImports } from '../api/file-imports.ts'
import type { KeywordFilters } from '../api/keyword-filters.ts'
import type { ListingDrafts } from '../api/listing-drafts.ts'
import type { Operating } from '../api/operating.ts'
import type { FindContent, ShowPicture } from '../api/pictures.ts'
import { Problem } from '../api/problem.ts'
import type { SavedZip } from '../api/saved-zip.ts'
import type { FindFeed } from '../api/watch-feed.ts'
import type { WeeklyReports } from '../api/weekly-reports.ts'
import { type ProblemCode, problems } from '../contract/problems.ts'
import { accountKeyRoutes } from './account-keys.ts'
import { adImportsRoute } from './ad-imports.ts'
import { archivedMediaRoute } from './archived-media.ts'
import { clientModule } from './built-files.ts'
import { changesRoute } from './changes.ts'
import { type DocumentationOptions, documentationRoutes } from './documentation.ts'
import { feedRoutes } from './feeds.ts'
import { fileImportRoutes } from './file-imports.ts'
import { closeSoon, limitUnreadBodies } from './limit-unread-bodies.ts'
import { listingDraftRoutes } from './listing-drafts.ts'
import { withoutSecrets } from './logs.ts'
import { type McpRouteOptions, mcpRoute } from './mcp-route.ts'
import { Metrics } from './metrics.ts'
import { answerNotModified } from './not-modified.ts'
import { operatingRoutes } from './operating.ts'
import { type OperationDoors, operationRoutes, refuseOtherMethods } from './operations.ts'
import { keywordFilterRoutes, type PageReads, pageReadRoutes } from './page-reads.ts'
import { iconsRoute, pictureRoute } from './pictures.ts'
import { problemBody, problemType, sendFailure } from './problem-replies.ts'
import { type BundleLimits, readsRoute } from './reads.ts'
import { referenceRoutes } from './reference.ts'
import { reportRoutes } from './reports.ts'
import { savedZipRoute } from './saved-zip.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { sessionShown } from './sessions/session-shown.ts'
import { acceptJsonOnly } from './text-input.ts'
import { type Watching, watchRoutes } from './watches.ts'
import { type WebPagesOptions, webPages } from './web-pages.ts'
import { welcomeRoute } from './welcome.ts'

export interface ServerOptions extends OperationDoors {
  logger: Logger
  /** Origins that browsers may call from; none when empty. */
  corsOrigins: readonly string[]
  /** Addresses, ranges and names of ranges of proxies whose `X-Forwarded-*` are trusted; none when left out. */
  trustedProxies?: readonly string[]
  /** Finds kept media by hash. */
  findContent: FindContent
  /** Markers of new data for open pages; without them `/changes` does not exist. */
  markers?: ChangeMarkers
  /** Pictures of stores and networks for pages; without it `/pictures` and `/icons` do not exist. */
  showPicture?: ShowPicture
  /** The implementation of `/mcp`; without it the route does not exist. */
  mcp?: McpRouteOptions
  /** Counts the requests; served to everyone at `/metrics` when left out. */
  metrics?: Metrics
  /** Location of the web pages, and the data they start with. */
  web?: WebPagesOptions
  /** Location of the built documentation, and how to build it. */
  documentation?: DocumentationOptions | undefined
  /** The keys of accounts, for their admins; without it `/keys` does not exist. */
  accountKeys?: AccountKeys
  /** Sources, requests and collecting on the pages; without it their addresses do not exist. */
  operating?: Operating
  /** The imports of ads of an account; without it `/ad-imports` does not exist. */
  listRuns?: ListRuns
  /** Reads for one page each; none when left out. */
  pageReads?: PageReads
  /** Filters of keywords that accounts keep; without them `/keyword-filters` does not exist. */
  keywordFilters?: KeywordFilters
  /** Files that people send from the pages; without them `/file-imports` does not exist. */
  fileImports?: FileImports
  /** Watches and channels of accounts; without them `/watches` and its neighbours do not exist. */
  watching?: Watching
  /** Planned texts of listings; without them `/listing-drafts` does not exist. */
  listingDrafts?: ListingDrafts
  /** Weekly reports and links to them; without them `/weekly-report`, `/report-links` and `/shared` do not exist. */
  reports?: WeeklyReports
  /** What an account saved, as an archive; without it `/saved-creatives.zip` does not exist. */
  savedZip?: SavedZip
  /** Feeds by their tokens; without it `/feeds` does not exist. */
  findFeed?: FindFeed
  /** Base address of links in feeds, without a trailing slash; links are paths when left out. */
  linkHome?: string | undefined
  /** Limits of several reads in one request; the usual ones when left out. */
  bundleLimits?: BundleLimits
  /** Why the service is not ready; undefined while it is. */
  unready: () => Promise<string | undefined>
}

const largestBody = 1024 * 1024
/** Seconds that a request may take to arrive. */
const longestRequestSeconds = 60
/** The policy of pages that only refuse: they load nothing. */
const strictestPolicy = "default-src 'none';frame-ancestors 'none'"

/** Creates the HTTP door: operations, health, metrics and the reference. It does not listen yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    requestIdHeader: false,
    trustProxy: options.trustedProxies ? [...options.trustedProxies] : false,
    bodyLimit: largestBody,
    requestTimeout: longestRequestSeconds * 1_000,
    http: { connectionsCheckingInterval: 5_000 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Operations parse the query themselves: the engine's parser hides broken encodings, and an error in it ends the process.
    routerOptions: { querystringParser: () => ({}), maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) => {
      // No hooks run for an address that cannot be routed.
      reply.headers(headersWithoutHooks(request.id))
      request.log.info({ method: request.method, url: withoutSecrets(request.url), status: 400 }, 'answered')
      sendFailure(error, request, reply)
    },
    clientErrorHandler: answerBrokenRequest,
  })
  app.setErrorHandler((error: Error, request, reply) => sendFailure(error, request, reply))
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        url: withoutSecrets(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.asked,
      },
      'answered',
    )
  })
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: false,
  })
  await app.register(cors, {
    // Routes for agents allow more: mcp-route.ts.
    origin: options.corsOrigins.length > 0 ? [...options.corsOrigins] : false,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    strictPreflight: false,
    exposedHeaders: [
      'etag',
      'idempotency-replayed',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'www-authenticate',
      'x-request-id',
    ],
  })
  await app.register(etag, { algorithm: 'sha1', weak: false, replyWith304: false })
  await app.register(cookie)
  answerNotModified(app)
  stopPromptly(app)
  limitUnreadBodies(app)
  acceptJsonOnly(app)
  const { metrics = new Metrics() } = options
  metrics.measure(app)
  health(app, options.unready)
  operationRoutes(app, options)
  readsRoute(app, options, options.bundleLimits)
  await app.register((sessions, _options, done) => {
    sessionRoutes(sessions, options)
    done()
  })
  if (options.accountKeys) accountKeyRoutes(app, options, options.accountKeys)
  if (options.operating) operatingRoutes(app, options, options.operating)
  if (options.listRuns) adImportsRoute(app, options, options.listRuns)
  pageReadRoutes(app, options, options.pageReads ?? {})
  if (options.keywordFilters) keywordFilterRoutes(app, options, options.keywordFilters)
  if (options.savedZip) savedZipRoute(app, options, options.savedZip)
  if (options.fileImports) fileImportRoutes(app, options, options.fileImports)
  if (options.watching) watchRoutes(app, options, options.watching)
  if (options.listingDrafts) listingDraftRoutes(app, options, options.listingDrafts)
  if (options.reports) reportRoutes(app, options, options.reports)
  clientModule(app)
  if (options.mcp) mcpRoute(app, options.mcp, options, options.corsOrigins)
  if (options.markers) changesRoute(app, options, options.markers)
  if (options.showPicture) {
    pictureRoute(app, options, options.showPicture)
    iconsRoute(app, options, options.showPicture)
  }
  if (options.findFeed)
    feedRoutes(app, options.findFeed, { linkHome: options.linkHome, failures: options.sessions.failures })
  archivedMediaRoute(app, options.findContent, options.corsOrigins.length > 0)
  const sessionOf = (request: FastifyRequest) => sessionShown(request, options)
  const sendShell = await webPages(app, { ...options.web, sessionOf })
  welcomeRoute(app, sendShell)
  app.setNotFoundHandler(async (request, reply) => {
    if (isPageOfPerson(request) && (await sendShell(request, reply.code(404)))) return reply
    return sendFailure(
      new Problem('route-not-found', 'Nothing is served at this address.'),
      request,
      reply.code(404),
    )
  })
  await referenceRoutes(app)
  await documentationRoutes(app, options.documentation)
  const pages = ['/docs/reference', '/docs/problems']
  for (const path of ['/', '/healthz', '/readyz', '/openapi.json', '/openapi.yaml', '/client.js', ...pages])
    refuseOtherMethods(app, path, ['GET'])
  return app
}

/** Whether a person asks in a browser for a page of the app that is not there: a program, and what the API owns, get a problem. */
const isPageOfPerson = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers.accept?.includes('text/html') === true &&
  !/^\/(?:v1|mcp|assets|docs|media|feeds|shared)\b/.test(url)

function health(app: FastifyInstance, unready: () => Promise<string | undefined>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    const reason = await unready()
    if (reason !== undefined) throw new Problem('unavailable', reason)
    return { status: 'ready' }
  })
}

/** Longest wait of a stop for requests in progress, in seconds. */
const longestStopSeconds = 10

/** Makes a stop wait for requests in progress, up to a limit, but not for idle connections. */
function stopPromptly(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  let stopping = false
  app.addHook('onResponse', async () => {
    // The connection of a request in progress would stay open for the next request, which would never be answered.
    if (stopping) setImmediate(() => app.server.closeIdleConnections())
  })
  app.addHook('preClose', async () => {
    stopping = true
    for (const socket of silent) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), longestStopSeconds * 1_000).unref()
  })
}

function headersWithoutHooks(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'content-security-policy': strictestPolicy,
  }
}

/** Why the bytes of a peer are not a valid request, by the engine's error code. */
const brokenRequests: Record<string, [code: ProblemCode, detail: string]> = {
  HPE_HEADER_OVERFLOW: ['invalid-request', 'The header fields are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request-timeout',
    `The request did not arrive whole within ${longestRequestSeconds} seconds.`,
  ],
}

/** Answers a request that is not valid HTTP, or does not end. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [code, detail] = brokenRequests[error.code ?? ''] ?? [
    'invalid-request',
    'The request is not valid HTTP.',
  ]
  const requestId = uuidv7()
  const { status } = problems[code]
  const body = JSON.stringify(problemBody(code, detail, '', requestId))
  const headers = {
    ...headersWithoutHooks(requestId),
    'content-type': problemType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  closeSoon(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}
