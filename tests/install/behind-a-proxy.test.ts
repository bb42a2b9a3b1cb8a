import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { noCertificate } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { serveHere } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { lacks } from '../support/lacks.ts'
import { openCaddy, openNginx } from '../support/proxies.ts'
import { openScriptedServer } from '../support/scripted-server.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

const proxies = [
  { name: 'nginx', open: openNginx, skip: lacks('nginx') || noCertificate },
  { name: 'Caddy', open: openCaddy, skip: lacks('caddy') },
]

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends requests to a port by TLS; an answer that stays away, or out in the middle, is given up. */
const asker =
  (port: number, agent: Agent) =>
  async (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<IncomingMessage> => {
    const signal = new AbortController().signal
    const sent = request(`https://localhost:${port}${path}`, { agent, method, headers, signal })
    sent.end(body)
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    return reply
  }

for (const { name, open, skip } of proxies) {
  test(`what docs/behind-a-proxy.md says for ${name} works with Debian's`, {
    skip,
  }, async () => {
    const installation = parts.use(await openInstallation())
    const port = await freePort()
    const address = `https://localhost:${port}`
    await using service = await serveHere(installation.location, {
      env: { RIVALSCOPE_PUBLIC_URL: address, RIVALSCOPE_TRUST_PROXY: 'loopback' },
    })
    await using proxy = await open(port, service.address)
    const send = asker(port, proxy.agent)
    const ask = async (path: string, sent?: Sent) => {
      const reply = await send(path, sent)
      return { status: reply.statusCode, headers: reply.headers, text: await text(reply) }
    }
    assert.equal((await ask('/healthz')).status, 200)
    await using store = await installation.open()
    const scopes = ['context:read', 'content:write']
    const own = await createKey(store.db, { name: 'here', scopes, networks: ['127.0.0.1/32'] })
    const other = await createKey(store.db, { name: 'elsewhere', scopes, networks: ['10.0.0.0/8'] })
    const asking = (bearer: string) => ({
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'x-forwarded-for': '10.0.0.1',
        'x-forwarded-host': 'elsewhere.example.com',
        'x-forwarded-proto': 'http',
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

  test(`${name}, as docs/behind-a-proxy.md has it, hands on each event of /mcp when it comes`, {
    skip,
  }, async () => {
    await using server = await openScriptedServer()
    const goesOn = Promise.withResolvers<void>()
    server.plays((reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
      void goesOn.promise.then(() => reply.end('data: last\n\n'))
    })
    const port = await freePort()
    await using proxy = await open(port, new URL(server.address).origin)
    const send = asker(port, proxy.agent)
    const reply = await send('/mcp', { method: 'POST', body: '{}' })
    assert.equal(reply.statusCode, 200)
    const events = reply[Symbol.asyncIterator]()
    assert.equal(String((await events.next()).value), 'data: first\n\n')
    goesOn.resolve()
    assert.equal(String((await events.next()).value), 'data: last\n\n')
    assert.equal((await events.next()).done, true)
  })
}
