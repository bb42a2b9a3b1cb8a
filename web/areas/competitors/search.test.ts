import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appNamedBy, searchArgumentsOf, searchOfAddress } from './search.ts'

test('a number, an address of the App Store and a bundle id name an app; words do not', () => {
  assert.deepEqual(appNamedBy(' 1459969523 '), { reference: '1459969523', storeId: '1459969523' })
  assert.deepEqual(appNamedBy('id1459969523'), { reference: '1459969523', storeId: '1459969523' })
  const address = 'https://apps.apple.com/de/app/some-name/id1459969523?l=en'
  assert.deepEqual(appNamedBy(address), { reference: address, storeId: '1459969523' })
  assert.deepEqual(appNamedBy('com.example.planner'), { reference: 'com.example.planner', storeId: null })
  for (const words of ['2048', 'budget planner', 'monday.com', 'https://example.com/id1459969523', ''])
    assert.equal(appNamedBy(words), undefined, words)
})

test('what does not fit an address is left out, and the view is no argument of the search', () => {
  const filters = searchOfAddress({
    q: 'sleep',
    price: 'cheap',
    minRating: 4.5,
    minRatingCount: -1,
    releasedFrom: '2026-02-31x',
    view: 'cards',
    other: 1,
  })
  assert.deepEqual(filters, { q: 'sleep', minRating: 4.5, view: 'cards' })
  assert.deepEqual(searchArgumentsOf(filters, 'de'), { q: 'sleep', minRating: 4.5, country: 'de', limit: 50 })
})
