import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { demoAccount } from '../sample/demo/tracking.ts'
import { recordSearchFailure } from '../src/domain/aso/pages/search-failures.ts'
import { recordCheckFailures, recordChecks } from '../src/domain/collecting/attempts.ts'
import { noStorefront, recordFailure, recordSuccess } from '../src/domain/collecting/health.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { importPosts, madePost } from './support/posts.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { importNewestSample } from './support/sample.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

/** What is stale or failing of the apps that an account tracks: told by their list, in one call. */

let world: World
const parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
const schedule = {
  charts: [{ countries: ['us', 'de'], charts: ['top-free'], everyHours: 24 }],
  apps: { countries: ['us', 'de'], everyDays: 7, trackedEveryHours: 24 },
  pages: { countries: ['us'], everyDays: 7, trackedEveryHours: 48 },
  keywords: { everyHours: 24 },
}
before(async () => {
  world = parts.use(await openWorld({ schedule }))
})
after(() => parts.disposeAsync())

const hourMs = 3_600_000
const now = Date.now()
const hoursAgo = (hours: number) => new Date(now - hours * hourMs).toISOString()

const read = async (account: string, more: object = {}) => {
  const key = await world.key(['context:read'], account)
  return (await world.call('list_aso_apps', { limit: 100, ...more }, { key })).body
}
const freshnessOf = async (account: string) => (await read(account)).items[0]?.freshness

const chart = (country: string, observedAt: string, storeId: string) =>
  importContent(world, folder, 'charts', `rank,id,name\n1,${storeId},Notes\n2,900001,Another\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt,
  })

const workerSeen = (ago: string | null) =>
  sql`update pgboss.version set cron_on = ${ago === null ? null : sql`now() - ${ago}::interval`}`.execute(
    world.store.db,
  )

describe('The parts of a tracked app', () => {
  test('that nobody has looked at are named, and keywords only where there are some', async () => {
    await storeTracked(world, { storeId: '8200000001', account: 'unseen' })
    const never = { state: 'not-measured' }
    assert.deepEqual(await freshnessOf('unseen'), {
      charts: never,
      listing: never,
      page: never,
      ads: never,
      posts: never,
    })
    await storeTracked(world, { storeId: '8200000002', account: 'unseen words', keywords: ['fika', 'bulle'] })
    const { keywords } = await freshnessOf('unseen words')
    assert.deepEqual(keywords, { state: 'not-measured', behind: 2 })
  })

  test('that are fresh are left out, and those behind say since when, by their own turn', async () => {
    const storeId = '8200000003'
    await storePages(world, [
      { country: 'de', term: 'brot', observedAt: hoursAgo(2), apps: appsOf([1]) },
      { country: 'de', term: 'salz', observedAt: hoursAgo(60), apps: appsOf([1]) },
    ])
    await storeListings(world, [
      { trackId: Number(storeId), country: 'de', observedAt: hoursAgo(30), trackName: 'Brot' },
    ])
    await chart('de', hoursAgo(3), storeId)
    await recordChecks(world.store.db, 'page', 'de', [storeId], new Date(hoursAgo(900)))
    // The chart named it since, and does not tell its listing.
    await recordChecks(world.store.db, 'lookup', 'de', [storeId], new Date(hoursAgo(30)))
    const text = `Bread: https://apps.apple.com/de/app/id${storeId}`
    await importPosts(world, [madePost('82000031', { text, observedAt: hoursAgo(5) })])
    await storeTracked(world, {
      storeId,
      country: 'de',
      account: 'behind',
      keywords: ['brot', 'salz', 'pfeffer'],
    })
    assert.deepEqual(await freshnessOf('behind'), {
      // By the one that was looked at longest ago; another was never.
      keywords: { state: 'late', lastAt: hoursAgo(60), since: hoursAgo(12), behind: 2 },
      listing: { state: 'due', lastAt: hoursAgo(30), since: hoursAgo(6) },
      // Nothing collects pages there.
      page: { state: 'not-scheduled', lastAt: hoursAgo(900) },
      ads: { state: 'not-measured' },
      posts: { state: 'not-scheduled', lastAt: hoursAgo(5) },
    })
  })

  test('are what the newest evidence of the list is taken from, also of an app without keywords', async () => {
    await storeListings(world, [{ trackId: 910_900, trackName: 'Quiet', observedAt: hoursAgo(300) }])
    await storeTracked(world, { storeId: '910900', account: 'quiet', keywords: [] })
    const { asOf, items } = await read('quiet')
    const looked = Object.values<{ lastAt?: string }>(items[0].freshness).flatMap(({ lastAt }) => lastAt ?? [])
    assert.ok(looked.length > 0)
    assert.equal(asOf.newestEvidenceAt, looked.toSorted().at(-1))
  })

  test('whose last attempt failed say so, with the error in plain words and bounded', async () => {
    const { db } = world.store
    const storeId = '8200000004'
    await storeListings(world, [{ trackId: Number(storeId), observedAt: hoursAgo(1), trackName: 'Salz' }])
    await storePages(world, [
      { country: 'us', term: 'sea salt', observedAt: hoursAgo(9), apps: appsOf([8_200_000_004]) },
    ])
    await storeTracked(world, { storeId, account: 'failing', keywords: ['sea salt'] })
    const failure = {
      at: new Date(hoursAgo(4)),
      code: 'timeout',
      message: 'no answer in time '.repeat(40),
    } as const
    await recordSearchFailure(db, { country: 'us', term: 'sea salt' }, failure)
    await recordCheckFailures(
      db,
      { kind: 'page', country: 'us', storeIds: [storeId] },
      { ...failure, message: 'gone' },
    )
    const { keywords, page, listing } = await freshnessOf('failing')
    assert.deepEqual(page, { state: 'failing', since: hoursAgo(4), error: 'gone' })
    assert.deepEqual(
      [keywords?.state, keywords?.lastAt, keywords?.error?.length],
      ['failing', hoursAgo(9), 200],
    )
    assert.equal(listing, undefined, 'its record is fresh')
    await storePages(world, [
      { country: 'us', term: 'sea salt', observedAt: hoursAgo(1), apps: appsOf([8_200_000_004]) },
    ])
    assert.equal((await freshnessOf('failing')).keywords, undefined, 'a newer page makes it good')
  })
})

