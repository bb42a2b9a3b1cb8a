import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storefrontDay } from './storefront-day.ts'
import { storefrontCodes } from './storefronts.ts'

test('every storefront answers a plain calendar date', () => {
  for (const country of storefrontCodes) {
    assert.match(storefrontDay(country, new Date('2025-06-15T12:00:00Z')), /^2025-06-1[56]$/, country)
  }
})

test('ten past ten in the evening UTC is already tomorrow in Japan and still today in the US', () => {
  const capture = new Date('2025-01-02T22:10:00Z')
  assert.equal(storefrontDay('jp', capture), '2025-01-03')
  assert.equal(storefrontDay('us', capture), '2025-01-02')
})

test('the day turns at local midnight, in summer time too', () => {
  assert.equal(storefrontDay('us', new Date('2025-01-02T04:59:59Z')), '2025-01-01')
  assert.equal(storefrontDay('us', new Date('2025-01-02T05:00:00Z')), '2025-01-02')
  assert.equal(storefrontDay('us', new Date('2025-07-02T03:59:59Z')), '2025-07-01')
  assert.equal(storefrontDay('us', new Date('2025-07-02T04:00:00Z')), '2025-07-02')
})

test('a country without a storefront is refused, never replaced', () => {
  assert.throws(() => storefrontDay('cu', new Date()), RangeError)
})

test('an invalid date is refused', () => {
  assert.throws(() => storefrontDay('us', new Date('not a date')), RangeError)
})
