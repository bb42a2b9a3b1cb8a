import assert from 'node:assert/strict'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stopClock } from './support/clock.ts'
import { openFolder } from './support/files.ts'
import { run, serveHere } from './support/in-process.ts'
import { openInstallation } from './support/installation.ts'

const folder = openFolder()
const parts = new AsyncDisposableStack()
parts.use(folder)
after(() => parts.disposeAsync())
const installation = parts.use(await openInstallation())

/** Over a connection of its own, with exactly these header fields: `fetch` lets nobody set `Host`. */
const ask = (url: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(url, { method, headers: { connection: 'close', ...headers } }, async (reply) => {
      let text = ''
      for await (const part of reply) text += part
      resolve({ status: reply.statusCode ?? 0, text })
    })
    asked.on('error', reject).end(method === 'POST' ? '{}' : undefined)
  })

const mostFailures = 120

/** How a wrong key fares as often as an address may show one, and once more. */
async function lastOfTooMany(address: string, forwardedFor: (time: number) => string): Promise<number> {
  let status = 0
  for (let time = 0; time <= mostFailures; time++) {
    const headers = {
      authorization: `Bearer rsk_${'x'.repeat(40)}${time}`,
      'x-forwarded-for': forwardedFor(time),
    }
    status = (await ask(`${address}/v1/charts`, headers)).status
  }
  return status
}

const metadata = async (address: string, headers: Record<string, string>) => {
  const { status, text } = await ask(`${address}/.well-known/oauth-protected-resource`, headers)
  assert.equal(status, 200)
  return (JSON.parse(text) as { resource: string }).resource
}

const throughProxy = { 'x-forwarded-host': 'apps.example.com', 'x-forwarded-proto': 'https' }

for (const [who, env] of [
  ['nobody is trusted', {}],
  ['another machine is trusted', { RIVALSCOPE_TRUST_PROXY: '192.0.2.1, fd00::/8' }],
] as [string, Record<string, string>][]) {
  test(`where ${who}, what a caller says was forwarded changes nothing`, async () => {
    await using service = await serveHere(installation.location, { env })
    using _clock = stopClock()
    assert.equal(await metadata(service.address, throughProxy), service.address)
    const { status, text } = await ask(
      `${service.address}/mcp`,
      { host: 'rebound.example', 'x-forwarded-host': 'localhost', 'content-type': 'application/json' },
      'POST',
    )
    assert.deepEqual([status, JSON.parse(text).code], [403, 'origin-refused'])
    assert.equal(await lastOfTooMany(service.address, (time) => `198.51.100.${time}`), 429)
  })
}

test('where a proxy is trusted, what it forwards says who asks, by what name, and how', async () => {
  const env = { RIVALSCOPE_TRUST_PROXY: 'loopback' }
  await using service = await serveHere(installation.location, { env })
  using _clock = stopClock()
  const { address } = service
  assert.equal(await metadata(address, throughProxy), 'https://apps.example.com')
  assert.equal(await metadata(address, {}), address, 'who comes without a proxy is answered as without one')

  // The last address is the one the proxy saw; those before it are what the caller says.
  assert.equal(await lastOfTooMany(address, (time) => `203.0.113.${time}, 198.51.100.1`), 429)
  assert.equal(await lastOfTooMany(address, () => '198.51.100.2'), 429)
  const wrong = { authorization: `Bearer rsk_${'y'.repeat(43)}` }
  const from = async (forwardedFor: string) =>
    (await ask(`${address}/v1/charts`, { ...wrong, 'x-forwarded-for': forwardedFor })).status
  assert.equal(await from('198.51.100.3'), 401)
  assert.equal(await from('198.51.100.2'), 429)
  assert.equal(await lastOfTooMany(address, (time) => `no address ${time}`), 429, 'is the proxy itself')
})

test('a trusted proxy that hands on what is no host and no protocol is not quoted', async () => {
  await using service = await serveHere(installation.location, {
    env: { RIVALSCOPE_TRUST_PROXY: '127.0.0.1,::1' },
  })
  for (const [host, proto, reported] of [
    ['evil"<script>', 'javascript', 'http://localhost'],
    ['one.example, two.example', 'http, https', 'https://two.example'],
  ])
    assert.equal(
      await metadata(service.address, { 'x-forwarded-host': host ?? '', 'x-forwarded-proto': proto ?? '' }),
      reported,
    )
})

test('agents reach a service of this machine by its public name through a proxy that asks by a name of its own', async () => {
  await using service = await serveHere(installation.location, {
    env: { RIVALSCOPE_TRUST_PROXY: 'loopback', RIVALSCOPE_PUBLIC_URL: 'https://apps.example.com' },
  })
  const post = (headers: Record<string, string>) =>
    ask(`${service.address}/mcp`, { host: 'upstream', 'content-type': 'application/json', ...headers }, 'POST')
  assert.equal((await post(throughProxy)).status, 401, 'asked for a credential, which comes after')
  assert.equal((await post({ 'x-forwarded-host': 'rebound.example' })).status, 403)
  assert.equal((await post({})).status, 403)
  assert.equal((await post({ ...throughProxy, origin: 'https://rebound.example' })).status, 403)
})

test('what names no proxy, or everybody, is wrong usage', async () => {
  for (const [value, reason] of [
    ['true', /everybody/],
    ['*', /everybody/],
    ['1', /a number of proxies does not say who they are/],
    ['proxy.example', /no address/],
    ['127.1', /no address/],
    ['::ffff:0:0/96', /no address/],
    ['10.0.0.0/255.0.0.0', /no address/],
    ['10.0.0.0/33', /32 bits/],
    ['0.0.0.0/0', /more of the internet/],
    ['::/0', /more of the internet/],
    ['loopback,0.0.0.0/1', /more of the internet/],
  ] as const) {
    const here = ['serve', '--data-dir', join(folder.path, 'none')]
    for (const ended of [
      await run([...here, '--trust-proxy', value]),
      await run(here, { env: { RIVALSCOPE_TRUST_PROXY: value } }),
    ]) {
      assert.equal(ended.code, 2, value)
      assert.match(ended.err, reason)
      assert.match(ended.err, /trust-proxy/)
    }
  }
})
