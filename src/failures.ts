import { UsageError } from './cli/options.ts'
import { ConfigurationError } from './configuration.ts'
import { EmbeddedStoreError } from './storage/embedded/error.ts'
import { StoreNewerError } from './storage/migrate.ts'
import { MediaCredentialsError } from './storage/open-media-store.ts'
import { storeIsAway } from './storage/store.ts'

/** What to tell of a failure, and the exit code. */
export function explainFailure(error: unknown): { message: string; code: 1 | 2 } {
  if (
    error instanceof UsageError ||
    error instanceof ConfigurationError ||
    error instanceof MediaCredentialsError
  )
    return { message: `error: ${error.message}`, code: 2 }
  const expected = [EmbeddedStoreError, StoreNewerError]
  if (error instanceof Error && (expected.some((kind) => error instanceof kind) || isListenFailure(error)))
    return { message: error.message, code: 1 }
  if (storeIsAway(error))
    return {
      message: `The store cannot be used: ${(error as Error).message || 'connection refused'}`,
      code: 1,
    }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 }
}

/** The address is taken, or not ours to take. */
function isListenFailure(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'listen'
}
