import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rivalscope } from '../../src/client/client.ts'
import { replay } from '../../src/projections/replay.ts'
import { type PlayedApple, playedSources, startApple } from '../support/apple.ts'
import { openFolder } from '../support/files.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

async function openIntake(
  sources: Record<string, unknown> = {},
): Promise<AsyncDisposable & { apple: PlayedApple; world: World }> {
  const parts = new AsyncDisposableStack()
  const apple = parts.use(await startApple())
  const world = parts.use(await openWorld({ works: true, sources: playedSources(apple, sources) }))
  return { apple, world, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

const ended = (world: World, app: string, country = 'us') =>
  until(
    () => world.call('request_ios_competitor', { app, country }),
    ({ body }) => body.status === 'succeeded' || body.status === 'failed',
  )

const lookups = (apple: PlayedApple) => apple.requests.filter(({ path }) => path.startsWith('/lookup'))

test('an app asked for is looked up in the store, and then it is in the catalogue', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [app] = apple.apps
  const before = await world.call('get_competitor', { platform: 'ios', storeId: app?.storeId })
  assert.deepEqual(before.body.intake, { state: 'none', intakeId: null, country: 'us' })

  const asked = await world.call('request_ios_competitor', {
    app: `https://apps.apple.com/us/app/x/id${app?.storeId}`,
  })
  assert.equal(asked.status, 202)
  assert.ok(['queued', 'running'].includes(String(asked.body.status)))
  assert.equal(asked.body.storeId, app?.storeId)

  const record = await until(
    () => world.call('get_competitor', { platform: 'ios', storeId: app?.storeId }),
    ({ status }) => status === 200,
  )
  assert.equal(record.body.name, app?.name)
  assert.equal(record.body.evidence.at(-1).origin, 'collected')
  assert.equal(record.body.evidence.at(-1).timeBasis, 'clock')
  const taken = await ended(world, app?.storeId ?? '')
  assert.equal(taken.body.status, 'succeeded')
  assert.equal(taken.body.intakeId, asked.body.intakeId)
  assert.equal(taken.body.attempts, 1)
  assert.equal(lookups(apple).length, 1)
})

test('who may only read sees how an intake goes, and why it failed, in each storefront', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [app] = apple.apps
  const reader = await world.key(['context:read'])
  const intakes = async (storeId: string | undefined) =>
    (await world.call('list_competitor_data_requests', { platform: 'ios', storeId }, { key: reader })).body
      .intakes
  assert.deepEqual(await intakes(app?.storeId), [])
  const asked = await world.call('request_ios_competitor', { app: app?.storeId })
  const [seen] = await intakes(app?.storeId)
  assert.deepEqual([seen.intakeId, seen.workId], [asked.body.intakeId, asked.body.workId])
  await ended(world, app?.storeId ?? '')
  await ended(world, '77', 'de')
  assert.deepEqual(
    (await intakes('77')).map((one: { country: string; status: string; failure: string }) => [
      one.country,
      one.status,
      one.failure,
    ]),
    [['de', 'failed', 'not-found-in-store']],
  )
  const [{ status, attempts }] = await intakes(app?.storeId)
  assert.deepEqual([status, attempts], ['succeeded', 1])
})

test('its page follows: the subtitle, and what Apple shows beside it', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [app] = apple.apps
  await world.call('request_ios_competitor', { app: app?.storeId })
  const record = await until(
    () => world.call('get_competitor', { platform: 'ios', storeId: app?.storeId }),
    ({ body }) => body.subtitle?.state === 'measured',
  )
  assert.equal(record.body.subtitle.value, app?.subtitle)
})

test('the same app asked for twice is one intake', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [app] = apple.apps
  apple.behave('/lookup', { does: 'drip', everyMs: 0 })
  const asked = await Promise.all(
    Array.from({ length: 10 }, () => world.call('request_ios_competitor', { app: app?.storeId })),
  )
  assert.equal(new Set(asked.map(({ body }) => body.intakeId)).size, 1)
  apple.recover()
  await ended(world, app?.storeId ?? '')
  assert.ok(lookups(apple).length <= 2)
})

