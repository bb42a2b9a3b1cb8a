import { openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { measureCoverage } from './measure-coverage.ts'

const coverage = process.env.RIVALSCOPE_TEST_COVERAGE
if (coverage !== undefined) measureCoverage(coverage)
// Unset for this process only: processes that tests start use their compile cache.
delete process.env.NODE_DISABLE_COMPILE_CACHE

/**
 * One of several processes that take test files from a shared list until it is empty: loading the imports of a file takes a
 * second in a process of its own. Each file is a suite, so that its hooks only apply to itself.
 *
 * Started by scripts/test.ts with a folder, in which a file marks each test file that was taken.
 */
const [folder = '', ...files] = process.argv.slice(2)

test('test files that share a process', async () => {
  for (const [index, file] of files.entries())
    if (take(join(folder, String(index))))
      await describe(file, async () => {
        await import(pathToFileURL(file).href)
      })
})

/** @returns whether no other process has taken it */
function take(path: string): boolean {
  try {
    openSync(path, 'wx')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
