import { resolve } from 'node:path'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { standalone } from './operator/command.ts'
import { flag, given, wholeNumber } from './operator/field-help.ts'
import { jsonFlag, jsonSummaryFlag, Text } from './operator/fields.ts'
import {
  config,
  expectAddress,
  type LocationOptions,
  location,
  locationOf,
  mediaDirectoryOf,
  UsageError,
} from './operator/location.ts'
import type { StandaloneContext } from './operator/operator-context.ts'
import type { MediaStore } from './storage/media-store.ts'
import type { StoreLocation } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { defaultShards, maxShards } from './vocabulary/shards.ts'

/** Commands that treat a store as a whole: migrate, back up, restore, move, examine. Each loads what only it needs. */

const mostKept = 10_000
const placeForm =
  'a directory, or s3://bucket/prefix with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL'

export const storeCommands = {
  migrate: standalone({
    input: {
      ...location,
      cluster: flag(
        'distribute what grows over the workers of the Citus cluster of --database-url, once, while nothing else has the store open: docs/cluster.md',
      ),
      shards: given(
        '<number>',
        `with --cluster: shards of each table, the most workers it can ever use; ${defaultShards} when left out`,
        wholeNumber(1, maxShards).exactOptional(),
      ),
    },
    async perform({ terminal }, { cluster, shards, ...options }) {
      if (shards !== undefined && !cluster) throw new UsageError('--shards belongs to --cluster')
      const where = locationOf(options)
      if (cluster && !('databaseUrl' in where))
        throw new UsageError(
          'the embedded store is one PostgreSQL: --cluster needs --database-url, the coordinator of a Citus cluster',
        )
      const { openStore } = await import('./storage/open-store.ts')
      await using store = await openStore(where, 'rivalscope migrate')
      terminal.out('the store is up to date')
      if (cluster) {
        const { distribute } = await import('./storage/cluster.ts')
        const { distributed, workers, shards: each } = await distribute(store, shards)
        terminal.out(
          `${distributed.length === 0 ? 'it is distributed' : `distributed ${distributed.length} tables`}: ${each} shards a table, ${counted(workers, 'worker')}`,
        )
      }
      return 0
    },
  }),

  backup: standalone({
    input: {
      to: given('<place>', `where backups of this store lie: ${placeForm}`, Text),
      keep: given(
        '<number>',
        'how many backups stay there; all when left out',
        wholeNumber(1, mostKept).exactOptional(),
      ),
      json: jsonSummaryFlag,
      ...location,
      config,
    },
    async perform(context, { to, keep, json: jsonFlag, ...options }) {
      const { terminal, directory, env, signal } = context
      const { openBackupPlace } = await import('./storage/backup/place.ts')
      const { writeBackup } = await import('./storage/backup/write-backup.ts')
      const { openStore } = await import('./storage/open-store.ts')
      const { withAuditEvents } = await import('./operate.ts')
      const place = openBackupPlace(to, directory, env)
      const media = await mediaOf(options, env)
      context.lowerPriority()
      await using store = await openStore(locationOf(options), 'rivalscope backup', {
        mustExist: true,
        lowPriority: true,
      })
      const progress = terminal.progress.bind(terminal)
      const parts = { store, media, place, version: manifest.version, signal, progress }
      const after = 'What was written of this backup was removed.'
      return await withAuditEvents(store.db, 'backup', { to, ...(keep === undefined ? {} : { keep }) }, () =>
        untilInterrupted(context, after, async () => {
          const done = await writeBackup(parts, keep)
          const { backup, tables, rows, bytes, media, removed } = done
          if (media.missing > 0)
            terminal.note(
              `${copies(media.missing)} that the store names could not be read, and the backup is without ${media.missing === 1 ? 'it' : 'them'}. rivalscope doctor says more.`,
            )
          const kept = `${copies(media.objects)} of media, ${media.copied} of them new there`
          const old = removed.length > 0 ? `; removed ${counted(removed.length, 'older backup')}` : ''
          terminal.out(
            jsonFlag
              ? JSON.stringify(done)
              : `backup ${backup}: ${tables} tables with ${rows} rows in ${megabytes(bytes)}, and ${kept}${old}`,
          )
        }),
      )
    },
  }),

  restore: standalone({
    input: {
      from: given('<place>', `where the backups lie: ${placeForm}`, Text),
      backup: given('<name>', 'which one; the newest when left out', Text.exactOptional()),
      check: flag(
        'restore into a temporary store (in TMPDIR), compare counts and hashes, and remove it: no other store is touched',
      ),
      json: jsonSummaryFlag,
      ...location,
      config,
    },
    async perform(context, { from, backup, check = false, json: jsonFlag, ...options }) {
      const { terminal, directory, env, signal } = context
      const { openBackupPlace } = await import('./storage/backup/place.ts')
      const { findRestorable, restoreBackup } = await import('./storage/backup/restore-backup.ts')
      const { openStore } = await import('./storage/open-store.ts')
      const place = openBackupPlace(from, directory, env)
      // Before a store is made for it.
      const found = await findRestorable(place, backup)
      await using opened = new AsyncDisposableStack()
      const where = check ? await temporaryStore(opened) : locationOf(options)
      const media = check
        ? (await import('./storage/media-store.ts')).discardingMediaStore
        : await mediaOf(options, env)
      const store = opened.use(await openStore(where, 'rivalscope restore', { asItIs: true }))
      const progress = terminal.progress.bind(terminal)
      const parts = { store, media, place, signal, progress, prepareQueue }
      return await untilInterrupted(context, 'Nothing was restored.', async () => {
        const done = await restoreBackup(parts, found)
        const { backup, takenAt, tables, rows, media, migrated } = done
        const what = `${tables} tables with ${rows} rows and ${copies(media)} of media`
        const newer = migrated.length > 0 ? `; applied ${counted(migrated.length, 'migration')} to it` : ''
        terminal.out(
          jsonFlag
            ? JSON.stringify({ ...done, checked: check })
            : check
              ? `backup ${backup} of ${takenAt} is sound: ${what} were restored into an empty store and are the same${newer}`
              : `restored backup ${backup} of ${takenAt}: ${what}${newer}`,
        )
      })
    },
  }),

  move: standalone({
    input: {
      to: given(
        '<url|path>',
        'a PostgreSQL, or the data directory of an embedded store; an address with a password is better in the variable',
        Text,
        { env: 'RIVALSCOPE_MOVE_TO' },
      ),
      json: jsonSummaryFlag,
      ...location,
      config,
    },
    async perform(context, { to, json: jsonFlag, ...options }) {
      const { terminal, directory, env, signal } = context
      const { moveStore } = await import('./storage/backup/move-store.ts')
      const { openStore } = await import('./storage/open-store.ts')
      const { where, media, start } = await moveTarget(to, options, directory, env)
      await using source = await openStore(locationOf(options), 'rivalscope move', {
        mustExist: true,
        asItIs: true,
      })
      await using target = await openStore(where, 'rivalscope move', { asItIs: true })
      const progress = terminal.progress.bind(terminal)
      const after = 'The source is as it was; the same command goes on with what is missing.'
      return await untilInterrupted(context, after, async () => {
        const done = await moveStore({ source, target, media, signal, progress, prepareQueue })
        const { tables, rows, movedBefore, media: moved } = done
        if (moved.missing > 0) terminal.note(`${copies(moved.missing)} of media could not be read, and stayed.`)
        const before = movedBefore > 0 ? `, ${movedBefore} of them by an earlier run` : ''
        const along = media ? ` and ${copies(moved.objects)} of media` : ''
        terminal.out(
          jsonFlag
            ? JSON.stringify(done)
            : `moved ${tables} tables${before} with ${rows} rows${along}. The source is as it was. Start with: ${start}`,
        )
      })
    },
  }),

  doctor: standalone({
    input: { online: flag('also ask whether the sources can be reached'), json: jsonFlag, ...location, config },
    async perform(context, { online = false, json: jsonFlag = false, ...options }) {
      const { examineInstallation } = await import('./examine.ts')
      const { printFindings } = await import('./operator/doctor/doctor.ts')
      return printFindings(context.terminal, await examineInstallation(options, online, context), jsonFlag)
    },
  }),
}