test('App Store ads of the schedule count by when an app was asked for, though it had none', async () => {
  await using own = await openWorld({ schedule: { appStoreAds: { everyDays: 7 } } })
  const key = await own.key()
  await storeTracked(own, { storeId: '8200000009', country: 'de' })
  await storeTracked(own, { storeId: '8200000010', country: 'de', role: 'rival' })
  const adsOf = async () =>
    (await own.call('list_aso_apps', {}, { key })).body.items.map(({ freshness }) => freshness.ads?.state)
  assert.deepEqual(await adsOf(), ['not-measured', 'not-measured'])
  await own.call('admin_import_paid_ads', { platform: 'apple', apps: ['8200000009'] }, { key })
  assert.deepEqual(await adsOf(), [undefined, 'not-measured'])
  await sql`update work set created_at = now() - interval '15 days'`.execute(own.store.db)
  assert.deepEqual(await adsOf(), ['late', 'not-measured'])

  // The id of a run tells when it was started.
  const startedAgo = async (storeId: string, days: number) => {
    const started = new Date(now - 24 * days * hourMs)
    const runId = started.getTime().toString(16).padStart(12, '0') + '7'.padEnd(20, '0')
    const query = { apps: ['8200000011', storeId] }
    await sql`
      with made as (
        insert into work (work_id, kind, subject, input, status, created_at)
        values (${runId}::uuid, 'ad-import', ${runId}, '{}', 'succeeded', ${started}))
      insert into ad_imports (run_id, account_id, platform, arguments_hash, query)
      select ${runId}::uuid, account_id, 'apple', ${runId}, ${JSON.stringify(query)}::jsonb from ad_imports limit 1`.execute(
      own.store.db,
    )
  }
  await startedAgo('8200000010', 91)
  assert.deepEqual(await adsOf(), ['late', 'not-measured'], 'runs of more than 90 days ago are not read')
  await startedAgo('8200000010', 89)
  assert.deepEqual(await adsOf(), ['late', 'late'])
  await startedAgo('8200000010', 1)
  assert.deepEqual(await adsOf(), ['late', undefined], 'the newest counts')
})

