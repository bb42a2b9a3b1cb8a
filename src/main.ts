import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { doorOn, firstKey, operate, type Service, type ServiceConfig, startService } from './app.ts'
import { type LocationOptions, locationOf, type ServiceOptions } from './cli/options.ts'
import { type Actions, buildProgram } from './cli/program.ts'
import { OwnTerminal } from './cli/terminal.ts'
import { demoGreeting, demoKey, fillWithSample } from './demo.ts'
import { openApiDocument } from './http/openapi.ts'
import type { Order } from './operator/commands.ts'
import type { ImportOptions } from './operator/import-command.ts'
import { StoreHeldError } from './storage/data-directory.ts'
import { StoreNewerError } from './storage/migrate.ts'
import { openStore, storeIsAway } from './storage/store.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const terminal = new OwnTerminal()
const interrupted = new AbortController()

const actions: Actions = {
  serve: (options) =>
    serveUntilStopped(options, async (service) => {
      const key = await firstKey(service.db)
      if (key) terminal.note(`First start: this key can do everything and is shown only now.\n\n  ${key}\n`)
      terminal.out(`ready ${service.address}`)
    }),
  async demo(options) {
    await fillWithSample(locationOf(options), terminal)
    return serveUntilStopped(
      { ...options, logLevel: options.logLevel === 'info' ? 'warn' : options.logLevel },
      async (service) => {
        terminal.out(demoGreeting(service.address, await demoKey(service.db)))
        terminal.out(`ready ${service.address}`)
      },
    )
  },
  async migrate(options) {
    await using store = await openStore(locationOf(options), 'rivalscope migrate')
    terminal.out(`the ${store.engine} store is up to date`)
    return 0
  },
  import(kind, files, { dataDir, databaseUrl, ...flags }) {
    const options = { kind, files, ...flags } as ImportOptions
    return operator(
      { dataDir, ...(databaseUrl ? { databaseUrl } : {}) },
      { command: 'import', options },
      files.includes('-'),
    )
  },
  replay: ({ json, ...location }) => operator(location, { command: 'replay', options: json ? { json } : {} }),
  createKey: ({ dataDir, databaseUrl, ...options }) =>
    operator({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) }, { command: 'keys create', options }),
  listKeys: ({ json, ...location }) =>
    operator(location, { command: 'keys list', options: json ? { json } : {} }),
  revokeKey: (key, location) => operator(location, { command: 'keys revoke', options: { key } }),
  contractStatus() {
    const missing = doorOn(undefined as never).missing()
    for (const tool of missing) terminal.out(`missing: ${tool}`)
    if (missing.length === 0) terminal.out('every operation of the contract is built')
    return missing.length === 0 ? 0 : 1
  },
  contractOpenapi() {
    terminal.out(JSON.stringify(openApiDocument(), null, 2))
    return 0
  },
}

async function serveUntilStopped(
  options: ServiceOptions,
  onReady: (service: Service) => void | Promise<void>,
): Promise<number> {
  await using service = await startService(configOf(options))
  await onReady(service)
  if (!interrupted.signal.aborted) await once(interrupted.signal, 'abort')
  return 0
}

function configOf(options: ServiceOptions): ServiceConfig {
  const { host, port, rateLimit, logLevel, corsOrigin, jwtIssuer, jwtAudience, jwtJwksUrl, jwtAccountClaim } =
    options
  if ((jwtIssuer === undefined) !== (jwtAudience === undefined))
    throw new UsageError('--jwt-issuer and --jwt-audience go together')
  return {
    location: locationOf(options),
    host,
    port,
    rateLimit,
    logLevel,
    corsOrigins: corsOrigin,
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

function operator(location: LocationOptions, order: Order, readsStdin = false): Promise<number> {
  return operate(
    locationOf(location),
    order,
    terminal,
    readsStdin ? process.stdin : undefined,
    interrupted.signal,
  )
}

/** The command was called wrongly in a way the option parser cannot see. */
class UsageError extends Error {}

function failed(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UsageError) {
    terminal.note(`error: ${error.message}`)
    return 2
  }
  if (error instanceof StoreHeldError || error instanceof StoreNewerError) terminal.note(error.message)
  else if (storeIsAway(error))
    terminal.note(`The store cannot be reached: ${(error as Error).message || 'connection refused'}`)
  else terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupted.abort(new Error(signal)))

let code = 0
try {
  await buildProgram(actions, version, (result) => {
    code = result
  }).parseAsync()
} catch (error) {
  code = failed(error)
} finally {
  terminal[Symbol.dispose]()
}
process.exitCode = code
