import { createHash } from 'node:crypto'
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
  /** The stored bytes of a content, fewer than its size where some were lost; undefined when it is not stored. */
  sizeOf(sha256: string): Promise<number | undefined>
  /** Removing a content that is not stored does nothing. */
  remove(sha256: string): Promise<void>
}

/** Whether a text is a content hash; only such a text becomes part of a path. */
export const isContentHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** A media store that discards what it is given, to check whether contents can be read. */
export const discardingMediaStore: MediaStore = {
  async put(content) {
    const hash = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of content) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
    }
    return { sha256: hash.digest('hex'), sizeBytes }
  },
  open: async () => undefined,
  has: async () => false,
  sizeOf: async () => undefined,
  remove: async () => {},
}