test('an intake keeps its id however the app was named, from asking to its end and ever after', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [byBundle, byUrl] = apple.apps
  assert.ok(byBundle && byUrl)
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  const rivalscope = new Rivalscope({ server: address, key: await world.key() })
  const ask = async (app: string, headers?: Record<string, string>) =>
    (await world.call('request_ios_competitor', { app }, headers ? { headers } : {})).body

  for (const [named, storeId, others] of [
    [byBundle.bundleId, byBundle.storeId, [byBundle.bundleId.toUpperCase(), byBundle.storeId]],
    [`https://apps.apple.com/us/app/x/id${byUrl.storeId}?l=en`, byUrl.storeId, [byUrl.storeId, byUrl.bundleId]],
  ] as const) {
    const keyed = { 'idempotency-key': `intake ${storeId}`.replace(' ', '-') }
    const asked = await ask(named, keyed)
    const end = await rivalscope.requestIosCompetitor({ app: named }).ended({ firstPauseSeconds: 0.05 })
    assert.deepEqual([end.intakeId, end.status, end.storeId], [asked.intakeId, 'succeeded', storeId])
    assert.equal((await ask(named, keyed)).intakeId, asked.intakeId, 'the reply kept under its key')
    await replay(world.store.db, () => {}, new AbortController().signal)
    for (const name of [named, ...others]) {
      const again = await ask(name)
      assert.deepEqual(
        [again.intakeId, again.createdAt, again.status],
        [asked.intakeId, end.createdAt, 'succeeded'],
      )
    }
  }
  assert.equal(lookups(apple).length, 2)
})

test('an app that becomes known while it is being taken in stays with the intake under way', async () => {
  const folder = openFolder()
  await using world = await openWorld()
  const ask = async (app: string) => (await world.call('request_ios_competitor', { app })).body
  const asked = await ask('com.example.late')
  const app = {
    wrapperType: 'software',
    kind: 'software',
    trackId: 77,
    trackName: 'Late',
    bundleId: 'com.example.Late',
  }
  const path = folder.write('lookup.json', JSON.stringify({ resultCount: 1, results: [app] }))
  await world.import({ kind: 'catalogue', paths: [path], country: 'de' })
  for (const name of ['com.example.late', '77']) assert.equal((await ask(name)).intakeId, asked.intakeId, name)
  await world.import({ kind: 'catalogue', paths: [path], country: 'us', observedAt: '2026-03-02' })
  for (const name of ['com.example.late', '77']) assert.equal((await ask(name)).intakeId, asked.intakeId, name)
  folder[Symbol.dispose]()
})

test('an app is found by its bundle id', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [app] = apple.apps
  const asked = await world.call('request_ios_competitor', { app: app?.bundleId })
  assert.equal(asked.body.storeId, null)
  const taken = await ended(world, app?.bundleId ?? '')
  assert.deepEqual([taken.body.status, taken.body.storeId], ['succeeded', app?.storeId])
})

test('an app that is catalogued already is answered as taken in, and nobody is asked', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const [app] = apple.apps
  await world.collecting.collector.lookup([app?.storeId ?? ''], 'us', new AbortController().signal)
  const asked = await world.call('request_ios_competitor', { app: app?.storeId })
  assert.deepEqual([asked.body.status, asked.body.storeId], ['succeeded', app?.storeId])
  assert.equal(lookups(apple).length, 1)
})

test('an app that other storefronts sell is not sold in this one, and the intake says so', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const local = apple.apps.find((app) => app.countries.length === 1)
  const { body } = await ended(world, local?.storeId ?? '', 'jp')
  assert.deepEqual([body.status, body.failure], ['failed', 'not-sold-in-storefront'])
  assert.match(body.lastError.message, /does not sell this app; us does/)
  const record = await world.call('get_competitor', { platform: 'ios', storeId: local?.storeId, country: 'jp' })
  assert.deepEqual([record.body.country, record.body.name, record.body.alsoIn], ['jp', null, ['us']])
})

