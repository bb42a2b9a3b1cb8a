import { type FileHandle, open } from 'node:fs/promises'
import { withoutDropped } from '../ingest/dropped-fields.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'

/** The position of a rejected record, and why. */
export interface RejectedLine {
  file: string
  position: string
  reason: string
}

/**
 * The file of rejected records: one JSON object a line with file, position, reason and record. Created at the first
 * rejection; replaces the file of an earlier import. Fields that are never stored are left out of it.
 */
export class RejectionFile implements AsyncDisposable {
  readonly path: string
  count = 0
  first: RejectedLine | null = null
  #file: FileHandle | undefined

  private constructor(path: string) {
    this.path = path
  }

  /** @throws when the file exists and is not one of rejections */
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
