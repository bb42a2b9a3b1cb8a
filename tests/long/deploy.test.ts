import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { storeFigures } from '../../src/vocabulary/store-figures.ts'
import { noCertificate, untrustedCertificate } from '../support/certificate.ts'
import { openFolder } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { serveHere } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const lacks = (program: string) =>
  spawnSync('which', [program]).status === 0 ? false : `${program} is not installed here`

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

const noProxy = lacks('nginx') || noCertificate

test("what docs/behind-a-proxy.md says for nginx works with Debian's", {
  skip: noProxy,
  timeout: 120_000,
}, async () => {
  const installation = parts.use(await openInstallation())
  const folder = parts.use(openFolder())
  const secure = await freePort()
  const address = `https://localhost:${secure}`
  await using service = await serveHere(installation.location, {
    env: { RIVALSCOPE_PUBLIC_URL: address, RIVALSCOPE_TRUST_PROXY: 'loopback' },
  })
  const { key, cert } = untrustedCertificate()
  const [, block = ''] =
    /```nginx\n(.*?)```/s.exec(readFileSync(join(root, 'docs/behind-a-proxy.md'), 'utf8')) ?? []
  const server = block
    .replace('listen 443 ssl', `listen 127.0.0.1:${secure} ssl`)
    .replace('server_name rivalscope.example.com', 'server_name localhost')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${folder.write('cert.pem', cert)};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder.write('key.pem', key)};`)
    .replaceAll('http://127.0.0.1:8787', service.address)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder.path}/${name};`,
  )
  const file = folder.write(
    'nginx.conf',
    `daemon off; pid ${folder.path}/pid; error_log stderr; user ${process.getuid?.() === 0 ? 'root' : 'nobody'}; events {}
     http { access_log off; ${temporary.join(' ')} ${server} }`,
  )
  const nginx = spawn('nginx', ['-c', file, '-p', folder.path, '-e', 'stderr'], { stdio: 'ignore' })
  const closed = once(nginx, 'close')
  parts.defer(async () => {
    nginx.kill()
    await closed
  })
  const agent = new Agent({ ca: cert, checkServerIdentity: () => undefined })
  const ask = async (
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const { method = 'GET', headers = {}, body } = options
    const sent = request(`${address}${path}`, { agent, method, headers })
    sent.end(body)
    const [reply] = await once(sent, 'response')
    let text = ''
    for await (const chunk of reply) text += chunk
    return { status: reply.statusCode as number, headers: reply.headers, text }
  }
  await until(
    async () => (await ask('/healthz').catch(() => undefined))?.status,
    (status) => status === 200,
  )
  await using store = await installation.open()
  const scopes = ['context:read', 'content:write']
  const own = await createKey(store.db, { name: 'here', scopes, networks: ['127.0.0.1/32'] })
  const other = await createKey(store.db, { name: 'elsewhere', scopes, networks: ['10.0.0.0/8'] })
  const asking = (bearer: string) => ({
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'x-forwarded-for': '10.0.0.1',
    },
  })
  assert.equal((await ask('/v1/competitors/categories', asking(own))).status, 200)
  assert.equal(
    (await ask('/v1/competitors/categories', asking(other))).status,
    401,
    'callers do not say who they are',
  )
  const large = await ask('/v1/aso/apps', { ...asking(own), method: 'POST', body: 'x'.repeat(1_500_000) })
  assert.deepEqual(
    [large.status, JSON.parse(large.text).code],
    [413, 'body-too-large'],
    'in words of the service',
  )
  const signedIn = await ask('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rivalscope-page': '1', origin: address },
    body: JSON.stringify({ key: own }),
  })
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.match(String(signedIn.headers['set-cookie']), /^__Host-.*; Secure/)
  assert.equal((await ask('/metrics')).status, 403)
  const listed = await ask('/mcp', {
    method: 'POST',
    headers: { ...asking(own).headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  assert.match(listed.text, /get_competitor/)
})
