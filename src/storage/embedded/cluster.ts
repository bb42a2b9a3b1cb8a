import {
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EmbeddedStoreError } from './error.ts'
import { ownerOf, type StoreOwner } from './owner.ts'
import {
  adoptPostgres,
  endOrphanedBackends,
  isAlive,
  isPostgresOfDirectory,
  launchPostgres,
  type Postmaster,
  readPidFile,
  runToEnd,
} from './postmaster.ts'
import { type PostgresPrograms, programsFor } from './programs.ts'
import { markRunning, refuseCopiedFiles, unmarkRunning } from './running-mark.ts'
import { postgresSettingsOf, type StoreSettings } from './settings.ts'
import { acceptsConnections, postgresSocket } from './supervisor-address.ts'

/** PostgreSQL's files in a data directory. */
export function clusterDirectory(dataDir: string): string {
  return join(dataDir, 'postgresql')
}

/** The log of PostgreSQL and its supervisor. */
export function serverLogOf(dataDir: string): string {
  return join(dataDir, 'postgresql.log')
}

/** How clients connect: by a socket in its directory, or on loopback with a password made for this start. */
export type ListenMode = { port: number; password: string } | 'socket'

export const superuser = 'rivalscope'
/** The port number in the name of the socket. */
export const socketPort = 5432

/** PostgreSQL's files in a data directory, and the server process that uses them. Used by one supervisor at a time. */
export class Cluster {
  readonly #dataDir: string
  readonly #directory: string
  readonly #settings: StoreSettings
  readonly #owner: StoreOwner | undefined
  readonly #programs: PostgresPrograms
  readonly #log: string

  /** @throws EmbeddedStoreError when no PostgreSQL can run here */
  constructor(dataDir: string, settings: StoreSettings, log: string) {
    this.#dataDir = dataDir
    this.#directory = clusterDirectory(dataDir)
    this.#settings = settings
    this.#log = log
    this.#owner = ownerOf(this.#directory, settings.owner)
    this.#programs = programsFor(this.#owner)
  }

