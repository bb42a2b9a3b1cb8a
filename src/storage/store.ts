import type { Pool } from 'pg'
import type { Database } from './database.ts'

/** The state of the store's disk. */
export interface DiskState {
  /** Free space where the embedded store is; undefined for the operator's own PostgreSQL. */
  freeBytes: number | undefined
  /** Whether the store cannot be written: a write met a full disk within the last minute, or the free space is too small. */
  isFull: boolean
}

/** An open store. Its opener closes it. */
export interface Store extends AsyncDisposable {
  db: Database
  /** The pool behind `db`, for code that needs the driver itself. */
  pool: Pool
  /**
   * For interactive requests: a statement that takes 20 seconds, or waits 5 for a lock, is cancelled and fails for its caller.
   * It has its own connections, which jobs cannot exhaust. Behind a pooler the wait for a lock counts like any other time.
   */
  requests: { db: Database; pool: Pool }
  /** Whether a connection is one session from its beginning to its end; not so behind a pooler in transaction mode. */
  direct: boolean
  /** The state of the store's disk, as far as this process has noticed. */
  disk(): Promise<DiskState>
  /** Runs work under a named lock, in one process at a time, in a transaction that it may use. */
  alone<T>(name: string, perform: (transaction: Database) => Promise<T>): Promise<T>
}

/** Whether a statement was cancelled because it took too long, or waited too long for a lock. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '57014' || error.code === '55P03')

/**
 * Connection failures of Node and of the pool, and PostgreSQL's classes 08 (connection), 53 (no room, memory or connections
 * left), 57P (shutting down) and 58 (the disk fails), and connections ended because a transaction was left idle. Citus
 * reports a worker that is lost during a statement only in the message.
 */
const awayCodes =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EHOSTUNREACH|08\w{3}|25P03|53\w{3}|57P0\d|58\w{3})$/
const awayMessages =
  /Connection terminated|is not queryable|failure on connection marked as essential|timeout (?:expired|exceeded when trying to connect)|driver has already been destroyed/

/**
 * Whether an error means that the store cannot be reached or cannot write, rather than that a query is wrong. Causes are
 * ignored: code that wraps an error, such as a source that refuses connections, has given it its own meaning.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (awayCodes.test(code) || awayMessages.test(error.message)) return true
  return error instanceof AggregateError && error.errors.some(isStoreUnavailable)
}
