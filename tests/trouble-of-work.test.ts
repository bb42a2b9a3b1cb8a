import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordFailure, recordSuccess } from '../src/domain/collecting/health.ts'
import { connectMcp } from './support/mcp.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld } from './support/world.ts'

/** Who asks for work, or for data, is told of the sources that it rests on and that are not well. */

test('work and data that are asked for name the sources that are not well in their storefront', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const appId = await storeTracked(world, { storeId: '8300000001', country: 'de', keywords: ['brot'] })
  const at = new Date()
  const sources = [
    'itunes-search',
    'itunes-lookup',
    'apple-search-hints',
    'apple-rss-v2',
    'app-store-page',
  ] as const
  for (const source of sources)
    await recordFailure(db, source, 'de', { at, kind: 'timeout', message: 'no answer in 10 seconds' })
  const country = 'de'
  const asked = {
    track_aso_app: { app: '8300000002', role: 'rival', country },
    request_ios_competitor: { app: '8300000003', country },
    refresh_aso_app: { appId },
    refresh_aso_keyword: { query: 'brot', country },
    discover_emerging_ios_competitors: { country },
    request_competitor_data: {
      platform: 'ios',
      storeId: '8300000004',
      country,
      kinds: ['charts', 'similar', 'organic'],
    },
  } as const
  const expected: Record<keyof typeof asked, string[]> = {
    track_aso_app: ['itunes-lookup'],
    request_ios_competitor: ['itunes-lookup'],
    refresh_aso_app: ['apple-search-hints', 'itunes-lookup', 'itunes-search'],
    refresh_aso_keyword: ['apple-search-hints', 'itunes-search'],
    discover_emerging_ios_competitors: ['apple-rss-v2', 'itunes-lookup'],
    request_competitor_data: ['app-store-page', 'apple-rss-v2'],
  }
  const troubleOf = async (tool: keyof typeof asked) => (await world.call(tool, asked[tool])).body.trouble ?? []
  for (const tool of Object.keys(asked) as (keyof typeof asked)[]) {
    const trouble = await troubleOf(tool)
    assert.deepEqual(trouble.map(({ source }) => source).sort(), expected[tool], tool)
    for (const { text, country: where } of trouble) {
      assert.match(text, /\(de\) is failing since .*: no answer in 10 seconds\./, tool)
      assert.doesNotMatch(text, /What is shown/, 'nothing is shown')
      assert.equal(where, 'de')
    }
  }
  const elsewhere = await world.call('request_ios_competitor', { app: '8300000003', country: 'fr' })
  assert.deepEqual(elsewhere.body.trouble, [])
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await world.key())
  const { text } = await agent.call('refresh_aso_keyword', asked.refresh_aso_keyword)
  assert.match(
    text,
    /^Trouble: iTunes Search API \(de\) is failing since .* What was asked for waits for it\.$/m,
  )
  for (const source of sources) await recordSuccess(db, source, 'de', new Date())
  for (const tool of Object.keys(asked) as (keyof typeof asked)[])
    assert.deepEqual(await troubleOf(tool), [], tool)
})
