import type { Readable } from 'node:stream'
import { contentOf } from '../domain/media/queries.ts'
import type { Database } from '../storage/database.ts'
import { type ByteRange, isContentHash, type MediaStore } from '../storage/media-store.ts'

/** A content that is kept, and how it is read. */
export interface ArchivedContent {
  /** By the content itself; a picture or a video. */
  contentType: string
  sizeBytes: number
  /** Undefined when the store of media has lost it. */
  open(range?: ByteRange): Promise<Readable | undefined>
}

/** Finds a content by the hash in its address; undefined when that is none, or none of a content that is kept. */
export type FindContent = (sha256: string) => Promise<ArchivedContent | undefined>

export function archivedContentIn(db: Database, media: MediaStore): FindContent {
  return async (sha256) => {
    const known = isContentHash(sha256) ? await contentOf(db, sha256) : undefined
    return known && { ...known, open: (range) => media.open(sha256, range) }
  }
}
