import type { StoredContent } from '../../domain/media/queries.ts'
import { MediaFailure } from '../../sources/media/failure.ts'
import type { Keeping } from './keeping.ts'

/** Copies cannot be kept: the disk is full, the directory is not ours, the bucket does not answer. For people, without paths. */
export class MediaStoreError extends Error {
  readonly kind = 'media-store'

  constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    super(`The store of media cannot be written to${code}.`, { cause })
    this.name = 'MediaStoreError'
  }
}

/**
 * Fetches a medium and keeps its content; nothing is recorded yet.
 * @throws MediaFailure when it is not to be had, MediaStoreError when it cannot be kept, or the signal's reason
 */
export function fetchCopy(
  { source, store }: Pick<Keeping, 'source' | 'store'>,
  address: string,
  signal: AbortSignal,
): Promise<StoredContent> {
  return source.fetch(address, signal, async ({ contentType, content }) => {
    const kept = await store.put(content).catch((error: unknown) => {
      throw error instanceof MediaFailure ? error : new MediaStoreError(error)
    })
    return { contentType, ...kept }
  })
}
