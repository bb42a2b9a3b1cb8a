import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('a release is made of what is committed, told in the changelog and not released yet', () => {
  using folder = openFolder()
  const at = (name: string) => join(folder.path, name)
  mkdirSync(at('scripts'))
  copyFileSync(join(root, 'scripts/release.ts'), at('scripts/release.ts'))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(at('package.json'), JSON.stringify({ ...manifest, version: '7.0.0' }))
  writeFileSync(at('CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n')
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], { cwd: folder.path })
  git('init')
  const check = () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts', '--check'], {
      cwd: folder.path,
      encoding: 'utf8',
    })
    return [status, stderr]
  }
  const refused = (...reasons: string[]) => [
    1,
    `7.0.0 cannot be released:\n${reasons.map((one) => `  ${one}\n`).join('')}`,
  ]
  const untold = 'CHANGELOG.md has no heading "## [7.0.0] - YYYY-MM-DD"'
  assert.deepEqual(check(), refused('there are changes that are not committed', untold))
  git('add', '.')
  git('commit', '-m', 'one')
  assert.deepEqual(check(), refused(untold))
  writeFileSync(at('CHANGELOG.md'), '# Changelog\n\n## [7.0.0] - 2026-11-26\n')
  git('commit', '-a', '-m', 'two')
  assert.deepEqual(check(), [0, ''])
  git('tag', 'v7.0.0')
  assert.deepEqual(check(), refused('the tag v7.0.0 is there already: choose the next version'))
})
