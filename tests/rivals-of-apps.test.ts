import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listingsToRefresh } from '../src/domain/aso/tracking/refresh-queries.ts'
import { type MadeListing, storeListings } from './support/listings.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { type CallOptions, openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

let accounts = 0
const freshAccount = async (): Promise<CallOptions> => ({
  key: await world.key(undefined, `rivals ${++accounts}`),
})

type Role = 'own' | 'rival' | 'watched'

/** An account, with what its tests do. */
async function account() {
  const options = await freshAccount()
  const track = (app: number, role: Role, more: { rivalOf?: string; country?: string } = {}) =>
    world.call('track_aso_app', { app: String(app), role, ...more }, options)
  const station = async (appId: string) => (await world.call('get_aso_workstation', { appId }, options)).body
  return {
    options,
    track,
    tracked: async (...asked: Parameters<typeof track>) => (await track(...asked)).body.appId as string,
    change: (appId: string, role: Role, rivalOf?: string | null) =>
      world.call('update_aso_app_role', { appId, role, ...(rivalOf !== undefined && { rivalOf }) }, options),
    station,
    rivalsOf: async (appId: string): Promise<string[]> =>
      (await station(appId)).rivals.map(({ storeId }: { storeId: string }) => storeId).sort(),
  }
}

const observedAt = '2026-03-01T12:00:00Z'

const listing = (trackId: number, trackName: string, more: Partial<MadeListing> = {}): MadeListing => ({
  ...{ trackId, trackName, observedAt, artistName: `Maker ${trackId}` },
  ...more,
})

describe('A rival of one app', () => {
  test('is compared with that app alone; one of no app with every own app of its storefront', async () => {
    const { track, tracked, rivalsOf, options } = await account()
    const [drawing, budget] = [await tracked(4001, 'own'), await tracked(4002, 'own')]
    const sketch = await track(4003, 'rival', { rivalOf: drawing })
    assert.deepEqual([sketch.status, sketch.body.role, sketch.body.rivalOf], [201, 'rival', drawing])
    await track(4004, 'rival', { rivalOf: budget })
    const everywhere = await track(4005, 'rival')
    assert.equal(everywhere.body.rivalOf, null)
    assert.deepEqual(await rivalsOf(drawing), ['4003', '4005'])
    assert.deepEqual(await rivalsOf(budget), ['4004', '4005'])
    const { items } = (await world.call('list_aso_apps', { role: 'rival' }, options)).body
    assert.deepEqual(
      items.map(({ app, rivalOf }) => [app.storeId, rivalOf]),
      [
        ['4005', null],
        ['4004', budget],
        ['4003', drawing],
      ],
    )
  })

  test('has the others of that app beside it', async () => {
    const { tracked, rivalsOf } = await account()
    const [drawing, budget] = [await tracked(4011, 'own'), await tracked(4012, 'own')]
    const sketch = await tracked(4013, 'rival', { rivalOf: drawing })
    await tracked(4014, 'rival', { rivalOf: drawing })
    await tracked(4015, 'rival', { rivalOf: budget })
    assert.deepEqual(await rivalsOf(sketch), ['4014'])
  })

  test('gives its names, its texts and its ranks to the suggestions of that app, and to no other', async () => {
    const { tracked, station, options } = await account()
    await storeListings(world, [
      listing(4021, 'Larch: Drawing Pad'),
      listing(4022, 'Brook: Budget Planner'),
      listing(4023, 'Quill Sketchbook'),
      listing(4024, 'Zyxomat Ledger', { subtitle: 'Expense tracker' }),
    ])
    await storePages(world, [
      { term: 'rivals of a drawing app', observedAt, apps: appsOf([4023]) },
      { term: 'rivals of a budget app', observedAt, apps: appsOf([4024]) },
    ])
    const [drawing, budget] = [await tracked(4021, 'own'), await tracked(4022, 'own')]
    await tracked(4023, 'rival', { rivalOf: drawing })
    const ledger = await tracked(4024, 'rival', { rivalOf: budget })
    const said = async (appId: string) => {
      const { suggestions, brandsOfRivals } = await station(appId)
      const terms = (all: readonly { term: string }[]) => all.map(({ term }) => term)
      return [...terms(suggestions), ...terms(brandsOfRivals)]
    }
    const drawn = await said(drawing)
    assert.ok(drawn.includes('rivals of a drawing app'), drawn.join(', '))
    assert.ok(!drawn.some((term) => /ledger|expense|budget|zyxomat/.test(term)), drawn.join(', '))
    const budgeted = await said(budget)
    for (const term of ['rivals of a budget app', 'expense tracker']) assert.ok(budgeted.includes(term), term)
    assert.ok(!budgeted.includes('rivals of a drawing app'))
    // From the next read on, it is one of every own app.
    await world.call('update_aso_app_role', { appId: ledger, role: 'rival', rivalOf: null }, options)
    assert.ok((await said(drawing)).includes('expense tracker'))
  })

  test('is read again with that app, and ranks above it in its keywords alone', async () => {
    const { tracked, station, options } = await account()
    const [drawing, budget] = [await tracked(4031, 'own'), await tracked(4032, 'own')]
    await tracked(4033, 'rival', { rivalOf: drawing })
    await tracked(4034, 'rival', { rivalOf: budget })
    const read = await listingsToRefresh(world.store.db, drawing, new Date())
    assert.deepEqual(read?.storeIds, ['4031', '4033'])
    const others = [11, 12, 13, 14, 15]
    await storePages(world, [
      { term: 'above a drawing app', observedAt, apps: appsOf([...others, 4034, 4033, 4031]) },
    ])
    await world.call('add_aso_keywords', { appId: drawing, terms: ['above a drawing app'] }, options)
    const [keyword] = (await station(drawing)).keywords
    assert.deepEqual(
      keyword?.above.map(({ storeId }: { storeId: string }) => storeId),
      ['4033', '11', '12', '13', '14'],
    )
  })
})

