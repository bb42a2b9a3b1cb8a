import { type FileHandle, open } from 'node:fs/promises'
import type { Rejection } from '../readings/harvest.ts'

/** Where refused records go: one JSON object a line with file, position, reason and record. Made at the first one. */
export class RejectionFile implements AsyncDisposable {
  readonly path: string
  count = 0
  #file: FileHandle | undefined

  constructor(path: string) {
    this.path = path
  }

  async add(file: string, rejection: Rejection): Promise<void> {
    this.#file ??= await open(this.path, 'w', 0o600)
    this.count++
    await this.#file.write(`${JSON.stringify({ file, ...rejection })}\n`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
  }
}
