import { ConfigurationError } from './configuration.ts'
import { UsageError } from './operator/location.ts'
import { BackupError } from './storage/backup/error.ts'
import { BucketCredentialsError, BucketError } from './storage/bucket.ts'
import { connectionTimeoutMs, diskFull } from './storage/client.ts'
import { ClusterError } from './storage/cluster.ts'
import { EmbeddedStoreError } from './storage/embedded/error.ts'
import { StoreRefusedError } from './storage/migrate.ts'
import { NoStoreError } from './storage/open-store.ts'
import { isStoreUnavailable } from './storage/store.ts'

interface Explanation {
  message: string
  code: 1 | 2
}

/** The message and exit code for a failure; a stack trace only for internal errors. */
export function explainFailure(error: unknown): Explanation {
  if (
    error instanceof UsageError ||
    error instanceof ConfigurationError ||
    error instanceof BucketCredentialsError
  )
    return { message: `error: ${error.message}`, code: 2 }
  const message = expected(error)
  if (message !== undefined) return { message, code: 1 }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 }
}

const ownErrors = [BackupError, BucketError, ClusterError, EmbeddedStoreError, StoreRefusedError, NoStoreError]

function expected(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (ownErrors.some((kind) => error instanceof kind)) return error.message
  const facts = error as NodeJS.ErrnoException & { address?: string; port?: number; severity?: string }
  if (facts.syscall === 'listen') return listenFailure(facts)
  if (facts.code === diskFull)
    return `The disk of PostgreSQL is full: ${facts.message}. Make room, and run it again.`
  if (facts.severity !== undefined && isStoreUnavailable(error))
    return `PostgreSQL cannot go on: ${facts.message}. Run it again.`
  if (facts.severity !== undefined && facts.code !== undefined)
    return `${refusalOfDatabase[facts.code] ?? 'PostgreSQL refuses'}: ${facts.message}. ${mendAddress}`
  // File errors have a path; errors of PostgreSQL's socket are handled below.
  if (facts.path !== undefined && facts.syscall !== undefined && facts.syscall !== 'connect')
    return `${facts.path} cannot be used: ${reasons[facts.code ?? ''] ?? facts.message}.`
  if (isStoreUnavailable(error)) return `The store cannot be reached: ${reasonOf(error)}. ${mendAddress}`
  return undefined
}

const mendAddress = 'Is PostgreSQL running, and is --database-url (RIVALSCOPE_DATABASE_URL) right?'

/** Messages by SQLSTATE. */
const refusalOfDatabase: Readonly<Record<string, string>> = {
  '28P01': 'PostgreSQL does not let this user in',
  '28000': 'PostgreSQL does not let this user in',
  '3D000': 'PostgreSQL has no such database',
  '42501': 'PostgreSQL does not allow this user what is needed',
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is no directory',
  EISDIR: 'it is a directory',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/** An error that combines several connection attempts has no message of its own. */
function reasonOf(error: Error): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join('; ')
  if (error.message === 'timeout expired') return `no answer within ${connectionTimeoutMs / 1000} s`
  return error.message || 'connection refused'
}

/** The address is in use, or may not be used. */
function listenFailure({
  code,
  address,
  port,
  message,
}: NodeJS.ErrnoException & { address?: string; port?: number }) {
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${address} is taken by another process. End that one, or take another port with --port.`
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine: name one with --host.`
  if (code === 'EACCES')
    return `Port ${port} may not be listened on by this user: take one above 1023 with --port.`
  return `Cannot listen: ${message}. See --host and --port.`
}
