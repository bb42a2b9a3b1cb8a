import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysBetween, daysUntil } from './days.ts'

test('days are counted over the ends of months, leap days and changes of the clock', () => {
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(daysBetween('2026-03-28', '2026-03-30'), 2)
  assert.equal(daysBetween('2026-03-30', '2026-03-28'), -2)
  assert.deepEqual(daysUntil('2026-03-01', 3), ['2026-02-27', '2026-02-28', '2026-03-01'])
})
