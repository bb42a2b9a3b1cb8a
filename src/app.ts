import type { FastifyInstance } from 'fastify'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { AccountChannels } from './api/account-channels.ts'
import { AccountKeys } from './api/account-keys.ts'
import { AccountWatches } from './api/account-watches.ts'
import { readAppSummaries } from './api/app-summaries.ts'
import { ChangeMarkers } from './api/changes.ts'
import { readChartRanks } from './api/chart-ranks.ts'
import { Credentials, type TokenIssuer } from './api/credentials.ts'
import { createDoor, type Door } from './api/door.ts'
import { FailedAttempts } from './api/failed-attempts.ts'
import { handlersOn } from './api/handlers/handlers.ts'
import { IdempotentRequests } from './api/idempotency.ts'
import { KeywordFilters } from './api/keyword-filters.ts'
import { readKeywordMatrix } from './api/keyword-matrix.ts'
import { ListingDrafts } from './api/listing-drafts.ts'
import { Operating } from './api/operating.ts'
import { archivedContentIn, showPictures } from './api/pictures.ts'
import { ProviderSignIn, type SignInClient, SignInStates } from './api/provider-sign-in.ts'
import { RememberedReplies } from './api/remembered-replies.ts'
import { largestSavedMedia } from './api/saved-zip.ts'
import { Sessions } from './api/sessions.ts'
import { type CountRead, ReplicaReads, StoreStates } from './api/store-states.ts'
import { watchFeedsIn } from './api/watch-feed.ts'
import { WeeklyReports } from './api/weekly-reports.ts'
import type { Configuration } from './configuration.ts'
import { contract } from './contract/contract.ts'
import { createKey } from './domain/accounts/keys.ts'
import { requestsPerMinuteOf } from './domain/accounts/limits.ts'
import { anyKeys } from './domain/accounts/queries.ts'
import { storeSecret } from './domain/accounts/store-secret.ts'
import { newestRuns } from './domain/paid-ads/imports/run-queries.ts'
import type { Enqueue } from './domain/work/ask-for-work.ts'
import { storeFiguresNow } from './domain/work/store-figures.ts'
import { listingFolder } from './exports/listing-folder.ts'
import { savedZip } from './exports/run-export.ts'
import type { ExportedItem } from './exports/tables.ts'
import { fileImportsOn, importFileOn } from './file-imports.ts'
import type { DocumentationOptions } from './http/documentation.ts'
import { connectionFailureReason, createLogger } from './http/logs.ts'
import { Metrics, type MetricsOptions } from './http/metrics.ts'
import { AccountRequests, RateLimit } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { cookieSuffixOf } from './http/sessions/session-shown.ts'
import { adAnalysersOn } from './jobs/ad-analysis/analysers.ts'
import { type CollectingClients, collectingOn } from './jobs/collecting/collecting.ts'
import { type MediaArchive, mediaArchiveOn } from './jobs/media/media-archive.ts'
import { Pictures, type PicturesOptions } from './jobs/media/pictures.ts'
import { type Notifications, notificationsFrom } from './jobs/notifications/settings.ts'
import { openQueue } from './jobs/open-queue.ts'
import { enqueueOn, type JobQueue } from './jobs/queue.ts'
import { startWorker } from './jobs/worker.ts'
import { createMcpDoor } from './mcp/server.ts'
import { warnWhenNoWorker, whyUnready } from './missing-workers.ts'
import { openReplicas } from './open-replicas.ts'
import type { MediaNetwork } from './sources/media/media-source.ts'
import type { Database } from './storage/database.ts'
import type { MediaStore } from './storage/media-store.ts'
import { openMediaStore } from './storage/open-media-store.ts'
import { openStore, type StoreLocation } from './storage/open-store.ts'
import type { Replica } from './storage/replica.ts'
import type { Store } from './storage/store.ts'
import { readLanguageModel } from './text/language.ts'
import { workerLog } from './worker-log.ts'

