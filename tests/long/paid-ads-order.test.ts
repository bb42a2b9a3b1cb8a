import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { replay } from '../../src/projections/replay.ts'
import { adsState } from '../support/ads-state.ts'
import { cases } from '../support/cases.ts'
import { forgetDerived } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { readingsRestedOn } from '../support/readings-rested-on.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const address = (app: number) => `https://apps.apple.com/us/app/x/id${100000000 + app}`
const small = fc.nat({ max: 2 })
const medium = fc.record({
  kind: fc.constantFrom('video', 'image'),
  url: small.map((name) => `https://media.example.com/${name}.mp4?sig=${Math.trunc(name * 7)}`),
})
const creative = fc.record(
  {
    title: fc.constantFrom('Small tides', 'Big tides', null),
    text: fc.constantFrom('Look', `Get it: ${address(1)}`, `Two: ${address(1)} ${address(2)}`),
    linkUrl: fc.constantFrom(address(3), `${address(3)}?fbclid=1`, 'https://example.com/', 'unreadable'),
    media: fc.array(medium, { maxLength: 2 }),
  },
  { requiredKeys: [] },
)
const day = small.map((at) => `2026-03-0${at + 1}`)
/** Some libraries tell of an ad country by country: that is joined, and the rest follows from it. */
const delivery = fc.record(
  {
    country: fc.constantFrom('de', 'fr', 'se'),
    firstShownOn: day,
    firstShownBy: day,
    lastShownOn: day,
    knownUntil: day,
    placements: fc.subarray(['search-results', 'today-tab']),
  },
  { requiredKeys: ['country'] },
)
const ad = fc.record(
  {
    platform: fc.constantFrom('meta', 'tiktok', 'apple'),
    archiveId: small.map((id) => `700000000000000000${id}`),
    observedAt: day.map((date) => `${date}T12:00:00Z`),
    advertiser: fc.record(
      {
        id: small.map(String),
        name: fc.constantFrom('Tides', 'Pools'),
        url: fc.constantFrom('https://example.com/', 'unreadable'),
      },
      { requiredKeys: ['name'] },
    ),
    active: fc.boolean(),
    startedOn: day,
    endedOn: fc.option(day),
    reachText: fc.constantFrom('11K', '12K', ''),
    countries: fc.subarray(['de', 'fr']),
    byCountry: fc.array(delivery, { maxLength: 3 }),
    creatives: fc.array(creative, { maxLength: 3 }),
  },
  { requiredKeys: ['platform', 'archiveId', 'observedAt', 'creatives'] },
)
const file = fc.array(ad, { minLength: 1, maxLength: 5 })

const arrive = (records: readonly object[]) =>
  world.import({
    kind: 'paid-ads',
    paths: [folder.write('ads.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''))],
    format: 'ndjson',
  })

async function empty() {
  await forgetDerived(world.store.db)
  await sql`truncate readings, reading_identities`.execute(world.store.db)
}

test('ads give the same library in any order of arrival, and after a replay', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(file, { minLength: 2, maxLength: 5 })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      async ([list, shuffled]) => {
        await empty()
        for (const records of list) await arrive(records)
        const first = await adsState(world.store.db)
        await replay(world.store.db, () => {}, new AbortController().signal, ['ads'])
        assert.deepEqual(await adsState(world.store.db), first, 'after a replay')
        await empty()
        for (const records of shuffled.toReversed()) await arrive(records.toReversed())
        assert.deepEqual(await adsState(world.store.db), first, 'in another order')
      },
    ),
    { numRuns: cases(25) },
  )
})

test('what an ad rests on is the same in any order of arrival, however often, and after a replay', async () => {
  const state = async () => ({
    ...(await adsState(world.store.db)),
    rests: await readingsRestedOn(world.store.db),
  })
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(file, { minLength: 2, maxLength: 5 })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      async ([list, shuffled]) => {
        await empty()
        for (const records of list) await arrive(records)
        const first = await state()
        await empty()
        for (const records of [...shuffled, ...list]) await arrive(records)
        assert.deepEqual(await state(), first, 'in another order')
        await replay(world.store.db, () => {}, new AbortController().signal, ['ads'])
        assert.deepEqual(await state(), first, 'after a replay')
      },
    ),
    { numRuns: cases(25) },
  )
})
