import { randomBytes } from 'node:crypto'
import { statSync, truncateSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Cluster, clusterDirectory, type Listening, socketPort, superuser } from './cluster.ts'
import { EmbeddedStoreError } from './error.ts'
import { type Postmaster, stop, within } from './postmaster.ts'
import { fitsSocket, freePort, listen, postgresSocket } from './rendezvous.ts'
import type { StoreSettings } from './settings.ts'
import { type Connection, SupervisedUsers } from './supervised-users.ts'

/** Waits between attempts to start a PostgreSQL that breaks down, in milliseconds; the last is repeated. */
const patience = [100, 500, 1_000, 2_000, 5_000]
const mostLogBytes = 10_000_000

export const logOf = (dataDir: string) => join(dataDir, 'postgresql.log')

/**
 * Looks after the PostgreSQL of a data directory: starts it for the first user, starts it again when it breaks down, and
 * ends it, and itself, when the last user has gone. Ends at once where another process does so already.
 */
export async function supervise(dataDir: string, settings: StoreSettings): Promise<void> {
  // Node has no file locks; SQLite's are the operating system's, and end with the process however it ends.
  using lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  if (!takesLock(lock)) return
  const log = logOf(dataDir)
  await using parts = new AsyncDisposableStack()
  const users = new SupervisedUsers()
  const server = parts.adopt(createServer({ allowHalfOpen: true }), (open) => void open.close())
  const reached = await listen(server, dataDir, (socket) => users.add(socket))
  const byPort = reached === 'port' || !fitsSocket(postgresSocket(clusterDirectory(dataDir), socketPort))
  parts.adopt(setInterval(bound, 60_000, log), clearInterval)

  let failures = 0
  // Whoever started this process is about to connect.
  await within(users.change(), 5_000)
  while (users.count > 0) {
    try {
      const cluster = new Cluster(dataDir, settings, log)
      const listening: Listening = byPort
        ? { port: await freePort(), password: randomBytes(24).toString('base64url') }
        : 'socket'
      const postmaster = (byPort ? undefined : await cluster.running()) ?? (await cluster.start(listening))
      users.tellReady(connectionTo(dataDir, listening))
      failures = 0
      const left = await isLeft(users, postmaster, settings.lingerSeconds ?? 0)
      users.tellNothing()
      if (left) {
        await stop(postmaster)
        cluster.closed()
      }
      users.letGo()
    } catch (error) {
      users.fail(error instanceof Error ? error.message : String(error))
      if (!(error instanceof EmbeddedStoreError)) throw error
      if (users.count > 0) await setTimeout(patience[Math.min(failures++, patience.length - 1)])
    }
  }
}

function takesLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (/locked|busy/i.test(String(error))) return false
    throw error
  }
}

/** Waits until nobody uses PostgreSQL any more, and nobody came within the time it lingers. @returns false when it ends before */
async function isLeft(users: SupervisedUsers, postmaster: Postmaster, lingerSeconds: number): Promise<boolean> {
  let ended = false
  const end = postmaster.ended.then(() => {
    ended = true
  })
  while (!ended) {
    if (users.count > 0) {
      await Promise.race([users.change(), end])
      continue
    }
    // Nobody has to wait while it lingers.
    if (lingerSeconds > 0) users.letGo()
    if (!(await within(Promise.race([users.change(), end]), lingerSeconds * 1_000))) return true
  }
  return false
}

function connectionTo(dataDir: string, listening: Listening): Connection {
  const who = { user: superuser, database: 'postgres' }
  return listening === 'socket'
    ? { host: clusterDirectory(dataDir), port: socketPort, ...who }
    : { host: '127.0.0.1', ...listening, ...who }
}

/** PostgreSQL appends to its log, so that it can be emptied under it. */
function bound(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > mostLogBytes) truncateSync(log)
}
