import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dice } from '../../../sample/dice.ts'
import { estimateTotalsOf, sumOfDays } from './totals.ts'

const z = 1.2815515655446004
const dayOf = (mid: number, sd: number) => ({ low: mid * Math.exp(-z * sd), mid, high: mid * Math.exp(z * sd) })

test('The total of a day is the day, and that of many is in order and narrower than the ends added up', () => {
  const anyDays = fc
    .tuple(
      fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 31 }),
      fc.double({ min: 0.3, max: 2, noNaN: true }),
    )
    .map(([mids, sd]) => mids.map((mid) => dayOf(mid, sd)))
  fc.assert(
    fc.property(anyDays, (days) => {
      const [first] = days
      assert.ok(first)
      const alone = sumOfDays([first])
      for (const part of ['low', 'mid', 'high'] as const)
        assert.ok(Math.abs(alone[part] / first[part] - 1) < 0.006)
      const total = sumOfDays(days)
      const added = (part: 'low' | 'high') => days.reduce((sum, day) => sum + day[part], 0)
      assert.ok(total.low <= total.mid && total.mid <= total.high)
      assert.ok(total.high / total.low <= (added('high') / added('low')) * 1.01)
    }),
  )
})

test('A total holds the sum of its days eight times in ten, where the app is off by the same on all of them', () => {
  const { bell } = dice('totals')
  const [between, within, days] = [0.5, 0.25, 30]
  const total = sumOfDays(Array.from({ length: days }, () => dayOf(1_000, Math.hypot(between, within))))
  const held = Array.from({ length: 4_000 }, () => {
    const own = between * bell()
    const sum = Array.from({ length: days }, () => 1_000 * Math.exp(own + within * bell())).reduce(
      (a, b) => a + b,
    )
    return total.low <= sum && sum <= total.high
  }).filter(Boolean).length
  assert.ok(held / 4_000 > 0.78 && held / 4_000 < 0.82, `${held / 4_000}`)
})

test('Weeks begin on Monday, months on the first, both end with the window, and say how many days they are of', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-04-01'].map((day) => ({
    ...dayOf(100, 0.5),
    day,
    metric: 'downloads' as const,
    currency: null,
  }))
  assert.deepEqual(
    estimateTotalsOf(days, '2026-02-26', '2026-04-03').map(({ period, from, to, days, of }) => [
      period,
      from,
      to,
      days,
      of,
    ]),
    [
      ['week', '2026-02-26', '2026-03-01', 1, 4],
      ['week', '2026-03-02', '2026-03-08', 2, 7],
      ['week', '2026-03-30', '2026-04-03', 1, 5],
      ['month', '2026-03-01', '2026-03-31', 3, 31],
      ['month', '2026-04-01', '2026-04-03', 1, 3],
    ],
  )
  const mixed = days
    .slice(0, 2)
    .map((day, at) => ({ ...day, day: '2026-03-02', metric: 'revenue' as const, currency: at ? 'USD' : 'EUR' }))
  assert.equal(estimateTotalsOf(mixed, '2026-03-01', '2026-03-31').length, 4, 'currencies are never added')
})
