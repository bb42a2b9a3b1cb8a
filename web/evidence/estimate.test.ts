import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateText, rangeText, toCarriedDigits } from './estimate.ts'

test('a number carries two digits of a wide range and more of a narrow one', () => {
  const wide = { low: 24_600, mid: 54_231, high: 119_000 }
  assert.equal(toCarriedDigits(54_231, wide), 54_000)
  assert.equal(toCarriedDigits(24_600, wide), 25_000)
  assert.equal(toCarriedDigits(119_400, wide), 120_000)
  assert.equal(toCarriedDigits(10_034, { low: 9_800, mid: 10_034, high: 10_200 }), 10_000)
  assert.equal(toCarriedDigits(10_034, { low: 10_010, mid: 10_034, high: 10_060 }), 10_030)
})

test('a small number is never rounded to zero, and an exact one stays', () => {
  assert.equal(toCarriedDigits(3, { low: 3, mid: 50, high: 900 }), 3)
  assert.equal(toCarriedDigits(0, { low: 0, mid: 50, high: 900 }), 0)
  assert.equal(toCarriedDigits(512, { low: 512, mid: 512, high: 512 }), 512)
})

test('ranges are written short, money in its currency', () => {
  assert.equal(rangeText({ low: 24_600, mid: 54_200, high: 119_000, currency: null }), '25K to 120K')
  assert.equal(estimateText(1_240, { low: 600, mid: 1_240, high: 2_600, currency: 'USD' }), '$1.2K')
})