/** The settings of the service. */
export interface ServiceConfig {
  location: StoreLocation
  host: string
  /** 0 takes any free port. */
  port: number
  logLevel: string
  /** Requests a minute for each credential; 0 for no limit. */
  rateLimit: number
  corsOrigins: readonly string[]
  /** Proxies whose `X-Forwarded-*` headers are trusted, by address, range or name of a range; none when left out. */
  trustedProxies?: readonly string[]
  /** The public address of the service, without a slash at the end; taken from each request when left out. */
  publicUrl?: string | undefined
  /** Access to the metrics, and their address; open to everybody at `/metrics` when left out. */
  metrics?: MetricsOptions
  /** Whether this process also runs jobs. */
  works: boolean
  /** Addresses of streaming replicas of the store, which answer reads; none when left out. */
  replicaUrls?: readonly string[]
  configuration: Configuration
  /** The directory of kept media, unless the configuration names another place. */
  mediaDirectory: string
  /** Why accounts are told nothing but by feeds; they are when left out. Used by the demo. */
  notSent?: string
  /** Replaces the network for hosts of media; used by the demo. */
  network?: MediaNetwork
  tokenIssuer: TokenIssuer | undefined
  /** The directory of the built web pages; dist/web when left out. */
  webDirectory?: string
  /** The directory of the built documentation, and the function that builds it; dist/docs and none when left out. */
  documentation?: DocumentationOptions
  /** The OpenID client for sign-in; without it, only keys and sign-in links work. */
  signInClient?: SignInClient
}

export interface Service extends AsyncDisposable {
  /** Its address, such as `http://127.0.0.1:8787`. */
  address: string
  /** The address of the metrics, if it is another one. */
  metricsAddress: string | undefined
  db: Database
  /** Adds the job for requested work. */
  enqueue: Enqueue
}

/** The entry to all operations over a store. @param replicas answer reads when they are up to date */
export function doorOn(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  replicas: readonly Replica[] = [],
  countRead?: CountRead,
): Door {
  const states = new StoreStates(db)
  const replies = new RememberedReplies(states)
  const reads =
    replicas.length === 0
      ? undefined
      : new ReplicaReads({
          replicas,
          primary: db,
          states,
          handlersAt: (on, state) => handlersOn(on, enqueue, collecting, replies.at(state)),
          ...(countRead ? { countRead } : {}),
        })
  return createDoor(
    contract,
    db,
    (on) => handlersOn(on, enqueue, collecting, on === db ? replies : undefined),
    reads,
    () => collecting.current.schedule(),
  )
}

