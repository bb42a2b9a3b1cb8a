import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownOf } from './lead-medium.ts'
import type { Medium } from './shapes.ts'

const unknown = { state: 'not-measured', reason: 'never-collected' } as const
const picture = (status: 'pending' | 'removed-upstream'): Medium => ({
  mediaId: 'one',
  kind: 'image',
  position: 1,
  width: unknown,
  height: unknown,
  durationSeconds: unknown,
  sourceUrl: 'https://pictures.example/one.jpg',
  kept: { status, reason: null, checkedAt: null },
})

test('a card whose picture turns out to be gone while it is copied shows its text', () => {
  assert.equal(shownOf([picture('pending')]), 'picture')
  assert.equal(shownOf([picture('removed-upstream')]), 'text')
})

test('a picture that could not be had is not shown again, one that has taken its place is', () => {
  const [broken] = [
    `/pictures?${new URLSearchParams({ url: 'https://pictures.example/one.jpg', width: '512' })}`,
  ]
  assert.equal(shownOf([picture('pending')], broken), 'text')
  assert.equal(shownOf([picture('pending')], '/media/another'), 'picture')
})
