import { recordStored } from '../../domain/media/contents.ts'
import { MediaFailure } from '../../sources/media/failure.ts'
import { type MediaNetwork, MediaSource } from '../../sources/media/media-source.ts'
import type { MediaFetching } from '../../sources/media/settings.ts'
import type { Database } from '../../storage/database.ts'
import type { MediaStore } from '../../storage/media-store.ts'
import type { ArchivePolicy } from './settings.ts'

/** Makes copies of media. One for each process: it limits concurrent requests to the same host. */
export interface MediaArchive {
  policy: ArchivePolicy
  store: MediaStore
  source: MediaSource
}

/** Opens the archive of media. @param network how hosts are resolved and connected to, where not over the internet: for tests */
export function mediaArchiveOn(
  store: MediaStore,
  { keep, ...fetching }: MediaFetching & { keep: ArchivePolicy },
  network?: MediaNetwork,
): MediaArchive {
  const { hosts, maxBytes, timeoutSeconds } = fetching
  return { policy: keep, store, source: new MediaSource({ hosts, maxBytes, timeoutSeconds }, network) }
}

/** Copies cannot be stored: the disk is full, the directory is not writable, the bucket does not answer. Names no path. */
class MediaStoreError extends Error {
  readonly kind = 'media-store'

  constructor(cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
    super(`The store of media cannot be written to${code}.`, { cause })
    this.name = 'MediaStoreError'
  }
}

/**
 * Copies one medium, content first, then the row: an orphaned object does no harm.
 * @returns the hash of its content
 * @throws MediaFailure when it is unavailable or no account that wants it has room for it, MediaStoreError when it cannot be
 * stored, or the signal's reason when it aborts
 */
export async function copyMedium(
  db: Database,
  { source, store }: Pick<MediaArchive, 'source' | 'store'>,
  { mediaId, sourceUrl }: { mediaId: string; sourceUrl: string },
  signal: AbortSignal,
): Promise<string> {
  const copied = await source.fetch(sourceUrl, signal, async ({ contentType, content }) => {
    const kept = await store.put(content).catch((error: unknown) => {
      throw error instanceof MediaFailure ? error : new MediaStoreError(error)
    })
    return { contentType, ...kept }
  })
  const became = await recordStored(db, store, mediaId, copied)
  if (became === 'no-room')
    throw new MediaFailure('refused', 'The accounts that saved it may keep no more bytes of media.')
  if (became === 'removed')
    throw new MediaFailure('trouble', 'An equal content was removed from the store of media at that moment.')
  return copied.sha256
}