describe('Whose rival it is', () => {
  test('changes with the role, is kept where nothing is said, and ends with another role', async () => {
    const { tracked, change, track } = await account()
    const [one, other] = [await tracked(4041, 'own'), await tracked(4042, 'own')]
    const rival = await tracked(4043, 'watched')
    const after = async (...asked: Parameters<typeof change>) => (await change(...asked)).body.rivalOf
    assert.equal(await after(rival, 'rival', one), one)
    assert.equal(await after(rival, 'rival'), one)
    assert.equal(await after(rival, 'rival', other), other)
    assert.equal(
      (await track(4043, 'rival', { rivalOf: one })).body.rivalOf,
      other,
      'tracking again changes nothing',
    )
    assert.equal(await after(rival, 'rival', null), null)
    assert.equal(await after(rival, 'rival', one), one)
    assert.equal(await after(rival, 'watched'), null)
    assert.equal(await after(rival, 'rival'), null)
  })

  test('ends with the own app, and is one of every own app then', async () => {
    const { tracked, rivalsOf, options } = await account()
    const [one, other] = [await tracked(4051, 'own'), await tracked(4052, 'own')]
    await tracked(4053, 'rival', { rivalOf: one })
    assert.deepEqual(await rivalsOf(other), [])
    await world.call('remove_aso_app', { appId: one }, options)
    assert.deepEqual(await rivalsOf(other), ['4053'])
  })

  test('can be no app of others, of another storefront, of another role, nor itself: nothing is tracked', async () => {
    const { tracked, track, change, options } = await account()
    const stranger = await (await account()).tracked(4061, 'own')
    const own = await tracked(4061, 'own')
    const inJapan = await tracked(4061, 'own', { country: 'jp' })
    const watched = await tracked(4062, 'watched')
    const unknown = '01995a10-3c41-7f02-8a6e-52b7c19d0e99'
    for (const rivalOf of [stranger, inJapan, watched, unknown]) {
      const refused = await track(4063, 'rival', { rivalOf })
      assert.deepEqual([refused.status, refused.body.code], [400, 'invalid-request'])
      assert.equal(refused.body.errors[0].pointer, '/body/rivalOf')
      assert.match(
        refused.body.errors[0].message,
        /no other own app that this account tracks in us; list_aso_apps/,
      )
    }
    const { items } = (await world.call('list_aso_apps', {}, options)).body
    assert.ok(!items.some(({ app }) => app.storeId === '4063'))
    const itself = await change(own, 'rival', own)
    assert.equal(itself.body.errors[0].pointer, '/body/rivalOf')
    const noRival = await change(watched, 'watched', own)
    assert.match(noRival.body.errors[0].message, /goes with the role `rival` alone/)
    const noId = await track(4063, 'rival', { rivalOf: '4061' })
    assert.equal(noId.body.errors[0].pointer, '/body/rivalOf')
    assert.match(noId.body.errors[0].message, /list_aso_apps gives it/)
  })
})
