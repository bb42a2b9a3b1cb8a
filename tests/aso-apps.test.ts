import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { firstRow } from '../src/storage/database.ts'
import { type PlayedApple, playedSources, startApple } from './support/apple.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { until } from './support/until.ts'
import { type CallOptions, openWorld, type World } from './support/world.ts'

let apple: PlayedApple
let world: World
before(async () => {
  apple = await startApple()
  world = await openWorld({ works: true, sources: playedSources(apple, { attempts: 1, timeoutSeconds: 4 }) })
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await apple[Symbol.asyncDispose]()
})

let accounts = 0
/** An account that tracks nothing yet. */
const freshAccount = async (scopes?: string[]): Promise<CallOptions> => ({
  key: await world.key(scopes, `apps ${++accounts}`),
})

const track = (app: string | number, more: object = {}, options?: CallOptions) =>
  world.call('track_aso_app', { app: String(app), role: 'own', ...more }, options)

const add = async (appId: string, terms: readonly string[], options?: CallOptions) =>
  (await world.call('add_aso_keywords', { appId, terms }, options)).body

const listed = async (options: CallOptions, filters: object = {}) =>
  (await world.call('list_aso_apps', { limit: 100, ...filters }, options)).body.items

describe('Tracking an app', () => {
  test('that nobody knows has it taken in, and shows how that goes', async () => {
    const [app] = apple.apps
    const first = await track(app?.storeId ?? '')
    assert.equal(first.status, 201)
    assert.equal(first.body.app.catalogued, false)
    assert.equal(first.body.keywordCount, 0)
    assert.ok(['queued', 'running', 'succeeded'].includes(first.body.intake.status))
    const there = await until(
      () => track(app?.storeId ?? ''),
      ({ body }) => body.intake === null,
    )
    assert.equal(there.status, 200)
    assert.equal(there.body.appId, first.body.appId)
    assert.equal(there.body.app.name, app?.name)
  })

  test('that no storefront has says why it could not be taken in', async () => {
    const { body } = await track(8_999_999_999)
    const ended = await until(
      () => world.call('get_aso_workstation', { appId: body.appId }),
      (reply) => reply.body.tracked.intake?.status === 'failed',
    )
    assert.equal(ended.body.tracked.intake.failure, 'not-found-in-store')
    assert.equal(ended.body.tracked.app.name, null)
  })

  test('again answers the known one with the role it has', async () => {
    const first = await track('https://apps.apple.com/us/app/x/id2001', { role: 'rival' })
    const again = await track(2001, { role: 'own' })
    assert.deepEqual([first.status, again.status], [201, 200])
    assert.equal(again.body.appId, first.body.appId)
    assert.equal(again.body.role, 'rival')
    const elsewhere = await track(2001, { country: 'JP' })
    assert.equal(elsewhere.status, 201)
    assert.equal(elsewhere.body.country, 'jp')
  })

  test('at the same time from many sides is one app and one intake', async () => {
    const options = await freshAccount()
    const replies = await Promise.all(Array.from({ length: 8 }, () => track(2002, {}, options)))
    assert.equal(new Set(replies.map(({ body }) => body.appId)).size, 1)
    assert.equal(replies.filter(({ status }) => status === 201).length, 1)
    const works = await firstRow(
      world.store.db,
      sql<{
        count: number
      }>`select count(*)::int as count from work where kind = 'intake' and subject = '2002 us'`,
    )
    assert.equal(works?.count, 1)
  })

  test('by its bundle id asks Apple when nobody knows it', async () => {
    const app = apple.apps[6]
    const found = await track(app?.bundleId ?? '')
    assert.equal(found.status, 201)
    assert.equal(found.body.app.storeId, app?.storeId)
    assert.equal(found.body.intake, null, 'the answer was stored')
    const again = app?.bundleId.toUpperCase() ?? ''
    assert.equal((await track(again)).status, 200)
    assert.ok(apple.requests.every(({ path }) => !path.includes(again)))
  })

  test('by a bundle id that Apple does not have tracks nothing', async () => {
    const options = await freshAccount()
    const { status, body } = await track('example.never.heard', { country: 'de' }, options)
    assert.deepEqual([status, body.code], [404, 'competitor-not-found'])
    assert.match(body.detail, /example\.never\.heard.*de/)
    assert.deepEqual(await listed(options), [])
  })

  test('by a bundle id while Apple fails or throttles says so', async () => {
    const options = await freshAccount()
    apple.behave('/lookup', { does: 'status', status: 400 })
    const failed = await track('example.of.failure', { country: 'fr' }, options)
    apple.behave('/lookup', { does: 'hang' })
    const late = await track('example.of.waiting', { country: 'it' }, options)
    apple.behave('/lookup', { does: 'throttle', status: 429, retryAfter: '1' })
    const throttled = await track('example.of.haste', { country: 'es' }, options)
    apple.recover()
    assert.deepEqual([failed.status, failed.body.code], [502, 'upstream-failed'])
    assert.deepEqual([late.status, late.body.code], [504, 'upstream-timeout'])
    assert.deepEqual([throttled.status, throttled.body.code], [502, 'upstream-failed'])
    assert.match(throttled.body.detail, /Nothing was tracked/)
    assert.deepEqual(await listed(options), [])
  })
})

