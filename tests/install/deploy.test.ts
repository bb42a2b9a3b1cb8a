import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { pagesOfSite } from '../../site/pages.ts'
import { storeFigures } from '../../src/vocabulary/store-figures.ts'
import { openFolder } from '../support/files.ts'
import { lacks } from '../support/lacks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the units of systemd are understood, and leave next to no rights', {
  skip: lacks('systemd-analyze'),
}, () => {
  const folder = join(root, 'deploy/systemd')
  const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name))
  assert.equal(units.length, 4)
  for (const unit of units) {
    const verified = spawnSync('systemd-analyze', ['verify', join(folder, unit)], { encoding: 'utf8' })
    assert.equal(verified.status, 0, `${unit}: ${verified.stderr}`)
    if (unit.endsWith('.timer')) continue
    const told = spawnSync('systemd-analyze', ['security', '--offline=true', join(folder, unit)], {
      encoding: 'utf8',
    })
    const [, exposure = 'none'] = /Overall exposure level for \S+: (\d+\.\d+)/.exec(told.stdout) ?? []
    assert.ok(Number(exposure) < 3, `${unit}: ${exposure}`)
  }
})

test('the alert rules hold what their tests say, and watch what is told', { skip: lacks('promtool') }, () => {
  const folder = join(root, 'deploy/monitoring')
  const { status, stdout, stderr } = spawnSync(
    'promtool',
    ['test', 'rules', join(folder, 'alerts.test.yaml')],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stdout + stderr)
})

test('alerts and the dashboard name metrics that exist', () => {
  const told = new Set([
    ...Object.keys(storeFigures),
    'rivalscope_store_up',
    'rivalscope_reads_total',
    'rivalscope_replica_connected',
    'rivalscope_request_duration_seconds_count',
    'rivalscope_request_duration_seconds_bucket',
  ])
  for (const file of ['alerts.yaml', 'grafana-dashboard.json']) {
    const text = readFileSync(join(root, 'deploy/monitoring', file), 'utf8')
    const named = new Set(text.match(/\brivalscope_[a-z_]+/g))
    assert.ok(named.size > 5)
    assert.deepEqual(
      [...named].filter((name) => !told.has(name)),
      [],
      file,
    )
  }
})

/** Runs lines of a shell on a machine of their own, as far as `/etc` and `/var/lib` are concerned. */
const onMachine = (script: string) => {
  using folder = openFolder()
  const over = (path: string, name: string) =>
    `mkdir ${name} ${name}-work && mount -t overlay overlay -o lowerdir=${path},upperdir=$PWD/${name},workdir=$PWD/${name}-work ${path}`
  const whole = [
    `cd '${folder.path}' && mount -t tmpfs tmpfs . && cd "$PWD" && chmod 755 .`,
    over('/etc', 'etc'),
    over('/var/lib', 'lib'),
    'mkdir elsewhere /etc/rivalscope /var/lib/rivalscope && cd elsewhere',
    script,
  ].join('\n')
  return spawnSync('unshare', ['-m', 'sh', '-ec', whole], { encoding: 'utf8' })
}

test('a command that names no store finds that of the units, and with another says that it made one', {
  skip: onMachine('true').status !== 0 && 'no file systems over others here',
}, () => {
  const program = join(root, 'bin/rivalscope')
  const create = (name: string, ...more: string[]) =>
    [program, 'keys', 'create', '--name', name, '--scopes', 'context:read', ...more].join(' ')
  const { stdout, stderr } = onMachine(`
    cp '${root}/deploy/systemd/rivalscope.env.example' /etc/rivalscope/rivalscope.env
    ${create('agent')}
    ls -A
    ls /var/lib/rivalscope
    ${create('other', '--data-dir', './own')}
    ls -A
    ${create('again', '--data-dir', './own')}`)
  assert.match(
    stdout,
    /^rsk_\S+\n(?:lock\n)?(?:media\n)?postgresql\n(?:postgresql\.log\n)?rsk_\S+\nown\nrsk_\S+\n$/,
  )
  const made = stderr.match(/^Made a new store in \S+/gm) ?? []
  assert.equal(made.length, 2, stderr)
  assert.match(made[0] ?? '', /^Made a new store in \/var\/lib\/rivalscope,$/)
  assert.match(made[1] ?? '', /\/elsewhere\/own,$/)
})

test('the manifests and the compose file run one image with the commands and variables that exist, as nobody in particular', () => {
  const help = (command: string) =>
    spawnSync(join(root, 'bin/rivalscope'), [command, '--help'], { encoding: 'utf8' }).stdout
  const known = new Set((help('serve') + help('work')).match(/\bRIVALSCOPE_[A-Z_]+/g))
  for (const file of [
    'kubernetes/rivalscope.yaml',
    'container/compose.yaml',
    'systemd/rivalscope.env.example',
  ]) {
    const text = readFileSync(join(root, 'deploy', file), 'utf8')
    const named = [...new Set(text.match(/\bRIVALSCOPE_[A-Z_]+/g))].filter((name) => !known.has(name))
    assert.deepEqual(named, [], file)
    if (file.endsWith('.yaml'))
      for (const document of parseAllDocuments(text, { merge: true })) assert.deepEqual(document.errors, [])
  }
  const manifests = readFileSync(join(root, 'deploy/kubernetes/rivalscope.yaml'), 'utf8')
  assert.equal(manifests.match(/kind: Deployment/g)?.length, manifests.match(/runAsNonRoot: true/g)?.length)
  assert.match(readFileSync(join(root, 'deploy/container/Containerfile'), 'utf8'), /^USER rivalscope$/m)
})

test('images of others are named by their digest, which Renovate renews, and what npm installs in ours runs no script', () => {
  const files = [
    ...globSync('deploy/{container,kubernetes}/*', { cwd: root }),
    ...globSync('.github/workflows/*', { cwd: root }),
  ]
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  const named = texts.flatMap(([file, text]) =>
    [...text.matchAll(/^ *(?:image:|FROM|ARG BASE=) *(\S+)/gm)].map(([, image = '']) => ({ file, image })),
  )
  const others = named.filter(({ image }) => !/^(?:rivalscope\b|\$\{BASE\}$)/.test(image))
  assert.ok(others.length >= 4)
  for (const { file, image } of others) assert.match(image, /:[\w.-]+@sha256:[0-9a-f]{64}$/, file)
  const { extends: presets } = JSON.parse(readFileSync(join(root, 'renovate.json'), 'utf8'))
  assert.ok(presets.includes('docker:pinDigests'))
  const installs = texts.flatMap(([, text]) => text.match(/^.*\bnpm (?:ci|install)\b.*$/gm) ?? [])
  assert.ok(installs.length >= 2)
  for (const install of installs) assert.match(install, /--ignore-scripts/)
})

test('the image is built of everything that the documentation in its package is made of', () => {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  // The last pattern that names a file or a folder above it counts.
  const isLeftOut = (file: string) => {
    const last = patterns.findLast((pattern) => {
      const glob = pattern.replace(/^!/, '')
      return matchesGlob(file, glob) || matchesGlob(file, `${glob}/**`)
    })
    return last !== undefined && !last.startsWith('!')
  }
  assert.ok(isLeftOut('tests/install/deploy.test.ts'))
  const files = pagesOfSite(root).map(({ file }) => file)
  const pictures = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/!\[[^\]]*\]\(([^):]+)\)/g)].map(([, path = '']) =>
      join(dirname(file), path),
    ),
  )
  assert.ok(pictures.includes('bench/growth.svg'))
  assert.deepEqual([...files, ...pictures].filter(isLeftOut), [])
})
