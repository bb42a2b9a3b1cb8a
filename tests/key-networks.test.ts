import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { stopClock } from './support/clock.ts'
import { operate } from './support/operator.ts'
import { WebBrowser } from './support/web-browser.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld({ trustedProxies: ['127.0.0.1'] }))
after(() => parts.disposeAsync())

const create = async (networks: string[]) => {
  const { out } = await operate(world, {
    command: 'keys create',
    options: { name: 'of a network', scopes: ['context:read', 'content:write'], networks },
  })
  return out.trim()
}
const statusFrom = async (key: string, address: string) => {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address }
  return (await world.request({ method: 'GET', url: '/v1/competitors/categories', headers })).status
}

test('a key of some networks is refused elsewhere, whatever the version of the address', async () => {
  const key = await create(['10.1.2.3/8', '2001:db8::/32', '192.0.2.7'])
  for (const [address, status] of [
    ['10.250.0.1', 200],
    ['11.0.0.1', 401],
    ['::ffff:10.0.0.1', 200],
    ['2001:db8:1::5', 200],
    ['2001:db9::5', 401],
    ['192.0.2.7', 200],
    ['192.0.2.8', 401],
  ] as const)
    assert.equal(await statusFrom(key, address), status, address)
})

test('a key without networks works from everywhere, and what is no network is refused by name', async () => {
  assert.equal(await statusFrom(await create([]), '198.51.100.1'), 200)
  for (const wrong of ['10.0.0.0/33', 'home', '10.0.0/8', '::1/129', '10.0.0.0/8/8'])
    await assert.rejects(create([wrong]), /is no network such as/)
})

test('people who sign in with such a key are held to its networks too', async () => {
  const key = await create(['10.0.0.0/8'])
  const outside = new WebBrowser(world, { 'x-forwarded-for': '192.0.2.1' })
  assert.equal((await outside.signIn(key)).status, 401)
  const inside = new WebBrowser(world, { 'x-forwarded-for': '10.0.0.1' })
  assert.equal((await inside.signIn(key)).status, 200)
  const ask = async (browser: WebBrowser) => (await browser.ask('GET', '/v1/competitors/categories')).status
  assert.equal(await ask(inside), 200)
  for (const [name, value] of inside.cookies) outside.cookies.set(name, value)
  assert.equal(await ask(outside), 401)
})

test('a key that is rotated works on until its overlap has ended, and the new one has all it had', async () => {
  using clock = stopClock()
  const old = await create(['10.0.0.0/8'])
  const { db } = world.store
  const [{ keyId } = { keyId: '' }] = (
    await sql<{
      keyId: string
    }>`select key_id as "keyId" from api_keys order by created_at desc, key_id desc limit 1`.execute(db)
  ).rows
  const rotated = await operate(world, { command: 'keys rotate', options: { key: keyId, overlapHours: 2 } })
  assert.match(rotated.notes, /works for 2 more hours at most/)
  const renewed = rotated.out.trim()
  assert.match(renewed, /^rsk_\S{43}$/)
  for (const key of [old, renewed]) {
    assert.equal(await statusFrom(key, '10.0.0.1'), 200)
    assert.equal(await statusFrom(key, '192.0.2.1'), 401)
  }
  const listed = await operate(world, { command: 'keys list', options: {} })
  assert.match(listed.out, new RegExp(`${keyId}  valid .*ends 20.*, in 0 days: rivalscope keys rotate`))
  await sql`update api_keys set expires_at = now() where key_id = ${keyId}`.execute(db)
  clock.pass(1_000)
  assert.equal(await statusFrom(old, '10.0.0.1'), 401)
  assert.equal(await statusFrom(renewed, '10.0.0.1'), 200)
  const again = await operate(world, { command: 'keys rotate', options: { key: keyId, overlapHours: 0 } })
  assert.equal(again.code, 1)
})
