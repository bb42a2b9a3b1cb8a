import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chartFeed } from './support/chart-feed.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { connectMcp } from './support/mcp.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

async function capture(country: string, captures: Record<string, readonly number[]>) {
  const paths = Object.entries(captures).map(([updated, ids], index) =>
    folder.write(`${country}-${index}.json`, chartFeed(country, updated, ids)),
  )
  const { rejected } = await importInto(world, { kind: 'charts', paths })
  assert.equal(rejected, 0)
}

await capture('us', {
  '2026-01-10T12:00:00Z': [1, 2, 3, 4],
  '2026-02-01T09:00:00Z': [2, 1, 5, 3, 6],
  '2026-02-01T18:00:00Z': [2, 5, 1, 3, 6],
  '2026-03-01T12:00:00Z': [5, 1, 7, 4, 3],
  '2026-03-02T12:00:00Z': [7, 5, 1, 8, 4, 9],
})

const chart = (more: Record<string, unknown> = {}) => world.call('get_apple_charts', { country: 'us', ...more })
type Reply = Awaited<ReturnType<typeof chart>>['body']
const moves = ({ items }: Reply) =>
  items.map(({ app, rank, change, entry }: Reply['items'][number]) =>
    [app.storeId, rank, change, entry].join(' '),
  )

test('a chart is compared with the last capture at or before a day, and says who left', async () => {
  const { body } = await chart({ comparedWith: '2026-02-15' })
  assert.equal(body.previousCapturedAt, '2026-02-01T18:00:00.000Z')
  assert.equal(body.previousEvidence.observedAt, '2026-02-01T18:00:00.000Z')
  assert.equal(body.evidence.observedAt, '2026-03-02T12:00:00.000Z')
  // App 4 was in the chart of January; 7 came in between, and is new since February.
  assert.deepEqual(moves(body), [
    '7 1  new',
    '5 2 0 same',
    '1 3 0 same',
    '8 4  new',
    '4 5  returning',
    '9 6  new',
  ])
  assert.deepEqual(
    body.left.value.map(({ app, previousRank }: { app: { name: string }; previousRank: number }) => [
      app.name,
      previousRank,
    ]),
    [
      ['App 2', 1],
      ['App 3', 4],
      ['App 6', 5],
    ],
  )
  assert.equal((await chart()).body.left, undefined, 'without a comparison nobody is said to have left')
})

test('a time takes the capture before it, also of the same day', async () => {
  const { body } = await chart({ comparedWith: '2026-02-01T12:00:00Z' })
  assert.equal(body.previousCapturedAt, '2026-02-01T09:00:00.000Z')
  assert.deepEqual(moves(body).slice(1, 3), ['5 2 1 up', '1 3 -1 down'])
  const within = await chart({ date: '2026-02-01', comparedWith: '2026-02-01T12:00Z' })
  assert.deepEqual(moves(within.body), ['2 1 0 same', '5 2 1 up', '1 3 -1 down', '3 4 0 same', '6 5 0 same'])
})

test('so many days before are counted from the date of the snapshot shown, also of an old one', async () => {
  const { body } = await chart({ comparedWith: '15d', sort: 'gain' })
  const { body: same } = await chart({ comparedWith: '2026-02-15', sort: 'gain' })
  assert.deepEqual(body, same)
  const { body: old } = await chart({ date: '2026-02-01', comparedWith: '7d' })
  assert.equal(old.previousCapturedAt, '2026-01-10T12:00:00.000Z')
  assert.equal((await chart({ comparedWith: '9999d' })).body.previousCapturedAt, null)
})

test('who gained most comes first, new ones by what they climbed at least, unknown ones last', async () => {
  const { body } = await chart({ comparedWith: '2026-02-01', sort: 'gain' })
  // Five places were seen: who was not among them climbed at least from the sixth, and nothing is known of the ninth app.
  assert.deepEqual(moves(body), [
    '7 1  new',
    '8 4  new',
    '4 5  returning',
    '5 2 0 same',
    '1 3 0 same',
    '9 6  new',
  ])
  const { body: few } = await chart({ date: '2026-03-01', comparedWith: '2026-01-10', sort: 'gain', limit: 2 })
  assert.deepEqual(moves(few), ['5 1  new', '7 3  new'])
  assert.equal(few.left.value.length, 1, 'who left does not follow the limit')
  assert.equal((await chart({ sort: 'gain', limit: 1 })).body.previousCapturedAt, '2026-03-01T12:00:00.000Z')
})

test('without a capture that old nothing is compared, and nobody is new or gone', async () => {
  const { body } = await chart({ comparedWith: '2026-01-09', sort: 'gain', limit: 2 })
  assert.deepEqual([body.previousCapturedAt, body.previousEvidence], [null, null])
  assert.equal(body.oldestCapturedAt, '2026-01-10T12:00:00.000Z')
  assert.equal((await chart({ comparedWith: '2026-01-10' })).body.oldestCapturedAt, undefined)
  assert.deepEqual(body.left, { state: 'not-measured', reason: 'no-snapshot' })
  assert.deepEqual(moves(body), ['7 1  unknown', '5 2  unknown'])
  assert.deepEqual(body.items[0].previousRank, { state: 'not-measured', reason: 'no-snapshot' })
})

test('a comparison with the snapshot itself or a later time is refused by name, and so is no day', async () => {
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ comparedWith: '2026-03-02' }, /before the snapshot shown, which is of 2026-03-02 \(2026-03-02T12:00:00/],
    [{ comparedWith: '2026-03-02T12:00:00Z' }, /before the snapshot shown/],
    [{ date: '2026-02-01', comparedWith: '2026-02-20' }, /before the snapshot shown, which is of 2026-02-01/],
    [{ comparedWith: '2026-02-30' }, /must be a day from 1900 to 2099, such as/],
    [{ comparedWith: '30 days ago' }, /must be a day from 1900 to 2099, .* or days before, such as 30d/],
    [{ comparedWith: '0d' }, /such as 30d/],
    [{ comparedWith: '30000d' }, /such as 30d/],
    [{ comparedWith: '2026-02-01T12:00:00+09:00' }, /a time in UTC/],
    [{ comparedWith: '1815-06-18' }, /from 1900 to 2099/],
  ]
  for (const [given, words] of refused) {
    const { status, body } = await world.call('get_apple_charts', { country: 'us', ...given })
    assert.equal(status, 400, JSON.stringify(given))
    assert.deepEqual([body.code, body.errors[0].pointer], ['invalid-request', '/query/comparedWith'])
    assert.match(body.errors[0].message, words)
  }
})

test('an agent is shown who gained and who left in one short reply', async () => {
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await world.key())
  const { reply } = await agent.call('get_apple_charts', { comparedWith: '2026-02-01', sort: 'gain' })
  assert.deepEqual(reply.left[0], {
    app: { storeId: '2', name: 'App 2', namedIn: 'us' },
    previousRank: 1,
  })
  assert.equal(reply.previousEvidence.observedAt, '2026-02-01T18:00:00.000Z')
  assert.ok(reply.leftOut.includes('left.value.app.iconUrl'))
})
