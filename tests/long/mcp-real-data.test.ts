import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connectMcp, type McpClient } from '../support/mcp.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'apple/search'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

/**
 * What 2,000 tokens hold of such replies: the tokeniser of current models (o200k) makes one of 3.5 bytes, 1,838 tokens
 * of the 6,438 bytes of the longest list below.
 */
const bytesOf2000Tokens = 7_000

describe('On real search answers and charts', { skip }, () => {
  let world: World
  let agent: McpClient
  before(async () => {
    world = await openWorld()
    await world.import({ kind: 'catalogue', paths: ['apple/search'] })
    await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
    agent = await connectMcp(await world.server.listen({ host: '127.0.0.1', port: 0 }), await world.key())
  })
  after(async () => {
    await agent[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  test('a list of 25 apps costs an agent under 2,000 tokens, read as text or as structured content', async () => {
    for (const input of [
      {},
      { q: 'chat' },
      { q: 'game' },
      { q: 'photo' },
      { sort: 'name' },
      { sort: 'updated' },
    ]) {
      const { client } = agent
      const result = await client.callTool({ name: 'search_competitors', arguments: input })
      const { items } = result.structuredContent as { items: unknown[] }
      assert.equal(items.length, 25)
      const [line, json] = result.content.map((part) => (part.type === 'text' ? part.text : ''))
      const read = {
        text: `${line}\n${json}`,
        structured: JSON.stringify({ ...result, content: [{ type: 'text', text: line }] }),
      }
      for (const [way, shown] of Object.entries(read)) {
        const bytes = Buffer.byteLength(shown)
        assert.ok(bytes < bytesOf2000Tokens, `${JSON.stringify(input)} ${way}: ${bytes} bytes`)
      }
    }
  })

  test('a chart of 100 places is shown to its fortieth, and whole when its length is asked for', async () => {
    const { reply } = await agent.call('get_apple_charts', { categoryId: '6014' })
    assert.equal(reply.items.length, 40)
    assert.ok(reply.leftOut.includes(`items: 40 of ${reply.returned}`))
    const whole = await agent.call('get_apple_charts', { categoryId: '6014', limit: 200 })
    assert.equal(whole.reply.items.length, reply.returned)
  })

  test('the series of a chart history is told of, and comes when asked for', async () => {
    const [{ storeId }] = (await agent.call('get_apple_charts', { categoryId: '6014', limit: 1 })).reply.items
    const { reply } = await agent.call('get_apple_chart_history', { storeId })
    assert.ok(reply.leftOut.includes('series'))
    const asked = await agent.call('get_apple_chart_history', { storeId, fields: ['chart', 'series'] })
    const { body } = await world.call('get_apple_chart_history', { storeId })
    assert.equal(asked.reply.charts[0].series.length, body.charts[0].series.length)
  })
})
