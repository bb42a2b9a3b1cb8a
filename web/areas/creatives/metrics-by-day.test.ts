import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byDay, valuesOfMetric } from './metrics-by-day.ts'

const hidden = { state: 'not-measured', reason: 'hidden-upstream' } as const
const point = (observedAt: string, views: number | undefined) => ({
  observedAt,
  views: views === undefined ? hidden : ({ state: 'measured', value: views, evidence: 0 } as const),
  likes: hidden,
  comments: hidden,
  shares: hidden,
  saves: hidden,
})

test('each day shows its last observation, and a day without one is a gap', () => {
  const days = byDay([
    point('2026-11-01T08:00:00.000Z', 10),
    point('2026-11-01T20:00:00.000Z', 15),
    point('2026-11-03T08:00:00.000Z', undefined),
    point('2026-11-04T08:00:00.000Z', 0),
  ])
  assert.deepEqual(days.days, ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'])
  assert.deepEqual(valuesOfMetric(days, 'views'), [15, null, null, 0])
  assert.deepEqual(byDay([]), { days: [], points: [] })
})
