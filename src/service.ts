import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Service, ServiceConfig } from './app.ts'
import { standalone } from './operator/command.ts'
import {
  config,
  dataDirectory,
  type LocationOptions,
  location,
  locationOf,
  mediaDirectoryOf,
  UsageError,
} from './operator/location.ts'
import type { StandaloneContext } from './operator/operator-context.ts'
import { host, logLevel, port, serveOptions, serviceConfigOf } from './serve-options.ts'
import type { Database } from './storage/database.ts'

/** Commands that run until they are ended: the service, its demo and workers. Each loads what only it needs. */

export const serviceCommands = {
  serve: standalone({
    input: serveOptions,
    async perform(context, options) {
      const { terminal, env, stderr } = context
      await refuseOnDemoStore(options)
      return serveUntilStopped(context, await serviceConfigOf(options, env), async ({ db, address }) => {
        const { createFirstKey } = await import('./app.ts')
        const key = await createFirstKey(db)
        const home = (options.publicUrl ?? address).replace(/\/+$/, '')
        if (key)
          terminal.note(
            stderr.isTTY === true
              ? await showFirstKey(db, key, home)
              : await keepFirstKey(key, options.dataDir, home),
          )
        terminal.out(`ready ${address}`)
      })
    },
  }),

  demo: standalone({
    // Variables of a real installation must not lead it to that store, its sources or its addresses.
    ignoresVariables: true,
    input: {
      dataDir: dataDirectory('.rivalscope-demo'),
      storeMemory: location.storeMemory,
      storeUser: location.storeUser,
      host,
      port,
      logLevel: logLevel('warn'),
    },
    async perform(context, options) {
      const { terminal, signal: interrupted } = context
      const { dataDir } = options
      await canListen(options)
      const { demoKey, demoKeyFile, expectRoom, settle } = await import('../sample/demo/home.ts')
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
      // Stays open until the end: restarting PostgreSQL takes longer than most commands.
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
      return await serveUntilStopped(context, { ...config, ...documentation }, async (serviceCommands) => {
        const key = await demoKey(serviceCommands.db, dataDir)
        const { createSignInLinkOf } = await import('./domain/accounts/sessions.ts')
        const link = `${serviceCommands.address}${await createSignInLinkOf(serviceCommands.db, key)}`
        const about = {
          link,
          key,
          keyFile: demoKeyFile(dataDir),
          isStillFilling: await isStillFilling(serviceCommands.db),
        }
        terminal.out(demoGreeting(serviceCommands.address, about))
        terminal.out(`ready ${serviceCommands.address}`)
        await fillTheRest(serviceCommands, config.location, terminal, interrupted)
      })
    },
  }),

  work: standalone({
    input: { ...location, config, logLevel: logLevel('info') },
    async perform({ terminal, env, signal }, options) {
      await refuseOnDemoStore(options)
      const { startWorkProcess } = await import('./app.ts')
      const { readConfiguration } = await import('./configuration.ts')
      await using _working = await startWorkProcess({
        location: locationOf(options),
        configuration: await readConfiguration(options.config, env),
        mediaDirectory: mediaDirectoryOf(options),
        logLevel: options.logLevel,
      })
      terminal.out('working')
      if (!signal.aborted) await once(signal, 'abort')
      return 0
    },
  }),
}

async function serveUntilStopped(
  { terminal, signal }: StandaloneContext,
  config: ServiceConfig,
  onReady: (serviceCommands: Service) => void | Promise<void>,
): Promise<number> {
  const { startService } = await import('./app.ts')
  const { exposureWarnings } = await import('./http/exposure.ts')
  for (const warning of exposureWarnings(config)) terminal.note(warning)
  await using serviceCommands = await startService(config)
  if (serviceCommands.metricsAddress) terminal.note(`metrics ${serviceCommands.metricsAddress}`)
  await onReady(serviceCommands)
  if (!signal.aborted) await once(signal, 'abort')
  return 0
}

/** Refuses commands that call Apple on a store of made-up evidence. @throws UsageError */
export async function refuseOnDemoStore({ dataDir, databaseUrl }: LocationOptions): Promise<void> {
  const { isDemo } = await import('../sample/demo/home.ts')
  if (!databaseUrl && isDemo(dataDir))
    throw new UsageError(
      `${dataDir} is the demo's, and nobody outside is asked for it. Start it with: rivalscope demo --data-dir ${dataDir}`,
    )
}

/** Checks the port before the store is filled, which takes minutes. @throws the failure to listen */
async function canListen({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  await once(server.close(), 'close')
}

/** The message of the first start on a terminal: a link that signs in, and the key, which is shown once. */
async function showFirstKey(db: Database, key: string, home: string): Promise<string> {
  const { createSignInLinkOf, signInLinkMinutes } = await import('./domain/accounts/sessions.ts')
  return [
    '',
    'First start: the store is empty.',
    '',
    `  open       ${home}${await createSignInLinkOf(db, key)}`,
    `             signs in to the web pages, once, within ${signInLinkMinutes} minutes; later with the key`,
    `  key        ${key}`,
    '             can do everything, and is shown only now: keep it',
    '',
  ].join('\n')
}

/** The same where standard error is no terminal and may be logged: the key is written to a file that only its owner can read. */
async function keepFirstKey(key: string, dataDir: string, home: string): Promise<string> {
  const file = resolve(join(dataDir, 'first-key'))
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // The key file of an earlier store, or a symbolic link, which is not followed.
  await rm(file, { force: true })
  await writeFile(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
  return `First start: a key that can do everything stands in ${file}, readable by you alone. It signs in at ${home}. Keep it elsewhere and remove the file.`
}
