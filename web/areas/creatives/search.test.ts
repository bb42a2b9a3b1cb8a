import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adArguments, postArguments } from './search.ts'

test('a storefront that another page left in the address, and what nobody knows, is not asked of ads and posts', () => {
  const left = { q: 'ledger', country: 'de', utm_source: 'mail' }
  for (const asked of [adArguments(left), postArguments(left)])
    assert.deepEqual(Object.keys(asked).sort(), ['limit', 'q'])
})