/** The HTTP server over an open store, not listening yet; its parts end with the stack. */
export async function serverOn(
  store: Store,
  enqueue: Enqueue,
  collecting: CollectingClients,
  config: Omit<
    ServiceConfig,
    | 'location'
    | 'host'
    | 'port'
    | 'works'
    | 'replicaUrls'
    | 'configuration'
    | 'mediaDirectory'
    | 'network'
    | 'metrics'
  > & {
    media: MediaStore
    replicas?: readonly Replica[]
    metrics?: Metrics
    /** The source of pictures for the web pages; without it they show none. */
    pictures?: Omit<PicturesOptions, 'store'>
    /** How accounts are told; without it the pages have no watches and no reports. */
    notifications?: Notifications
    /** The queue of what is collected by hand; without it nothing is, and no source is shown. */
    queue?: JobQueue
    /** Names of the accounts whose admins operate on the pages; none when left out. */
    operators?: readonly string[]
  },
  parts: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const { db } = store.requests
  const { metrics, notifications, operators = [] } = config
  const countRead = metrics && ((from: string) => metrics.countRead(from))
  const door = doorOn(db, enqueue, collecting, config.replicas, countRead)
  const failures = new FailedAttempts()
  const credentials = parts.use(new Credentials(db, config.tokenIssuer, failures))
  const { tokenIssuer, signInClient } = config
  const pictures = config.pictures && parts.use(new Pictures(db, { ...config.pictures, store: config.media }))
  const server = await createServer({
    door,
    sessions: parts.use(new Sessions(db, failures)),
    provider:
      tokenIssuer && signInClient
        ? new ProviderSignIn(tokenIssuer, signInClient, credentials, new SignInStates(db))
        : undefined,
    publicUrl: config.publicUrl,
    cookieSuffix: cookieSuffixOf(await storeSecret(db)),
    mcp: {
      answer: createMcpDoor(door),
      publicUrl: config.publicUrl,
      issuer: config.tokenIssuer?.issuer,
    },
    credentials,
    accountKeys: new AccountKeys(db),
    ...(config.queue ? { operating: new Operating({ db, queue: config.queue, collecting, operators }) } : {}),
    operators,
    listRuns: (accountId) => newestRuns(db, accountId),
    pageReads: {
      readKeywordMatrix: (accountId, apps) => readKeywordMatrix(db, accountId, apps),
      readAppSummaries: (country, apps) => readAppSummaries(db, country, apps),
      readChartRanks: (asked) => readChartRanks(db, asked),
    },
    keywordFilters: new KeywordFilters(db),
    fileImports: fileImportsOn(db, enqueue),
    listingDrafts: new ListingDrafts(db, listingFolder),
    savedZip: ({ accountId }, { tag, items }) => {
      const isWanted = (item: ExportedItem) =>
        (tag === undefined || item.saved?.tags.includes(tag) === true) &&
        (items === undefined ||
          items.has('postId' in item ? `post.${item.postId}` : `ad.${item.platform}.${item.archiveId}`))
      return savedZip(db, accountId, isWanted, (sha256) => config.media.open(sha256), largestSavedMedia)
    },
    idempotentRequests: parts.use(new IdempotentRequests(db)),
    rateLimit: config.rateLimit === 0 ? undefined : rateLimitOn(store, config.rateLimit),
    accountRequests: new AccountRequests(
      (accountId) => requestsPerMinuteOf(db, accountId),
      (limit) => rateLimitOn(store, limit, 'this account'),
    ),
    logger: createLogger(config.logLevel),
    corsOrigins: config.corsOrigins,
    ...(config.trustedProxies ? { trustedProxies: config.trustedProxies } : {}),
    markers: new ChangeMarkers(db),
    findContent: archivedContentIn(db, config.media),
    findFeed: watchFeedsIn(db),
    linkHome: notifications?.publicUrl,
    ...(notifications ? toldOn(db, notifications) : {}),
    ...(metrics ? { metrics } : {}),
    ...(pictures ? { showPicture: showPictures(pictures) } : {}),
    web: { directory: config.webDirectory, pictureHosts: pictures?.hostsOfPages },
    documentation: config.documentation,
    unready: () => whyUnready(store, db),
  })
  parts.defer(() => server.close())
  return server
}

/** What accounts watch, how they are told, and their weekly reports. */
const toldOn = (db: Database, notifications: Notifications) => ({
  watching: { watches: new AccountWatches(db), channels: new AccountChannels(db, notifications) },
  reports: new WeeklyReports(db, async (accountId, asked, linked) => {
    // Loaded on demand: it reads what backtests found, which nothing else of the service does.
    const { reportOfAccount } = await import('./operator/report/report-of-account.ts')
    return reportOfAccount(db, accountId, asked, linked)
  }),
})

const languageModelAfterMs = 2_000

