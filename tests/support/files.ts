import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The prefix of this test run's folders, for the check of leftovers. */
const folderPrefix = `rivalscope-test-${process.env.RIVALSCOPE_TEST_RUN ?? process.pid}-`

/** Open folders. Those that a failed test did not close are removed when the process exits. */
const open = new Set<string>()
process.on('exit', () => {
  for (const path of open) remove(path)
})

/** A killed store may still use its files for a moment, and `rmSync` silently gives up when files vanish while it runs. */
function remove(path: string): void {
  for (let tries = 0; existsSync(path) && tries < 50; tries++) {
    if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A folder for the files of one test file, removed by its disposal. */
export interface Folder extends Disposable {
  path: string
  /** Writes a file and returns its absolute path. */
  write(name: string, content: string | Uint8Array): string
}

export function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), folderPrefix))
  open.add(path)
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    [Symbol.dispose]() {
      remove(path)
      open.delete(path)
    },
  }
}

export interface RejectedLine {
  file: string
  position: string
  reason: string
  record?: unknown
}

/** The lines of a file of rejected records; none when there is no such file. */
export function rejectedLines(file: string | null): RejectedLine[] {
  if (file === null) return []
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RejectedLine)
}
