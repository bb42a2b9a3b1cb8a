import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupError } from './error.ts'
import type { Part } from './manifest.ts'
import type { BackupPlace } from './place.ts'

/** Bytes of a file at most: services that speak S3 take no more than 5 GiB at once, and a file waits on the disk before it is sent. */
const partBytes = 256 * 1024 * 1024

/**
 * Compresses rows and writes them into files of bounded size.
 * @param base the path of the files in the folder, without number and ending
 * @returns at least one part, with paths within the folder
 */
export async function writeParts(
  place: BackupPlace,
  folder: string,
  base: string,
  rows: AsyncIterable<Buffer>,
  signal: AbortSignal,
  mostBytes = partBytes,
): Promise<Part[]> {
  const zipped = createZstdCompress()
  const read = pipeline(rows, zipped, { signal })
  // It fails when `zipped` is closed because a file could not be written; then that is what is told.
  read.catch(() => {})
  const parts: Part[] = []
  try {
    for (const part of cut(zipped[Symbol.asyncIterator](), mostBytes)) {
      const path = `${base}.${String(parts.length + 1).padStart(4, '0')}.zst`
      parts.push({ path, ...(await place.write(`${folder}/${path}`, part)) })
    }
    await read
    return parts
  } catch (error) {
    zipped.destroy()
    // Of both failures the first one is the reason.
    throw signal.aborted ? signal.reason : error
  }
}

/** Pieces of a content, each to be read to its end before the next: at least one, and none larger than said. */
export function* cut(chunks: AsyncIterator<Buffer>, mostBytes: number): Generator<AsyncGenerator<Buffer>> {
  let rest: Buffer | undefined
  let ended = false
  async function* piece() {
    for (let room = mostBytes; room > 0; ) {
      const chunk = rest ?? (await next())
      rest = undefined
      if (chunk === undefined) return
      yield chunk.subarray(0, room)
      if (chunk.length > room) rest = chunk.subarray(room)
      room -= Math.min(room, chunk.length)
    }
  }
  async function next() {
    const { done, value } = await chunks.next()
    ended = done === true
    return ended ? undefined : (value as Buffer)
  }
  do yield piece()
  while (!ended)
}

/** The rows in some parts. @throws BackupError when a part is not there or not what was written */
export async function* readParts(
  place: BackupPlace,
  folder: string,
  parts: readonly Part[],
): AsyncGenerator<Buffer> {
  const unzipped = createZstdDecompress()
  // What goes wrong closes `unzipped` as well, and is thrown there.
  pipeline(zippedIn(place, folder, parts), unzipped).catch(() => {})
  for await (const chunk of unzipped) yield chunk as Buffer
}

async function* zippedIn(place: BackupPlace, folder: string, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* checkedPart(place, folder, part)
}

/** Reads a part to its end. @throws BackupError as `readParts` */
export async function checkPart(place: BackupPlace, folder: string, part: Part): Promise<void> {
  for await (const _ of checkedPart(place, folder, part));
}

async function* checkedPart(place: BackupPlace, folder: string, part: Part): AsyncGenerator<Buffer> {
  const { path, sha256, sizeBytes } = part
  const content = await place.read(`${folder}/${path}`)
  if (!content)
    throw new BackupError(`The backup ${folder} is damaged: its file ${path} is missing. ${another}`)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  if (hash.digest('hex') !== sha256 || bytes !== sizeBytes)
    throw new BackupError(
      `The backup ${folder} is damaged: its file ${path} is not what was written. ${another}`,
    )
}

const another = 'Nothing was restored; name another backup with --backup.'