/** Opens the store and serves it. Stops cleanly when disposed: requests under way end, then the store is closed. */
export async function startService(config: ServiceConfig): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const { store, queue, collecting, archive, notifications } = await openWithJobs(
    config,
    'rivalscope serve',
    opened,
  )
  const metrics = new Metrics(config.metrics)
  const { media, web } = config.configuration
  const pictures = { way: web.pictures, media, network: config.network }
  const replicas = await openReplicas(config.replicaUrls ?? [], createLogger(config.logLevel), opened)
  metrics.watchReplicas(() => replicas)
  metrics.watchStore(() => storeFiguresNow(store))
  const served = {
    ...config,
    media: archive.store,
    metrics,
    pictures,
    replicas,
    notifications,
    queue,
    operators: web.operators,
  }
  const enqueue = enqueueOn(queue)
  const server = await serverOn(store, enqueue, collecting, served, opened)
  const metricsAddress = await metrics.listen(createLogger(config.logLevel), opened)
  const address = await server.listen({ host: config.host, port: config.port })
  // Nobody waits for the language model before the first text: loading it takes a fifth of the time that the start took.
  const loading = setTimeout(() => void readLanguageModel(), languageModelAfterMs).unref()
  opened.defer(() => clearTimeout(loading))
  const running = opened.move()
  const { db } = store
  return { address, metricsAddress, db, enqueue, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** A process that only works on jobs, until it is disposed. */
export async function startWorkProcess(config: Omit<JobsConfig, 'works'>): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  await openWithJobs({ ...config, works: true }, 'rivalscope work', opened)
  return opened.move()
}

type JobsConfig = Pick<
  ServiceConfig,
  'location' | 'configuration' | 'mediaDirectory' | 'network' | 'notSent' | 'logLevel' | 'works' | 'publicUrl'
>

/** Opens the parts that every long-running process needs; they are closed with the stack. */
async function openWithJobs(
  { location, configuration, mediaDirectory, network, notSent, logLevel, works, publicUrl }: JobsConfig,
  purpose: string,
  opened: AsyncDisposableStack,
): Promise<{
  store: Store
  queue: JobQueue
  collecting: CollectingClients
  archive: MediaArchive
  notifications: Notifications
}> {
  const store = opened.use(await openStore(location, purpose))
  const logger = createLogger(logLevel)
  const queue = opened.use(
    await openQueue(store, works, (error) => logger.error({ err: error }, 'job queue'), {
      away: (error) =>
        logger.error({ reason: connectionFailureReason(error) }, 'the database is away, and jobs wait for it'),
      back: (afterSeconds) =>
        logger.warn({ afterSeconds: Math.round(afterSeconds) }, 'the database is back, and jobs go on'),
    }),
  )
  const collecting = collectingOn(store.db, configuration)
  const archive = mediaArchiveIn(configuration, mediaDirectory, network)
  const analysers = adAnalysersOn(configuration, process.env)
  const listener = workerLog(logger)
  const notifications = {
    ...notificationsFrom({ publicUrl, ...configuration.watches }, process.env),
    notSent,
  }
  if (works)
    opened.use(
      await startWorker(
        {
          ...collecting,
          db: store.db,
          queue,
          archive,
          analysers,
          notifications,
          retention: configuration.retention,
          importFile: importFileOn({
            ...{ store, db: store.db, collecting: async () => collecting, media: archive.store },
            ...{ notifications, retention: configuration.retention },
          }),
        },
        undefined,
        listener,
      ),
    )
  else opened.use(warnWhenNoWorker(store.db, logger))
  return { store, queue, collecting, archive, notifications }
}

/** The media archive, as configured. */
export function mediaArchiveIn(
  { media }: Configuration,
  directory: string,
  network?: MediaNetwork,
): MediaArchive {
  return mediaArchiveOn(openMediaStore(media.store, directory, process.env), media, network)
}

/** A key that can do everything, for a store that has none yet; undefined when it has keys. */
export async function createFirstKey(db: Database): Promise<string | undefined> {
  if (await anyKeys(db)) return undefined
  return createKey(db, { name: 'operator', scopes: ['context:read', 'content:write'], administers: true })
}

const windowSeconds = 60

function rateLimitOn(store: Store, points: number, whose?: string): RateLimit {
  const shared = new RateLimiterPostgres({
    storeClient: store.requests.pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: '',
    points,
    duration: windowSeconds,
  })
  return new RateLimit(shared, whose)
}
