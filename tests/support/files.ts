import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** How names of folders of this run of tests begin, for whoever looks what it left. */
const folderPrefix = `rivalscope-test-${process.env.RIVALSCOPE_TEST_RUN ?? process.pid}-`

/** Folders that are open. What a test that failed did not come to close goes with its process. */
const open = new Set<string>()
process.on('exit', () => {
  for (const path of open) remove(path)
})

/**
 * A store whose service was killed is at its files a little longer, and what vanishes while `rmSync` is at it has it give up
 * without a word.
 */
function remove(path: string): void {
  for (let tries = 0; existsSync(path) && tries < 50; tries++) {
    if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A folder for the files of one test file. Whoever opens it closes it. */
export interface Folder extends Disposable {
  path: string
  /** Writes a file and answers its whole path. */
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
