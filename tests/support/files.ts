import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder for the files of one test file. Whoever opens it closes it. */
export interface Folder extends Disposable {
  path: string
  /** Writes a file and answers its whole path. */
  write(name: string, content: string | Uint8Array): string
}

export function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'rivalscope-test-'))
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
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
