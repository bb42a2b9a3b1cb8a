import { once } from 'node:events'
import {
  doorOn,
  firstKey,
  keepingIn,
  operate,
  type Service,
  type ServiceConfig,
  startService,
  startWorkProcess,
} from './app.ts'
import { type LocationOptions, locationOf, mediaDirectoryOf, type ServiceOptions } from './cli/options.ts'
import type { Actions } from './cli/program.ts'
import { OwnTerminal } from './cli/terminal.ts'
import { ConfigurationError, readConfiguration } from './configuration.ts'
import { demoConfig, demoGreeting, demoKey, fillWithSample } from './demo.ts'
import { openApiDocument } from './http/openapi.ts'
import type { CommandName, OptionsOf, Order } from './operator/commands.ts'
import { DataDirectoryError, StoreHeldError } from './storage/data-directory.ts'
import { StoreNewerError } from './storage/migrate.ts'
import { MediaCredentialsError } from './storage/open-media-store.ts'
import { openStore, storeIsAway } from './storage/store.ts'

/** What the commands of the command line do. Loaded when one is run, so that help is quick. */
export function actionsOn(interrupted: AbortSignal): Actions {
  const terminal = new OwnTerminal()
  async function serveUntilStopped(
    config: ServiceConfig,
    onReady: (service: Service) => void | Promise<void>,
  ): Promise<number> {
    await using service = await startService(config)
    await onReady(service)
    if (!interrupted.aborted) await once(interrupted, 'abort')
    return 0
  }

  /** Sends the options of a command along, without those that say where the store is. */
  function order<Name extends CommandName>(
    command: Name,
    { dataDir, databaseUrl, mediaDir, config, ...options }: LocationOptions & OptionsOf<Name>,
    readsStdin = false,
  ): Promise<number> {
    return operate(
      locationOf({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) }),
      {
        configuration: readConfiguration(config),
        mediaDirectory: mediaDirectoryOf({ dataDir, ...(mediaDir ? { mediaDir } : {}) }),
      },
      { command, options } as Order,
      terminal,
      readsStdin ? process.stdin : undefined,
      interrupted,
    )
  }

  return {
    serve: (options) =>
      serveUntilStopped(configOf(options), async (service) => {
        const key = await firstKey(service.db)
        if (key) terminal.note(`First start: this key can do everything and is shown only now.\n\n  ${key}\n`)
        terminal.out(`ready ${service.address}`)
      }),
    async demo(options) {
      const config = demoConfig(configOf(options))
      const { configuration, mediaDirectory, network } = config
      const keeping = keepingIn(configuration, mediaDirectory, network)
      await fillWithSample(config.location, keeping, terminal)
      return serveUntilStopped(
        { ...config, logLevel: options.logLevel === 'info' ? 'warn' : options.logLevel },
        async (service) => {
          terminal.out(demoGreeting(service.address, await demoKey(service.db)))
          terminal.out(`ready ${service.address}`)
        },
      )
    },
    async work(options) {
      const { logLevel } = options
      await using _working = await startWorkProcess({
        location: locationOf(options),
        configuration: readConfiguration(options.config),
        mediaDirectory: mediaDirectoryOf(options),
        logLevel,
      })
      terminal.out('working')
      if (!interrupted.aborted) await once(interrupted, 'abort')
      return 0
    },
    collectCharts: (options) => order('collect charts', options),
    collectApps: (surface, options) => order(`collect ${surface}`, options),
    collectTerms: (surface, options) => order(`collect ${surface}`, options),
    sources: (options) => order('sources', options),
    async migrate(options) {
      await using store = await openStore(locationOf(options), 'rivalscope migrate')
      terminal.out(`the ${store.engine} store is up to date`)
      return 0
    },
    import: (kind, files, options) => order('import', { kind, files, ...options }, files.includes('-')),
    export: (kind, options) => order('export', { kind, ...options }),
    replay: (options) => order('replay', options),
    calibrate: (options) => order('calibrate', options),
    createKey: (options) => order('keys create', options),
    listKeys: (options) => order('keys list', options),
    revokeKey: (key, options) => order('keys revoke', { key, ...options }),
    listRequests: (options) => order('requests list', options),
    dismissRequest: (requestId, options) => order('requests dismiss', { requestId, ...options }),
    contractStatus() {
      const missing = doorOn(undefined as never, undefined as never, undefined as never).missing()
      for (const tool of missing) terminal.out(`missing: ${tool}`)
      if (missing.length === 0) terminal.out('every operation of the contract is built')
      return missing.length === 0 ? 0 : 1
    },
    contractOpenapi() {
      terminal.out(JSON.stringify(openApiDocument(), null, 2))
      return 0
    },
  }
}

function configOf(options: ServiceOptions): ServiceConfig {
  const {
    host,
    port,
    rateLimit,
    logLevel,
    corsOrigin,
    publicUrl,
    jwtIssuer,
    jwtAudience,
    jwtJwksUrl,
    jwtAccountClaim,
  } = options
  if ((jwtIssuer === undefined) !== (jwtAudience === undefined))
    throw new UsageError('--jwt-issuer and --jwt-audience go together')
  return {
    location: locationOf(options),
    host,
    port,
    rateLimit,
    logLevel,
    corsOrigins: corsOrigin,
    publicUrl,
    works: options.databaseUrl === undefined,
    configuration: readConfiguration(options.config),
    mediaDirectory: mediaDirectoryOf(options),
    tokenIssuer:
      jwtIssuer && jwtAudience
        ? {
            issuer: jwtIssuer,
            audience: jwtAudience,
            accountClaim: jwtAccountClaim,
            ...(jwtJwksUrl ? { jwksUrl: jwtJwksUrl } : {}),
          }
        : undefined,
  }
}

/** The command was called wrongly in a way the option parser cannot see. */
class UsageError extends Error {}

/** What to tell of a failure, and the exit code. */
export function explainFailure(error: unknown): { message: string; code: 1 | 2 } {
  if (
    error instanceof UsageError ||
    error instanceof ConfigurationError ||
    error instanceof MediaCredentialsError
  )
    return { message: `error: ${error.message}`, code: 2 }
  const expected = [StoreHeldError, StoreNewerError, DataDirectoryError]
  if (error instanceof Error && (expected.some((kind) => error instanceof kind) || isListenFailure(error)))
    return { message: error.message, code: 1 }
  if (storeIsAway(error))
    return {
      message: `The store cannot be reached: ${(error as Error).message || 'connection refused'}`,
      code: 1,
    }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 }
}

/** The address is taken, or not ours to take. */
function isListenFailure(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'listen'
}
