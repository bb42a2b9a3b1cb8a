import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'

/** A content that lies complete in a file of its own, until it is moved away or the end of its use. */
export interface Spooled extends AsyncDisposable {
  path: string
  sha256: string
  sizeBytes: number
}

/**
 * Writes a content to a new file in a directory, hashing on the way; it has reached the disk when this answers.
 * @throws what `content` throws, and then no file is left
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

/** A content takes less than this to arrive; what is older is left over from a process that was killed. */
const leftOverAfterMs = 86_400_000

/** Removes what killed processes left in a directory, of what has a name that begins so; what belongs to others stays. */
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
