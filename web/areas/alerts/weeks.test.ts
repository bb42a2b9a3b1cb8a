import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayIn, isWeek, weeksUntil } from './weeks.ts'

test('weeks run from Monday to Sunday, newest first, and belong to the year of their Thursday', () => {
  assert.deepEqual(weeksUntil('2026-11-22', 2), [
    { id: '2026-W47', monday: '2026-11-16', sunday: '2026-11-22' },
    { id: '2026-W46', monday: '2026-11-09', sunday: '2026-11-15' },
  ])
  assert.deepEqual(
    weeksUntil('2027-01-04', 3).map(({ id }) => id),
    ['2027-W01', '2026-W53', '2026-W52'],
  )
  assert.deepEqual(weeksUntil('2025-01-01', 1), [
    { id: '2025-W01', monday: '2024-12-30', sunday: '2025-01-05' },
  ])
})

test('a moment is of the day that the calendar of the time zone shows', () => {
  const noon = new Date('2026-03-08T12:00:00Z')
  assert.deepEqual(
    ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) => dayIn(zone, noon)),
    ['2026-03-08', '2026-03-09', '2026-03-08'],
  )
  assert.equal(dayIn('America/New_York', new Date('2026-01-01T02:00:00Z')), '2025-12-31')
})

test('only the name of a week is one', () => {
  assert.ok(isWeek('2026-W47'))
  for (const wrong of ['2026-W00', '2026-W54', '2026-47', 47, undefined]) assert.ok(!isWeek(wrong))
})
