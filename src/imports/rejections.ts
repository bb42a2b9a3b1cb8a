import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import type { Rejection } from './harvest.ts'

/** Where refused records go: one JSON object a line with file, position, reason and record. Made at the first one. */
export class RejectionFile implements AsyncDisposable {
  readonly path: string
  count = 0
  #stream: WriteStream | undefined

  constructor(path: string) {
    this.path = path
  }

  async add(file: string, rejection: Rejection): Promise<void> {
    this.#stream ??= createWriteStream(this.path, { flags: 'w', mode: 0o600 })
    this.count++
    const line = `${JSON.stringify({ file, ...rejection })}\n`
    if (!this.#stream.write(line)) await once(this.#stream, 'drain')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stream = this.#stream
    if (!stream) return
    stream.end()
    await once(stream, 'finish')
  }
}