async function mediaOf(options: LocationOptions, env: NodeJS.ProcessEnv): Promise<MediaStore> {
  const { openMediaStore } = await import('./storage/open-media-store.ts')
  const { readConfiguration } = await import('./configuration.ts')
  const { media } = await readConfiguration(options.config, env)
  return openMediaStore(media.store, mediaDirectoryOf(options), env)
}

/** A store in a directory of its own, removed with the stack. */
async function temporaryStore(opened: AsyncDisposableStack): Promise<StoreLocation> {
  const { mkdtempDisposable } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const folder = opened.use(await mkdtempDisposable(resolve(tmpdir(), 'rivalscope-check-')))
  return { dataDir: folder.path, throwAway: true }
}

/** Where a store is moved to, with its kept media where they lie in the data directory. @throws UsageError */
async function moveTarget(to: string, options: LocationOptions, directory: string, env: NodeJS.ProcessEnv) {
  if (/^[a-z]+:\/\//i.test(to)) {
    expectAddress('--to', to)
    const start = 'rivalscope serve, with that address as RIVALSCOPE_DATABASE_URL and the --data-dir as before'
    return { where: { databaseUrl: to }, media: undefined, start }
  }
  const dataDir = resolve(directory, to)
  const { databaseUrl, ...embedded } = options
  if (!databaseUrl && resolve(options.dataDir) === dataDir)
    throw new UsageError('--to names the data directory of the store itself')
  const { readConfiguration } = await import('./configuration.ts')
  const { MediaOnDisk } = await import('./storage/media-on-disk.ts')
  const { media } = await readConfiguration(options.config, env)
  const from = mediaDirectoryOf(options)
  const target = mediaDirectoryOf({ dataDir })
  const lieElsewhere =
    'bucket' in media.store || media.store.directory !== undefined || options.mediaDir !== undefined
  return {
    where: locationOf({ ...embedded, dataDir }),
    media:
      lieElsewhere || resolve(from) === target
        ? undefined
        : { from: new MediaOnDisk(from), to: new MediaOnDisk(target) },
    start: `rivalscope serve --data-dir ${dataDir}`,
  }
}

/** Makes the queues of this version. */
async function prepareQueue(store: Store): Promise<void> {
  const { openQueue } = await import('./jobs/open-queue.ts')
  const failures: Error[] = []
  await using _queue = await openQueue(store, false, (error) => failures.push(error))
  if (failures[0]) throw failures[0]
}

async function untilInterrupted(
  { terminal, signal }: StandaloneContext,
  after: string,
  perform: () => Promise<void>,
): Promise<0 | 1> {
  try {
    await perform()
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.note(`Interrupted. ${after}`)
    return 1
  }
}

const counted = (value: number, one: string, more = `${one}s`) => `${value} ${value === 1 ? one : more}`
const copies = (count: number) => counted(count, 'kept copy', 'kept copies')
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
