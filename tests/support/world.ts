import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { z } from 'zod'
import type { KeyMade, KeyShown } from '../../src/api/account-keys.ts'
import type { TokenIssuer } from '../../src/api/credentials.ts'
import type { SignInClient } from '../../src/api/provider-sign-in.ts'
import { serverOn } from '../../src/app.ts'
import type { Operations } from '../../src/client/operation-types.ts'
import { Media } from '../../src/configuration.ts'
import { contract, type Tool } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { Problem } from '../../src/contract/shapes/problem.ts'
import { createKey } from '../../src/domain/accounts/keys.ts'
import type { Enqueue } from '../../src/domain/work/ask-for-work.ts'
import { importFileOn } from '../../src/file-imports.ts'
import type { DocumentationOptions } from '../../src/http/documentation.ts'
import type { SessionShown } from '../../src/http/sessions/session-shown.ts'
import type { ImportRequest } from '../../src/imports/import-request.ts'
import { type ImportSummary, runImport } from '../../src/imports/run-import.ts'
import { adAnalysersOn } from '../../src/jobs/ad-analysis/analysers.ts'
import { type CollectingClients, collectingOn } from '../../src/jobs/collecting/collecting.ts'
import type { ImportFile } from '../../src/jobs/job-kind.ts'
import { type MediaArchive, mediaArchiveOn } from '../../src/jobs/media/media-archive.ts'
import type { PictureMode } from '../../src/jobs/media/settings.ts'
import { type Notifications, notificationsFrom, WatchSettings } from '../../src/jobs/notifications/settings.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { enqueueOn, type JobQueue } from '../../src/jobs/queue.ts'
import { Schedule } from '../../src/jobs/schedule.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { Retention } from '../../src/projections/retention/policies.ts'
import type { MediaNetwork } from '../../src/sources/media/media-source.ts'
import { ModelSettings, SpeechSettings } from '../../src/sources/openai/settings.ts'
import { Sources } from '../../src/sources/settings.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import type { Store } from '../../src/storage/store.ts'
import { openTestStore } from '../../src/storage/testing.ts'
import type { AdTokens } from '../../src/suppliers/ad-library.ts'
import { openFolder } from './files.ts'
import type { Seen } from './seen.ts'

/** The real data beside the project; tests that need it are skipped where it is absent. */
export const sharedData = new URL('../../../shared/data/', import.meta.url).pathname

/** @template Body what stands in it; of doors beside the contract when left out */
export interface Reply<Body = BesideContract> {
  status: number
  headers: Record<string, string | undefined>
  body: Body
}

type AnyProblem = z.output<typeof Problem>

type Inputs = { [T in Tool]: { [Name in keyof Operations[T]['arguments']]?: unknown } }
/** What an operation is asked with. Names are those of the contract; wrong and missing values are for the service to refuse. */
export type Input<T extends Tool> = Inputs[T]

type Answers = { [T in Tool]: AnswerFrom<Operations[T]['reply']> }
type AnswerFrom<Reply> = Seen<Reply | Omit<AnyProblem, keyof Reply>>
/** What an operation answers: its reply, or a problem. */
export type Answer<T extends Tool> = Answers[T]

/** An item of a list that an operation answers. */
export type Item<T extends Tool> = Seen<Operations[T]['item']>

/** Sessions and keys, one or a list of them, or a problem. */
export type BesideContract = Seen<
  SessionShown | KeyMade | { items: (KeyShown & { sessionId: string })[] } | AnyProblem
>

/** A complete installation: a store and the HTTP server over it, called without a network. */
export interface World extends AsyncDisposable {
  store: Store
  server: FastifyInstance
  queue: JobQueue
  enqueue: Enqueue
  collecting: CollectingClients
  /** The media archive, in a directory of this world's own. */
  archive: MediaArchive
  notifications: Notifications
  retention: Retention
  /** Imports files as the service does. */
  importFile: ImportFile
  /** Creates a key of an account, `default` by default. */
  key(scopes?: string[], account?: string): Promise<string>
  /** Calls an operation through HTTP and checks the reply against the contract. */
  call<T extends Tool>(tool: T, input?: Input<T>, options?: CallOptions): Promise<Reply<Answer<T>>>
  /** Any request, without checks. */
  request<Body = BesideContract>(options: InjectOptions): Promise<Reply<Body>>
  import(order: Partial<ImportRequest> & Pick<ImportRequest, 'kind' | 'paths'>): Promise<ImportSummary>
}

export interface CallOptions {
  key?: string
  headers?: Record<string, string>
}

