import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const record = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/record.ts'), ...words], { encoding: 'utf8' })

test('a file that stays the same when it is recorded is neither written nor named', () => {
  const file = join(root, 'THIRD-PARTY.md')
  const before = statSync(file).mtimeMs
  const { status, stdout } = record('notices')
  assert.deepEqual([status, stdout], [0, 'notices:\n'])
  assert.equal(statSync(file).mtimeMs, before)
})

test('a part that there is not is refused by name, with all that there are, and nothing is recorded', () => {
  const { status, stdout, stderr } = record('examples', 'picture')
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^There is no part picture\.\nThe parts:\n/)
  const parts = [...stderr.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)
  assert.equal(record('--help').stdout.includes('tests/web/accepted'), true)
  for (const named of ['examples', 'reference', 'coverage']) {
    assert.ok(parts.includes(named), named)
    assert.match(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'), new RegExp(named))
  }
})
