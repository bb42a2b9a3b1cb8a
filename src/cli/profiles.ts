import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/** A server and the key for it, under a name. */
export interface Profile {
  server: string
  key?: string
}

export interface Profiles {
  /** The profile that is used by default. */
  current: string | undefined
  named: Map<string, Profile>
}

/** The profiles file exists and cannot be used. The message says what to do, and never quotes the file. */
export class ProfileFileError extends Error {}

/** Where profiles are kept: in the person's configuration directory. */
export function profileFile(environment: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME: base = '' } = environment
  return join(isAbsolute(base) ? base : join(homeOf(environment), '.config'), 'rivalscope/profiles.json')
}

/** Independent of the working directory, so that keys are not left in every directory. */
function homeOf({ HOME: home = '' }: NodeJS.ProcessEnv): string {
  if (isAbsolute(home)) return home
  try {
    return userInfo().homedir
  } catch {
    throw new ProfileFileError('there is no home directory for profiles: set HOME or XDG_CONFIG_HOME')
  }
}

/**
 * All profiles; empty without a file.
 * @throws ProfileFileError when other users can read the file, or its content is invalid
 */
export function readProfiles(file: string): Profiles {
  const text = readPrivately(file)
  return text === undefined ? { current: undefined, named: new Map() } : parse(file, text)
}

/**
 * Changes the file. Concurrent changes are serialised, and readers always see a complete file.
 * Only its owner can read it.
 * @throws ProfileFileError, and whatever the change throws
 */
export function changeProfiles(file: string, change: (profiles: Profiles) => Profiles): void {
  const target = realPath(file)
  const lock = `${target}.lock`
  writing(file, () => mkdirSync(dirname(target), { recursive: true, mode: 0o700 }))
  writing(file, () => take(lock))
  try {
    const { current, named } = change(readProfiles(file))
    const content = { ...(current === undefined ? {} : { current }), profiles: Object.fromEntries(named) }
    writing(file, () => replace(target, `${JSON.stringify(content, null, 2)}\n`))
  } finally {
    rmSync(lock, { force: true })
  }
}

function replace(target: string, text: string): void {
  const draft = `${target}.${process.pid}.new`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    // The owner can read it again, whatever the umask of the shell.
    chmodSync(draft, 0o600)
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** A change takes milliseconds: an older lock was left by a killed process. */
const staleLockMs = 5_000
const lockPauseMs = 20

function take(lock: string): void {
  for (;;) {
    try {
      writeFileSync(lock, '', { mode: 0o600, flag: 'wx' })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > staleLockMs) rmSync(lock, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPauseMs)
  }
}

function writing(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new ProfileFileError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

/** A name that can be typed without quotes. */
export const profileNameShape = /^[A-Za-z0-9][\w.-]{0,63}$/

function readPrivately(file: string): string | undefined {
  try {
    const others = statSync(file).mode & 0o077
    if (others !== 0)
      throw new ProfileFileError(`${file} holds keys and others can open it. Run: chmod 600 ${file}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ProfileFileError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ProfileFileError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parse(file: string, text: string): Profiles {
  const wrong = (what: string) => new ProfileFileError(`${file}: ${what}`)
  const content = parseJson(text, wrong)
  if (!isRecord(content) || !isRecord(content.profiles)) throw wrong('it must be an object with "profiles"')
  const named = new Map<string, Profile>()
  for (const [name, profile] of Object.entries(content.profiles)) {
    if (!profileNameShape.test(name))
      throw wrong('a profile has a name that is not letters, digits, dots and dashes')
    if (!isRecord(profile) || typeof profile.server !== 'string')
      throw wrong(`profile "${name}" has no "server"`)
    if (profile.key !== undefined && typeof profile.key !== 'string')
      throw wrong(`"key" of profile "${name}" is not text`)
    named.set(name, { server: profile.server, ...(profile.key === undefined ? {} : { key: profile.key }) })
  }
  const { current } = content
  if (current !== undefined && (typeof current !== 'string' || !named.has(current)))
    throw wrong('"current" names no profile of the file')
  return { current, named }
}

/** Only the position of a parser error is shown: its message quotes the file. */
function parseJson(text: string, wrong: (what: string) => Error): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, place] = /\((line \d+ column \d+)\)/.exec((error as Error).message) ?? []
    throw wrong(`it is not valid JSON${place ? `, ${place}` : ''}`)
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
