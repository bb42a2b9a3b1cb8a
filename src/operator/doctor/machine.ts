import { constants, type Stats } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { error, type Finding, findingsOrOk, ok, warning } from './finding.ts'

/** The files and directories of an installation. */
export interface InstallationPaths {
  /** The data directory of an embedded store; undefined for the operator's own PostgreSQL. */
  storeDirectory: string | undefined
  /** The directory of kept media; undefined where they are in a bucket. */
  mediaDirectory: string | undefined
  /** The file in which the first key may be. */
  dataDirectory: string
  /** The configuration file. */
  configuration: string | undefined
}

const oldestNode = 24

export function examineVersions(version: string, node: string): Finding[] {
  const [major = ''] = node.split('.')
  if (Number(major) >= oldestNode) return [ok('versions', `Rivalscope ${version} on Node.js ${node}`)]
  return [
    error(
      'versions',
      `Node.js is ${node}`,
      `Rivalscope is made for Node.js ${oldestNode} and newer: install one of those.`,
    ),
  ]
}

const mebibyte = 2 ** 20
/** PostgreSQL stops without space for its write-ahead log, which takes up to 512 MiB. */
const leastFree = 512 * mebibyte
const littleFree = 5 * 1024 * mebibyte
const littleShare = 0.1

/** Checks the free disk space for the store and kept media. */
export async function examineDisks(places: InstallationPaths): Promise<Finding[]> {
  const { storeDirectory, mediaDirectory } = places
  const found = new Map<string, Finding>()
  for (const [what, path] of [
    ['the store', storeDirectory],
    ['kept media', mediaDirectory],
  ] as const) {
    const there = path === undefined ? undefined : await nearest(path)
    if (!there) continue
    const { bavail, blocks, bsize } = await statfs(there.path)
    const finding = diskSpaceFinding(`the disk of ${what} (${path})`, bavail * bsize, blocks * bsize)
    // Both may be on the same disk.
    const disk = String(there.stats.dev)
    if (!found.has(disk)) found.set(disk, finding)
  }
  return [...found.values()]
}

/** Exported for tests of its limits, since no test can fill a disk. */
export function diskSpaceFinding(disk: string, free: number, size: number): Finding {
  const left = `${disk} has ${(free / 2 ** 30).toFixed(1)} GiB free of ${(size / 2 ** 30).toFixed(1)}`
  const todo = 'Make room, or give it a larger disk: nothing can be stored on a full one.'
  if (free < leastFree) return error('disk', left, todo)
  if (free < littleFree && free < size * littleShare) return warning('disk', left, todo)
  return ok('disk', left)
}

/** The path, or its nearest existing parent directory. */
async function nearest(path: string): Promise<{ path: string; stats: Stats } | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (stats) return { path, stats }
  return dirname(path) === path ? undefined : nearest(dirname(path))
}

const forOthers = 0o077
const writtenByOthers = 0o022

/** Checks the permissions of files that belong to the operator alone. */
export async function examinePermissions(places: InstallationPaths): Promise<readonly Finding[]> {
  const { storeDirectory, mediaDirectory, dataDirectory, configuration } = places
  const findings: Finding[] = []
  const modeOf = async (path: string) => (await stat(path).catch(() => undefined))?.mode ?? 0
  const key = join(dataDirectory, 'first-key')
  const keyMode = await modeOf(key)
  if (keyMode & forOthers)
    findings.push(
      error(
        'permissions',
        `${key} holds a key, and others can read it`,
        `Keep the key elsewhere and remove the file.`,
      ),
    )
  else if (keyMode)
    findings.push(
      warning(
        'permissions',
        `${key} still holds the key of the first start`,
        'Keep the key elsewhere and remove the file.',
      ),
    )
  for (const path of [storeDirectory, mediaDirectory])
    if (path !== undefined && (await modeOf(path)) & writtenByOthers)
      findings.push(
        error('permissions', `others can write to ${path}`, `Take that from them: chmod go-w ${path}`),
      )
  if (configuration !== undefined && (await modeOf(configuration)) & writtenByOthers)
    findings.push(
      error(
        'permissions',
        `others can write to ${configuration}, which says what is asked and where`,
        `Take that from them: chmod go-w ${configuration}`,
      ),
    )
  if (mediaDirectory !== undefined && (await modeOf(mediaDirectory)) && !(await isWritable(mediaDirectory)))
    findings.push(
      error(
        'permissions',
        `this user cannot write to ${mediaDirectory}, and copies of media wait`,
        'Give the directory to the user that runs serve and work.',
      ),
    )
  return findingsOrOk(findings, 'permissions', 'what belongs to the operator alone is closed to others')
}

const isWritable = (path: string) =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
