import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWithNoun, dayText, fromNow, momentText, spanText, timeAgo, totalOf } from './format.ts'

const now = Date.parse('2026-11-21T09:00:00Z')

test('what was just observed is never shown as in the future, even where the clock of the browser is behind', () => {
  assert.equal(timeAgo('2026-11-21T09:04:00Z', now), 'now')
  assert.equal(timeAgo('2026-11-21T07:00:00Z', now), '2 hours ago')
})

test('a day has its year where that is not this one, and a span says what its days share once', () => {
  assert.equal(dayText('2026-11-20', now), '20 Nov')
  assert.equal(dayText('2025-09-03T23:59:00Z', now), '3 Sep 2025')
  assert.match(momentText('2026-11-20T12:00:00Z', now), /^\d\d Nov, \d\d:\d\d$/)
  assert.match(momentText('2024-11-20T12:00:00Z', now), /^\d\d Nov 2024, \d\d:\d\d$/)
  assert.equal(spanText('2026-11-20', '2026-11-20', now), '20 Nov')
  assert.equal(spanText('2026-11-13', '2026-11-20', now), '13–20 Nov')
  assert.equal(spanText('2026-10-28', '2026-11-03', now), '28 Oct – 3 Nov')
  assert.equal(spanText('2025-11-13', '2025-11-20', now), '13–20 Nov 2025')
  assert.equal(spanText('2025-12-28', '2026-01-03', now), '28 Dec 2025 – 3 Jan 2026')
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
