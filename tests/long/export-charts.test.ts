import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMapping } from '../../src/ingest/mapping/mapping.ts'
import { openFolder } from '../support/files.ts'
import { operate } from '../support/operator.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'apple/charts'))
  ? false
  : 'the real material is not beside the project (../shared/data)'
const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** What the evidence of a reply names: the reading, and how it was come by. */
const named = new Set(['readingId', 'source', 'surface', 'origin', 'timeBasis', 'evidence', 'previousEvidence'])
const reported = (reply: unknown) =>
  JSON.parse(JSON.stringify(reply, (name, value) => (named.has(name) ? undefined : value)))

async function chartsOf(world: World) {
  const charts = [
    { country: 'us', chart: 'top-free', categoryId: '6000' },
    { country: 'us', chart: 'top-paid', categoryId: '6014' },
    { country: 'jp', chart: 'top-free', categoryId: '6015' },
    { country: 'hk', chart: 'top-free', categoryId: '36' },
  ]
  const dates = [undefined, '2026-02-20', '2026-03-04', '2025-01-01']
  const replies = []
  for (const chart of charts)
    for (const date of dates) {
      const { status, body } = await world.call('get_apple_charts', { ...chart, ...(date ? { date } : {}) })
      replies.push([status, status === 200 ? reported(body) : body.code])
      if (status !== 200) continue
      const storeId = body.items[3].app.storeId
      const history = await world.call('get_apple_chart_history', { storeId, country: chart.country })
      replies.push(reported(history.body))
    }
  return replies
}

test('charts that were taken out and brought into an empty store answer the same, zipped or not', {
  skip,
}, async () => {
  await using from = await openWorld()
  const us = readdirSync(join(sharedData, 'apple/charts/us-daily-2026')).filter((_, index) => index % 3 === 0)
  const jp = readdirSync(join(sharedData, 'apple/charts/jp-finance-daily')).filter(
    (name, index) => name.endsWith('.json') && index % 8 === 0,
  )
  const map = fileURLToPath(new URL('../../docs/maps/ranked-list.json', import.meta.url))
  await from.import({ kind: 'charts', paths: us.map((name) => `apple/charts/us-daily-2026/${name}`) })
  await from.import({ kind: 'charts', paths: ['apple/charts/rss-v1-hk-2019'] })
  await from.import({
    kind: 'charts',
    paths: jp.map((name) => `apple/charts/jp-finance-daily/${name}`),
    mapping: await readMapping(map, 'charts'),
  })
  const expected = await chartsOf(from)
  assert.ok(expected.length > 10)
  for (const name of ['charts.ndjson', 'charts.ndjson.gz']) {
    const out = join(folder.path, name)
    const { code, notes } = await operate(from, { command: 'export charts', options: { out } })
    assert.deepEqual([code, notes], [0, ''])
    await using to = await openWorld()
    const brought = await to.import({ kind: 'charts', paths: [out] })
    assert.equal(brought.rejected, 0)
    assert.deepEqual(await chartsOf(to), expected)
  }
})
