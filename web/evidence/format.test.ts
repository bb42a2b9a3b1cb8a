import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWithNoun, fromNow, timeAgo, totalOf } from './format.ts'

const now = Date.parse('2026-11-21T09:00:00Z')

test('what was just observed is never shown as in the future, even where the clock of the browser is behind', () => {
  assert.equal(timeAgo('2026-11-21T09:04:00Z', now), 'now')
  assert.equal(timeAgo('2026-11-21T07:00:00Z', now), '2 hours ago')
})

test('a release that lies ahead, and the end of a session, are told as ahead', () => {
  assert.equal(timeAgo('2026-11-24T09:00:00Z', now), 'in 3 days')
  assert.equal(fromNow('2026-11-21T09:04:00Z', now), 'in 4 minutes')
})

test('one of a kind is told in the singular, also where a total is bounded', () => {
  assert.equal(countWithNoun(1, 'saved ad'), '1 saved ad')
  assert.equal(countWithNoun(0, 'ad'), '0 ads')
  assert.equal(countWithNoun(1_204, 'country', 'countries'), '1,204 countries')
  assert.equal(totalOf({ value: 1, relation: 'exact' }, 'ad'), '1 ad')
  assert.equal(totalOf({ value: 1_000, relation: 'at-least' }, 'ad'), 'at least 1,000 ads')
})
