import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createKey } from '../src/domain/accounts/keys.ts'
import { rows } from '../src/storage/database.ts'
import { lookAtSchedule, openCollecting } from './support/collecting.ts'
import { operate } from './support/operator.ts'
import { until } from './support/until.ts'
import type { Reply } from './support/world.ts'

/** What admins of an account that operates the installation do on the pages. */

const parts = new AsyncDisposableStack()
const { world, apple } = parts.use(
  await openCollecting({ operators: ['house'], schedule: { estimates: { everyHours: 24 } } }),
)
after(() => parts.disposeAsync())
const { db } = world.store

const keyOf = (account: string, more: { administers?: boolean; scopes?: string[] } = {}) =>
  createKey(db, { name: `${account} key`, scopes: ['context:read', 'content:write'], account, ...more })
const operator = await keyOf('house', { administers: true })
const adminElsewhere = await keyOf('studio', { administers: true })
const memberOfHouse = await keyOf('house')
const readingOperator = await keyOf('house', { administers: true, scopes: ['context:read'] })

interface Told {
  items: { requestId: string; account: string; storeId: string; wanted: number }[]
  byHand: { state: string; outcome: string | null; reason: string | null }[]
  schedule: object
  changedAt: string | null
  changedBy: string | null
  requests: number
  added: number
  code?: string
  errors?: { pointer: string }[]
}

const ask = (
  key: string,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
): Promise<Reply<Told>> =>
  world.request<Told>({
    method,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  })
const refusedAt = ({ status, body }: Reply<Told>) => [
  status,
  ...(body.errors ?? []).map(({ pointer }) => pointer),
]
const [first = '', second = ''] = apple.apps.map(({ storeId }) => String(storeId))
const topFree = { what: 'charts', countries: ['us'], charts: ['top-free'] }
const calls = () => apple.requests.length

test('who is no admin of an account that operates is refused by name, and nothing is written or asked', async () => {
  const before = calls()
  const writes: ['POST' | 'PUT', string, object][] = [
    ['POST', '/collecting', topFree],
    ['PUT', '/collecting/schedule', { schedule: {}, before: null }],
    ['POST', '/requests/019aa0b6-5c00-7000-8000-000000000001/dismissal', {}],
  ]
  for (const key of [adminElsewhere, memberOfHouse]) {
    for (const [method, url, body] of writes) {
      const { status, body: problem } = await ask(key, method, url, body)
      assert.deepEqual([status, problem.code], [403, 'not-an-operator'], url)
    }
    assert.equal((await ask(key, 'GET', '/requests/all')).body.code, 'not-an-operator')
    assert.deepEqual((await ask(key, 'GET', '/collecting')).body.byHand, [])
  }
  for (const [method, url, body] of writes)
    assert.equal((await ask(readingOperator, method, url, body)).body.code, 'scope-missing', url)
  assert.equal((await world.request({ method: 'GET', url: '/sources' })).status, 401)
  assert.equal(calls(), before)
})

test('the health of every source in every storefront is shown to all who read', async () => {
  const { status, body } = await ask(memberOfHouse, 'GET', '/sources')
  assert.equal(status, 200)
  const told = await operate(world, { command: 'sources', options: { json: true } })
  assert.deepEqual(body, JSON.parse(told.out))
})

test('an operator sees what all accounts ask for, most wanted first, and dismisses it with a reason; an account sees its own', async () => {
  for (const country of ['us', 'de'])
    await operate(world, { command: 'collect apps', options: { storeIds: [first, second], country } })
  for (const key of [adminElsewhere, memberOfHouse])
    await world.call(
      'request_competitor_data',
      { platform: 'ios', storeId: first, country: 'us', kinds: ['record'] },
      { key },
    )
  await world.call(
    'request_competitor_data',
    { platform: 'ios', storeId: second, country: 'de', kinds: ['media'] },
    { key: adminElsewhere },
  )
  const told = (reply: Reply<Told>) =>
    reply.body.items.map(({ account, storeId, wanted }) => [account, storeId, wanted])
  const all = await ask(operator, 'GET', '/requests/all')
  assert.deepEqual(told(all).toSorted(), [
    ['house', first, 2],
    ['studio', first, 2],
    ['studio', second, 1],
  ])
  assert.equal(told(all).at(-1)?.[1], second)
  assert.deepEqual(told(await ask(memberOfHouse, 'GET', '/requests')), [['house', first, 1]])

  const requestId = all.body.items.find(
    ({ account, storeId }) => account === 'studio' && storeId === second,
  )?.requestId
  const dismissal = `/requests/${requestId}/dismissal`
  assert.deepEqual(refusedAt(await ask(operator, 'POST', dismissal, { reason: 'x'.repeat(2_001) })), [
    400,
    '/body/reason',
  ])
  assert.equal((await ask(operator, 'POST', dismissal, { reason: ' not sold there ' })).status, 204)
  assert.equal((await ask(operator, 'POST', dismissal, {})).body.code, 'request-not-found')
  assert.equal((await ask(operator, 'POST', '/requests/no-id/dismissal', {})).body.code, 'request-not-found')
  const { body } = await world.call(
    'list_competitor_data_requests',
    { platform: 'ios', storeId: second },
    { key: adminElsewhere },
  )
  assert.deepEqual(
    body.items.map(({ status, dismissalReason }) => [status, dismissalReason]),
    [['dismissed', 'not sold there']],
  )
})

