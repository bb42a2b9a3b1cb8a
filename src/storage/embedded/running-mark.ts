import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedStoreError } from './error.ts'

const markIn = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Marks that PostgreSQL works on the files of a directory, identified by its inode: a copy has another inode; a file system
 * after a power cut, or a snapshot of it, has the same.
 */
export function markRunning(dataDir: string, directory: string): void {
  const inode = keepsInodes(directory) ? statSync(directory).ino : null
  writeFileSync(markIn(dataDir), JSON.stringify({ inode }), { mode: 0o600 })
}

/** File systems that assign new inode numbers at each mount: FAT, exFAT and FUSE. */
const inodesMadeUp = new Set([0x4d44, 0x2011bab0, 0x65735546])

function keepsInodes(directory: string): boolean {
  return !inodesMadeUp.has(statfsSync(directory).type)
}

export function unmarkRunning(dataDir: string): void {
  rmSync(markIn(dataDir), { force: true })
}

/**
 * Files that were copied one after another while PostgreSQL wrote them are inconsistent, and recovery cannot detect it.
 * @throws EmbeddedStoreError
 */
export function refuseCopiedFiles(dataDir: string, directory: string): void {
  const mark = readMark(markIn(dataDir))
  if (mark === undefined || mark === statSync(directory).ino || wasShutDown(directory)) return
  throw new EmbeddedStoreError(
    `The embedded store in ${dataDir} was copied while it was in use, so its parts may not belong together. Copy it again while no process uses it. If it was copied after a crash, when nothing ran, delete ${markIn(dataDir)} and try again.`,
  )
}

/** Whether PostgreSQL was shut down cleanly: the state in its control file, the fifth 32-bit number. */
function wasShutDown(directory: string): boolean {
  try {
    return readFileSync(join(directory, 'global', 'pg_control')).readInt32LE(16) === 1
  } catch {
    return false
  }
}

function readMark(path: string): number | undefined {
  try {
    const { inode } = JSON.parse(readFileSync(path, 'utf8')) as { inode?: unknown }
    return typeof inode === 'number' ? inode : undefined
  } catch {
    return undefined
  }
}

/** Whether PostgreSQL works on the files of a directory, or did when it ended without being shut down. */
export const isMarkedRunning = (dataDir: string): boolean => existsSync(markIn(dataDir))
