import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { KeywordFilterShown } from '../src/api/keyword-filters.ts'
import { openWorld, type Reply, type World } from './support/world.ts'

/** Filters of keywords that accounts keep, as the pages ask for them. Each test has accounts of its own. */

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world?.[Symbol.asyncDispose]())

interface Body {
  items?: KeywordFilterShown[]
  code?: string
  errors?: { pointer: string }[]
}

/** Asks as somebody of an account. */
async function person(account: string, scopes?: string[]) {
  const authorization = `Bearer ${await world.key(scopes, account)}`
  return (method: InjectOptions['method'], payload?: object, query = ''): Promise<Reply<Body>> =>
    world.request<Body>({
      ...{ method, url: `/keyword-filters${query}`, headers: { authorization } },
      ...(payload ? { payload } : {}),
    } as InjectOptions)
}

const kept = ({ body: { items = [] } }: Reply<Body>) => items.map(({ name, query }) => [name, query])

test('a filter is kept by its name, replaced under it and given up, by its account alone', async () => {
  const [ask, other] = [await person('filters'), await person('other filters')]
  assert.equal((await ask('PUT', { name: 'Worth a try', query: 'rankFrom=11&rankTo=50' })).status, 204)
  assert.equal((await ask('PUT', { name: ' brands ', query: 'tags=%5B%22brand%22%5D' })).status, 204)
  assert.deepEqual(kept(await ask('GET')), [
    ['brands', 'tags=%5B%22brand%22%5D'],
    ['Worth a try', 'rankFrom=11&rankTo=50'],
  ])
  assert.equal((await ask('PUT', { name: 'Worth a try', query: 'rankFrom=4' })).status, 204)
  assert.deepEqual(kept(await other('GET')), [])
  assert.equal((await other('DELETE', undefined, '?name=brands')).status, 204)
  assert.equal((await ask('DELETE', undefined, '?name=Worth%20a%20try')).status, 204)
  assert.equal((await ask('DELETE', undefined, '?name=Worth%20a%20try')).status, 204)
  const left = await ask('GET')
  assert.deepEqual(
    [left.headers['cache-control'], kept(left)],
    ['no-store', [['brands', 'tags=%5B%22brand%22%5D']]],
  )
})

test('what is no filter is refused by its name, and a reader keeps none', async () => {
  const [ask, reader] = [await person('refused'), await person('refused', ['context:read'])]
  const wrong: [body: object, at: string][] = [
    [{ name: ' ', query: 'q=a' }, '/body/name'],
    [{ name: 'x'.repeat(51), query: 'q=a' }, '/body/name'],
    [{ name: 'a\u0000', query: 'q=a' }, '/body/name'],
    [{ name: 'a', query: '' }, '/body/query'],
    [{ name: 'a', query: 'x'.repeat(2_001) }, '/body/query'],
    [{ name: 'a', query: 'q=a', country: 'us' }, '/body/country'],
  ]
  for (const [body, at] of wrong) {
    const { status, body: refused } = await ask('PUT', body)
    assert.deepEqual([status, ...(refused.errors ?? []).map(({ pointer }) => pointer)], [400, at])
  }
  for (const query of ['', '?name=a%00', '?name=a&name=b', `?name=${'x'.repeat(51)}`])
    assert.equal((await ask('DELETE', undefined, query)).status, 400, query)
  assert.equal((await reader('PUT', { name: 'a', query: 'q=a' })).body.code, 'scope-missing')
  assert.equal((await reader('DELETE', undefined, '?name=a')).body.code, 'scope-missing')
  assert.deepEqual(kept(await reader('GET')), [])
  assert.equal((await world.request({ method: 'GET', url: '/keyword-filters' })).status, 401)
  assert.equal((await ask('POST', {})).status, 405)
})

test('an account keeps a hundred filters, and one that it has can still be changed', async () => {
  const ask = await person('full')
  const names = Array.from({ length: 100 }, (_, index) => `Filter ${index}`)
  for (const name of names) await ask('PUT', { name, query: 'q=a' })
  const { status, body } = await ask('PUT', { name: 'One more', query: 'q=a' })
  assert.deepEqual([status, body.code], [400, 'invalid-request'])
  assert.equal((await ask('PUT', { name: 'Filter 7', query: 'q=b' })).status, 204)
  assert.equal((await ask('GET')).body.items?.length, 100)
})
