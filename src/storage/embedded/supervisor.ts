import { randomBytes } from 'node:crypto'
import { chmodSync, statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Cluster, clusterDirectory, type ListenMode, serverLogOf, socketPort, superuser } from './cluster.ts'
import { EmbeddedStoreError } from './error.ts'
import { happensWithin, type Postmaster, stop } from './postmaster.ts'
import type { StoreSettings } from './settings.ts'
import { type PostgresConnection, SupervisedUsers } from './supervised-users.ts'
import {
  fitsSocketPath,
  freePort,
  listenForUsers,
  postgresSocket,
  removeSupervisorAddress,
} from './supervisor-address.ts'

/** Waits between attempts to start a PostgreSQL that crashes, in milliseconds; the last is repeated. */
const patience = [100, 500, 1_000, 2_000, 5_000]
const mostLogBytes = 10_000_000
/** Milliseconds between signs of life for users that wait for PostgreSQL to start. */
const waitingEveryMs = 5_000

/**
 * Supervises the PostgreSQL of a data directory: starts it for the first user, restarts it after a crash, and ends it, and
 * itself, when the last user has gone. Ends at once where another supervisor runs already.
 */
export async function supervise(dataDir: string, settings: StoreSettings): Promise<void> {
  using lock = takeLock(dataDir)
  if (!lock) return
  const log = serverLogOf(dataDir)
  await using parts = new AsyncDisposableStack()
  const users = new SupervisedUsers()
  const server = parts.adopt(createServer({ allowHalfOpen: true }), (open) => void open.close())
  const reached = await listenForUsers(server, dataDir, (socket) => users.add(socket))
  parts.defer(() => void (lock.isOurs() && removeSupervisorAddress(dataDir)))
  const byPort = reached === 'port' || !fitsSocketPath(postgresSocket(clusterDirectory(dataDir), socketPort))
  parts.adopt(setInterval(limitSizeOf, 60_000, log), clearInterval)
  parts.adopt(
    setInterval(() => users.notifyWaiting(), waitingEveryMs),
    clearInterval,
  )

  let failures = 0
  // The process that started this one is about to connect.
  await happensWithin(users.change(), 5_000)
  while (users.count > 0 && lock.isOurs()) {
    try {
      const cluster = new Cluster(dataDir, settings, log)
      const listening: ListenMode = byPort
        ? { port: await freePort(), password: randomBytes(24).toString('base64url') }
        : 'socket'
      const postmaster = (await adopt(cluster, byPort)) ?? (await cluster.start(listening))
      users.notifyReady(connectionTo(dataDir, listening))
      failures = 0
      const end = await isLeft(users, postmaster, settings.lingerSeconds ?? 0)
      users.notifyFailed()
      // Another directory may have replaced this one: then its PostgreSQL is not ours to end.
      if (!lock.isOurs()) return
      if (end === 'left') await stop(postmaster)
      if (end !== 'broken') cluster.closed()
      users.letGo()
      // PostgreSQL got a signal to end, as all processes do when a system shuts down: the users are about to go.
      if (end === 'ended') await happensWithin(users.change(), 500)
    } catch (error) {
      users.fail(error instanceof Error ? error.message : String(error))
      if (!(error instanceof EmbeddedStoreError)) throw error
      if (users.count > 0) await setTimeout(patience[Math.min(failures++, patience.length - 1)])
    }
  }
}

interface Lock extends Disposable {
  /** Whether the locked file is still the one in the directory. */
  isOurs(): boolean
}

/**
 * Node has no file locks; SQLite's are the operating system's, and end with the process however it ends.
 * @returns undefined when another process has it
 */
function takeLock(dataDir: string): Lock | undefined {
  const path = join(dataDir, 'lock')
  const database = new DatabaseSync(path, { timeout: 0 })
  chmodSync(path, 0o600)
  const inode = () => statSync(path, { throwIfNoEntry: false })?.ino
  try {
    // Otherwise it would write a journal, for which a disk can be too full.
    database.exec('pragma journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (/locked|busy/i.test(String(error))) return undefined
    throw error
  }
  const locked = inode()
  return { isOurs: () => inode() === locked, [Symbol.dispose]: () => database.close() }
}

/** A PostgreSQL that runs already. One that listens on a port is ended, because its password is unknown. */
async function adopt(cluster: Cluster, byPort: boolean): Promise<Postmaster | undefined> {
  const running = await cluster.running()
  if (!running || (!byPort && running.onSocket)) return running
  await stop(running)
  cluster.closed()
  return undefined
}

/**
 * Waits until PostgreSQL has had no user for the linger time, or until it ends by itself: cleanly, after a signal, or by a
 * crash.
 */
async function isLeft(
  users: SupervisedUsers,
  postmaster: Postmaster,
  lingerSeconds: number,
): Promise<'left' | 'ended' | 'broken'> {
  let end: 'ended' | 'broken' | undefined
  void postmaster.ended.then((code) => {
    end = code === 0 ? 'ended' : 'broken'
    users.wake()
  })
  while (!end) {
    if (users.count > 0) {
      await users.change()
      continue
    }
    // A user that comes while it lingers connects at once.
    if (lingerSeconds > 0) users.letGo()
    if (!(await happensWithin(users.change(), lingerSeconds * 1_000))) return 'left'
  }
  return end
}

function connectionTo(dataDir: string, listening: ListenMode): PostgresConnection {
  const who = { user: superuser, database: 'postgres' }
  return listening === 'socket'
    ? { host: clusterDirectory(dataDir), port: socketPort, ...who }
    : { host: '127.0.0.1', ...listening, ...who }
}

/** PostgreSQL appends to its log, so the file can be truncated while it runs. */
function limitSizeOf(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > mostLogBytes) truncateSync(log)
}
