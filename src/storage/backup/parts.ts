import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupError } from './error.ts'
import type { BackupPart } from './manifest.ts'
import type { BackupPlace } from './place.ts'

/** Most bytes of a file: S3 services take at most 5 GiB at once, and a file is written to the local disk before it is sent. */
const partBytes = 256 * 1024 * 1024

/**
 * Compresses rows and writes them into files of limited size.
 * @param base the path of the files in the folder, without number and extension
 * @returns at least one part, with paths within the folder
 */
export async function writeParts(
  place: BackupPlace,
  folder: string,
  base: string,
  rows: AsyncIterable<Buffer>,
  signal: AbortSignal,
  mostBytes = partBytes,
): Promise<BackupPart[]> {
  const zipped = createZstdCompress()
  const read = pipeline(rows, zipped, { signal })
  // Rejects when `zipped` is closed because a file could not be written; the error of the file is the one thrown.
  read.catch(() => {})
  const parts: BackupPart[] = []
  try {
    for (const part of splitContent(zipped[Symbol.asyncIterator](), mostBytes)) {
      const path = `${base}.${String(parts.length + 1).padStart(4, '0')}.zst`
      parts.push({ path, ...(await place.write(`${folder}/${path}`, part)) })
    }
    await read
    return parts
  } catch (error) {
    zipped.destroy()
    // After an abort, the error is only its consequence.
    throw signal.aborted ? signal.reason : error
  }
}

/** Splits a content into pieces of at most `mostBytes`, at least one. Each has to be read to its end before the next. */
export function* splitContent(
  chunks: AsyncIterator<Buffer>,
  mostBytes: number,
): Generator<AsyncGenerator<Buffer>> {
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

/** The rows of some parts, in order. @throws BackupError when a part is missing or has changed */
export async function* readParts(
  place: BackupPlace,
  folder: string,
  parts: readonly BackupPart[],
): AsyncGenerator<Buffer> {
  const unzipped = createZstdDecompress()
  // An error closes `unzipped` as well, and is thrown there.
  pipeline(zippedIn(place, folder, parts), unzipped).catch(() => {})
  for await (const chunk of unzipped) yield chunk as Buffer
}

async function* zippedIn(
  place: BackupPlace,
  folder: string,
  parts: readonly BackupPart[],
): AsyncGenerator<Buffer> {
  for (const part of parts) yield* checkedPart(place, folder, part)
}

/** Reads a part to its end. @throws BackupError as `readParts` */
export async function checkPart(place: BackupPlace, folder: string, part: BackupPart): Promise<void> {
  for await (const _ of checkedPart(place, folder, part));
}

async function* checkedPart(place: BackupPlace, folder: string, part: BackupPart): AsyncGenerator<Buffer> {
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
