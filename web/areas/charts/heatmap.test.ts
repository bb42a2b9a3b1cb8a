import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Snapshot } from './chart-search.ts'
import { type HeatmapDay, heatRows, rankBandOf } from './heatmap.ts'

const snapshot = (date: string, previous: string | null, ...storeIds: string[]): Snapshot => ({
  asOf: { today: '2026-11-29', newestEvidenceAt: null, state: 'unknown', since: null },
  country: 'us',
  chart: 'top-free',
  categoryId: '36',
  categoryName: 'All apps',
  device: 'iphone',
  date,
  capturedAt: `${date}T10:00:00.000Z`,
  previousCapturedAt: previous && `${previous}T10:00:00.000Z`,
  bound: 200,
  requested: 100,
  returned: storeIds.length,
  evidence: {
    source: 'apple-rss-v2',
    origin: 'collected',
    surface: 'Apple RSS feed',
    country: 'us',
    observedAt: `${date}T10:00:00.000Z`,
    timeBasis: 'payload',
    readingId: '01a2078d-e8f3-76fb-ad92-574d833e2c35',
  },
  previousEvidence: null,
  items: storeIds.map((storeId, index) => ({
    rank: index + 1,
    app: {
      platform: 'ios',
      storeId,
      name: null,
      developer: null,
      iconUrl: null,
      namedIn: null,
      catalogued: false,
    },
    previousRank: { state: 'not-measured', reason: 'no-snapshot' },
    change: null,
    entry: 'unknown',
  })),
  trouble: [],
})

test('a rank, a place outside, a gap and a suspect day are told apart', () => {
  const newest = snapshot('2026-11-20', '2026-11-19', '7', '8')
  const days: HeatmapDay[] = [
    snapshot('2026-11-17', null),
    'gap',
    snapshot('2026-11-19', null, '8', '9', '7'),
    newest,
  ]
  const [first, second, third] = heatRows(newest, 2, days)
  assert.deepEqual(first?.cells, [
    { kind: 'suspect' },
    { kind: 'gap' },
    { kind: 'rank', rank: 3 },
    { kind: 'rank', rank: 1 },
  ])
  assert.equal(second?.app.storeId, '8')
  assert.equal(third, undefined)
  const [lone] = heatRows(snapshot('2026-11-20', null, '1'), 1, [snapshot('2026-11-19', null, '2', '3')])
  assert.deepEqual(lone?.cells, [{ kind: 'outside', depth: 2 }])
})

test('bands hold their last rank', () => {
  assert.deepEqual(
    [1, 3, 4, 10, 11, 25, 26, 50, 51, 100, 180].map(rankBandOf),
    [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5],
  )
})
