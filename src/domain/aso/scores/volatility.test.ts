import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { volatilityOf } from './volatility.ts'

const page = fc.uniqueArray(fc.integer({ min: 1, max: 30 }).map(String), { minLength: 1, maxLength: 14 })

test('volatility lies between 0 and 100, and needs two pages with results', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(page, fc.constant([])), { maxLength: 6 }), (pages) => {
      const score = volatilityOf(pages)
      if (pages.filter(({ length }) => length > 0).length < 2) assert.equal(score, undefined)
      else assert.ok(score !== undefined && score >= 0 && score <= 100)
    }),
  )
})

test('the same first ten apps are no change, in whatever order and whatever stands below', () => {
  const ten = fc.shuffledSubarray(
    Array.from({ length: 10 }, (_, index) => String(index)),
    { minLength: 10 },
  )
  fc.assert(
    fc.property(ten, ten, page, (one, other, below) => {
      assert.equal(volatilityOf([one, other, [...one, ...below], other]), 0)
    }),
  )
})

test('it is the same backwards in time', () => {
  fc.assert(
    fc.property(fc.array(page, { minLength: 2, maxLength: 5 }), (pages) => {
      assert.equal(volatilityOf(pages), volatilityOf(pages.toReversed()))
    }),
  )
})

test('ten other apps are 100, and half a page of ten is 50', () => {
  const ids = (from: number) => Array.from({ length: 10 }, (_, index) => String(from + index))
  assert.deepEqual([volatilityOf([ids(0), ids(10)]), volatilityOf([ids(0), ids(5)])], [100, 50])
})
