import { type FileHandle, open } from 'node:fs/promises'
import { withoutDropped } from '../ingest/dropped-fields.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'

/** A refused record by its place, and why. */
export interface RejectedLine {
  file: string
  position: string
  reason: string
}

/**
 * Where refused records go: one JSON object a line with file, position, reason and record. Made at the first one; what an earlier
 * import left there is gone. Fields we never take do not stand in it.
 */
export class RejectionFile implements AsyncDisposable {
  readonly path: string
  count = 0
  first: RejectedLine | null = null
  #file: FileHandle | undefined

  private constructor(path: string) {
    this.path = path
  }

  /** @throws when something else than a file of rejections lies there */
  static async at(path: string): Promise<RejectionFile> {
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
    await using _ = file
    if (file && (await file.stat()).isFile()) await file.truncate()
    return new RejectionFile(path)
  }

  async add(file: string, { position, reason, record }: Rejection): Promise<void> {
    this.#file ??= await open(this.path, 'w', 0o600)
    this.count++
    this.first ??= { file, position, reason }
    const shown = record === undefined ? {} : { record: withoutDropped(record) }
    await this.#file.write(`${JSON.stringify({ file, position, reason, ...shown })}\n`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
  }
}
