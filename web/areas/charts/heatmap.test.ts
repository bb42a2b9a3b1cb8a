import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heatRows, rankBandOf } from './heatmap.ts'

const item = (storeId: string, index: number) => ({
  rank: index + 1,
  app: {
    platform: 'ios' as const,
    storeId,
    name: null,
    developer: null,
    iconUrl: null,
    namedIn: null,
    catalogued: false,
  },
  previousRank: { state: 'not-measured' as const, reason: 'no-snapshot' as const },
  change: null,
  entry: 'unknown' as const,
})

const day = (date: string, places: number | null) => ({
  date,
  capture: places === null ? null : { places, observedAt: `${date}T10:00:00.000Z`, source: 0 },
})

test('a rank, a place outside, a gap and a suspect day are told apart', () => {
  const rows = heatRows({ items: ['7', '8', '9'].map(item) }, 2, {
    days: [day('2026-11-17', 0), day('2026-11-18', null), day('2026-11-19', 3), day('2026-11-20', 3)],
    apps: [
      { storeId: '7', ranks: [null, null, 3, 1] },
      { storeId: '8', ranks: [null, null, null, 2] },
    ],
  })
  assert.deepEqual(
    rows.map(({ app }) => app.storeId),
    ['7', '8'],
  )
  assert.deepEqual(rows[0]?.cells, [
    { kind: 'suspect' },
    { kind: 'gap' },
    { kind: 'rank', rank: 3 },
    { kind: 'rank', rank: 1 },
  ])
  assert.deepEqual(rows[1]?.cells[2], { kind: 'outside', depth: 3 })
})

test('bands hold their last rank', () => {
  assert.deepEqual(
    [1, 3, 4, 10, 11, 25, 26, 50, 51, 100, 180].map(rankBandOf),
    [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5],
  )
})
