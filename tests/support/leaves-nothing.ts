import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/* Setup and teardown of the test runner (`--test-global-setup`): a suite that leaves files behind fails, and names them. */

const root = new URL('../../', import.meta.url).pathname

/** Files of rejected records, which imports without a path write to the current directory. */
const refused = () => readdirSync(root).filter((name) => /^rejected-.*\.ndjson$/.test(name))

let before: string[] = []

export function globalSetup(): void {
  process.env.RIVALSCOPE_TEST_RUN = `run${process.pid}`
  before = refused()
}

export function globalTeardown(): void {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(`rivalscope-test-run${process.pid}-`))
  const files = refused().filter((name) => !before.includes(name))
  const left = [...folders.map((name) => join(tmpdir(), name)), ...files.map((name) => join(root, name))]
  for (const path of left) {
    process.stderr.write(`left behind by a test: ${path}${insideOf(path)}\n`)
    rmSync(path, { recursive: true, force: true })
    process.exitCode = 1
  }
}

/** The contents of a folder show its origin. */
function insideOf(path: string): string {
  try {
    return ` (${readdirSync(path).slice(0, 5).join(', ')})`
  } catch {
    return ''
  }
}
