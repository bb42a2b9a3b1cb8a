import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Credentials } from '../src/api/credentials.ts'
import { stopClock } from './support/clock.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { db } = world.store

/** A store of which every question is counted. */
function counted() {
  let asked = 0
  const counting = db.withPlugin({
    transformQuery({ node }) {
      asked++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { counting, asked: () => asked }
}

const isRefused = (credentials: Credentials, token: string, code: string) =>
  assert.rejects(credentials.callerOf(`Bearer ${token}`, '10.0.0.9'), { code }, token)

test('what cannot be a key is refused without a look into the store, and an unknown key costs one', async () => {
  const { counting, asked } = counted()
  await using credentials = new Credentials(counting, undefined)
  for (const token of [
    'rsk_',
    'rsk_short',
    `rsk_${'A'.repeat(44)}`,
    `rsk_${'A'.repeat(15_000)}`,
    `rsk_${'A'.repeat(42)}~`,
  ])
    await isRefused(credentials, token, 'unauthenticated')
  assert.equal(asked(), 0)
  const unknown = `rsk_${'A'.repeat(43)}`
  for (let time = 0; time < 10; time++) await isRefused(credentials, unknown, 'unauthenticated')
  assert.equal(asked(), 1)
})

test('an address that shows one wrong key after another has to wait, others and keys in use do not', async () => {
  using _clock = stopClock()
  const key = await world.key()
  const ask = (token: string, remoteAddress: string) =>
    world.request({
      url: '/v1/competitors/categories',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    })
  assert.equal((await ask(key, '192.0.2.7')).status, 200)
  const guess = () => `rsk_${randomBytes(32).toString('base64url')}`
  const statuses = new Map<number, number>()
  for (let time = 0; time < 200; time++) {
    const { status } = await ask(guess(), '192.0.2.7')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual(
    [...statuses],
    [
      [401, 120],
      [429, 80],
    ],
  )
  const { headers, body } = await ask(guess(), '192.0.2.7')
  assert.equal(body.code, 'rate-limited')
  assert.equal(headers['retry-after'], '60')
  assert.equal((await ask(key, '192.0.2.7')).status, 200)
  assert.equal((await ask(guess(), '192.0.2.8')).status, 401)
})

test('a provider of tokens that fails, or answers without end, is asked once a minute', async () => {
  for (const trouble of ['fails', 'never ends', 'holds no keys'] as const) {
    let asked = 0
    const server = createServer((_request, response) => {
      asked++
      if (trouble === 'fails') return response.writeHead(500).end()
      if (trouble === 'holds no keys') return response.end('{}')
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
      return response
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      await using credentials = new Credentials(db, {
        issuer,
        audience: 'any',
        accountClaim: 'sub',
        jwksUrl: `${issuer}/keys`,
      })
      const token = `${Buffer.from('{"alg":"RS256","kid":"one"}').toString('base64url')}.e30.AA`
      for (let time = 0; time < 5; time++) await isRefused(credentials, token, 'unavailable')
      assert.equal(asked, 1, trouble)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
})
