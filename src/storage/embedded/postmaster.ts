import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EmbeddedStoreError } from './error.ts'

/** A running PostgreSQL: its postmaster, which starts and ends all other processes. */
export interface Postmaster {
  pid: number
  /** Resolves when the process has ended: with 0 after a clean shutdown, as far as that is known. */
  ended: Promise<number | null>
}

export interface PostgresLaunch {
  program: string
  arguments: readonly string[]
  /** PostgreSQL's files, the working directory of the process. */
  directory: string
  /** User it runs as; this process's own when left out. */
  uid?: number
  gid?: number
  /** File descriptor for its messages. */
  log: number
}

/** Starts a PostgreSQL as a child of this process; it lives on when this process is killed. */
export function launchPostgres({
  program,
  arguments: given,
  directory,
  uid,
  gid,
  log,
}: PostgresLaunch): Postmaster {
  const child = spawn(program, given, {
    cwd: directory,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    stdio: ['ignore', log, log],
    // Ctrl-C at a terminal is meant for the user of the store.
    detached: true,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.once('error', () => resolve(null))
  })
  return { pid: child.pid ?? 0, ended }
}

const lookEveryMs = 200

/** A PostgreSQL that another process has started. */
export function adoptPostgres(pid: number): Postmaster {
  const ended = (async () => {
    while (isAlive(pid)) await setTimeout(lookEveryMs)
    return null
  })()
  return { pid, ended }
}

/** The contents of `postmaster.pid`, which PostgreSQL writes into its data directory. */
export interface PidFile {
  pid: number
  /** The fifth line: whether it listens on a socket. */
  onSocket: boolean
  /** The eighth line: `starting`, `ready`, `stopping`, or nothing yet. */
  state: string
}

/** @returns undefined when there is no such file, or none that is complete */
export function readPidFile(directory: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid <= 1) return undefined
    return { pid, onSocket: (lines[4] ?? '') !== '', state: lines[7]?.trim() ?? '' }
  } catch {
    return undefined
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

/** In a container, process 1 may never reap orphans: those stay as zombies and keep their pid. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Whether a live process is a PostgreSQL of this directory, rather than another one that got its pid later. */
export function isPostgresOfDirectory(pid: number, directory: string): boolean {
  if (process.platform === 'linux') return isPostgresIn(pid, realpathSync(directory))
  try {
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return command.includes('postgres')
  } catch {
    return false
  }
}

/** Whether a process is PostgreSQL or its initdb and works in a directory; true where that cannot be ruled out. */
function isPostgresIn(pid: number, path: string): boolean {
  if (!/^(postgres|initdb)$/.test(commandOf(pid))) return false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === path
  } catch (error) {
    // Root in a container may not inspect processes of other users.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === statSync(path).uid
  }
}

/** Time for orphaned processes to end, which may have to wait for a disk. */
const leftOversEndWithinMs = 30_000

/**
 * Ends the backends of a PostgreSQL whose postmaster was killed. They end by themselves when they notice, but a busy one
 * notices late, and no new PostgreSQL starts before. Only Linux lets us find them.
 */
export async function endOrphanedBackends(directory: string): Promise<void> {
  if (process.platform !== 'linux') return
  const path = realpathSync(directory)
  for (let tries = 0; tries < leftOversEndWithinMs / 20; tries++) {
    const left = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => !isZombie(pid) && isPostgresIn(pid, path))
    if (left.length === 0) return
    // They get a moment to shut down cleanly.
    if (tries > 10) for (const pid of left) send(pid, 'SIGKILL')
    await setTimeout(20)
  }
  throw new EmbeddedStoreError(`Processes of an earlier PostgreSQL in ${directory} do not end.`)
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Time for connections to end and for writing what is in memory; after it, the next start recovers. */
const stopWithinMs = 60_000

/** Shuts PostgreSQL down cleanly: sessions are closed, everything is written, no recovery is needed. */
export async function stop({ pid, ended }: Postmaster): Promise<void> {
  send(pid, 'SIGINT')
  await happensWithin(ended, stopWithinMs)
  for (const harder of ['SIGQUIT', 'SIGKILL'] as const) {
    if (!isAlive(pid)) break
    send(pid, harder)
    await happensWithin(ended, 10_000)
  }
}

/** Waits for something up to a limit. @returns whether it has happened */
export async function happensWithin(happened: Promise<unknown>, ms: number): Promise<boolean> {
  const stopped = new AbortController()
  try {
    return await Promise.race([happened.then(() => true), setTimeout(ms, false, { signal: stopped.signal })])
  } finally {
    stopped.abort()
  }
}

/** Runs a program to its end. @returns its output and its exit code */
export async function runToEnd(
  { program, arguments: given, directory, uid, gid }: Omit<PostgresLaunch, 'log'>,
  input = '',
): Promise<{ code: number | null; said: string }> {
  const child = spawn(program, given, {
    cwd: directory,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    stdio: 'pipe',
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}
