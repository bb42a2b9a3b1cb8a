import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayWindowOf } from './window.ts'

test('without days the last 90 until today are shown, or as many as asked', () => {
  assert.deepEqual(dayWindowOf({}, '2026-11-23'), { from: '2026-08-26', to: '2026-11-23', last: 90 })
  assert.deepEqual(dayWindowOf({ last: 30 }, '2026-03-01'), { from: '2026-01-31', to: '2026-03-01', last: 30 })
})

test('days of the address are kept, never backwards and never more than the service answers', () => {
  assert.deepEqual(dayWindowOf({ from: '2026-01-05', to: '2026-01-09' }, '2026-11-23'), {
    from: '2026-01-05',
    to: '2026-01-09',
    last: undefined,
  })
  assert.deepEqual(dayWindowOf({ from: '2026-02-05', to: '2026-01-09' }, '2026-11-23').from, '2026-01-09')
  assert.equal(dayWindowOf({ from: '2019-01-01' }, '2026-11-23').from, '2023-11-20')
})
