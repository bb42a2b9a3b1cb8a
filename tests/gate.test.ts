import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { proofIn, proofNote } from '../scripts/proof.ts'
import { stages } from '../scripts/stages.ts'
import { commandOf, type KindName, type TestKind, testKinds } from '../scripts/test-kinds.ts'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

const now = new Date('2026-11-20T12:00:00Z')
/** A checkout of two commits, in which a proof is written. */
function checkout() {
  const folder = parts.use(openFolder())
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  const commit = (message: string) => {
    git('commit', '--quiet', '--allow-empty', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  git('init', '--quiet')
  const first = commit('first')
  const second = commit('second')
  const told = (text?: string) => {
    if (text !== undefined) folder.write('.ci/proven', text)
    const proof = proofIn(folder.path)
    return { commit: proof.commit, words: proofNote(proof, now) }
  }
  return { git, first, second, told }
}

test('a proof of the last days is what the gate measures changes against, without a word', () => {
  const { first, told } = checkout()
  assert.deepEqual(told(`${first} 2026-11-14T12:00:01Z\n`), { commit: first, words: undefined })
})

test('a proof that is a week old is still used, and said loudly', () => {
  const { first, told } = checkout()
  const { commit, words = '' } = told(`${first} 2026-11-13T12:00:00Z\n`)
  assert.equal(commit, first)
  assert.match(words, /^THE PROOF IS 7 DAYS OLD: everything passed on 2026-11-13 .* npm run test:all/)
})

test('a proof of a commit that is no ancestor is used as well, and said loudly', () => {
  const { git, first, second, told } = checkout()
  git('reset', '--quiet', '--hard', first)
  const { commit, words = '' } = told(`${second} 2026-11-20T00:00:00Z\n`)
  assert.equal(commit, second)
  assert.match(words, /^THE PROOF IS OF ANOTHER HISTORY/)
})

for (const [name, text, reason] of [
  ['no file', undefined, /there is no \.ci\/proven/],
  ['an unknown commit', `${'0'.repeat(40)} 2026-11-20T00:00:00Z`, /has no commit 000000000000.*--unshallow/],
  ['something else', 'yes', /holds no commit and date, but "yes"/],
  ['a commit without a date', `${'0'.repeat(40)} soon`, /holds no commit and date/],
] as const)
  test(`with ${name} nothing is proven, all that takes long is run, and it is said why`, () => {
    const { commit, words = '' } = checkout().told(text)
    assert.equal(commit, undefined)
    assert.match(words, /^NOTHING IS PROVEN: .* All tests that take long are run/)
    assert.match(words, reason)
  })

test('every test file is of a kind, and the stages run every kind', () => {
  const kinds = Object.keys(testKinds) as KindName[]
  const files = globSync('{src,research,sample,web,tests}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  const globs = kinds.flatMap((kind): readonly string[] => (testKinds[kind] satisfies TestKind).files)
  assert.deepEqual(
    files.filter((file) => !globs.some((glob) => matchesGlob(file, glob))),
    [],
  )
  for (const glob of globs)
    assert.ok(
      files.some((file) => matchesGlob(file, glob)),
      glob,
    )
  const commands = stages.flat().map(({ command }) => command.join(' '))
  assert.deepEqual(
    kinds.map(commandOf).filter((command) => !commands.includes(command)),
    [],
  )
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  for (const kind of kinds) assert.ok(scripts[commandOf(kind).replace(/^npm (?:run )?/, '')], kind)
})