test('a chart that is collected by hand is stored by a worker, as the command does; asked twice while it waits, it is asked once', async () => {
  const before = calls()
  assert.equal((await ask(operator, 'GET', '/collecting')).status, 200)
  assert.equal(calls(), before, 'a read collects nothing')
  const begun = await ask(operator, 'POST', '/collecting', { ...topFree, countries: ['us', 'de', 'us'] })
  assert.equal(begun.status, 202)
  assert.deepEqual([begun.body.requests, begun.body.added], [2, 2])
  const shown = await until(
    async () => (await ask(operator, 'GET', '/collecting')).body.byHand,
    (all) => all.length === 2 && all.every(({ state }) => state === 'done'),
  )
  assert.deepEqual(
    shown.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['stored', null],
      ['stored', null],
    ],
  )
  assert.equal(calls() - before, 2)
  const chart = await world.call('get_apple_charts', { country: 'de', chart: 'top-free' })
  assert.equal(chart.status, 200)
  const audited = await rows(
    db,
    sql<{
      operation: string
      door: string
    }>`select operation, door from audit_events where operation like 'collect%'`,
  )
  assert.deepEqual(audited, [{ operation: 'collect charts', door: 'http' }])
})

test('what is asked for by hand is bounded, and refused as a whole where a part of it is wrong', async () => {
  const before = calls()
  const wrong: [object, ...unknown[]][] = [
    [{ ...topFree, countries: ['xx'] }, 400, '/body/countries/0'],
    [{ ...topFree, countries: [] }, 400, '/body/countries'],
    [{ ...topFree, terms: ['timer'] }, 400, '/body/terms'],
    [{ what: 'apps', countries: ['us'] }, 400, '/body/storeIds'],
    [{ what: 'apps', countries: ['us'], storeIds: ['1', 'x'] }, 400, '/body/storeIds/1'],
    [{ what: 'searches', countries: ['us'], terms: ['timer', '!!!'] }, 400, '/body/terms/1'],
    [
      { what: 'charts', countries: ['us', 'de'], categories: Array.from({ length: 60 }, (_, at) => 6001 + at) },
      400,
      '/body',
    ],
    [{ what: 'everything', countries: ['us'] }, 400, '/body/what'],
    [{ ...topFree, everyHours: 1 }, 400, '/body/everyHours'],
  ]
  for (const [body, ...refusal] of wrong)
    assert.deepEqual(refusedAt(await ask(operator, 'POST', '/collecting', body)), refusal, JSON.stringify(body))
  assert.equal((await ask(operator, 'GET', '/collecting')).body.byHand.length, 2)
  assert.equal(calls(), before)
})

test('apps, pages, searches and suggestions are asked for by hand, each a request', async () => {
  const collections = [
    { what: 'apps', countries: ['us'], storeIds: [first, second] },
    { what: 'pages', countries: ['us'], storeIds: [first] },
    { what: 'searches', countries: ['us', 'de'], terms: ['timer'] },
    { what: 'hints', countries: ['us'], terms: ['tim'] },
  ]
  for (const collection of collections)
    assert.equal((await ask(operator, 'POST', '/collecting', collection)).status, 202, collection.what)
  const ended = await until(
    async () => (await ask(operator, 'GET', '/collecting')).body.byHand,
    (all) => all.length === 7 && all.every(({ state }) => state === 'done'),
  )
  assert.equal(ended.length, 7)
})

test('the schedule of the file is followed until an operator keeps another, which workers follow at once; then the file again', async () => {
  const shown = async () => (await ask(memberOfHouse, 'GET', '/collecting')).body
  assert.deepEqual((await shown()).schedule, { charts: [], estimates: { everyHours: 24 } })
  const hourly = { charts: [{ countries: ['jp'], charts: ['top-paid'], everyHours: 1 }] }
  for (const [schedule, ...refusal] of [
    [{ charts: [{ countries: ['xx'] }] }, 400, '/body/schedule/charts/0/countries/0'],
    [{ estimates: { everyHours: 0 } }, 400, '/body/schedule/estimates/everyHours'],
    [{ often: true }, 400, '/body/schedule/often'],
  ] as const)
    assert.deepEqual(
      refusedAt(await ask(operator, 'PUT', '/collecting/schedule', { schedule, before: null })),
      refusal,
    )
  const kept = await ask(operator, 'PUT', '/collecting/schedule', { schedule: hourly, before: null })
  assert.equal(kept.status, 200)
  assert.equal(kept.body.changedBy, 'house key')
  for (const key of [memberOfHouse, adminElsewhere]) {
    const { changedAt, changedBy } = (await ask(key, 'GET', '/collecting')).body
    assert.deepEqual([changedAt, changedBy], [kept.body.changedAt, null], 'whose key it was is for operators')
  }
  await lookAtSchedule(world)
  await until(
    async () => (await world.call('get_apple_charts', { country: 'jp', chart: 'top-paid' })).status,
    (status) => status === 200,
  )

  const late = await ask(operator, 'PUT', '/collecting/schedule', { schedule: {}, before: null })
  assert.deepEqual(refusedAt(late), [400, '/body/before'], 'another tab has changed it')
  const { changedAt } = kept.body
  const again = await ask(operator, 'PUT', '/collecting/schedule', {
    schedule: { charts: [] },
    before: changedAt,
  })
  assert.equal(again.status, 200)
  assert.notEqual(again.body.changedAt, changedAt)
  const back = await ask(operator, 'PUT', '/collecting/schedule', {
    schedule: null,
    before: again.body.changedAt,
  })
  assert.deepEqual([back.status, back.body.changedAt], [200, null])
  assert.deepEqual((await shown()).schedule, { charts: [], estimates: { everyHours: 24 } })
})
