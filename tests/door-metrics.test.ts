import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { run, serveHere } from './support/in-process.ts'
import { openInstallation } from './support/installation.ts'

const folder = openFolder()
const parts = new AsyncDisposableStack()
parts.use(folder)
after(() => parts.disposeAsync())
const installation = parts.use(await openInstallation())

const status = async (url: string, key?: string) => {
  const headers: Record<string, string> = {
    connection: 'close',
    ...(key ? { authorization: `Bearer ${key}` } : {}),
  }
  const reply = await fetch(url, { headers })
  return [reply.status, reply.headers.get('www-authenticate'), await reply.text()] as const
}

test('the metrics answer at an address of their own, to whoever has the key, and not where the service answers', async () => {
  const env = { RIVALSCOPE_METRICS_PORT: '0', RIVALSCOPE_METRICS_KEY: 'for-the-watchers' }
  await using service = await serveHere(installation.location, { env })
  const [, metrics = ''] = /^metrics (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(service.said.err) ?? []
  assert.equal((await status(`${service.address}/metrics`, 'for-the-watchers'))[0], 404)
  for (const wrong of [undefined, 'for-the-watcher', 'for-the-watchers-', 'x'.repeat(5_000)]) {
    const [code, challenge, body] = await status(metrics, wrong)
    assert.deepEqual(
      [code, challenge, JSON.parse(body).code],
      [401, 'Bearer realm="rivalscope"', 'unauthenticated'],
    )
  }
  await status(`${service.address}/healthz`)
  const [code, , text] = await status(metrics, 'for-the-watchers')
  assert.equal(code, 200)
  assert.match(text, /^rivalscope_request_duration_seconds_count\{tool="none",status="200"\} 1$/m)
  assert.equal((await status(metrics.replace('/metrics', '/healthz'), 'for-the-watchers'))[0], 404)
  assert.doesNotMatch(service.said.err, /warning:|for-the-watchers/)
})

test('a key guards the metrics where the service answers too', async () => {
  await using service = await serveHere(installation.location, { env: { RIVALSCOPE_METRICS_KEY: 'k' } })
  assert.equal((await status(`${service.address}/metrics`))[0], 401)
  assert.equal((await status(`${service.address}/metrics`, 'k'))[0], 200)
})

test('who listens on all addresses is told what to do about it, as far as it is not done', async () => {
  for (const host of ['0.0.0.0', '::']) {
    await using open = await serveHere(installation.location, { env: { RIVALSCOPE_HOST: host } })
    assert.match(open.said.err, /warning: .* proxy that speaks TLS .*--public-url/)
    assert.match(open.said.err, /warning: .*\/metrics.*--metrics-port.*RIVALSCOPE_METRICS_KEY/)
  }
  const done = { RIVALSCOPE_METRICS_KEY: 'k', RIVALSCOPE_PUBLIC_URL: 'https://rivalscope.example.com' }
  await using service = await serveHere(installation.location, { env: { RIVALSCOPE_HOST: '0.0.0.0', ...done } })
  assert.match(service.said.err, /proxy that speaks TLS/)
  assert.doesNotMatch(service.said.err, /--public-url|\/metrics/)
})

test('a host for the metrics without a port, and a key that no header can hold, are refused', async () => {
  const here = ['serve', '--data-dir', join(folder.path, 'none')]
  const alone = await run([...here, '--metrics-host', '127.0.0.1'])
  assert.deepEqual([alone.code, alone.err], [2, 'error: --metrics-host goes with --metrics-port\n'])
  const unsendable = await run(here, { env: { RIVALSCOPE_METRICS_KEY: 'ends in a\nline' } })
  assert.deepEqual(
    [unsendable.code, unsendable.err],
    [2, 'error: --metrics-key must be 1 to 1,000 visible ASCII characters\n'],
  )
})
