import { resolve } from 'node:path'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import type { CommandContext } from './cli/command-context.ts'
import { expectAddress, type LocationOptions, locationOf, mediaDirectoryOf, UsageError } from './cli/options.ts'
import type { MoveOptions, StoreActions } from './cli/store-commands.ts'
import { readConfiguration } from './configuration.ts'
import type { Terminal } from './operator/terminal.ts'
import type { MediaStore } from './storage/media-store.ts'
import type { StoreLocation } from './storage/open-store.ts'

/** What the commands do that treat a store as a whole: back up, restore, move, examine. Each loads what only it needs. */
export function storeActionsOn(context: CommandContext, terminal: Terminal): StoreActions {
  const { env, directory, signal } = context
  return {
    async backup({ to, keep, json, ...options }) {
      const { openBackupPlace } = await import('./storage/backup/place.ts')
      const { openStore } = await import('./storage/open-store.ts')
      const { backupCommand } = await import('./operator/store-commands.ts')
      const place = openBackupPlace(to, directory, env)
      const media = await mediaOf(options, env)
      context.lowerPriority()
      await using store = await openStore(locationOf(options), 'rivalscope backup', {
        mustExist: true,
        givesWay: true,
      })
      const parts = { store, media, place, version: manifest.version, signal }
      const kept = keep === undefined ? {} : { keep }
      const { audited } = await import('./operate.ts')
      return await audited(store.db, 'backup', { to, ...kept }, () =>
        backupCommand(terminal, parts, { ...kept, json: json === true }),
      )
    },
    async restore({ from, backup, check = false, json = false, ...options }) {
      const { openBackupPlace } = await import('./storage/backup/place.ts')
      const { openStore } = await import('./storage/open-store.ts')
      const { findRestorable } = await import('./storage/backup/restore-backup.ts')
      const { restoreCommand } = await import('./operator/store-commands.ts')
      const place = openBackupPlace(from, directory, env)
      // Before a store is made for it.
      const found = await findRestorable(place, backup)
      await using parts = new AsyncDisposableStack()
      const location = check ? { ...(await temporaryStore(parts)) } : locationOf(options)
      const media = check
        ? (await import('./storage/media-store.ts')).keepsNothing
        : await mediaOf(options, env)
      const store = parts.use(await openStore(location, 'rivalscope restore', { asItIs: true }))
      return await restoreCommand(terminal, { store, media, place, signal }, found, { check, json })
    },
    async move({ json = false, ...options }) {
      const { openStore } = await import('./storage/open-store.ts')
      const { moveCommand } = await import('./operator/store-commands.ts')
      const { location, media, start } = await moveTarget(options, directory, env)
      await using source = await openStore(locationOf(options), 'rivalscope move', {
        mustExist: true,
        asItIs: true,
      })
      await using target = await openStore(location, 'rivalscope move', { asItIs: true })
      return await moveCommand(terminal, { source, target, media, signal }, { start, json })
    },
    async doctor({ online = false, json = false, ...options }) {
      const { examine } = await import('./examine.ts')
      const { report } = await import('./operator/doctor/doctor.ts')
      return report(terminal, await examine(options, online, context), json)
    },
  }
}

async function mediaOf(options: LocationOptions, env: NodeJS.ProcessEnv): Promise<MediaStore> {
  const { openMediaStore } = await import('./storage/open-media-store.ts')
  const { media } = await readConfiguration(options.config, env)
  return openMediaStore(media.store, mediaDirectoryOf(options), env)
}

/** A store in a directory of its own, removed with the stack. */
async function temporaryStore(parts: AsyncDisposableStack): Promise<StoreLocation> {
  const { mkdtempDisposable } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = parts.use(await mkdtempDisposable(resolve(tmpdir(), 'rivalscope-check-')))
  return { dataDir: folder.path, throwAway: true }
}

/** Where a store is moved to, with its kept media where they lie in the data directory. @throws UsageError */
async function moveTarget({ to, ...options }: MoveOptions, directory: string, env: NodeJS.ProcessEnv) {
  if (/^[a-z]+:\/\//i.test(to)) {
    expectAddress('--to', to)
    const start = 'rivalscope serve, with that address as RIVALSCOPE_DATABASE_URL and the --data-dir as before'
    return { location: { databaseUrl: to }, media: undefined, start }
  }
  const dataDir = resolve(directory, to)
  const { databaseUrl, ...embedded } = options
  if (!databaseUrl && resolve(options.dataDir) === dataDir)
    throw new UsageError('--to names the data directory of the store itself')
  const { MediaOnDisk } = await import('./storage/media-on-disk.ts')
  const { media } = await readConfiguration(options.config, env)
  const from = mediaDirectoryOf(options)
  const target = mediaDirectoryOf({ dataDir })
  const lieElsewhere =
    'bucket' in media.store || media.store.directory !== undefined || options.mediaDir !== undefined
  return {
    location: locationOf({ ...embedded, dataDir }),
    media:
      lieElsewhere || resolve(from) === target
        ? undefined
        : { from: new MediaOnDisk(from), to: new MediaOnDisk(target) },
    start: `rivalscope serve --data-dir ${dataDir}`,
  }
}
