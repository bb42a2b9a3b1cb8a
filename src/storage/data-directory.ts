import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** A data directory held by this process alone. */
export interface DataDirectory extends Disposable {
  path: string
  /** Where PGlite keeps its files. */
  store: string
  /** Socket through which operator commands reach the holder. */
  socket: string
}

export function socketOf(directory: string): string {
  return join(directory, 'operator.sock')
}

/**
 * Takes the directory for this process, making it when missing (mode 700). Two processes on one PGlite directory
 * corrupt it, and Node has no file locks of its own; SQLite's are the operating system's, so they also end with a
 * process that is killed.
 * @throws StoreHeldError when another process holds it
 */
export function holdDataDirectory(path: string, command: string): DataDirectory {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  const holderFile = join(path, 'holder.json')
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 })
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
    socket: socketOf(path),
    [Symbol.dispose]: () => lock.close(),
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}
