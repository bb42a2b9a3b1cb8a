import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory, for its owner alone, with those above it; one that is there keeps its mode. Node's own way of making several
 * never ends where the system says of a directory that is there that it is not, as in /proc.
 * @param path absolute
 */
export function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    if (!isThere) throw error
  }
}
