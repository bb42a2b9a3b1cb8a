import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { demoAccount, demoAppId } from '../../sample/demo/tracking.ts'
import { contract, type Tool } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { StoredRateLimiter } from '../../src/domain/collecting/rate-limiter.ts'
import { discoverEmerging, discoveryWork } from '../../src/domain/emerging/discovery.ts'
import { refreshEstimates } from '../../src/domain/estimates/refresh.ts'
import { askForWork } from '../../src/domain/work/ask-for-work.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { pause } from '../support/pause.ts'
import { importNewestSample } from '../support/sample.ts'
import { type Input, openWorld, type Reply } from '../support/world.ts'

/**
 * Whoever polls a read with the `ETag` it holds pays nothing while nothing changed: so no reply and no cursor may hold the
 * moment it was made.
 */
const world = await openWorld({
  adTokens: { meta: ['made-up'], tiktok: ['made-up', 'made-up'] },
})
after(() => world[Symbol.asyncDispose]())
await importNewestSample(world.store.db, '2026-11-17')
const key = await world.key(undefined, demoAccount)

const app = { platform: 'ios', storeId: '9000000150' }
const call = <T extends Tool>(tool: T, input: Input<T>) => world.call(tool, input, { key })
const done = async <T extends Tool>(tool: T, input: Input<T>) => {
  const { status, body } = await call(tool, input)
  assert.ok(status < 300, `${tool}: ${JSON.stringify(body)}`)
  return body
}

await refreshEstimates(world.store.db, { storeId: app.storeId, country: 'us' }, new Date())
await done('request_competitor_data', { ...app, kinds: ['record', 'charts', 'media'] })
await done('request_ios_competitor', { app: '8800000001' })
const search = { country: 'us', categoryId: null, windowDays: 30, limit: 25 }
const discovery = await askForWork(world.store.db, async () => {}, discoveryWork(search))
const discover = discoverEmerging(
  world.store.db,
  async () => {},
  () => new Date(),
)
await workTask(
  world.store.db,
  discoveryWork(search).kind,
  discover,
)({ workId: discovery.workId }, new AbortController().signal)
await done('refresh_competitor_estimates', app)
await done('refresh_aso_keyword', { query: 'banjo' })
await done('refresh_aso_app', { appId: demoAppId })
const posts = (await done('search_organic_content', { limit: 5 })).items
const ads = (await done('search_paid_ads', { limit: 5 })).items
for (const { postId } of posts) await done('save_organic_content', { postId })
const ad = { platform: ads[0].platform, archiveId: ads[0].archiveId }
await done('save_paid_ad', ad)
await done('generate_paid_ad_transcript', ad)
const { runId } = await done('admin_import_paid_ads', { platform: 'meta', terms: ['planner'] })
// A library that wants to be left alone says until when, not for how long from now.
for (const library of ['meta', 'tiktok'] as const)
  await new StoredRateLimiter(world.store.db).hold(
    world.collecting.sources[`${library}-ad-library`].pace,
    900_000,
  )

const ofSearch = (sorts: readonly string[], more: object = {}) =>
  sorts.flatMap((sort) => [
    { sort, limit: 2, ...more },
    { sort, limit: 2, q: 'a', ...more },
    { sort, limit: 2, q: 'planner', ...more },
  ])
const postSorts = ['relevance', 'recent', 'views', 'engagement', 'outlier']

/** Calls of each read that answer much. */
const reads: Partial<Record<Tool, object[]>> = {
  search_competitors: ofSearch(['relevance', 'rating-count', 'rating', 'released', 'updated', 'name']),
  list_competitor_categories: [{}],
  get_competitor: [app],
  get_similar_competitors: [app],
  get_competitor_organic: [{ ...app, limit: 1 }, ...ofSearch(postSorts, { ...app, limit: 1 })],
  get_competitor_aso: [app],
  list_competitor_data_requests: [{ ...app, limit: 2 }],
  list_emerging_ios_competitors: [{ limit: 2 }],
  get_competitor_estimate_history: [app, { ...app, country: 'fr' }],
  get_competitor_media: [app],
  get_apple_charts: [{}],
  get_apple_chart_history: [{ storeId: app.storeId }, { storeId: app.storeId, country: 'fr' }],
  search_organic_content: ofSearch(postSorts),
  get_organic_content: [{ postId: posts[0].postId }],
  list_saved_organic_content: [{ limit: 2 }],
  search_paid_ads: ofSearch(['relevance', 'recent', 'longest-running', 'last-observed']),
  get_paid_ad: [ad],
  admin_search_paid_ad_advertisers: [{ limit: 2 }, { q: 'a', limit: 2 }],
  admin_get_paid_ad_import: [{ runId }],
  list_aso_apps: [{ limit: 2 }],
  get_aso_workstation: [{ appId: demoAppId }],
  get_aso_keyword_gap: [{ appId: demoAppId, rivalStoreId: '9000000137', limit: 1 }],
  explore_aso_keyword: [{ query: 'budget' }, { query: 'banjo' }],
}

test('every read asked again a second later has the same ETag, and 304 for who holds it', async () => {
  const asked: { tool: Tool; input: object; first: Reply<unknown> }[] = []
  const ask = async (tool: Tool, input: object) => {
    const first = await call(tool, input)
    assert.equal(first.status, 200, `${tool} ${JSON.stringify(first.body)}`)
    asked.push({ tool, input, first })
    return (first.body as { nextCursor?: string | null }).nextCursor
  }
  const rows = Object.entries(contract) as [Tool, Operation][]
  for (const [tool] of rows.filter(([, { method }]) => method === 'GET')) {
    const inputs = reads[tool] ?? []
    assert.ok(inputs.length > 0, `${tool} is asked nowhere`)
    let cursors = 0
    for (const input of inputs) {
      const cursor = await ask(tool, input)
      if (!cursor) continue
      cursors++
      await ask(tool, { ...input, cursor })
    }
    if ('cursor' in ((contract[tool] as Operation).query?.shape ?? {}))
      assert.ok(cursors > 0, `${tool} answers no cursor`)
  }
  // The clock's second changes, and the minute or the day as they come.
  await pause(1_100, 'what depends on the time is another')
  const changed: string[] = []
  for (const { tool, input, first } of asked) {
    const again = await world.call(
      tool,
      { ...input },
      { key, headers: { 'if-none-match': `${first.headers.etag}` } },
    )
    if (again.status === 304 && again.headers.etag === first.headers.etag) continue
    changed.push(`${tool} ${JSON.stringify(input)}: ${differences(first.body, again.body).join('; ')}`)
  }
  assert.deepEqual(changed, [])
})

function differences(one: unknown, other: unknown, path = ''): string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other) ? [] : [`${path} was ${JSON.stringify(one)}, is ${JSON.stringify(other)}`]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) =>
    differences(one[name as keyof typeof one], other[name as keyof typeof other], `${path}/${name}`),
  )
}
