import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { appsOf, type ResultApp, storePages } from './support/result-pages.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const at = (day: number) => new Date(Date.UTC(2026, 2, day, 6)).toISOString()

const listings: (ResultApp & { description: string })[] = [
  ['1.0', 'Harbour', 'Tides of every port.'],
  ['1.1', 'Harbour', 'Tides of every port.'],
  ['1.2', 'Harbour Chat', 'Tides of every port.'],
  ['1.3', 'Harbour Chat', 'Tides of every port.'],
  ['1.3', 'Harbour Chat', 'Tides, tables and charts. '.repeat(60)],
].map(([version = '', trackName = '', description = '']) => ({
  trackId: 7,
  version,
  trackName,
  description,
  currency: 'USD',
  price: 0,
}))
const [first, , renamed] = listings
await storeListings(
  world,
  [1, 4, 8, 10, 20].flatMap((day, index) => {
    const listing = listings[index]
    return listing ? [{ ...listing, observedAt: at(day) }] : []
  }),
)
// Result pages state the listing, too: each as it was that day.
const page = (day: number, app: ResultApp | undefined, place: number) => ({
  term: 'harbour',
  observedAt: at(day),
  apps: appsOf([1, 2]).toSpliced(place - 1, 0, ...(app ? [app] : [])),
})
await storePages(world, [page(2, first, 3), page(9, renamed, 2)])

const asked = { platform: 'ios', storeId: '7' }
type Timeline = Awaited<ReturnType<typeof aso>>['timeline']
const aso = async (more: Record<string, unknown> = {}) => {
  const { status, body } = await world.call('get_competitor_aso', { ...asked, ...more })
  assert.equal(status, 200)
  return body
}
const changes = (timeline: Timeline) =>
  timeline.map(({ firstSeenAt, fields }: Timeline[number]) => [
    firstSeenAt.slice(8, 10),
    ...fields.map(({ field }: { field: string }) => field),
  ])

test('a timeline shows what changed of the texts alone, and versions still count as other changes', async () => {
  const whole = await aso()
  assert.deepEqual(changes(whole.timeline), [
    ['20', 'description'],
    ['10', 'version'],
    ['08', 'name', 'version'],
    ['04', 'version'],
  ])
  const { timeline, ...others } = await aso({ changed: ['texts'] })
  assert.deepEqual(changes(timeline), [
    ['20', 'description'],
    ['08', 'name'],
  ])
  const { timeline: all, ...unchanged } = whole
  assert.deepEqual(others, unchanged, 'nothing else of the reply is chosen')
  const aroundOf = ({ impact, keywords }: Timeline[number]) => ({ impact, keywords })
  assert.deepEqual(timeline.map(aroundOf), [all[0], all[2]].map(aroundOf))
  assert.deepEqual(
    timeline[1].impact.map(({ otherChanges }: { otherChanges: number }) => otherChanges),
    [2, 3, 3],
  )
  const [{ term, before, after: rank, beforeAt, afterAt, places }] = timeline[1].keywords
  assert.deepEqual(
    [term, before.value, rank.value, beforeAt, afterAt, places],
    ['harbour', 3, 2, at(2), at(9), 1],
    'pages count until the next change of any field',
  )
  assert.deepEqual(changes((await aso({ changed: ['version', 'name'] })).timeline), [
    ['10', 'version'],
    ['08', 'name', 'version'],
    ['04', 'version'],
  ])
  assert.deepEqual((await aso({ changed: ['media'] })).timeline, [])
})

test('a timeline shows the changes first seen from one day to another, both included', async () => {
  assert.deepEqual(changes((await aso({ from: '2026-03-08', to: '2026-03-10' })).timeline), [
    ['10', 'version'],
    ['08', 'name', 'version'],
  ])
  assert.deepEqual(changes((await aso({ from: '2026-03-09', changed: ['texts'] })).timeline), [
    ['20', 'description'],
  ])
  const later = await aso({ from: '2026-04-01' })
  assert.deepEqual([later.timeline, later.listingObserved.lastAt], [[], at(20)], 'and nobody looked since then')
})

test('fields that do not exist and days the wrong way round are refused by name', async () => {
  for (const [given, pointer, words] of [
    [{ changed: ['screenshots'] }, '/query/changed/0', /one of/],
    [{ from: '2026-03-09', to: '2026-03-08' }, '/query/from', /after/],
    [{ from: '2026-02-30' }, '/query/from', /date/],
  ] as const) {
    const { status, body } = await world.call('get_competitor_aso', { ...asked, ...given } as never)
    assert.equal(status, 400, JSON.stringify(given))
    assert.equal(body.errors[0].pointer, pointer)
    assert.match(body.errors[0].message, words)
  }
})

test('an agent that asks what changed is shown that, and named what else there is', async () => {
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await world.key())
  const { reply } = await agent.call('get_competitor_aso', {
    storeId: '7',
    changed: 'texts',
    from: '2026-03-01',
  })
  assert.deepEqual(Object.keys(reply.timeline[0]), [
    'lastSeenAt',
    'firstSeenAt',
    'fields',
    'keywords',
    'impact',
  ])
  assert.equal(reply.timeline.length, 2)
  assert.equal(reply.audit, undefined)
  for (const left of ['audit', 'keywords', 'ratings', 'caution']) assert.ok(reply.leftOut.includes(left), left)
  assert.ok(Buffer.byteLength(JSON.stringify(reply)) < 4_000)
  const usual = await agent.call('get_competitor_aso', { storeId: '7', changed: null })
  assert.ok(usual.reply.audit, 'an argument left out points to nothing')
  const { reply: asFields } = await agent.call('get_competitor_aso', {
    storeId: '7',
    changed: ['texts'],
    fields: ['audit'],
  })
  assert.deepEqual(Object.keys(asFields), ['asOf', 'audit'])
})
