import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** A machine with a Node.js that is too old, and an npm that has neither a network nor a cache. */
const path = ((): string => {
  for (const [name, lines] of [
    ['node', 'echo v22.11.0'],
    ['npm', 'echo npm error code ENOTCACHED >&2\nexit 1'],
  ] as const)
    chmodSync(folder.write(`machine/${name}`, `#!/bin/sh\n${lines}\n`), 0o755)
  return `${join(folder.path, 'machine')}:/usr/bin:/bin`
})()

/** What a checkout has of its own to start with. */
function checkout(name: string): string {
  const at = join(folder.path, name)
  for (const part of ['bin', 'scripts/install-tools', 'scripts/build-missing', 'src/main.ts', '.npmrc'])
    cpSync(join(root, part), join(at, part), { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(root, 'tools/node', file), join(at, 'tools/node', file))
  return at
}

const demo = (at: string) =>
  spawnSync(join(at, 'bin/rivalscope'), ['demo'], {
    cwd: at,
    env: { PATH: path, HOME: folder.path },
    encoding: 'utf8',
  })

test('a checkout in which npm ci was not run says to run it', () => {
  const at = checkout('bare')
  const { status, stderr } = demo(at)
  assert.equal(status, 1)
  assert.equal(stderr, `rivalscope: run 'npm ci' in ${at} first\n`)
})

test('with an older Node and no network it says what is missing, and leaves nothing half installed', () => {
  const at = checkout('offline')
  mkdirSync(join(at, 'node_modules'))
  const { status, stderr } = demo(at)
  assert.equal(status, 1)
  assert.match(stderr, /The packages of tools\/node are not installed: without a network/)
  assert.match(stderr, /rivalscope: there is no Node\.js 24: install it, or start again with a network\n$/)
  assert.deepEqual(readdirSync(join(at, 'tools/node')).sort(), ['package-lock.json', 'package.json'])
})

test('documentation that was never built gets what builds it from npm, and says why where it cannot', () => {
  const at = checkout('undocumented')
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(root, 'site', file), join(at, 'site', file), { recursive: true })
  const { status, stderr } = spawnSync(join(at, 'scripts/build-missing'), ['docs'], {
    env: { PATH: path, HOME: folder.path },
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /^installing the packages of site \(once\)…$/m)
  assert.match(stderr, /The packages of site are not installed: without a network/)
})
