import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../tests/support/leaves-nothing.ts'

/**
 * Runs test files in a few shared processes, since loading the imports of one takes a second. Exits with 1 when a test
 * fails, a file was not run, or files were left behind.
 *
 *   node scripts/test.ts [--files <glob>]… [word…]      only files whose names contain one of the words
 *   node scripts/test.ts --skip <pattern>…             without tests whose names match
 *   node scripts/test.ts --all-cases …                  and all cases of tests that otherwise run a sample of them
 *   node scripts/test.ts --coverage <folder>            also writes what runs of src there, for scripts/coverage-floor.ts
 */
const usual = ['{src,sample,web}/**/*.test.ts', 'tests/*.test.ts']
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', multiple: true, default: usual },
    skip: { type: 'string', multiple: true, default: [] },
    'all-cases': { type: 'boolean', default: false },
    coverage: { type: 'string' },
  },
})
const tryingCases = () =>
  globSync(usual).filter((file) => readFileSync(file, 'utf8').includes('/support/cases.ts'))
if (values['all-cases']) process.env.RIVALSCOPE_TEST_ALL_CASES = '1'
const files = [...new Set([...globSync(values.files), ...(values['all-cases'] ? tryingCases() : [])])]
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .map((file) => ({ file, bytes: statSync(file).size }))
  // Largest first, so that no long file starts last.
  .sort((one, other) => other.bytes - one.bytes)
  .map(({ file }) => file)
if (files.length === 0) {
  process.stderr.write('no test file has a name like that\n')
  process.exit(1)
}

const sharedProcess = fileURLToPath(new URL('../tests/support/shared-process.ts', import.meta.url))
const processes = Math.min(files.length, 2 * availableParallelism())
const taken = mkdtempSync(join(tmpdir(), 'rivalscope-files-taken-'))
if (values.coverage !== undefined) {
  process.env.RIVALSCOPE_TEST_COVERAGE = values.coverage
  // Code from the compile cache cannot be measured.
  process.env.NODE_DISABLE_COMPILE_CACHE = '1'
}
globalSetup()
const tests = run({
  files: Array.from({ length: processes }, () => sharedProcess),
  argv: [taken, ...files],
  concurrency: processes,
  testSkipPatterns: values.skip,
})
tests.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.on('end', () => {
  const left = files.length - readdirSync(taken).length
  rmSync(taken, { recursive: true })
  globalTeardown()
  if (left === 0) return
  process.stderr.write(`${left} of ${files.length} test files were not run\n`)
  process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
