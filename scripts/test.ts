import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '../tests/support/leaves-nothing.ts'
import { type KindName, type TestKind, testKinds } from './test-kinds.ts'

const help = `Runs test files. Most run in a few shared processes, since loading the imports of one takes a second.

  npm test                             one sentence for each behaviour
  npm test -- import export            only files whose names contain one of the words
  npm test -- --changed [COMMIT]       only files that are reached by what has changed since the commit, through imports and through
                                       files that tests read. What is not committed counts. Without COMMIT: since this branch left
                                       the one it goes to. Says what is left out
  npm run test:KIND -- …               the same for ${Object.keys(testKinds)
    .filter((kind) => kind !== 'usual')
    .join(', ')
    .replace(/, (\w+)$/, ' and $1')}
  --skip PATTERN                       without tests whose names match; may be repeated
  --all-cases                          all cases of tests that otherwise try some, as npm run test:all does
  --coverage FOLDER                    also writes what runs of src there, for scripts/coverage-floor.ts

Ends with 1 when a test fails, a file was not run, or files were left behind.
`
const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals: words } = parseArgs({
  // The commit is what follows, if anything does.
  args: process.argv.slice(2).flatMap((arg, at, all) => {
    if (arg === '--changed') return `--changed=${(all[at + 1] ?? '-').startsWith('-') ? '' : all[at + 1]}`
    return all[at - 1] === '--changed' && !arg.startsWith('-') ? [] : arg
  }),
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    kind: { type: 'string', default: 'usual' },
    skip: { type: 'string', multiple: true, default: [] },
    changed: { type: 'string' },
    'all-cases': { type: 'boolean', default: false },
    coverage: { type: 'string' },
  },
})
if (values.help) end(help, 0)
if (!(values.kind in testKinds))
  end(`There are no tests "${values.kind}", but ${Object.keys(testKinds).join(', ')}.\n`, 1)
const kind: TestKind = testKinds[values.kind as KindName]
const allCases = values['all-cases'] || kind.allCases === true
const skipped = [...values.skip, ...(kind.skip ?? [])]
if (allCases) process.env.RIVALSCOPE_TEST_ALL_CASES = '1'
const tryingCases = () =>
  globSync(testKinds.usual.files, { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('/support/cases.ts'),
  )
// Where only what a change reaches is run, `npm test` has tried some of their cases, elsewhere all of them.
const triesUsual = kind.allCases === true && values.changed !== undefined
const named = [
  ...new Set([...globSync(kind.files, { cwd: root }), ...(triesUsual ? tryingCases() : [])]),
].filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
if (named.length === 0) end('no test file has a name like that\n', 1)
const chosen = values.changed === undefined ? named : await reached(named, values.changed)
if (chosen.length === 0) end('', 0)
const files = chosen
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  // So that no long file starts last: first those whose tests may take the most time, then the largest.
  .map(({ file, text }) => ({ file, mayTake: mostTimeOf(text), size: text.length }))
  .sort((one, other) => other.mayTake - one.mayTake || other.size - one.size)
  .map(({ file }) => file)
process.chdir(root)
if (kind.build) execFileSync(process.execPath, kind.build, { stdio: 'inherit' })
if (kind.atOnce === undefined) runShared()
else process.exitCode = runSeparate(kind.atOnce)

/** The longest `timeout` that a test file gives, in milliseconds; 0 where it gives none. */
function mostTimeOf(text: string): number {
  const given = text.matchAll(/\btimeout: ([\d_]+)/g)
  return Math.max(0, ...Array.from(given, ([, digits = '']) => Number(digits.replaceAll('_', ''))))
}

/** The test files that a change reaches; prints how many of all are left out. */
async function reached(files: readonly string[], commit: string): Promise<string[]> {
  const { beginningOfWork, changesSince, NoSuchCommit } = await import('./changes/changed-files.ts')
  const { dependencyGraphOf, changeReachOf, reachSummary } = await import('./changes/reach.ts')
  try {
    const changes = changesSince(root, commit === '' ? beginningOfWork(root) : commit)
    const reach = changeReachOf(dependencyGraphOf(root, changes.all), changes.changed)
    const run = files.filter((file) => reach.files.has(file))
    process.stdout.write(reachSummary(changes, reach, new Set(run)))
    return run
  } catch (error) {
    if (error instanceof NoSuchCommit) end(`${error.message}\n`, 1)
    throw error
  }
}

function end(words: string, code: number): never {
  ;(code === 0 ? process.stdout : process.stderr).write(words)
  process.exit(code)
}

/** Each file in a process of its own. */
function runSeparate(atOnce: number): number {
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${atOnce}`,
      `--test-global-setup=${kind.setup ?? 'tests/support/leaves-nothing.ts'}`,
      ...(kind.timeoutMs === undefined ? [] : [`--test-timeout=${kind.timeoutMs}`]),
      ...skipped.map((pattern) => `--test-skip-pattern=${pattern}`),
      ...files,
    ],
    { stdio: 'inherit' },
  )
  return status ?? 1
}

function runShared(): void {
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
    testSkipPatterns: skipped,
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
}
