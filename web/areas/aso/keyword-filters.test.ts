import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersOf, keywordSearch, passesKeywordFilters } from './keyword-filters.ts'
import type { WorkstationKeyword } from './shapes.ts'

const tagged = (...tags: string[]) =>
  ({
    term: 'budget',
    tags,
    note: null,
    rank: { state: 'absent' },
    difficulty: { state: 'not-measured' },
  }) as never as WorkstationKeyword

test('a filter by own tags lets through what has all of them, in any order', () => {
  const search = keywordSearch({ own: ['core', 'spring'] })
  assert.ok(passesKeywordFilters(tagged('spring', 'other', 'core'), [], search))
  assert.ok(!passesKeywordFilters(tagged('core'), [], search))
})

test('own tags of an address are texts as a keyword can have them, each once; all else is left out', () => {
  assert.deepEqual(keywordSearch({ own: ['core', 7, 'core', '', 'x'.repeat(51), null] }), { own: ['core'] })
  for (const own of ['core', {}, [], [{}]]) assert.deepEqual(keywordSearch({ own }), {})
})

test('what is saved of an address are its filters, without days, surface and order', () => {
  const search = keywordSearch({ q: 'a', window: 90, sort: '-rank', own: ['core'], rankFrom: 11 })
  assert.deepEqual(filtersOf(search), { q: 'a', own: ['core'], rankFrom: 11 })
})
