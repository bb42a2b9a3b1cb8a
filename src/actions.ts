import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Service, ServiceConfig } from './app.ts'
import type { CommandContext } from './cli/command-context.ts'
import {
  type LocationOptions,
  locationOf,
  mediaDirectoryOf,
  replicasOf,
  type ServiceOptions,
  UsageError,
} from './cli/options.ts'
import type { Actions } from './cli/program.ts'
import { StreamTerminal } from './cli/terminal.ts'
import { readConfiguration } from './configuration.ts'
import { exposureWarnings } from './http/exposure.ts'
import { storeActionsOn } from './store-actions.ts'

/**
 * What the commands of the command line do. Loaded when one is run, so that help is quick; and each loads the parts that
 * only it needs, since all of them together take longer than most commands.
 */
export function actionsOn(context: CommandContext): Actions {
  const terminal = new StreamTerminal(context)
  const { env, signal: interrupted } = context
  async function serveUntilStopped(
    config: ServiceConfig,
    onReady: (service: Service) => void | Promise<void>,
  ): Promise<number> {
    const { startService } = await import('./app.ts')
    for (const warning of exposureWarnings(config)) terminal.note(warning)
    await using service = await startService(config)
    if (service.metricsAddress) terminal.note(`metrics ${service.metricsAddress}`)
    await onReady(service)
    if (!interrupted.aborted) await once(interrupted, 'abort')
    return 0
  }

  return {
    serve: async (options) => {
      await leaveDemoAlone(options)
      return serveUntilStopped(await configOf(options, env), async (service) => {
        const { firstKey } = await import('./app.ts')
        const key = await firstKey(service.db)
        const { announceFirstKey } = await import('./cli/first-key.ts')
        if (key) terminal.note(await announceFirstKey(key, options.dataDir, context.stderr.isTTY === true))
        terminal.out(`ready ${service.address}`)
      })
    },
    async demo(options) {
      const { dataDir } = options
      await canListen(options)
      const { demoKey, demoKeyFile, demoLink, expectRoom, settle } = await import('../sample/demo/home.ts')
      settle(dataDir)
      await expectRoom(dataDir)
      const { buildMissing, isCheckout } = await import('../sample/demo/builds.ts')
      await using parts = new AsyncDisposableStack()
      // Beside the filling of the store. A page that cannot be built leaves the service as useful as before.
      const pages = buildMissing('demo', interrupted).catch((error: Error) => terminal.note(error.message))
      parts.defer(() => pages)
      const { demoConfig, demoGreeting, fillTheRest, fillWithSample, isStillFilling } = await import(
        '../sample/demo/demo.ts'
      )
      const { openStore } = await import('./storage/open-store.ts')
      const config = await demoConfig(options, parts)
      // Stays open until the end: to stop PostgreSQL and start it again takes longer than most commands.
      const { db } = parts.use(await openStore(config.location, 'rivalscope demo'))
      try {
        await fillWithSample(db, config, terminal, { part: 'first', signal: interrupted })
        await pages
        interrupted.throwIfAborted()
      } catch (error) {
        if (error !== interrupted.reason) throw error
        terminal.note('Interrupted. Start it again, and it goes on from here.')
        return interrupted.reason.message === 'SIGTERM' ? 143 : 130
      }
      const documentation = isCheckout
        ? { documentation: { build: () => buildMissing('docs', interrupted) } }
        : {}
      return await serveUntilStopped({ ...config, ...documentation }, async (service) => {
        const key = await demoKey(service.db, dataDir)
        const link = `${service.address}${await demoLink(service.db, key)}`
        const about = {
          link,
          key,
          keyFile: demoKeyFile(dataDir),
          isStillFilling: await isStillFilling(service.db),
        }
        terminal.out(demoGreeting(service.address, about))
        terminal.out(`ready ${service.address}`)
        await fillTheRest(service, config.location, terminal, interrupted)
      })
    },
    async work(options) {
      const { logLevel } = options
      await leaveDemoAlone(options)
      const { startWorkProcess } = await import('./app.ts')
      await using _working = await startWorkProcess({
        location: locationOf(options),
        configuration: await readConfiguration(options.config, env),
        mediaDirectory: mediaDirectoryOf(options),
        logLevel,
      })
      terminal.out('working')
      if (!interrupted.aborted) await once(interrupted, 'abort')
      return 0
    },
    async migrate(options) {
      const { openStore } = await import('./storage/open-store.ts')
      const { cluster, shards } = options
      if (shards !== undefined && !cluster) throw new UsageError('--shards belongs to --cluster')
      const location = locationOf(options)
      if (cluster && !('databaseUrl' in location))
        throw new UsageError(
          'the embedded store is one PostgreSQL: --cluster needs --database-url, the coordinator of a Citus cluster',
        )
      await using store = await openStore(location, 'rivalscope migrate')
      terminal.out('the store is up to date')
      if (cluster) {
        const { distribute } = await import('./storage/cluster.ts')
        const { distributed, workers, shards: each } = await distribute(store, shards)
        terminal.out(
          `${distributed.length === 0 ? 'it is distributed' : `distributed ${distributed.length} tables`}: ${each} shards a table, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
        )
      }
      return 0
    },
    async operate({ options, ...call }) {
      const { asksSources, remotely } = call.row
      const { server, key, profile } = options
      if (remotely && [server, key, profile].some((given) => given !== undefined)) {
        const { operateRemotely } = await import('./operate-remotely.ts')
        return operateRemotely(remotely, call.input, options, terminal, context)
      }
      if (asksSources) await leaveDemoAlone(options)
      const { operate } = await import('./operate.ts')
      const place = {
        location: locationOf(options),
        configuration: await readConfiguration(options.config, env),
        mediaDirectory: mediaDirectoryOf(options),
      }
      return operate(place, call, terminal, context)
    },
    ...storeActionsOn(context, terminal),
    async contractOpenapi() {
      const { openApiDocument } = await import('./http/openapi.ts')
      terminal.out(JSON.stringify(openApiDocument(), null, 2))
      return 0
    },
  }
}

/** What really asks Apple has no business among evidence that was made up. @throws UsageError */
async function leaveDemoAlone({ dataDir, databaseUrl }: LocationOptions): Promise<void> {
  const { isDemo } = await import('../sample/demo/home.ts')
  if (!databaseUrl && isDemo(dataDir))
    throw new UsageError(
      `${dataDir} is the demo's, and nobody outside is asked for it. Start it with: rivalscope demo --data-dir ${dataDir}`,
    )
}

async function configOf(options: ServiceOptions, env: NodeJS.ProcessEnv): Promise<ServiceConfig> {
  const {
    host,
    port,
    rateLimit,
    logLevel,
    corsOrigin,
    trustProxy,
    publicUrl,
    metricsPort,
    metricsHost,
    metricsKey,
    jwtIssuer,
    jwtAudience,
    jwtJwksUrl,
    jwtAccountClaim,
    jwtEvidenceClaim,
    jwtAdminClaim,
    oidcClientId,
    oidcScopes,
  } = options
  if ((jwtIssuer === undefined) !== (jwtAudience === undefined))
    throw new UsageError('--jwt-issuer and --jwt-audience go together')
  if (oidcClientId !== undefined && jwtIssuer === undefined)
    throw new UsageError('--oidc-client-id goes with --jwt-issuer and --jwt-audience')
  if (oidcClientId !== undefined && jwtIssuer !== undefined && !isGuarded(jwtIssuer))
    throw new UsageError('--oidc-client-id needs a --jwt-issuer that is asked over https')
  if (oidcClientId !== undefined && !oidcScopes.split(' ').includes('openid'))
    throw new UsageError('--oidc-scopes must name openid')
  const clientSecret = env.RIVALSCOPE_OIDC_CLIENT_SECRET?.trim()
  if (metricsHost !== undefined && metricsPort === undefined)
    throw new UsageError('--metrics-host goes with --metrics-port')
  // Refused here, since the option parser repeats what it refuses.
  if (metricsKey !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(metricsKey))
    throw new UsageError('--metrics-key must be 1 to 1,000 visible ASCII characters')
  return {
    location: locationOf(options),
    replicaUrls: replicasOf(options),
    host,
    port,
    rateLimit,
    logLevel,
    corsOrigins: corsOrigin,
    trustedProxies: trustProxy,
    publicUrl,
    metrics: {
      key: metricsKey,
      at: metricsPort === undefined ? undefined : { host: metricsHost ?? '127.0.0.1', port: metricsPort },
    },
    works: options.work === 'on',
    configuration: await readConfiguration(options.config, env),
    mediaDirectory: mediaDirectoryOf(options),
    tokenIssuer:
      jwtIssuer && jwtAudience
        ? {
            issuer: jwtIssuer,
            audience: jwtAudience,
            accountClaim: jwtAccountClaim,
            ...(jwtJwksUrl ? { jwksUrl: jwtJwksUrl } : {}),
            ...(jwtEvidenceClaim ? { evidenceClaim: jwtEvidenceClaim } : {}),
            ...(jwtAdminClaim ? { adminClaim: jwtAdminClaim } : {}),
          }
        : undefined,
    ...(oidcClientId
      ? {
          signInClient: {
            id: oidcClientId,
            scopes: oidcScopes,
            ...(clientSecret ? { secret: clientSecret } : {}),
          },
        }
      : {}),
  }
}

/** Whether what people are signed in with does not travel in the clear: over https, or not beyond this machine. */
function isGuarded(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {}
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname ?? ''))
  )
}

/** Filling a store takes minutes: a port that is taken is told before. @throws the failure to listen */
async function canListen({ host, port }: Pick<ServiceOptions, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  await once(server.close(), 'close')
}