export interface WorldOptions {
  rateLimit?: number
  tokenIssuer?: TokenIssuer
  signInClient?: SignInClient
  publicUrl?: string
  trustedProxies?: string[]
  corsOrigins?: string[]
  /** Whether a worker runs; without one, jobs stay in the queue. */
  works?: boolean
  /** The `sources` and `schedule` sections of a configuration; without `sources`, no upstream answers. */
  sources?: object
  schedule?: object
  /** Accounts whose admins operate on the pages; none when left out. */
  operators?: readonly string[]
  /** Credentials of ad libraries; none when left out. */
  adTokens?: AdTokens
  /** The `media` section, and the network for it; without, no host can be reached. */
  media?: object
  network?: MediaNetwork
  /** The `speech` and `model` sections; without, only the built-in methods work. */
  speech?: object
  model?: object
  /** The `watches` section. */
  watches?: object
  /** The `retention` section. */
  retention?: object
  /** The environment with their keys. */
  environment?: NodeJS.ProcessEnv
  /** Where built web pages lie. */
  webDirectory?: string
  /** Where the built documentation lies, and what builds it. */
  documentation?: DocumentationOptions
  /** How pages come by pictures; as usual when left out. */
  pictures?: PictureMode
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const parts = new AsyncDisposableStack()
  const store = parts.use(await openTestStore())
  const {
    rateLimit = 0,
    tokenIssuer,
    signInClient,
    publicUrl,
    trustedProxies = [],
    corsOrigins = [],
    works = false,
    sources = {},
    schedule = {},
    operators = [],
    adTokens = {},
    media = {},
    network = cutOff,
    speech,
    model,
    watches = {},
    retention = {},
    environment = {},
    webDirectory,
    documentation,
    pictures = 'proxy',
  } = options
  const queue = parts.use(await openQueue(store, works, (error) => assert.fail(error)))
  const configuration = {
    sources: Sources.parse({ ...unreachable, ...sources }),
    schedule: Schedule.parse(schedule),
    adTokens,
    web: { operators },
  }
  const collecting = collectingOn(store.db, configuration)
  const folder = parts.use(openFolder())
  const archive = mediaArchiveOn(new MediaOnDisk(join(folder.path, 'media')), Media.parse(media), network)
  const analysers = adAnalysersOn(
    { speech: speech && SpeechSettings.parse(speech), model: model && ModelSettings.parse(model) },
    environment,
  )
  const notifications = notificationsFrom(WatchSettings.parse(watches), environment)
  const kept = Retention.parse(retention)
  const importFile = importFileOn({
    ...{ store, db: store.db, collecting: async () => collecting, media: archive.store, notifications },
    retention: kept,
  })
  const jobParts = {
    ...collecting,
    db: store.db,
    queue,
    archive,
    analysers,
    notifications,
    retention: kept,
    importFile,
  }
  if (works) parts.use(await startWorker(jobParts, 0.5))
  const enqueue = enqueueOn(queue)
  const server = await serverOn(
    store,
    enqueue,
    collecting,
    {
      rateLimit,
      tokenIssuer,
      ...(signInClient ? { signInClient } : {}),
      publicUrl,
      notifications,
      trustedProxies,
      corsOrigins,
      logLevel: 'silent',
      queue,
      operators,
      media: archive.store,
      pictures: { way: pictures, media: Media.parse(media), network },
      ...(webDirectory === undefined ? {} : { webDirectory }),
      ...(documentation === undefined ? {} : { documentation }),
    },
    parts,
  )
  const key = (scopes = ['context:read', 'content:write'], account?: string) =>
    createKey(store.db, { name: 'test', scopes, ...(account ? { account } : {}) })
  const own = await key()
  let imports = 0

  const request = async <Body = BesideContract>(asked: InjectOptions): Promise<Reply<Body>> => {
    const reply = await server.inject(asked)
    const type = String(reply.headers['content-type'] ?? '')
    return {
      status: reply.statusCode,
      headers: reply.headers as Reply['headers'],
      body: /json/.test(type) && reply.payload !== '' ? JSON.parse(reply.payload) : reply.payload,
    }
  }
  return {
    store,
    server,
    queue,
    enqueue,
    collecting,
    archive,
    notifications,
    retention: kept,
    importFile,
    key,
    request,
    async call<T extends Tool>(
      tool: T,
      input: Input<T> = {},
      { key: used = own, headers = {} }: CallOptions = {},
    ) {
      const operation: Operation = contract[tool]
      const reply = await request<Answer<T>>({
        ...requestFor(operation, input),
        headers: { authorization: `Bearer ${used}`, ...headers },
      })
      checkReply(tool, operation, reply)
      return reply
    },
    import: (order) =>
      runImport(
        store.db,
        {
          directory: sharedData,
          rejectedFile: join(folder.path, `rejected-${++imports}.ndjson`),
          ...order,
        },
        () => {},
      ),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** Host names cannot be resolved. */
const cutOff: MediaNetwork = {
  addressesOf: () => Promise.reject(new Error('tests have no internet')),
  send: () => Promise.reject(new Error('tests have no internet')),
}

/** Tests only call servers of their own. */
const nobody = { baseUrl: 'http://127.0.0.1:1', callsPerMinute: 0, attempts: 1 }
const unreachable = {
  itunes: nobody,
  'apple-rss': nobody,
  'apple-rss-legacy': nobody,
  'apple-search-hints': nobody,
  'app-store-page': nobody,
  'app-store-search': nobody,
  'meta-ad-library': nobody,
  'tiktok-ad-library': nobody,
  'apple-ad-library': nobody,
}

/** Distributes flat input over path, query and body, according to the contract row. */
function requestFor(operation: Operation, input: Record<string, unknown>) {
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  let path: string = operation.path
  for (const [name, value] of Object.entries(input)) {
    if (operation.params && name in operation.params.shape)
      path = path.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (operation.body && name in operation.body.shape) body[name] = value
    else for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  const search = query.size > 0 ? `?${query}` : ''
  return { method: operation.method, url: `${path}${search}`, ...(operation.body ? { payload: body } : {}) }
}

/** Checks that a reply matches its contract row: no field missing or unknown, and only problems that the row declares. */
export function checkReply(tool: string, operation: Operation, { status, body }: Reply<unknown>): void {
  if (status >= 400) {
    assert.deepEqual(Problem.parse(body), body, `${tool} answered a problem of another shape`)
    return
  }
  if (!operation.reply || status === 304) return
  assert.deepEqual(operation.reply.parse(body), body, `${tool} answered more than its row says`)
}
