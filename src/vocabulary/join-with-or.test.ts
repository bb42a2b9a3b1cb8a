import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinWithOr } from './join-with-or.ts'

test('words are joined as by Intl.ListFormat', () => {
  const format = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  for (const words of [[], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['a, b', 'c, d', 'e, f']])
    assert.equal(joinWithOr(words), format.format(words))
})
