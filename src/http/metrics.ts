import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { v7 as uuidv7 } from 'uuid'
import { Problem } from '../api/problem.ts'
import { type StoreFigure, type StoreFigureName, storeFigures } from '../vocabulary/store-figures.ts'
import { refuseOtherMethods } from './operations.ts'
import { sendFailure } from './problem-replies.ts'

/** Access to the metrics, and their address. */
export interface MetricsOptions {
  /** Key that a reader has to send as `Bearer`; anyone may read when undefined. */
  key?: string | undefined
  /** A separate address that serves only metrics; the service's when undefined. Port 0 takes any free one. */
  at?: { host: string; port: number } | undefined
}

/** Metrics for Prometheus at `/metrics`: requests by operation and status, the process, and figures of the store. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #durations = new Histogram({
    name: 'rivalscope_request_duration_seconds',
    help: 'Time from request to reply, by operation and status.',
    labelNames: ['tool', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  })
  #reads: Counter<'from'> | undefined
  readonly #options: MetricsOptions

  constructor(options: MetricsOptions = {}) {
    this.#options = options
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Counts reads by database: `primary`, or the name of a replica. */
  countRead(from: string): void {
    this.#reads ??= new Counter({
      name: 'rivalscope_reads_total',
      help: 'Reads by the database that answered: the primary or a replica.',
      labelNames: ['from'] as const,
      registers: [this.#registry],
    })
    this.#reads.inc({ from })
  }

  /** Exports which replicas are connected, at the time of each scrape. */
  watchReplicas(current: () => readonly { name: string; isConnected: boolean }[]): void {
    if (current().length === 0) return
    new Gauge({
      name: 'rivalscope_replica_connected',
      help: 'Whether connections to a replica work: 0 where it is lost.',
      labelNames: ['replica'] as const,
      registers: [this.#registry],
      collect() {
        for (const { name, isConnected } of current()) this.set({ replica: name }, isConnected ? 1 : 0)
      },
    })
  }

  /** Exports the store's figures on its jobs, sources, keys and size, read at a scrape and at most every ten seconds. */
  watchStore(ask: () => Promise<StoreFigure[]>): void {
    watchStore(this.#registry, ask)
  }

  /** Measures the requests of a server, and serves the metrics there unless they have a separate address. */
  measure(app: FastifyInstance): void {
    app.addHook('onResponse', async (request, reply) => {
      const { tool = 'none' } = request.routeOptions.config
      this.#durations.observe({ tool, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    })
    app.addHook('onClose', async () => this.#registry.clear())
    if (!this.#options.at) this.#answerOn(app)
  }

  /**
   * Listens at the separate address of the metrics, if there is one, until the stack ends.
   * @returns the URL of the metrics
   */
  async listen(logger: Logger, parts: AsyncDisposableStack): Promise<string | undefined> {
    const { at } = this.#options
    if (!at) return undefined
    const app = Fastify({
      loggerInstance: logger as FastifyBaseLogger,
      logController: new LogController({ disableRequestLogging: true }),
      genReqId: () => uuidv7(),
      requestIdHeader: false,
      bodyLimit: 1,
      requestTimeout: 10_000,
      forceCloseConnections: true,
    })
    app.setErrorHandler((error: Error, request, reply) => sendFailure(error, request, reply))
    app.setNotFoundHandler((request, reply) =>
      sendFailure(new Problem('route-not-found', 'Only /metrics is served here.'), request, reply),
    )
    this.#answerOn(app)
    parts.defer(() => app.close())
    return `${await app.listen(at)}/metrics`
  }

  #answerOn(app: FastifyInstance): void {
    app.get('/metrics', {
      onRequest: async ({ headers }) => this.#admit(headers.authorization),
      handler: async (_request, reply) =>
        reply.type(this.#registry.contentType).send(await this.#registry.metrics()),
    })
    refuseOtherMethods(app, '/metrics', ['GET'])
  }

  /** @throws Problem `unauthenticated` */
  #admit(authorization = ''): void {
    const { key } = this.#options
    if (key === undefined) return
    const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
    // Digests have one length, so that the time of the comparison reveals nothing.
    if (!timingSafeEqual(digest(given), digest(key)))
      throw new Problem('unauthenticated', 'Send the key of --metrics-key as `Authorization: Bearer ...`.')
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Milliseconds for which figures of the store are reused, for several scrapers together. */
const servesMs = 10_000

/** Exports figures of a store, read at a scrape; only `rivalscope_store_up` while the store cannot be reached. */
function watchStore(registry: Registry, ask: () => Promise<StoreFigure[]>): void {
  const registers = [registry]
  let last: { figures: Promise<StoreFigure[] | undefined>; until: number } | undefined
  /** The present figures; undefined while the store cannot be reached. */
  const current = () => {
    const now = performance.now()
    if (!last || last.until < now) last = { figures: ask().catch(() => undefined), until: now + servesMs }
    return last.figures
  }
  for (const [name, { help, labels }] of Object.entries(storeFigures) as [StoreFigureName, Described][]) {
    const Metric = name.endsWith('_total') ? Counter : Gauge
    new Metric({
      name,
      help,
      labelNames: labels,
      registers,
      async collect() {
        const told = (await current())?.filter((one) => one.name === name) ?? []
        this.reset()
        // A metric without labels is 0 after a reset.
        if (labels.length === 0) this.remove()
        for (const one of told)
          this.inc(Object.fromEntries(labels.map((label, at) => [label, one.labels[at] ?? ''])), one.value)
      },
    })
  }
  new Gauge({
    name: 'rivalscope_store_up',
    help: 'Whether the store answers: 0 while it cannot be reached, and then nothing else is told of it.',
    registers,
    async collect() {
      this.set((await current()) ? 1 : 0)
    },
  })
}

interface Described {
  help: string
  labels: readonly string[]
}