describe('The head of the list', () => {
  test('names sources that are not well in the storefronts of the apps, once, and libraries of ads', async () => {
    const { db } = world.store
    await storeTracked(world, { storeId: '8200000005', country: 'no', account: 'sources' })
    await storeTracked(world, { storeId: '8200000005', country: 'fi', account: 'sources' })
    await storeTracked(world, { storeId: '8200000005', country: 'is', account: 'well' })
    const failed = (hours: number, message: string) => ({
      at: new Date(hoursAgo(hours)),
      kind: 'timeout' as const,
      message,
    })
    await recordFailure(db, 'itunes-lookup', 'no', failed(9, 'no answer in 10 seconds'))
    await recordFailure(db, 'itunes-lookup', 'fi', failed(5, 'the line is down '.repeat(50)))
    await recordFailure(db, 'apple-rss-v2', 'is', failed(5, 'elsewhere'))
    await recordFailure(db, 'meta-ad-library', noStorefront, failed(7, 'the token has ended'))
    const { trouble } = await read('sources')
    assert.deepEqual(
      trouble.map(({ source, country, kind, since }) => [source, country, kind, since]),
      [
        ['itunes-lookup', null, 'failing', hoursAgo(9)],
        ['meta-ad-library', null, 'failing', hoursAgo(7)],
      ],
    )
    assert.match(trouble[0].text, /\(no, fi\) is failing since .*Z: the line is down/)
    assert.ok(trouble[0].text.length < 320, 'an error is bounded')
    await recordFailure(db, 'itunes-search', 'fi', failed(2, 'the line is down '.repeat(50)))
    const { items, trouble: ofList } = await read('sources', { country: 'fi' })
    const key = await world.key(['context:read'], 'sources')
    const ofApp = (await world.call('get_aso_workstation', { appId: items[0].appId }, { key })).body.trouble
    await recordSuccess(db, 'itunes-search', 'fi', new Date())
    assert.deepEqual(
      ofApp,
      ofList.filter(({ source }) => source === 'itunes-search'),
      'in the same words wherever it is told',
    )
    assert.match(trouble[1].text, /: the token has ended\. What is shown was stored before\.$/)
    const { trouble: onlyOne } = await read('sources', { country: 'fi' })
    assert.equal(onlyOne.find(({ source }) => source === 'itunes-lookup')?.country, 'fi')
    for (const country of ['no', 'fi']) await recordSuccess(db, 'itunes-lookup', country, new Date())
    await recordSuccess(db, 'meta-ad-library', noStorefront, new Date())
    assert.deepEqual((await read('sources')).trouble, [])
    assert.deepEqual(
      (await read('well')).trouble.map(({ country }) => country),
      ['is'],
    )
  })

  test('says whether somebody works on jobs, and which charts of the schedule have not come', async () => {
    await storeTracked(world, { storeId: '8200000006', account: 'charts' })
    await workerSeen(null)
    const { collecting } = await read('charts')
    assert.deepEqual(collecting, {
      worker: 'never-seen',
      stoppedSince: null,
      overdue: [
        {
          job: 'charts',
          since: null,
          text: '1 of 1 scheduled charts have not come for two turns: Top Free, all apps (us).',
        },
      ],
    })
    await chart('us', hoursAgo(60), '8200000006')
    await workerSeen('10 minutes')
    const late = (await read('charts')).collecting
    assert.equal(late?.worker, 'stopped')
    assert.ok(Date.parse(late?.stoppedSince ?? '') < Date.now() - 9 * 60_000)
    assert.equal(late?.overdue[0]?.since, hoursAgo(12))
    await chart('us', hoursAgo(1), '8200000006')
    await workerSeen('1 second')
    assert.equal((await read('charts')).collecting, null, 'all is well')
  })

  test('names work of the account that waits or fails, and nothing of others', async () => {
    const { db } = world.store
    await workerSeen('1 second')
    await storeTracked(world, { storeId: '8200000007', country: 'se', account: 'waits' })
    await storeTracked(world, { storeId: '8200000007', country: 'se', account: 'other' })
    const key = await world.key(undefined, 'waits')
    await world.call('request_ios_competitor', { app: '8200000008', country: 'se' }, { key })
    assert.equal((await read('waits')).collecting, null, 'it has only begun to wait')
    await sql`update work set created_at = ${hoursAgo(7)} where kind = 'intake'`.execute(db)
    const waiting = (await read('waits')).collecting
    const minute = `${hoursAgo(7).slice(0, 16)}Z`
    assert.deepEqual(waiting, {
      worker: 'running',
      stoppedSince: null,
      overdue: [{ job: 'intake', since: hoursAgo(7), text: `1 waiting since ${minute}` }],
    })
    assert.equal((await read('other')).collecting, null)
    await sql`update work set created_at = now(), status = 'running', attempts = 5, last_error_at = ${hoursAgo(1)},
      last_error_message = 'Apple failed' where kind = 'intake'`.execute(db)
    const failing = (await read('waits')).collecting
    assert.match(failing?.overdue[0]?.text ?? '', /^1 failed 5 times or more, at .*Z with: Apple failed$/)
    await sql`update work set status = 'succeeded', finished_at = now() where kind = 'intake'`.execute(db)
  })

  test('needs context:read and nothing more', async () => {
    const key = await world.key(['content:write'], 'charts')
    const { status, body } = await world.call('list_aso_apps', {}, { key })
    assert.deepEqual([status, body.code], [403, 'scope-missing'])
  })
})

