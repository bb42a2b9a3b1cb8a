import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { cases } from '../support/cases.ts'
import { derivedState, forgetDerived } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

interface Place {
  rank: number
  id: number
  name: string
}

const header = { country: 'us', chart: 'top-free', category: '6002' }
/** A whole chart of a moment. */
const whole = (world: World, places: readonly Place[], observedAt: string) =>
  world.import({
    kind: 'charts',
    paths: [folder.write('chart.json', JSON.stringify({ ...header, entries: places }))],
    observedAt,
  })
/** Rows of a chart, of which others may come in another file. */
const rowsOf = (world: World, places: readonly Place[], observedAt: string) =>
  world.import({
    kind: 'charts',
    paths: [
      folder.write(
        'rows.csv',
        ['rank,id,name', ...places.map(({ rank, id, name }) => `${rank},${id},${name}`), ''].join('\n'),
      ),
    ],
    ...header,
    observedAt,
  })

const app = (rank: number, id = rank, name = `App ${id}`): Place => ({ rank, id, name })

test('a record says when it was last observed, also where a chart only repeats what is known', async () => {
  await using world = await openWorld()
  const seen = async () => {
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '1' })
    return [
      body.firstObservedAt,
      body.lastObservedAt,
      body.evidence[body.developer.evidence]?.observedAt ?? body.evidence[0].observedAt,
    ]
  }
  await whole(world, [app(1)], '2026-03-01T06:00:00Z')
  await whole(world, [app(2), app(1)], '2026-03-01T18:00:00Z')
  assert.deepEqual(await seen(), ['2026-03-01T06:00:00.000Z', ...Array(2).fill('2026-03-01T18:00:00.000Z')])
  await whole(world, [app(1)], '2026-03-03T18:00:00Z')
  await whole(world, [app(1)], '2026-02-27T18:00:00Z')
  assert.deepEqual(await seen(), ['2026-02-27T18:00:00.000Z', ...Array(2).fill('2026-03-03T18:00:00.000Z')])
})

test('a name that a late chart brings ends where the other name was last seen in a chart', async () => {
  await using world = await openWorld()
  for (const day of [1, 2, 3, 5, 6, 7]) await whole(world, [app(1)], `2026-03-0${day}T06:00:00Z`)
  await whole(world, [app(1, 1, 'Another name')], '2026-03-04T06:00:00Z')
  const { listingHistory } = (await world.call('get_competitor', { platform: 'ios', storeId: '1' })).body
  const days = listingHistory.map(({ value, firstSeenAt, lastSeenAt }) =>
    [value, firstSeenAt?.slice(8, 10), lastSeenAt?.slice(8, 10)].join(' '),
  )
  assert.deepEqual(days, ['App 1 05 07', 'Another name 04 04', 'App 1 01 03'])
})

test('an old snapshot shows its apps under the names of its day', async () => {
  await using world = await openWorld()
  for (const [day, name] of [
    [1, 'App 1'],
    [3, 'App 1: renamed'],
    [5, 'App One'],
  ] as const)
    await whole(world, [app(1, 1, name)], `2026-03-0${day}T06:00:00Z`)
  const nameOn = async (date?: string) =>
    (await world.call('get_apple_charts', { categoryId: '6002', ...(date ? { date } : {}) })).body.items[0].app
      .name
  assert.deepEqual(
    [await nameOn('2026-03-01'), await nameOn('2026-03-03'), await nameOn('2026-03-05'), await nameOn()],
    ['App 1', 'App 1: renamed', 'App One', 'App One'],
  )
})

const place = fc.record({
  rank: fc.integer({ min: 1, max: 5 }),
  id: fc.integer({ min: 1, max: 6 }),
  name: fc.constantFrom('Red', 'Green', ''),
})
const delivery = fc.record({
  parts: fc.boolean(),
  hour: fc.constantFrom('06', '12'),
  places: fc.uniqueArray(place, { selector: ({ rank }) => rank, minLength: 1, maxLength: 4 }),
})

test('charts and rows of charts of one instant come to the same in any order', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const stateAfter = async (deliveries: readonly { parts: boolean; hour: string; places: Place[] }[]) => {
    await forgetDerived(db)
    await sql`truncate readings, reading_identities`.execute(db)
    for (const { parts, hour, places } of deliveries)
      await (parts ? rowsOf : whole)(world, places, `2026-03-01T${hour}:00:00Z`)
    // A word that no app has any more finds nothing, however long it is known.
    const {
      search_words: _,
      described_words: _described,
      chart_sightings: _shared,
      ...state
    } = await derivedState(db)
    return state
  }
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(delivery, { minLength: 2, maxLength: 5 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      async ([all, shuffled]) => {
        assert.deepEqual(await stateAfter(shuffled), await stateAfter(all))
      },
    ),
    { numRuns: cases(25) },
  )
})
