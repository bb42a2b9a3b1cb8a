import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storefronts } from '../../contract/shapes/storefronts.ts'
import { storefrontId, UnknownStorefrontError } from './storefronts.ts'

test('every storefront of the contract has a number of its own', () => {
  const ids = storefronts.map(storefrontId)
  assert.equal(new Set(ids).size, storefronts.length)
  assert.ok(ids.every((id) => id >= 143_441 && id <= 143_624))
  assert.deepEqual(['us', 'de', 'jp', 'xk'].map(storefrontId), [143441, 143443, 143462, 143624])
})

test('a country without a store is refused, and never taken for another', () => {
  for (const country of ['zz', 'US', '', 'usa', 'constructor', '__proto__', 'kp', 'bd'])
    assert.throws(() => storefrontId(country), UnknownStorefrontError, country)
})