/** How many statements go over the wire for a list. */
async function statementsFor(t: TestContext, account: string): Promise<number> {
  const key = await world.key(['context:read'], account)
  await world.call('list_aso_apps', {}, { key })
  await countChange(world.store.db, ['other'])
  const sent = t.mock.method(Client.prototype, 'query')
  await world.call('list_aso_apps', { limit: 100 }, { key })
  const { calls } = sent.mock
  sent.mock.restore()
  const texts = calls.map(({ arguments: [query] }: { arguments: unknown[] }) =>
    typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query),
  )
  return texts.filter((text) => !/most_requests_per_minute/.test(text)).length
}

test('the list takes as many statements for forty apps as for one', async (t) => {
  await storeTracked(world, { storeId: '8200000100', country: 'us', account: 'one', keywords: ['salt'] })
  for (let at = 0; at < 40; at++)
    await storeTracked(world, {
      storeId: `${8_200_000_100 + at}`,
      country: at % 2 ? 'us' : 'de',
      account: 'forty',
      keywords: ['salt'],
    })
  const [one, forty] = [await statementsFor(t, 'one'), await statementsFor(t, 'forty')]
  assert.equal(forty, one)
  assert.ok(one <= 15, `${one}`)
})

test('an agent is told what is stale or failing in one call of 5 kB, also where nothing is scheduled', async () => {
  await using sampled = await openWorld()
  await importNewestSample(sampled.store.db, '2026-11-01')
  const address = await sampled.server.listen({ host: '127.0.0.1', port: 0 })
  await recordFailure(sampled.store.db, 'itunes-search', 'us', {
    at: new Date(hoursAgo(3)),
    kind: 'timeout',
    message: 'no answer in 10 seconds',
  })
  await using agent = await connectMcp(address, await sampled.key(['context:read'], demoAccount))
  const { text, reply } = await agent.call('list_aso_apps', { fields: ['name', 'country', 'freshness'] })
  const bytes = Buffer.byteLength(text)
  assert.ok(bytes <= 5_000, `${bytes} bytes`)
  assert.ok(reply.items.length > 1)
  assert.ok(reply.asOf.today > '2026-11-01')
  assert.equal(reply.collecting.worker, 'never-seen')
  assert.match(
    reply.trouble[0].text,
    /^iTunes Search API \(us\) is failing since .*: no answer in 10 seconds\. What is shown/,
  )
  for (const { name, country, freshness } of reply.items) {
    assert.ok(name !== undefined && country)
    if (country !== 'us') continue
    assert.equal(freshness.charts.state, 'not-scheduled')
    assert.match(freshness.charts.lastAt, /^2026-11/)
  }
})
