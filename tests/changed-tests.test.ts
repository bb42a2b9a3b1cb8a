import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { changesSince, NoSuchCommit } from '../scripts/changes/changed-files.ts'
import { changeReachOf, dependencyGraphOf, matchesAny } from '../scripts/changes/reach.ts'
import { alsoNeeded, reachingEverything, reachingNothing } from '../scripts/changes/rules.ts'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

/** A small repository, all of it committed. */
function repository(files: Record<string, string>) {
  const folder = parts.use(openFolder())
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
      cwd: folder.path,
      stdio: 'pipe',
    })
  const write = (name: string, text: string) => folder.write(name, text)
  for (const [name, text] of Object.entries({ '.gitignore': 'node_modules\n', ...files })) write(name, text)
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'all')
  const reached = () => {
    const { changed, all } = changesSince(folder.path, 'HEAD')
    const { files, everything } = changeReachOf(dependencyGraphOf(folder.path, all), changed)
    return { tests: [...files].filter((file) => file.endsWith('.test.ts')).sort(), everything }
  }
  return { path: folder.path, git, write, reached }
}

const small = {
  'src/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
  'src/b.ts': 'export const b = 1\n',
  'src/kinds.ts': 'export interface Kind { name: string }\n',
  'src/words.ts': "export const words = new URL('../sample/words/', import.meta.url)\n",
  'src/late.ts': "export const late = () => import('./b.ts')\n",
  'sample/words/en.json': '[]\n',
  'sample/other.json': '[]\n',
  'docs/a.md': 'A\n',
  'docs/maps/x.json': '{}\n',
  'migrations/0001_all.sql': 'select 1;\n',
  'src/a.test.ts': "import { a } from './a.ts'\n",
  'src/kinds.test.ts': "import type { Kind } from './kinds.ts'\nexport const kind: Kind = { name: '' }\n",
  'tests/late.test.ts': "export * from '../src/late.ts'\n",
  'tests/words.test.ts': "import { words } from '../src/words.ts'\n",
  'tests/page.test.ts':
    "// See 'docs/maps/x.json'.\nexport const page = new URL('../docs/a.md', import.meta.url)\n",
  'tests/map.test.ts': `export const map = (name: string) => new URL(\`../docs/maps/\${name}.json\`, import.meta.url)\n`,
  'tests/store.test.ts':
    "export const folder = new URL('migrations/', import.meta.resolve('x/package.json'))\n",
}

test('a change reaches the tests that import it, directly, through others, or later', () => {
  const { write, reached } = repository(small)
  assert.deepEqual(reached().tests, [])
  write('src/b.ts', 'export const b = 2\n')
  assert.deepEqual(reached(), { tests: ['src/a.test.ts', 'tests/late.test.ts'], everything: [] })
})

test('a module that gives nothing but types reaches no test that only takes its types', () => {
  const { write, reached } = repository(small)
  write('src/kinds.ts', 'export interface Kind { name: number }\n')
  assert.deepEqual(reached(), { tests: [], everything: [] })
})

test('a changed test is reached, and so is a new one that git does not know yet', () => {
  const { write, reached } = repository(small)
  write('src/a.test.ts', 'export {}\n')
  write('tests/new.test.ts', 'export {}\n')
  assert.deepEqual(reached().tests, ['src/a.test.ts', 'tests/new.test.ts'])
})

for (const [file, tests] of [
  ['migrations/0002_more.sql', ['tests/store.test.ts']],
  ['sample/words/de.json', ['tests/words.test.ts']],
  ['docs/a.md', ['tests/page.test.ts']],
  ['docs/maps/x.json', ['tests/map.test.ts']],
] as const)
  test(`${file} reaches the tests that read it, or its folder, and not those that only speak of it`, () => {
    const { write, reached } = repository(small)
    write(file, 'changed\n')
    assert.deepEqual(reached(), { tests, everything: [] })
  })

