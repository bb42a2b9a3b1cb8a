import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedStoreError } from './error.ts'

const markIn = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Says that PostgreSQL works on the files in a directory, which it names by its inode: a copy has another one, a file
 * system that comes back after a power cut, or a snapshot of it, has the same.
 */
export function markRunning(dataDir: string, directory: string): void {
  writeFileSync(markIn(dataDir), JSON.stringify({ inode: statSync(directory).ino }), { mode: 0o600 })
}

export function unmarkRunning(dataDir: string): void {
  rmSync(markIn(dataDir), { force: true })
}

/**
 * Files that were copied one after another while they were written do not belong together, and recovery cannot tell.
 * @throws EmbeddedStoreError
 */
export function refuseCopy(dataDir: string, directory: string): void {
  const mark = readMark(markIn(dataDir))
  if (mark === undefined || mark === statSync(directory).ino) return
  throw new EmbeddedStoreError(
    `The embedded store in ${dataDir} was copied while it was in use, so its parts may not belong together. Copy it again while no process uses it. If it was copied after a crash, when nothing ran, delete ${markIn(dataDir)} and try again.`,
  )
}

function readMark(path: string): number | undefined {
  try {
    const { inode } = JSON.parse(readFileSync(path, 'utf8')) as { inode?: unknown }
    return typeof inode === 'number' ? inode : undefined
  } catch {
    return undefined
  }
}
