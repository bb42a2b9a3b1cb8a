import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { retryAfterMs } from './exchange.ts'

const now = new Date('2026-03-01T12:00:00Z')

test('seconds and dates are understood, the past means now, and an hour is the longest', () => {
  const waits: [string | null, number | undefined][] = [
    ['0', 0],
    [' 90 ', 90_000],
    ['7200', 3_600_000],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['7 eggs', undefined],
    ['', undefined],
    [null, undefined],
  ]
  for (const [header, expected] of waits) assert.equal(retryAfterMs(header, now), expected, String(header))
})

test('whatever a server writes, a wait is none, or between nothing and an hour', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.nat().map(String), fc.date().map(String)), (header) => {
      const wait = retryAfterMs(header, now)
      return wait === undefined || (wait >= 0 && wait <= 3_600_000)
    }),
  )
})
