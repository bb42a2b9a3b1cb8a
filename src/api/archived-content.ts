import type { Readable } from 'node:stream'
import { contentOf } from '../domain/media/contents.ts'
import type { Database } from '../storage/database.ts'
import { type ByteRange, isContentHash, type MediaStore } from '../storage/media-store.ts'

/** Archived content with a way to read it. */
export interface ArchivedContent {
  /** Detected from the content; a picture or a video. */
  contentType: string
  sizeBytes: number
  /** Undefined when the media archive has lost it. */
  open(range?: ByteRange): Promise<Readable | undefined>
}

/** Finds archived content by the hash in its address; `removed` for one that retention removed, undefined for an invalid or unknown hash. */
export type FindContent = (sha256: string) => Promise<ArchivedContent | 'removed' | undefined>

export function archivedContentIn(db: Database, media: MediaStore): FindContent {
  return async (sha256) => {
    const known = isContentHash(sha256) ? await contentOf(db, sha256) : undefined
    return typeof known === 'object' ? { ...known, open: (range) => media.open(sha256, range) } : known
  }
}
