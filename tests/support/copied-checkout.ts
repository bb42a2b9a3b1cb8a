import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTestServer } from '../../src/storage/testing.ts'
import { openFolder } from './files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const copied = [
  ...['src', 'research', 'web', 'sample', 'bench', 'scripts', 'docs', 'tests/support', 'migrations'],
  ...['package.json', 'tsconfig.json'],
]

/** A copy of the checkout for tests that change code. */
export interface CopiedCheckout extends AsyncDisposable {
  /** Reads a file of the copy. */
  read(file: string): string
  write(file: string, content: string): void
  /** Inserts lines before one that the file has once. */
  addBefore(file: string, line: string, added: string): void
  /** The files that lines were added to, in order. */
  addedTo: ReadonlySet<string>
  /** Checks the types of a project of the copy, and fails with what is wrong. */
  checkTypes(project: string): void
  /** Runs a program of the copy, and fails with what it says. */
  run(file: string, ...words: string[]): void
  /** Runs a test file of the copy, and fails with what it says. @returns what it says */
  runTest(file: string): string
}

export async function copyCheckout(): Promise<CopiedCheckout> {
  await using parts = new AsyncDisposableStack()
  const copy = parts.use(openFolder())
  // Started from the checkout, since other tests share the server and the copy is deleted.
  const server = parts.use(await openTestServer())
  for (const part of copied) cpSync(join(root, part), join(copy.path, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'))
  const run = (...args: string[]) => {
    const env: NodeJS.ProcessEnv = { ...process.env, RIVALSCOPE_TEST_DATABASE_URL: server.url }
    delete env.NODE_TEST_CONTEXT
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: copy.path,
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 0, `${stdout}${stderr}`)
    return stdout
  }
  const read = (file: string) => readFileSync(join(copy.path, file), 'utf8')
  const addedTo = new Set<string>()
  const opened = parts.move()
  return {
    read,
    write: (file, content) => void copy.write(file, content),
    addBefore(file, line, added) {
      const text = read(file)
      assert.equal(text.split(line).length, 2, `${file} has one ${line}`)
      copy.write(
        file,
        text.replace(line, () => `${added}${line}`),
      )
      addedTo.add(file)
    },
    addedTo,
    checkTypes: (project) => void run(join(root, checker ?? ''), '-p', project, '--incremental', 'false'),
    run: (file, ...words) => void run(file, ...words),
    runTest: (file) => run('--test', file),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The type checker of `npm run check` if it is installed: it is ten times as fast. */
const checker = ['tools/check/node_modules/typescript-native/bin/tsc', 'node_modules/typescript/bin/tsc'].find(
  (path) => existsSync(join(root, path)),
)