test('a deleted file reaches those who needed it', () => {
  const { path, reached } = repository(small)
  rmSync(join(path, 'docs/a.md'))
  rmSync(join(path, 'src/b.ts'))
  assert.deepEqual(reached().tests, ['src/a.test.ts', 'tests/late.test.ts', 'tests/page.test.ts'])
})

test('a file that nothing names reaches everything, and so do packages; each is said with its reason', () => {
  const { write, reached } = repository(small)
  const all = Object.keys(small).filter((name) => name.endsWith('.test.ts'))
  write('sample/other.json', '[1]\n')
  const unknown = reached()
  assert.deepEqual(unknown.tests, all.sort())
  assert.deepEqual(unknown.everything, [{ file: 'sample/other.json', reason: 'nothing says who reads it' }])
  write('package-lock.json', '{}\n')
  assert.deepEqual(
    reached().everything.map(({ file }) => file),
    ['package-lock.json', 'sample/other.json'],
  )
})

test('what only people or the gate read reaches nothing', () => {
  const { write, reached } = repository(small)
  write('.ci/proven', 'commit\n')
  assert.deepEqual(reached(), { tests: [], everything: [] })
})

test('what is committed since a commit counts as well, and a commit that is not there is refused by name', () => {
  const { path, git, write } = repository(small)
  write('docs/a.md', 'B\n')
  git('commit', '--quiet', '-am', 'more')
  write('src/b.ts', 'export const b = 2\n')
  assert.deepEqual(changesSince(path, 'HEAD').changed, ['src/b.ts'])
  assert.deepEqual(changesSince(path, 'HEAD~1').changed, ['docs/a.md', 'src/b.ts'])
  assert.throws(
    () => changesSince(path, 'HAED'),
    new NoSuchCommit(
      'There is no commit "HAED" in this checkout. Name another one, or fetch it: git fetch --unshallow.',
    ),
  )
})

const { all } = changesSince(root, 'HEAD')
const graph = dependencyGraphOf(root, all)

test('every rule is about files that there are, and every file of the repository has a place', () => {
  const absent = [
    ...reachingEverything,
    ...reachingNothing,
    ...alsoNeeded.flatMap(({ by, files }) => [by, ...files]),
  ].filter((pattern) => ![...all].some((file) => matchesAny([pattern], file)))
  assert.deepEqual(absent, [])
  const others = [...all].filter(
    (file) => existsSync(join(root, file)) && !matchesAny(reachingEverything, file),
  )
  const { everything } = changeReachOf(graph, others)
  assert.deepEqual(everything, [])
})

test('in this repository the store is reached by migrations, commands by their program, and pages by nothing else', () => {
  const reached = (file: string) => changeReachOf(graph, [file]).files
  const [migration = ''] = globSync('migrations/*.sql', { cwd: root })
  assert.ok(reached(migration).has('tests/schema.test.ts'))
  assert.ok(reached('src/storage/embedded/supervisor-process.ts').has('tests/faults/embedded-store.test.ts'))
  assert.ok(reached('src/main.ts').has('tests/cli-completion.test.ts'))
  assert.ok(!reached('src/main.ts').has('tests/schema.test.ts'))
  assert.ok(reached('web/tokens.css').has('tests/web/pages.test.ts'))
  assert.ok(!reached('web/tokens.css').has('tests/schema.test.ts'))
  assert.ok(reached('docs/scores.md').has('tests/scores-page.test.ts'))
})

test('npm test tells what it takes, and refuses a commit it does not know', async () => {
  const run = promisify(execFile)
  const program = join(root, 'scripts/test.ts')
  const { stdout } = await run(process.execPath, [program, '--help'], { cwd: root })
  assert.match(stdout, /--changed \[COMMIT\]/)
  await assert.rejects(run(process.execPath, [program, '--changed', 'HAED'], { cwd: root }), {
    code: 1,
    stderr: /^There is no commit "HAED" in this checkout/,
  })
})
