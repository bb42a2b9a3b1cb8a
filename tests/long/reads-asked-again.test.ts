import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { demoAccount, demoAppId } from '../../sample/demo/tracking.ts'
import type { Tool } from '../../src/contract/contract.ts'
import { StoredRateLimiter } from '../../src/domain/collecting/rate-limiter.ts'
import { discoverEmerging, discoveryWork } from '../../src/domain/emerging/discovery.ts'
import { refreshEstimates } from '../../src/domain/estimates/refresh.ts'
import { askForWork } from '../../src/domain/work/ask-for-work.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { pause } from '../support/pause.ts'
import { argumentsOf, callsAbout, reads, varied } from '../support/reads.ts'
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
// Nobody works here. Work says so after half a minute: it was asked for long ago, so that all replies do.
await sql`update work set created_at = created_at - interval '1 hour'`.execute(world.store.db)
// A library that wants to be left alone says until when, not for how long from now.
for (const library of ['meta', 'tiktok'] as const)
  await new StoredRateLimiter(world.store.db).hold(
    world.collecting.sources[`${library}-ad-library`].pace,
    900_000,
  )

const subjects = {
  storeId: [{ storeId: app.storeId }],
  postId: [{ postId: posts[0].postId }],
  archiveId: [ad],
  runId: [{ runId }],
  appId: [{ appId: demoAppId }],
  rivalStoreId: [{ rivalStoreId: '9000000137' }],
  query: [{ query: 'budget' }, { query: 'banjo' }],
}

/** Calls of a read that answer much: in each order, with and without words, in pages of few. */
function callsOf(tool: Tool): object[] {
  const { takes, words } = argumentsOf(tool)
  const limit = tool === 'get_competitor_organic' || tool === 'get_aso_keyword_gap' ? 1 : 2
  const paged = takes('cursor') ? [{ limit }] : []
  const texts = takes('q') ? [{}, { q: 'a' }, { q: 'planner' }] : []
  const dated = takes('from') ? [{}, { country: 'fr' }] : []
  const sorts = words('sort').map((sort) => ({ sort }))
  return [sorts, texts, dated, paged].reduce(varied, callsAbout(tool, subjects))
}

test('every read asked again a second later has the same ETag, and 304 for who holds it', async () => {
  const asked: { tool: Tool; input: object; first: Reply<unknown> }[] = []
  const ask = async (tool: Tool, input: object) => {
    const first = await call(tool, input)
    assert.equal(first.status, 200, `${tool} ${JSON.stringify(first.body)}`)
    asked.push({ tool, input, first })
    return (first.body as { nextCursor?: string | null }).nextCursor
  }
  for (const [tool] of reads) {
    let cursors = 0
    for (const input of callsOf(tool)) {
      const cursor = await ask(tool, input)
      if (!cursor) continue
      cursors++
      await ask(tool, { ...input, cursor })
    }
    if (argumentsOf(tool).takes('cursor')) assert.ok(cursors > 0, `${tool} answers no cursor`)
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
