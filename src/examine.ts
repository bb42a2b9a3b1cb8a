import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import type { CommandContext } from './cli/command-context.ts'
import { type Configuration, ConfigurationError, readConfiguration } from './configuration.ts'
import { CurrentSchedule } from './jobs/current-schedule.ts'
import { examineStore, failedCheckFinding } from './operator/doctor/doctor.ts'
import { error, type Finding, ok, warning } from './operator/doctor/finding.ts'
import {
  examineDisks,
  examinePermissions,
  examineVersions,
  type InstallationPaths,
} from './operator/doctor/machine.ts'
import { type CalledAddress, checkReachability } from './operator/doctor/online.ts'
import { type LocationOptions, locationOf, mediaDirectoryOf } from './operator/location.ts'
import { upstreams } from './sources/settings.ts'
import { bucketCredentials } from './storage/bucket.ts'
import type { Database } from './storage/database.ts'
import { clusterDirectory } from './storage/embedded/cluster.ts'
import { wasLeftRunning } from './storage/embedded/unclean-shutdown.ts'
import { openStore } from './storage/open-store.ts'
import { askedLibraryRow, askedPlatforms, librarySource } from './vocabulary/ad-platforms.ts'

/** Examines an installation. Nothing is changed, and nobody outside is asked unless `online` says so. */
export async function examineInstallation(
  options: LocationOptions,
  online: boolean,
  { env, signal }: Pick<CommandContext, 'env' | 'signal'>,
): Promise<Finding[]> {
  const { configuration, findings } = await examineConfiguration(options, env)
  const places = placesOf(options, configuration)
  return [
    ...examineVersions(manifest.version, process.versions.node),
    ...findings,
    ...(await examineDisks(places)),
    ...(await examinePermissions(places)),
    ...(await examineTheStore(options, configuration)),
    ...(online && configuration ? await checkReachability(addressesOf(configuration), signal) : []),
  ]
}

async function examineConfiguration(
  { config }: LocationOptions,
  env: NodeJS.ProcessEnv,
): Promise<{ configuration: Configuration | undefined; findings: Finding[] }> {
  try {
    const configuration = await readConfiguration(config, env)
    const { media } = configuration
    if ('bucket' in media.store) bucketCredentials(env, `Media are kept in the bucket ${media.store.bucket}`)
    const found =
      config === undefined ? 'no file is named: sources as usual, nothing scheduled' : `${config} is understood`
    return { configuration, findings: [ok('configuration', found)] }
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
    const todo =
      failure instanceof ConfigurationError
        ? 'Mend the file or the variable; docs/collecting.md and docs/kept-media.md say what they may hold.'
        : 'Set them where serve and work are started as well.'
    return { configuration: undefined, findings: [error('configuration', failure.message, todo)] }
  }
}

function placesOf(options: LocationOptions, configuration: Configuration | undefined): InstallationPaths {
  const { dataDir, databaseUrl, config } = options
  const store = configuration?.media.store ?? {}
  const mediaDirectory = 'bucket' in store ? undefined : resolve(store.directory ?? mediaDirectoryOf(options))
  return {
    storeDirectory: databaseUrl ? undefined : resolve(dataDir),
    mediaDirectory,
    dataDirectory: resolve(dataDir),
    configuration: config,
  }
}

/** The schedule that is followed; undefined where the configuration cannot be read. */
const scheduleOf = (db: Database, configuration: Configuration | undefined) =>
  configuration &&
  new CurrentSchedule(db, configuration.schedule, configuration.web.operators.length > 0).schedule()

async function examineTheStore(
  options: LocationOptions,
  configuration: Configuration | undefined,
): Promise<readonly Finding[]> {
  const { dataDir, databaseUrl } = options
  if (!databaseUrl && !existsSync(clusterDirectory(resolve(dataDir))))
    return [
      error(
        'store',
        `there is no store in ${dataDir}`,
        'Name its directory with --data-dir, or its PostgreSQL with --database-url; rivalscope serve makes one.',
      ),
    ]
  const left =
    !databaseUrl && (await wasLeftRunning(dataDir))
      ? [
          warning(
            'store',
            `the embedded store in ${dataDir} was not shut down, as after a power cut or a kill`,
            'Opening it for this examination recovered it; look for what ended its processes.',
          ),
        ]
      : []
  try {
    await using store = await openStore(locationOf(options), 'rivalscope doctor', { asItIs: true })
    const way = store.direct ? 'directly' : 'through a pooler'
    const found = ok(
      'store',
      `${databaseUrl ? 'PostgreSQL' : `the embedded store in ${dataDir}`} is reached ${way}`,
    )
    return [
      ...(left.length > 0 ? left : [found]),
      ...(await examineStore(store.db, await scheduleOf(store.db, configuration), new Date())),
    ]
  } catch (failure) {
    const { explainFailure } = await import('./failures.ts')
    return [...left, failedCheckFinding('store', new Error(explainFailure(failure).message))]
  }
}

/** The external addresses that this installation calls: sources, and services named in the configuration. */
function addressesOf({ sources, adTokens, speech, model, media }: Configuration): CalledAddress[] {
  const notAsked: string[] = askedPlatforms
    .filter((platform) => !adTokens[platform] && askedLibraryRow(platform).variables.length > 0)
    .map(librarySource)
  const asked = upstreams.filter((name) => !notAsked.includes(name))
  const all = [
    ...asked.map((name) => ({ name, url: sources[name].baseUrl })),
    ...(speech ? [{ name: speech.name, url: speech.baseUrl }] : []),
    ...(model ? [{ name: model.name, url: model.baseUrl }] : []),
    ...('bucket' in media.store ? [{ name: 'bucket of kept media', url: media.store.endpoint }] : []),
  ]
  return [...Map.groupBy(all, ({ url }) => url)].map(([url, some]) => ({
    url,
    name: some.map(({ name }) => name).join(', '),
  }))
}