describe('A role', () => {
  test('can be changed, and decides who is compared', async () => {
    const options = await freshAccount()
    const own = (await track(2010, {}, options)).body.appId
    const other = (await track(2011, { role: 'watched' }, options)).body.appId
    const rivals = async () => (await world.call('get_aso_workstation', { appId: own }, options)).body.rivals
    assert.deepEqual(await rivals(), [])
    const changed = await world.call('update_aso_app_role', { appId: other, role: 'rival' }, options)
    assert.equal(changed.body.role, 'rival')
    assert.equal((await rivals()).length, 1)
    const same = await world.call('update_aso_app_role', { appId: other, role: 'rival' }, options)
    // The app is being taken in meanwhile, which its intake tells.
    assert.deepEqual({ ...same.body, intake: null }, { ...changed.body, intake: null })
  })
})

describe('Removing', () => {
  test('an app takes its keywords along, twice is as good as once, and tracking it again is new', async () => {
    const first = (await track(2020)).body.appId
    const { added } = await add(first, ['kept nowhere'])
    const { keywordId } = added[0].keyword
    const remove = (appId: string) => world.call('remove_aso_app', { appId })
    assert.equal((await remove(first)).status, 204)
    assert.equal((await remove(first)).status, 204)
    assert.equal((await world.call('get_aso_workstation', { appId: first })).status, 404)
    assert.equal((await world.call('remove_aso_keyword', { appId: first, keywordId })).status, 204)
    const again = await track(2020)
    assert.equal(again.status, 201)
    assert.notEqual(again.body.appId, first)
    assert.equal(again.body.keywordCount, 0)
  })

  test('a keyword keeps its pages: added again, its history is back under a new id', async () => {
    const { appId } = (await track(2021)).body
    await storePage(world, {
      term: 'comes back',
      observedAt: '2026-03-01T17:00:00Z',
      apps: appsOf([1, 2021]),
    })
    const [first] = (await add(appId, ['comes back'])).added
    assert.deepEqual(first.keyword.rank, { state: 'measured', value: 2, depth: 2 })
    const { keywordId } = first.keyword
    const remove = () => world.call('remove_aso_keyword', { appId, keywordId })
    assert.equal((await remove()).status, 204)
    assert.equal((await remove()).status, 204)
    const [second] = (await add(appId, ['comes back'])).added
    assert.notEqual(second.keyword.keywordId, keywordId)
    assert.deepEqual(second.keyword.rank, first.keyword.rank)
    assert.equal((await remove()).status, 204, 'the old id stays removed')
    assert.equal((await world.call('get_aso_workstation', { appId })).body.keywords.length, 1)
  })

  test('what was never there is not found', async () => {
    const { appId } = (await track(2022)).body
    const never = '01995a10-3c41-7f02-8a6e-52b7c19d0e31'
    const app = await world.call('remove_aso_app', { appId: never })
    const keyword = await world.call('remove_aso_keyword', { appId, keywordId: never })
    const ofNone = await world.call('remove_aso_keyword', { appId: never, keywordId: never })
    assert.deepEqual(
      [app, keyword, ofNone].map(({ status, body }) => [status, body.code]),
      [
        [404, 'tracked-app-not-found'],
        [404, 'keyword-not-found'],
        [404, 'tracked-app-not-found'],
      ],
    )
  })
})

describe('Adding keywords', () => {
  test('gives each term one form and answers in the order sent', async () => {
    const { appId } = (await track(2030)).body
    const first = await add(appId, ['  Focus   TIMER ', 'ｆｏｃｕｓ timer', '🍅🍅', 'Pomodoro  タイマー'])
    assert.deepEqual(
      first.added.map((one: { keyword: { term: string } }) => one.keyword.term),
      ['focus timer', 'pomodoro タイマー'],
    )
    assert.equal(first.alreadyThere[0].keyword.keywordId, first.added[0].keyword.keywordId)
    assert.deepEqual(
      first.refused.map((one: { given: string; reason: string }) => [one.given, one.reason]),
      [['🍅🍅', 'no-letters']],
    )
    assert.equal(first.keywordCount, 2)
    const again = await add(appId, ['pomodoro タイマー'])
    assert.deepEqual([again.added, again.keywordCount], [[], 2])
    assert.equal(again.alreadyThere.length, 1)
  })

  test('by two at once never holds more than 2,000, and loses none that fit', async () => {
    const { appId } = (await track(2031)).body
    const batch = (from: number) => Array.from({ length: 200 }, (_, index) => `fill ${from + index}`)
    for (let from = 0; from < 1_800; from += 200) await add(appId, batch(from))
    const both = await Promise.all([add(appId, batch(1_750)), add(appId, batch(1_900))])
    const outcomes = both.flatMap(({ added, alreadyThere, refused }) => [
      added.length + alreadyThere.length + refused.length,
    ])
    assert.deepEqual(outcomes, [200, 200])
    assert.equal(Math.max(...both.map(({ keywordCount }) => keywordCount)), 2_000)
    const refused = both.flatMap((one) => one.refused)
    assert.ok(refused.length > 0)
    assert.ok(refused.every(({ reason }: { reason: string }) => reason === 'keywords-full'))
    const { body } = await world.call('get_aso_workstation', { appId })
    assert.equal(body.keywords.length, 2_000)
    assert.equal(body.tracked.keywordCount, 2_000)
  })
})