  /** A PostgreSQL that still runs because the previous supervisor was killed. */
  async running(): Promise<(Postmaster & { onSocket: boolean }) | undefined> {
    const found = readPidFile(this.#directory)
    if (!found || !isAlive(found.pid) || !isPostgresOfDirectory(found.pid, this.#directory)) return undefined
    const postmaster = adoptPostgres(found.pid)
    return (await this.#isReady(postmaster)) ? { ...postmaster, onSocket: found.onSocket } : undefined
  }

  /**
   * Starts PostgreSQL and creates its files where there are none. Resolves when it accepts connections, after crash
   * recovery if one was needed.
   * @throws EmbeddedStoreError that says why it does not start
   */
  async start(listening: ListenMode): Promise<Postmaster> {
    await this.#make()
    this.#refuseOtherVersion()
    refuseCopiedFiles(this.#dataDir, this.#directory)
    await this.#clearUp()
    if (listening !== 'socket') await this.#setPassword(listening.password)
    markRunning(this.#dataDir, this.#directory)
    const log = openSync(this.#log, 'a', 0o600)
    try {
      const from = fstatSync(log).size
      const postmaster = launchPostgres({
        ...this.#run('postgres', argumentsOf(this.#settings, listening)),
        log,
      })
      if (await this.#isReady(postmaster)) return postmaster
      throw new EmbeddedStoreError(
        `The embedded store in ${this.#dataDir} does not start: ${this.#saidSince(from)}`,
      )
    } finally {
      closeSync(log)
    }
  }

  /** Called after a clean shutdown of PostgreSQL: a copy of the files made now is consistent. */
  closed(): void {
    unmarkRunning(this.#dataDir)
  }

  /** Creates the files in a temporary directory and renames it when they are complete. */
  async #make(): Promise<void> {
    if (existsSync(this.#directory)) return
    const partial = `${this.#directory}.new`
    if (existsSync(partial)) await endOrphanedBackends(partial)
    await rm(partial, { recursive: true, force: true })
    mkdirSync(partial, { mode: 0o700 })
    // Some file systems know one owner only, so the owner cannot be changed.
    if (this.#owner && statSync(partial).uid !== this.#owner.uid)
      chownSync(partial, this.#owner.uid, this.#owner.gid)
    const { code, said } = await runToEnd({
      ...this.#run('initdb', [
        ...['-D', here, '-U', superuser, '-E', 'UTF8', '--no-instructions'],
        // PostgreSQL's built-in collation is the same on every system and in every version; that of the C library is not.
        ...['--locale-provider=builtin', '--locale=C.UTF-8'],
        // Only the owner of the directory can open the socket in it.
        ...['--auth-local=trust', '--auth-host=scram-sha-256'],
        ...(this.#settings.throwAway ? ['--no-sync'] : []),
      ]),
      directory: partial,
    })
    if (code !== 0) {
      await rm(partial, { recursive: true, force: true })
      throw new EmbeddedStoreError(`The embedded store in ${this.#dataDir} cannot be made: ${reasonIn(said)}`)
    }
    await rename(partial, this.#directory)
    // Without this a power cut could undo the rename, and everything stored since would be under the temporary name.
    flushDirectory(this.#dataDir)
  }

  #refuseOtherVersion(): void {
    const made = readText(join(this.#directory, 'PG_VERSION'))?.trim() ?? 'an unknown version'
    const [ours = ''] = this.#programs.version.split('.')
    if (made === ours) return
    throw new EmbeddedStoreError(
      `The embedded store in ${this.#dataDir} was written by PostgreSQL ${made}, and this version of Rivalscope brings PostgreSQL ${ours}, which does not read it. Run the version of Rivalscope that wrote it.`,
    )
  }

  /** Removes the pid file of a killed PostgreSQL: its pid may belong to another process, and would block the next start. */
  async #clearUp(): Promise<void> {
    const found = readPidFile(this.#directory)
    if (found && isAlive(found.pid) && isPostgresOfDirectory(found.pid, this.#directory))
      throw new EmbeddedStoreError(
        `The embedded store in ${this.#dataDir} is used by process ${found.pid}, which does not answer. End it, and try again.`,
      )
    await endOrphanedBackends(this.#directory)
    // A process of another container is invisible, but accepts connections.
    if (await acceptsConnections(postgresSocket(this.#directory, socketPort)))
      throw new EmbeddedStoreError(
        `The embedded store in ${this.#dataDir} is used by a PostgreSQL that this process cannot see, as one in another container is. A data directory belongs to one machine.`,
      )
    for (const left of ['postmaster.pid', `.s.PGSQL.${socketPort}.lock`])
      await rm(join(this.#directory, left), { force: true })
  }

  async #setPassword(password: string): Promise<void> {
    const { code, said } = await runToEnd(
      this.#run('postgres', ['--single', '-D', here, 'postgres']),
      `alter role ${superuser} password '${password}'\n`,
    )
    if (code !== 0) throw new EmbeddedStoreError(`The embedded store does not start: ${reasonIn(said)}`)
  }

  /** @returns false when the process ends or shuts down instead */
  async #isReady(postmaster: Postmaster): Promise<boolean> {
    let ended = false
    void postmaster.ended.then(() => {
      ended = true
    })
    for (;;) {
      const found = readPidFile(this.#directory)
      if (found?.pid === postmaster.pid && found.state === 'ready') return true
      if (ended) return false
      await setTimeout(10)
    }
  }

  #run(program: 'initdb' | 'postgres', given: readonly string[]) {
    const { uid, gid } = this.#owner ?? {}
    return {
      program: join(this.#programs.directory, 'bin', program),
      arguments: given,
      directory: this.#directory,
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    }
  }

  #saidSince(from: number): string {
    const log = openSync(this.#log, 'r')
    try {
      const length = Math.min(fstatSync(log).size - from, 100_000)
      const bytes = Buffer.alloc(Math.max(0, length))
      readSync(log, bytes, 0, bytes.length, from)
      return reasonIn(bytes.toString('utf8'))
    } finally {
      closeSync(log)
    }
  }
}

/**
 * PostgreSQL gets its directory as the working directory it is started in: the user it runs as may not be allowed to
 * traverse the directories above, but a process can stay in a directory it could not reach. Only Linux has such a name.
 */
const here = process.platform === 'linux' ? '/proc/self/cwd' : '.'

function argumentsOf(settings: StoreSettings, listening: ListenMode): string[] {
  const all: Record<string, string> = {
    ...postgresSettingsOf(settings),
    ...(listening === 'socket'
      ? { listen_addresses: '', unix_socket_directories: '.', unix_socket_permissions: '0700' }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(listening.port) }),
  }
  return ['-D', here, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** The last failure in the output of PostgreSQL or initdb. */
function reasonIn(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const failure = lines.findLast((line) => /FATAL|PANIC|error:|No space left/.test(line)) ?? lines.at(-1)
  return failure?.replace(/^.*?(FATAL|PANIC|error): */, '').trim() || 'it ended without saying why'
}

function flushDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
