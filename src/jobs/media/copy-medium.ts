import { recordStored } from '../../domain/media/queries.ts'
import type { Database } from '../../storage/database.ts'
import type { Keeping } from './keeping.ts'

/**
 * Copies one medium, content first, then the row: an object that no row names does no harm.
 * @returns the hash of its content
 * @throws MediaFailure, or the signal's reason when it aborts
 */
export async function copyMedium(
  db: Database,
  { source, store }: Pick<Keeping, 'source' | 'store'>,
  { mediaId, sourceUrl }: { mediaId: string; sourceUrl: string },
  signal: AbortSignal,
): Promise<string> {
  const content = await source.fetch(sourceUrl, signal, async ({ contentType, content }) => ({
    contentType,
    ...(await store.put(content)),
  }))
  await recordStored(db, mediaId, content)
  return content.sha256
}