test('an app that no storefront knows is not found, and the storefronts asked are named', async () => {
  await using parts = await openIntake()
  const { world } = parts
  const { body } = await ended(world, '123456789', 'jp')
  assert.deepEqual([body.status, body.failure], ['failed', 'not-found-in-store'])
  assert.match(body.lastError.message, /jp, us, gb/)
  const record = await world.call('get_competitor', { platform: 'ios', storeId: '123456789', country: 'jp' })
  assert.deepEqual(record.body.intake, { state: 'failed', intakeId: body.intakeId, country: 'jp' })
})

test('a refusal tells of an intake in any storefront, and in which; that of the storefront asked comes first', async () => {
  await using world = await openWorld()
  const refused = async (country: string) => {
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '123456789', country })
    return [body.code, body.intake, body.detail]
  }
  assert.deepEqual(await refused('us'), [
    'competitor-not-found',
    { state: 'none', intakeId: null, country: 'us' },
    'No evidence of the app 123456789 is stored, and this account has no intake of it under way.',
  ])
  const reported = (intakeId: string, country: string) => [
    'competitor-not-found',
    { state: 'queued', intakeId, country },
    `No evidence of the app 123456789 is stored; its intake for the storefront ${country} is waiting for its turn.`,
  ]
  const gb = await world.call('request_ios_competitor', { app: '123456789', country: 'gb' })
  assert.deepEqual(await refused('us'), reported(gb.body.intakeId, 'gb'))
  const us = await world.call('request_ios_competitor', { app: '123456789', country: 'us' })
  assert.deepEqual(await refused('us'), reported(us.body.intakeId, 'us'))
  assert.deepEqual(await refused('gb'), reported(gb.body.intakeId, 'gb'))
})

test('what is no iOS app is refused as such', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const mac = { wrapperType: 'software', kind: 'mac-software', trackId: 803453959, trackName: 'Slack' }
  apple.behave('/lookup', { does: 'serve', body: JSON.stringify({ resultCount: 1, results: [mac] }) })
  const { body } = await ended(world, '803453959')
  assert.deepEqual([body.status, body.failure], ['failed', 'not-an-ios-app'])
})

test('a source that is out of order is tried again, and each attempt and its error can be seen', async () => {
  await using parts = await openIntake({ attempts: 1 })
  const { world, apple } = parts
  const [app] = apple.apps
  apple.behave('/lookup', { does: 'unavailable' })
  await world.call('request_ios_competitor', { app: app?.storeId })
  const tried = await until(
    () => world.call('request_ios_competitor', { app: app?.storeId }),
    ({ body }) => body.lastError !== null,
  )
  assert.equal(tried.body.status, 'queued')
  assert.equal(tried.body.attempts, 1)
  assert.equal(tried.body.lastError.code, 'unavailable')
  assert.match(tried.body.lastError.message, /out of order, answers 503/)
})

test('what names no app is refused by name', async () => {
  await using parts = await openIntake()
  const { world } = parts
  for (const app of ['not an app', 'https://example.com/app/id1', '0123', '😀']) {
    const { status, body } = await world.call('request_ios_competitor', { app })
    assert.equal(status, 400, app)
    assert.equal(body.errors[0].pointer, '/body/app')
  }
  const nowhere = await world.call('request_ios_competitor', { app: '1', country: 'xx' })
  assert.equal(nowhere.body.errors[0].pointer, '/body/country')
})

test('an id that no app can have is refused by name', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const { status, body } = await world.call('request_ios_competitor', { app: '9999999999999999999' })
  assert.deepEqual([status, body.errors[0].pointer], [400, '/body/app'])
  assert.equal(apple.requests.length, 0)
})

test('an app named twice in one look-up is checked once', async () => {
  await using parts = await openIntake()
  const { world, apple } = parts
  const storeId = apple.apps[0]?.storeId ?? ''
  const { collector } = world.collecting
  const { value } = await collector.lookup([storeId, storeId], 'us', new AbortController().signal)
  assert.ok(value.sightings.every(({ sighting }) => sighting.storeId === storeId))
})

test('who asks for an app whose intake failed is told why', async () => {
  await using parts = await openIntake()
  const { world } = parts
  await ended(world, '424242')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '424242' })
  assert.equal(body.intake.state, 'failed')
  assert.match(body.detail, /its intake for the storefront us failed: None of these storefronts has this app/)
})
