import { openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { measureCoverage } from './measure-coverage.ts'

const coverage = process.env.RIVALSCOPE_TEST_COVERAGE
if (coverage !== undefined) measureCoverage(coverage)
// Set for this process only: those that tests start have their compile cache.
delete process.env.NODE_DISABLE_COMPILE_CACHE

/**
 * One of several processes that take test files from one list until none is left: loading what they import takes a second
 * for each file that has a process of its own. A file is a suite here, so that its hooks are about itself.
 *
 * Started by scripts/test.ts with a folder of its own, in which a file stands for each test file that was taken.
 */
const [folder = '', ...files] = process.argv.slice(2)

test('test files that share a process', async () => {
  for (const [index, file] of files.entries())
    if (take(join(folder, String(index))))
      await describe(file, async () => {
        await import(pathToFileURL(file).href)
      })
})

/** @returns whether nobody else has taken it */
function take(path: string): boolean {
  try {
    openSync(path, 'wx')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