describe('The list of tracked apps', () => {
  test('has own apps first, then rivals, then watched ones, the newest first', async () => {
    const options = await freshAccount()
    const tracked = []
    for (const [app, role] of [
      [2040, 'watched'],
      [2041, 'own'],
      [2042, 'rival'],
      [2043, 'own'],
      [2044, 'rival'],
    ] as const)
      tracked.push((await track(app, { role, country: app === 2044 ? 'gb' : 'us' }, options)).body)
    const ids = (items: { app: { storeId: string } }[]) => items.map(({ app }) => Number(app.storeId))
    const expected = [2043, 2041, 2044, 2042, 2040]
    assert.deepEqual(ids(await listed(options)), expected)
    assert.deepEqual(ids(await listed(options, { role: 'rival' })), [2044, 2042])
    assert.deepEqual(ids(await listed(options, { country: 'gb' })), [2044])

    const paged: number[] = []
    let cursor: string | null | undefined
    do {
      const page = { limit: 2, ...(cursor ? { cursor } : {}) }
      const { body } = await world.call('list_aso_apps', page, options)
      paged.push(...ids(body.items))
      cursor = body.nextCursor
    } while (cursor)
    assert.deepEqual(paged, expected)
    const foreign = (await world.call('list_aso_apps', { limit: 2 }, options)).body.nextCursor
    const damaged = await world.call('list_aso_apps', { cursor: foreign }, await freshAccount())
    assert.equal(damaged.body.code, 'invalid-cursor')
  })

  test('tells how visible each is and what moved in seven days, as its workstation does', async () => {
    const options = await freshAccount()
    const { appId } = (await track(2050, {}, options)).body
    await track(2051, {}, options)
    await add(appId, ['summed', 'summed too', 'summed never'], options)
    const store = (term: string, day: string, ids: number[]) =>
      storePage(world, { term, observedAt: `${day}T17:00:00Z`, apps: appsOf(ids) })
    await store('summed', '2026-02-27', [1, 2, 3, 2050])
    await store('summed', '2026-03-06', [1, 2050])
    await store('summed too', '2026-02-20', [2050])
    await store('summed too', '2026-03-06', [1, 2])
    const [without, app] = await listed(options)
    const station = (await world.call('get_aso_workstation', { appId }, options)).body
    assert.deepEqual(app.visibility, station.visibility)
    assert.deepEqual(app.distribution, station.distribution)
    assert.deepEqual(app.over7Days, station.movement.over7Days)
    assert.equal(app.visibility.share.value, 25)
    assert.deepEqual([app.over7Days.climbed, app.over7Days.left, app.over7Days.notMeasured], [1, 1, 1])
    assert.deepEqual(without.visibility.share, { state: 'not-measured', reason: 'never-collected' })
    assert.equal(without.distribution.keywords, 0)
  })
})

describe('What belongs to an account', () => {
  test('is not there for another', async () => {
    const mine = (await track(2060)).body.appId
    const { added } = await add(mine, ['only mine'])
    const other = await freshAccount()
    const calls = await Promise.all([
      world.call('get_aso_workstation', { appId: mine }, other),
      world.call('update_aso_app_role', { appId: mine, role: 'rival' }, other),
      world.call('add_aso_keywords', { appId: mine, terms: ['theirs'] }, other),
      world.call('remove_aso_keyword', { appId: mine, keywordId: added[0].keyword.keywordId }, other),
      world.call('remove_aso_app', { appId: mine }, other),
    ])
    for (const { status, body } of calls) assert.deepEqual([status, body.code], [404, 'tracked-app-not-found'])
    assert.deepEqual(await listed(other), [])
    const still = (await world.call('get_aso_workstation', { appId: mine })).body
    assert.deepEqual([still.tracked.role, still.keywords.length], ['own', 1])
    await world.call('remove_aso_app', { appId: mine })
    assert.equal((await world.call('remove_aso_app', { appId: mine }, other)).status, 404)
  })

  test('is read and written with the scope for it alone', async () => {
    const reader = await freshAccount(['context:read'])
    const writer = { key: await world.key(['content:write'], `apps ${accounts}`) }
    assert.equal((await track(2070, {}, reader)).status, 403)
    const { body, status } = await track(2070, {}, writer)
    assert.equal(status, 201)
    assert.equal((await world.call('list_aso_apps', {}, writer)).status, 403)
    assert.equal(
      (await world.call('add_aso_keywords', { appId: body.appId, terms: ['a'] }, reader)).status,
      403,
    )
    assert.equal((await listed(reader)).length, 1)
  })
})
