import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { openFolder } from './support/files.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
  using folder = openFolder()
  const results = Array.from({ length: 5 }, (_, at) => ({
    trackId: 100 + at,
    trackName: `Same words ${at}`,
    kind: 'software',
    wrapperType: 'software',
  }))
  const path = folder.write('lookup.json', JSON.stringify({ resultCount: 5, results }))
  await world.import({ kind: 'catalogue', paths: [path], country: 'us', observedAt: '2026-03-01' })
})
after(() => world?.[Symbol.asyncDispose]())

const page = (cursor?: string) =>
  world.call('search_competitors', { q: 'same', limit: 2, ...(cursor ? { cursor } : {}) })

test('a cursor leads on to the next page, until one letter of it is another', async () => {
  const { body } = await page()
  const next = await page(body.nextCursor)
  assert.equal(next.status, 200)
  assert.equal(next.body.items.length, 2)
  for (let at = 0; at < body.nextCursor.length; at += 3) {
    const letters = [...body.nextCursor]
    letters[at] = letters[at] === 'A' ? 'B' : 'A'
    const { status, body: refusal } = await page(letters.join(''))
    assert.deepEqual([status, refusal.code], [400, 'invalid-cursor'], `letter ${at}`)
  }
})

/** What whoever knows this code makes of a place: all but the secret of the store. */
function forged(place: string[], list: unknown[]): string[] {
  const mark = hash('sha256', JSON.stringify([list, place]), 'base64url').slice(0, 12)
  const body = Buffer.from(JSON.stringify([mark, ...place])).toString('base64url')
  return [body, `${'A'.repeat(20)}${body}`, `${hash('sha256', body, 'base64url').slice(0, 20)}${body}`]
}

test('a cursor that somebody made is refused on every list, and is never a fault of the service', async () => {
  const lists = (Object.entries(contract) as [Tool, Operation][]).filter(
    ([, { query }]) => query && 'cursor' in query.shape,
  )
  assert.ok(lists.length >= 8, `${lists.length} lists`)
  const given = {
    platform: 'ios',
    storeId: '100',
    appId: '01890000-0000-7000-8000-000000000000',
    rivalStoreId: '101',
  }
  for (const [tool, { params }] of lists) {
    const needed = Object.fromEntries(Object.entries(given).filter(([name]) => params && name in params.shape))
    for (const place of [
      ['x', '1'],
      ['1e999', '99999999999999999999'],
      ['', ''],
      ['\u0000', '1'],
      ['2026-01-01T00:00:00Z', 'x'],
    ])
      for (const cursor of forged(place, [tool, {}])) {
        const { status, body } = await world.call(tool, { ...needed, cursor })
        assert.deepEqual([status, body.code], [400, 'invalid-cursor'], `${tool} ${place}`)
      }
  }
})

test('an empty cursor is the first page', async () => {
  const { body } = await page()
  const { body: same } = await world.call('search_competitors', { q: 'same', limit: 2, cursor: '' })
  assert.deepEqual(same, body)
})

test('a cursor of one list opens no other', async () => {
  const { body } = await page()
  const { body: refusal } = await world.call('list_aso_apps', { cursor: body.nextCursor })
  assert.equal(refusal.code, 'invalid-cursor')
})

test('a cursor of another installation opens nothing', async () => {
  const { body } = await page()
  await using other = await openWorld()
  await sql`update store_secret set secret = sha256('another')`.execute(other.store.db)
  const { body: refusal } = await other.call('search_competitors', {
    q: 'same',
    limit: 2,
    cursor: body.nextCursor,
  })
  assert.equal(refusal.code, 'invalid-cursor')
})
