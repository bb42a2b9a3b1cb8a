import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ByteRange, isContentHash, type MediaStore } from './media-store.ts'
import { removeLeftOvers, spool, syncDirectory } from './spool.ts'

/** Contents as files: `ab/cdef…` by hash, and `incoming/` for incomplete ones. */
export class MediaOnDisk implements MediaStore {
  readonly directory: string
  /** Leftovers are removed once per process. */
  #tidied: Promise<void> | undefined

  constructor(directory: string) {
    this.directory = directory
  }

  async put(content: AsyncIterable<Uint8Array>): Promise<{ sha256: string; sizeBytes: number }> {
    const incoming = join(this.directory, 'incoming')
    this.#tidied ??= removeLeftOvers(incoming, new Date())
    await this.#tidied
    await using spooled = await spool(content, incoming)
    const { sha256, sizeBytes } = spooled
    const { folder, path } = this.#place(sha256)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(spooled.path, path)
    await syncDirectory(folder)
    return { sha256, sizeBytes }
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable | undefined> {
    try {
      const file = await open(this.#place(sha256).path)
      return createReadStream('', { fd: file, ...range })
    } catch (error) {
      if (isAbsence(error)) return undefined
      throw error
    }
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.sizeOf(sha256)) !== undefined
  }

  async sizeOf(sha256: string): Promise<number | undefined> {
    try {
      return (await stat(this.#place(sha256).path)).size
    } catch (error) {
      if (isAbsence(error)) return undefined
      throw error
    }
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#place(sha256).path, { force: true })
  }

  #place(sha256: string): { folder: string; path: string } {
    if (!isContentHash(sha256)) throw new Error('That is no hash of a content.')
    const folder = join(this.directory, sha256.slice(0, 2))
    return { folder, path: join(folder, sha256.slice(2)) }
  }
}

const isAbsence = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
