import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'

/** A complete content in a temporary file, which is removed on disposal unless it was moved. */
export interface Spooled extends AsyncDisposable {
  path: string
  sha256: string
  sizeBytes: number
}

/**
 * Writes a content to a new file in a directory and hashes it on the way; the file is flushed when this resolves.
 * @throws any error of `content`, and then no file is left
 */
export async function spool(content: AsyncIterable<Uint8Array>, directory: string): Promise<Spooled> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, uuidv7())
  const discard = () => rm(path, { force: true })
  try {
    await using file = await open(path, 'wx', 0o600)
    const written = await write(content, file)
    await file.sync()
    return { path, ...written, [Symbol.asyncDispose]: discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Flushes a directory: a rename survives a power cut only after that. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path)
  await directory.sync()
}

/** A content takes less than this to arrive; an older file was left by a killed process. */
const leftOverAfterMs = 86_400_000

/** Removes files that killed processes left in a directory, by the prefix of their names; other files stay. */
export async function removeLeftOvers(directory: string, now: Date, beginning = ''): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.startsWith(beginning)) continue
    const path = join(directory, name)
    const written = await stat(path).catch(() => undefined)
    if (written && now.getTime() - written.mtimeMs > leftOverAfterMs)
      await rm(path, { force: true, recursive: true }).catch(() => {})
  }
}

async function write(content: AsyncIterable<Uint8Array>, file: FileHandle) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    await file.writeFile(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}
