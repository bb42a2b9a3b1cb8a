import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  keepIn,
  pageOf,
  type Result,
  stalenessOf,
  staleSummary,
  verdictOf,
  withoutStaleness,
} from '../bench/results.ts'
import { openFolder } from './support/files.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

const files = {
  '.gitignore': 'node_modules\n',
  'bench/search.ts': "import '../src/search.ts'\nimport './stores.ts'\n",
  'bench/stores.ts': "import '../src/store.ts'\n",
  'src/search.ts': "import { plan } from './plan.ts'\nexport const search = plan\n",
  'src/plan.ts': 'export const plan = 1\n',
  'src/store.ts': 'export const store = 1\n',
  'docs/a.md': 'A\n',
}

/** A checkout of one commit. */
function checkout() {
  const folder = parts.use(openFolder())
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  const commit = () => {
    git('add', '.')
    git('commit', '--quiet', '-m', 'all')
    return git('rev-parse', 'HEAD')
  }
  for (const [name, text] of Object.entries(files)) folder.write(name, text)
  git('init', '--quiet')
  return { path: folder.path, write: folder.write, git, commit, first: commit() }
}

const result = (more: Partial<Result> = {}): Result => ({
  figure: 'search, p95',
  goal: { atMost: 25 },
  values: [12, 14.5],
  unit: 'ms',
  commit: null,
  date: '2026-11-20',
  load: 'quiet',
  command: 'search.ts --apps 1000',
  ...more,
})
const reasons = (root: string, ...results: Result[]) => [
  ...stalenessOf(root, { Reads: results }).stale.values(),
]

test('a figure stands while nothing has changed but what it does not rest on', () => {
  const { path, write, commit, first } = checkout()
  write('docs/a.md', 'B\n')
  write('src/new.ts', 'export const unused = 1\n')
  commit()
  assert.deepEqual(reasons(path, result({ commit: first })), [])
})

test('a figure is stale once a file has changed that its program imports through others, committed or not', () => {
  const { path, write, commit, first } = checkout()
  const one = result({ commit: first.slice(0, 8) })
  write('src/plan.ts', 'export const plan = 2\n')
  assert.deepEqual(reasons(path, one), ['src/plan.ts changed since'])
  write('src/store.ts', 'export const store = 2\n')
  const second = commit()
  assert.deepEqual(reasons(path, one), ['src/plan.ts and 1 more changed since'])
  assert.deepEqual(reasons(path, result({ commit: second })), [])
})

test('a figure that names what it rests on is stale by that and by its program, not by what else the program needs', () => {
  const { path, write, first } = checkout()
  const one = result({ commit: first, restsOn: ['src/sea*.ts'] })
  write('src/store.ts', 'export const store = 2\n')
  assert.deepEqual(reasons(path, one), [])
  write('src/plan.ts', 'export const plan = 2\n')
  write('bench/search.ts', "import '../src/search.ts'\n")
  assert.deepEqual(reasons(path, one), ['bench/search.ts and 1 more changed since'])
})

test('a figure whose commit nobody recorded, or that is not in the history, is stale', () => {
  const { path } = checkout()
  assert.deepEqual(reasons(path, result(), result({ commit: '0123456789' })), [
    'the commit it was measured on is not recorded',
    'commit 0123456789 is not in this history',
  ])
})

test('a shallow clone says of which figures it cannot tell, and calls none of them stale', () => {
  const { path, write, commit, first } = checkout()
  write('src/plan.ts', 'export const plan = 2\n')
  commit()
  const clone = parts.use(openFolder()).path
  execFileSync('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(path).href, clone])
  const results = { Reads: [result({ commit: first }), result()] }
  const staleness = stalenessOf(clone, results)
  assert.deepEqual([staleness.stale.size, staleness.unknown], [1, [results.Reads[0]]])
  assert.match(staleSummary(results, staleness).count, /^2 figures: 0 stand, .*1 cannot be told in a shallow/)
})

test('a figure of code that is not there is refused by its name, and so is one of a command that says nothing of its code', () => {
  const { path } = checkout()
  assert.throws(
    () => reasons(path, result({ restsOn: ['src/gone.ts'] })),
    /"search, p95" rests on src\/gone\.ts/,
  )
  assert.throws(() => reasons(path, result({ command: 'npm test' })), /"search, p95": restsOn has to say/)
})

test('a goal is met when every value meets it, and none is claimed where there is no goal, or no value', () => {
  assert.equal(verdictOf(result()), 'met')
  assert.equal(verdictOf(result({ values: [12, 25.1] })), 'missed')
  assert.equal(verdictOf(result({ goal: { atLeast: 13 } })), 'missed')
  const { goal: _, ...without } = result()
  assert.equal(verdictOf(without), undefined)
  assert.equal(verdictOf(result({ values: [] })), undefined)
})

test('the page has the floor and its multiple first, names the commit of each verdict, and marks what is stale', () => {
  const alone = result({ commit: 'abcdef01' })
  const { unit: _, ...multiple } = result({
    figure: 'search, mix',
    floor: 'FTS5',
    goal: { atMost: 1 },
    values: [4.5],
    told: '45 ms, FTS5 10 | 11',
  })
  const results = { Reads: [alone, multiple] }
  const page = pageOf(results, new Map([[multiple, 'changed']]))
  assert.deepEqual(page.split('\n').slice(-3), [
    '| search, p95 |  |  | ≤ 25 ms | 12, 14.5 ms | met at abcdef01 | 2026-11-20, quiet | `search.ts --apps 1000` |',
    '| search, mix | FTS5 | 4.5 | ≤ 1 × | 45 ms, FTS5 10 \\| 11 | *stale*: **missed**, commit not recorded | 2026-11-20, quiet | `search.ts --apps 1000` |',
    '',
  ])
  assert.equal(withoutStaleness(page), pageOf(results, new Map()))
  assert.doesNotMatch(pageOf(results, new Map([[alone, 'changed']])), /\| met/)
})

test('what a run has measured goes into the row with its name, floor and command, and into no other', () => {
  const floored = { ...result({ command: 'search.ts --apps 1', told: '1 ms' }), floor: 'FTS5' }
  const results = { Reads: [result({ command: 'search.ts --apps 2' }), floored] }
  const before = structuredClone(results.Reads[0])
  const measured = { commit: 'abcdef01', date: '2026-11-29', load: '1 to 2' }
  const figure = { name: 'search, p95', unit: '×', value: 4.5678, told: '45 ms', command: 'search.ts --apps 1' }
  assert.equal(keepIn(results, figure, measured), false)
  assert.equal(keepIn(results, { ...figure, floor: 'FTS5' }, measured), true)
  assert.deepEqual(results.Reads, [before, { ...floored, ...measured, values: [4.57], told: '45 ms' }])
})
