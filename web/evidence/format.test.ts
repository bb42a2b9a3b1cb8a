import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, fromNow } from './format.ts'

const now = Date.parse('2026-11-21T09:00:00Z')

test('what was just observed is never shown as in the future, even where the clock of the browser is behind', () => {
  assert.equal(ago('2026-11-21T09:04:00Z', now), 'now')
  assert.equal(ago('2026-11-21T07:00:00Z', now), '2 hours ago')
})

test('a release that lies ahead, and the end of a session, are told as ahead', () => {
  assert.equal(ago('2026-11-24T09:00:00Z', now), 'in 3 days')
  assert.equal(fromNow('2026-11-21T09:04:00Z', now), 'in 4 minutes')
})
