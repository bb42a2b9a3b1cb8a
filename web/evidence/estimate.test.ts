import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried, estimateText, rangeText } from './estimate.ts'

test('a number carries no digit finer than a tenth of its range', () => {
  const wide = { low: 24_600, high: 119_000 }
  assert.equal(carried(54_231, wide), 54_000)
  assert.equal(carried(24_600, wide), 25_000)
  assert.equal(carried(1_003, { low: 980, high: 1_020 }), 1_003)
  assert.equal(carried(7.4, { low: 2, high: 40 }), 7)
})

test('a small number is never rounded to zero, and an exact one stays', () => {
  assert.equal(carried(3, { low: 3, high: 900 }), 3)
  assert.equal(carried(0, { low: 0, high: 900 }), 0)
  assert.equal(carried(512, { low: 512, high: 512 }), 512)
})

test('ranges are written short, money in its currency', () => {
  assert.equal(rangeText({ low: 24_600, mid: 54_200, high: 119_000, currency: null }), '25K to 119K')
  assert.equal(estimateText(1_240, { low: 600, high: 2_600, currency: 'USD' }), '$1.2K')
})
