import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  changedPlacesBetween,
  changedShareAfter,
  changeRateOf,
  changeRateWithoutOutliers,
  type TimedPage,
  volatilityOf,
} from './volatility.ts'

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }).map(String), { minLength: 1, maxLength: 14 })
/** Pages at irregular times, some without results. */
const pages = fc.array(
  fc.record({ day: fc.integer({ min: 0, max: 400 }), storeIds: fc.oneof(ids, fc.constant([])) }),
  {
    maxLength: 8,
  },
)
const on = (day: number, storeIds: readonly string[]): TimedPage => ({
  capturedAt: new Date(Date.UTC(2026, 0, 1) + day * 86_400_000),
  storeIds,
})
const ten = (from: number) => Array.from({ length: 10 }, (_, index) => String(from + index))

test('volatility lies between 0 and 100, and needs pages with results that span a week', () => {
  fc.assert(
    fc.property(pages, (seen) => {
      const score = volatilityOf(seen.map(({ day, storeIds }) => on(day, storeIds)))
      const days = seen.filter(({ storeIds }) => storeIds.length > 0).map(({ day }) => day)
      if (Math.max(...days) - Math.min(...days) >= 7)
        assert.ok(score !== undefined && score >= 0 && score <= 100)
      else assert.equal(score, undefined)
    }),
  )
})

test('the order in which pages arrive changes nothing', () => {
  const several = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(several, fc.array(ids, { minLength: 6, maxLength: 6 }), (days, apps) => {
      const seen = days.map((day, index) => on(day, apps[index] ?? []))
      assert.equal(volatilityOf(seen.toReversed()), volatilityOf(seen))
    }),
  )
})

test('the same first ten apps are no change, in whatever order and whatever stands below', () => {
  const shuffled = fc.shuffledSubarray(ten(0), { minLength: 10 })
  fc.assert(
    fc.property(shuffled, shuffled, ids, (one, other, below) => {
      assert.equal(volatilityOf([on(0, one), on(5, other), on(9, [...one, ...below]), on(30, other)]), 0)
    }),
  )
})

test('ten other apps within a week are 100, half a page is 50, and the same change over four weeks is less', () => {
  assert.deepEqual(
    [volatilityOf([on(0, ten(0)), on(7, ten(10))]), volatilityOf([on(0, ten(0)), on(7, ten(5))])],
    [100, 50],
  )
  // Half are left after 28 days: 0.5 to the power of a quarter are left after seven.
  assert.equal(volatilityOf([on(0, ten(0)), on(28, ten(5))]), 16)
})

test('a page that changes at one rate has one volatility, however often it is captured', () => {
  const rate = 0.02
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), (gaps) => {
      const changes = gaps.map((days) => ({
        changed: 1000 * changedShareAfter(days, rate),
        places: 1000,
        days,
      }))
      for (const found of [changeRateOf(changes), changeRateWithoutOutliers(changes)])
        assert.ok(Math.abs(found - rate) < 1e-6, String(found))
    }),
  )
})

test('it never falls when a place more has changed', () => {
  const change = fc
    .tuple(fc.integer({ min: 1, max: 10 }), fc.nat({ max: 9 }), fc.integer({ min: 1, max: 60 }))
    .map(([places, changed, days]) => ({ places, changed: Math.min(changed, places - 1), days }))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(), (changes, pick) => {
      const more = changes.map((one, index) =>
        index === pick % changes.length ? { ...one, changed: one.changed + 1 } : one,
      )
      assert.ok(changeRateOf(more) >= changeRateOf(changes) - 1e-9)
    }),
  )
})

test('three bad pages of one week leave the volatility of a term where it was, captured weekly or daily', () => {
  for (const gap of [1, 7]) {
    // A place of ten changes every fourth page.
    const steady = Array.from({ length: 30 }, (_, at) => on(at * gap, ten(Math.floor(at / 4))))
    const before = volatilityOf(steady) ?? Number.NaN
    for (const start of [3, 12, 25]) {
      const bad = [0, 1, 2].map((day) =>
        on((start + day * (gap === 1 ? 1 : 0.3) + 0.5) * gap, ten(1_000 + 20 * day)),
      )
      const after = volatilityOf([...steady, ...bad]) ?? Number.NaN
      assert.ok(
        Math.abs(after - before) <= 4,
        `every ${gap} days, from page ${start}: ${before}, then ${after}`,
      )
      const all = [...steady, ...bad].toSorted(
        (one, other) => one.capturedAt.getTime() - other.capturedAt.getTime(),
      )
      assert.ok(
        100 * changedShareAfter(7, changeRateOf(changedPlacesBetween(all))) > before + 10,
        'which they raised when all counted alike',
      )
    }
  }
})

test('a term that came to rest is calm a year later, whatever it was before', () => {
  const restless = Array.from({ length: 20 }, (_, at) => on(at * 7, ten(10 * at)))
  const calm = (until: number) => Array.from({ length: until }, (_, at) => on(140 + at * 30, ten(190)))
  assert.equal(volatilityOf([...restless, ...calm(14)]), 0)
  assert.ok((volatilityOf(restless) ?? 0) === 100)
})
