import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Bucket, type BucketCredentials, BucketObjects } from './bucket.ts'
import { type ByteRange, isContentHash, type MediaStore } from './media-store.ts'
import { spool } from './spool.ts'

/** Contents as objects of an S3 service, under `<prefix>/ab/cdef…` by hash. */
export class MediaInBucket implements MediaStore {
  readonly #objects: BucketObjects

  constructor(bucket: Bucket, credentials: BucketCredentials) {
    this.#objects = new BucketObjects(bucket, credentials, 'kept media')
  }

  /** The key is the hash, so the content waits in a file until it is complete. */
  async put(content: AsyncIterable<Uint8Array>): Promise<{ sha256: string; sizeBytes: number }> {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rivalscope-media-'))
    await using spooled = await spool(content, folder.path)
    const { sha256, sizeBytes } = spooled
    // An object of another size is damaged.
    if ((await this.sizeOf(sha256)) !== sizeBytes) await this.#objects.put(keyOf(sha256), spooled)
    return { sha256, sizeBytes }
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable | undefined> {
    return this.#objects.open(keyOf(sha256), range)
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.sizeOf(sha256)) !== undefined
  }

  async sizeOf(sha256: string): Promise<number | undefined> {
    return this.#objects.sizeOf(keyOf(sha256))
  }

  async remove(sha256: string): Promise<void> {
    await this.#objects.remove(keyOf(sha256))
  }
}

function keyOf(sha256: string): string {
  if (!isContentHash(sha256)) throw new Error('That is no hash of a content.')
  return `${sha256.slice(0, 2)}/${sha256.slice(2)}`
}
