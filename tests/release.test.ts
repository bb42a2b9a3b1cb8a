import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A repository with the scripts of a release, and version 7.0.0. */
function openRepository() {
  const folder = openFolder()
  const at = (name: string) => join(folder.path, name)
  mkdirSync(at('scripts'))
  for (const script of ['scripts/release.ts', 'scripts/changelog.ts'])
    copyFileSync(join(root, script), at(script))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(at('package.json'), JSON.stringify({ ...manifest, version: '7.0.0' }))
  writeFileSync(at('.gitignore'), 'dist\nbin\n')
  writeFileSync(at('CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n')
  const identity = { GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@example.com' }
  const env = {
    ...process.env,
    ...identity,
    ...{ GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.com' },
    PATH: `${at('bin')}:${process.env.PATH}`,
  }
  const git = (...words: string[]) =>
    spawnSync('git', words, { cwd: folder.path, env, encoding: 'utf8' }).stdout
  git('init')
  const release = (...words: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/release.ts', ...words], {
      cwd: folder.path,
      env,
      encoding: 'utf8',
    })
    return [status, stderr]
  }
  return { ...folder, at, git, release, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const refused = (...reasons: string[]) => [
  1,
  `7.0.0 cannot be released:\n${reasons.map((one) => `  ${one}\n`).join('')}`,
]

test('a release is made of what is committed, told in the changelog and not released yet', () => {
  using repository = openRepository()
  const { at, git, release } = repository
  const untold = 'nothing is told of it: changes is empty, and so is [Unreleased] of CHANGELOG.md'
  assert.deepEqual(release('--check'), refused('there are changes that are not committed', untold))
  git('add', '.')
  git('commit', '-m', 'one')
  assert.deepEqual(release('--check'), refused(untold))
  writeFileSync(at('CHANGELOG.md'), '# Changelog\n\n## [7.0.0] - 2026-11-26\n')
  git('commit', '-a', '-m', 'two')
  assert.deepEqual(release('--check'), [0, ''])
  writeFileSync(
    at('CHANGELOG.md'),
    '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- One.\n\n## [7.0.0] - 2026-11-26\n',
  )
  git('commit', '-a', '-m', 'three')
  git('tag', 'v7.0.0')
  assert.deepEqual(
    release('--check'),
    refused(
      'the tag v7.0.0 is there already: choose the next version',
      'CHANGELOG.md tells of 7.0.0 already, and more changed since: choose the next version',
    ),
  )
})

test('a release moves what is told in files of its own into the changelog, below what stands there', () => {
  using repository = openRepository()
  const { at, git, release } = repository
  const before = '## [6.0.0] - 2026-01-01\n\n### Added\n\n- Everything.\n'
  writeFileSync(at('CHANGELOG.md'), `# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- One.\n\n${before}`)
  mkdirSync(at('changes'))
  writeFileSync(at('changes/two.md'), 'Fixed: Two,\nin two lines.\n')
  writeFileSync(at('changes/three.md'), 'Added: Three.\n')
  // What npm would do takes minutes, and is tried in another test.
  mkdirSync(at('bin'))
  writeFileSync(at('bin/npm'), '#!/bin/sh\nmkdir -p dist; echo {} | tee dist/rivalscope-7.0.0.tgz\n', {
    mode: 0o755,
  })
  git('add', '.')
  git('commit', '-m', 'one')
  assert.deepEqual(release(), [0, ''])
  assert.equal(
    git('show', 'v7.0.0:CHANGELOG.md').replace(/\d{4}-\d\d-\d\d/, 'DAY'),
    `# Changelog\n\n## [Unreleased]\n\n## [7.0.0] - DAY\n\n### Added\n\n- Three.\n\n### Fixed\n\n- One.\n- Two,\n  in two lines.\n\n${before}`,
  )
  assert.equal(git('ls-tree', '--name-only', 'v7.0.0', 'changes/'), '')
  assert.equal(git('status', '--porcelain'), '')
})

test('a change of another form is refused by name, with what it should be', () => {
  using repository = openRepository()
  mkdirSync(repository.at('changes'))
  for (const [file, content] of [
    ['new.md', 'Mended: Something.\n'],
    ['New one.md', 'Fixed: Something.\n'],
    ['new.md', 'Fixed: Something.\n\nAnd more.\n'],
    ['new.txt', 'Fixed: Something.\n'],
  ] as const) {
    writeFileSync(repository.at(`changes/${file}`), content)
    const [status, stderr] = repository.release('--check')
    assert.equal(status, 1)
    assert.ok(
      String(stderr).startsWith(`7.0.0 cannot be released:\n  changes/${file} is no change: a file such as`),
      file,
    )
    rmSync(repository.at(`changes/${file}`))
  }
})
