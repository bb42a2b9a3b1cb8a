import type { Readable } from 'node:stream'

/** Bytes of a content, first and last included, counted from 0. */
export interface ByteRange {
  start: number
  end: number
}

/** Contents by their hash: written once, never changed. Hashes are SHA-256 in lower-case hexadecimal. */
export interface MediaStore {
  /**
   * Stores a content atomically, whatever fails meanwhile. Storing it again changes nothing.
   * @throws what `content` throws, and then nothing is stored
   */
  put(content: AsyncIterable<Uint8Array>): Promise<{ sha256: string; sizeBytes: number }>
  /** Streams a content, or a part of it; undefined when it is not stored. */
  open(sha256: string, range?: ByteRange): Promise<Readable | undefined>
  has(sha256: string): Promise<boolean>
  /** Removing a content that is not stored does nothing. */
  remove(sha256: string): Promise<void>
}

/** Whether a text is a hash of a content; only such a text becomes part of a path. */
export const isContentHash = (text: string) => /^[0-9a-f]{64}$/.test(text)
