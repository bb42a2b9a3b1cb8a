import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Who holds a data directory, as told to whoever else wants it. */
export interface Holder {
  pid: number
  command: string
  since: string
}

/** Another process has the embedded store open. */
export class StoreHeldError extends Error {
  readonly directory: string
  readonly holder: Holder | undefined

  constructor(directory: string, holder: Holder | undefined) {
    const who = holder ? `process ${holder.pid} (${holder.command}, since ${holder.since})` : 'another process'
    super(`The embedded store in ${directory} is held by ${who}.`)
    this.name = 'StoreHeldError'
    this.directory = directory
    this.holder = holder
  }
}

/** No store can be kept in the data directory; the message says why. */
export class DataDirectoryError extends Error {}

/** A data directory held by this process alone. */
export interface DataDirectory extends Disposable {
  path: string
  /** Where PGlite keeps its files. */
  store: string
  /** Socket through which operator commands reach the holder. */
  socket: string
}

/** Bytes an operating system allows for the path of a socket, at the least. */
const longestSocketPath = 103

/** The operator socket of a directory, by the shorter of its two paths, since systems allow sockets only short ones. */
export function socketOf(directory: string): string {
  const absolute = join(resolve(directory), 'operator.sock')
  const fromHere = relative(process.cwd(), absolute)
  const path = Buffer.byteLength(fromHere) < Buffer.byteLength(absolute) ? fromHere : absolute
  if (Buffer.byteLength(path) > longestSocketPath) {
    throw new DataDirectoryError(
      `The path of the data directory ${directory} is too long: a socket in it could not be opened. Give a shorter one with --data-dir.`,
    )
  }
  return path
}

/**
 * Takes the directory for this process, making it when missing, for its owner alone (mode 700). Two processes on one PGlite directory
 * corrupt it, and Node has no file locks of its own; SQLite's are the operating system's, so they also end with a
 * process that is killed.
 * @throws StoreHeldError when another process holds it, DataDirectoryError
 */
export function holdDataDirectory(path: string, command: string): DataDirectory {
  const socket = socketOf(path)
  makeDirectory(path)
  const holderFile = join(path, 'holder.json')
  const lockFile = join(path, 'lock')
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  chmodSync(lockFile, 0o600)
  try {
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    throw new StoreHeldError(path, readHolder(holderFile))
  }
  const holder: Holder = { pid: process.pid, command, since: new Date().toISOString() }
  writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 })
  return {
    path,
    store: join(path, 'store'),
    socket,
    [Symbol.dispose]: () => lock.close(),
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const names = readdirSync(path)
    // A directory that others use as well keeps its mode.
    if (names.length === 0 || names.includes('lock')) chmodSync(path, 0o700)
    mkdirSync(join(path, 'store'), { recursive: true, mode: 0o700 })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DataDirectoryError(`The data directory ${path} cannot be used: ${reason}.`)
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}
