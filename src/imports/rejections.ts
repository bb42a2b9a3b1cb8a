import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { withoutDropped } from '../ingest/unreadable.ts'

/** The position of a rejected record, and why. */
export interface RejectedLine {
  file: string
  position: string
  reason: string
}

/** Bytes of rejected records that are written at most: a few kB of a packed file can hold millions of bad rows. */
const mostBytes = 16 * 1024 * 1024

/**
 * The file of rejected records: one JSON object a line with file, position, reason and record, 16 MiB of them at most. Created
 * at the first rejection; replaces the file of an earlier import, and nothing else. Fields that are never stored are left out.
 */
export class RejectionFile implements AsyncDisposable {
  readonly path: string
  /** Records that were rejected, and of them those that stand in the file. */
  count = 0
  written = 0
  first: RejectedLine | null = null
  #file: FileHandle | undefined
  #bytes = 0

  private constructor(path: string) {
    this.path = path
  }

  /**
   * Empties what an earlier import left there.
   * @param inputs paths of the files that are imported
   * @throws when the file is one of the inputs, by whatever name, or holds anything but rejected records
   */
  static async at(path: string, inputs: readonly string[]): Promise<RejectionFile> {
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
    await using _ = file
    if (file && (await file.stat()).isFile()) {
      if (await isOneOf(file, inputs))
        throw new Error(`${path} is to be imported, and cannot hold what is rejected`)
      if (!(await holdsRejections(file)))
        throw new Error(`${path} holds something else than rejected records: name another file with --rejected`)
      await file.truncate()
    }
    return new RejectionFile(path)
  }

  async add(file: string, { position, reason: told, record }: Rejection): Promise<void> {
    // Error messages quote the input, including line ends.
    const reason = told.replaceAll(/\s+/g, ' ').trim()
    this.count++
    this.first ??= { file, position, reason }
    if (this.#bytes >= mostBytes) return
    this.#file ??= await open(this.path, 'w', 0o600)
    const shown = record === undefined ? {} : { record: withoutDropped(record) }
    const line = Buffer.from(`${JSON.stringify({ file, position, reason, ...shown })}\n`)
    this.#bytes += line.byteLength
    if (this.#bytes > mostBytes) return
    await this.#file.write(line)
    this.written++
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
  }
}

/** Whether an open file is one of these, also through links. */
async function isOneOf(file: FileHandle, paths: readonly string[]): Promise<boolean> {
  const { dev, ino } = await file.stat()
  for (const path of paths) {
    const other = await stat(path).catch(() => undefined)
    if (other?.ino === ino && other.dev === dev) return true
  }
  return false
}

/** Whether a file is empty, or begins as this one does. */
async function holdsRejections(file: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1024), 0, 1024, 0)
  const head = buffer.subarray(0, bytesRead).toString('utf8')
  return head === '' || /^\{"file":"(?:[^"\\]|\\.)*","position":"(?:[^"\\]|\\.)*","reason":"/.test(head)
}
