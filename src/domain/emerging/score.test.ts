import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  appAgeFactor,
  chartWeight,
  combineSignals,
  type EmergingSignal,
  entryStrength,
  growthStrength,
  moveUpStrength,
  type SignalKind,
  signalWeights,
  youngStrength,
} from './score.ts'

const unit = fc.double({ min: 0, max: 1, noNaN: true })
const kind = fc.constantFrom(...(Object.keys(signalWeights) as SignalKind[]))
const signal: fc.Arbitrary<EmergingSignal> = fc.record({ kind, strength: unit, detail: fc.constant('because') })
const signals = fc.uniqueArray(signal, { selector: (one) => one.kind })
const rank = fc.integer({ min: 1, max: 200 })
const count = fc.integer({ min: 0, max: 10_000_000 })
const days = fc.integer({ min: 1, max: 90 })

test('a score is between 0 and 100, and its reasons are shares of it, strongest first', () => {
  fc.assert(
    fc.property(signals, (some) => {
      const { score, reasons } = combineSignals(some)
      assert.ok(score >= 0 && score <= 100)
      assert.equal(reasons.length > 0, score > 0)
      const weights = reasons.map(({ weight }) => weight)
      assert.deepEqual(
        weights,
        weights.toSorted((one, other) => other - one),
      )
      if (weights.length > 0) assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight) - 1) < 1e-3)
    }),
  )
})

test('one more signal never makes a score smaller, and neither does a stronger one', () => {
  fc.assert(
    fc.property(signals, unit, (some, more) => {
      const [first, ...others] = some
      if (!first) return
      assert.ok(combineSignals(some).score >= combineSignals(others).score)
      const stronger = { ...first, strength: Math.max(first.strength, more) }
      assert.ok(combineSignals([stronger, ...others]).score >= combineSignals(some).score)
    }),
  )
})

test('a better rank is a stronger entry; one past its peak and one seen less than three times count less', () => {
  fc.assert(
    fc.property(rank, rank, (one, other) => {
      const [better, worse] = [Math.min(one, other), Math.max(one, other)]
      const of = (place: number, best = place, captures = 3) =>
        entryStrength({ rank: place, best, captures, days: 1 })
      assert.ok(of(better) >= of(worse) && of(worse) > 0 && of(better) <= 1)
      assert.ok(of(worse, better) <= of(worse))
      assert.equal(of(better, better, 2), of(better) / 2)
    }),
  )
})

test('more of the rank won is a stronger move up', () => {
  fc.assert(
    fc.property(rank, rank, rank, (one, two, three) => {
      const [to = 1, near = 1, far = 1] = [one, two, three].toSorted((a, b) => a - b)
      const of = (from: number) => moveUpStrength({ from, rank: to })
      assert.ok(of(far) >= of(near) && of(near) >= 0.5 && of(far) <= 1)
    }),
  )
})

test('paid charts of one category, and apps released long ago, count less', () => {
  const chart = { kind: 'top-free', categoryId: 6015, device: 'iphone' } as const
  assert.ok(chartWeight({ ...chart, kind: 'top-paid' }) < chartWeight(chart))
  assert.equal(
    chartWeight({ ...chart, categoryId: 36, kind: 'top-paid' }),
    chartWeight({ ...chart, categoryId: 36 }),
  )
  assert.ok(appAgeFactor(6 * 365) < appAgeFactor(365))
  assert.equal(appAgeFactor(undefined), 1, 'a date nobody stated takes nothing away')
})

test('more ratings gained in fewer days on a smaller count grow more; a loss is no growth', () => {
  fc.assert(
    fc.property(count, count, days, fc.integer({ min: 0, max: 1_000 }), (before, gained, took, more) => {
      const growth = growthStrength({ before, now: before + gained, days: took })
      assert.ok(growth >= 0 && growth <= 1)
      assert.ok(growthStrength({ before, now: before + gained + more, days: took }) >= growth)
      assert.ok(growthStrength({ before, now: before + gained, days: took + 1 }) <= growth)
      assert.ok(growthStrength({ before: before + more, now: before + more + gained, days: took }) <= growth)
      assert.equal(growthStrength({ before: before + gained, now: before, days: took }), 0)
    }),
  )
})

test('youth is nothing without a gain, and nothing after a year', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000 }), count, fc.array(unit), (ageDays, ratings, others) => {
      const strength = youngStrength({ ageDays, ratings }, others)
      assert.ok(strength >= 0 && strength <= 1)
      if (ageDays >= 365) assert.equal(strength, 0)
    }),
  )
  assert.equal(youngStrength({ ageDays: 3, ratings: 19 }, []), 0)
  assert.ok(youngStrength({ ageDays: 30, ratings: 3_000 }, []) > 0.9)
})
