import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ChangeMarkers } from '../src/api/changes.ts'
import { refreshEstimates } from '../src/domain/estimates/refresh.ts'
import { changeCounts, countChange } from '../src/domain/evidence/changes.ts'
import { projectionNames } from '../src/projections/names.ts'
import { replay } from '../src/projections/replay.ts'
import { inTransaction, rows } from '../src/storage/database.ts'
import { evidenceAreas } from '../src/vocabulary/evidence-areas.ts'
import { appLine } from './support/app-lines.ts'
import { stopClock } from './support/clock.ts'
import { openFolder } from './support/files.ts'
import { importAd } from './support/media.ts'
import { importPosts, madePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld({ rateLimit: 2 }))
const folder = parts.use(openFolder())
after(() => parts.disposeAsync())
const { db } = world.store
const reader = await world.key(['context:read'], 'reader')

type Markers = Record<string, string>
/** What a process that has just started answers: the memory of two seconds has a test of its own. */
const markersNow = async () =>
  (JSON.parse(await new ChangeMarkers(db).current()) as { markers: Markers }).markers

/** The areas that are said to have changed while something was done. */
async function changedBy(perform: () => Promise<unknown>): Promise<string[]> {
  const before = await markersNow()
  await perform()
  const later = await markersNow()
  return Object.keys(later).filter((area) => later[area] !== before[area])
}
const ask = (headers: Record<string, string> = {}) =>
  world.request<{ markers: Record<string, string> }>({
    url: '/changes',
    headers: { authorization: `Bearer ${reader}`, ...headers },
  })

const importApps = (id: number) =>
  world.import({
    kind: 'catalogue',
    paths: [folder.write(`${id}.json`, `{"resultCount":1,"results":[${appLine(id)}]}`)],
    country: 'us',
    observedAt: '2026-03-01',
  })
const chart = JSON.stringify([
  {
    country: 'us',
    chart: 'top-free',
    category: '36',
    capturedAt: '2026-03-01T06:00:00Z',
    rank: 1,
    id: '9000000001',
    name: 'App',
  },
])

test('whoever may call is told a text for each area, and nobody else is', async () => {
  const { status, body, headers } = await ask()
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body.markers).sort(), [...evidenceAreas].sort())
  for (const marker of Object.values(body.markers)) assert.match(String(marker), /^[\w-]{12}$/)
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal((await world.request({ url: '/changes' })).status, 401)
  assert.equal((await world.request({ url: '/changes', method: 'POST' })).status, 405)
})

test('asking takes nothing from what a caller may ask, and costs no body while nothing is new', async () => {
  const { headers } = await ask()
  assert.equal(headers.ratelimit, undefined)
  for (let times = 0; times < 10; times++) {
    const again = await ask({ 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.body], [304, ''])
  }
})

test('what is stored changes the text of its area, and of no other', async () => {
  assert.deepEqual(
    await changedBy(() => importApps(9_000_000_001)),
    ['apps', 'keywords'],
    'as a search answers',
  )
  const charts = () => world.import({ kind: 'charts', paths: [folder.write('chart.json', chart)] })
  assert.deepEqual(await changedBy(charts), ['charts'])
  assert.deepEqual(await changedBy(charts), [], 'the same file again holds nothing new')
  const post = () => importPosts(world, [madePost('1', { observedAt: '2026-03-02T00:00:00Z' })])
  assert.deepEqual(await changedBy(post), ['posts'])
  assert.deepEqual(await changedBy(() => importAd(world, '77', [])), ['ads'])
  const estimates = () => refreshEstimates(db, { storeId: '9000000001', country: 'us' }, new Date('2026-03-02'))
  assert.deepEqual(await changedBy(estimates), ['estimates'])
  const signal = new AbortController().signal
  const replayed = await changedBy(() => replay(db, () => {}, signal, projectionNames))
  assert.deepEqual(replayed.sort(), ['ads', 'apps', 'charts', 'keywords', 'posts'])
})

test('what accounts follow, save, ask for and look up tells nobody anything', async () => {
  await using open = await openWorld()
  const { body } = await open.call('track_aso_app', { app: '9000000001', country: 'us', role: 'own' })
  await importAdsAndPosts(open)
  const before = JSON.parse(await new ChangeMarkers(open.store.db).current())
  await open.call('add_aso_keywords', { appId: body.appId, terms: ['sleep', 'habit'] })
  await open.call('save_organic_content', { postId: 'tiktok_1', note: 'mine' })
  await open.call('save_paid_ad', { platform: 'meta', archiveId: '77', tags: ['mine'] })
  await open.call('request_competitor_data', { storeId: '9000000001', kinds: ['media'], country: 'us' })
  await open.call('request_ios_competitor', { app: '9000000009' })
  await open.call('refresh_aso_app', { appId: body.appId })
  await open.call('remove_aso_app', { appId: body.appId })
  assert.deepEqual(JSON.parse(await new ChangeMarkers(open.store.db).current()), before)
})

async function importAdsAndPosts(into: World): Promise<void> {
  await importPosts(into, [madePost('1', { observedAt: '2026-03-02T00:00:00Z' })])
  await importAd(into, '77', [])
}

test('what is stored first and seen last is not missed', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const slow = inTransaction(db, async (transaction) => {
    await countChange(transaction, ['apps'])
    begin()
    await mayEnd
  })
  await begun
  const meanwhile = await changedBy(() => importApps(9_000_000_002))
  const atItsEnd = await changedBy(async () => {
    end()
    await slow
  })
  assert.deepEqual([meanwhile, atItsEnd], [['apps', 'keywords'], ['apps']])
})

test('changes that end at once are all counted, in no more rows than there were at once', async () => {
  const { apps } = await changeCounts(db)
  const atOnce = 6
  for (let times = 0; times < 20; times++)
    await Promise.all(
      Array.from({ length: atOnce }, () => inTransaction(db, (own) => countChange(own, ['ads', 'apps']))),
    )
  assert.equal((await changeCounts(db)).apps, apps + BigInt(20 * atOnce))
  const [found] = await rows(
    db,
    sql<{ count: number }>`select count(*)::int from evidence_changes where area = 'apps'`,
  )
  assert.ok(found && found.count <= atOnce, `${found?.count} rows`)
})

test('a process asks the store once in two seconds, whoever asks, and all processes say the same', async () => {
  using clock = stopClock()
  const markers = new ChangeMarkers(db)
  const first = await markers.current()
  await countChange(db, ['keywords'])
  clock.pass(1_999)
  assert.equal(await markers.current(), first)
  clock.pass(1)
  assert.notEqual(await markers.current(), first)
  assert.equal(await markers.current(), await new ChangeMarkers(db).current())
})
