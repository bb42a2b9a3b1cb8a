import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisOf, placeOf, runOf, ticksOf } from './timeline.ts'

const measured = <Value>(value: Value) => ({ state: 'measured' as const, value, evidence: 0 })
const absent = { state: 'absent' as const, evidence: 0 }
const unknown = { state: 'not-measured' as const, reason: 'not-carried' as const }
const seen = {
  firstObservedAt: '2026-11-03T08:00:00.000Z',
  lastObservedAt: '2026-11-20T08:00:00.000Z',
  byCountry: unknown,
}

test('an ad that was seen to end runs from its start to its end', () => {
  const run = runOf({
    ...seen,
    deliveryStartedOn: measured('2026-11-01'),
    deliveryEndedOn: measured('2026-11-10'),
    active: measured(false),
  })
  assert.deepEqual(run, { from: '2026-11-01', to: '2026-11-10', start: 'stated', end: 'ended' })
})

test('an ad that runs is open behind the day it was last seen', () => {
  const run = runOf({
    ...seen,
    deliveryStartedOn: measured('2026-11-01'),
    deliveryEndedOn: absent,
    active: measured(true),
  })
  assert.deepEqual(run, { from: '2026-11-01', to: '2026-11-20', start: 'stated', end: 'open' })
})

test('an ad without a start begins when it was first seen, and says so', () => {
  const run = runOf({ ...seen, deliveryStartedOn: unknown, deliveryEndedOn: unknown, active: unknown })
  assert.deepEqual(run, { from: '2026-11-03', to: '2026-11-20', start: 'first-seen', end: 'last-seen' })
})

test('an ad of which only a bound is known begins there, and says so', () => {
  const bound = {
    country: 'de' as const,
    firstShownOn: null,
    firstShownBy: '2025-11-20',
    lastShownOn: '2026-11-13',
    knownUntil: '2026-11-13',
    placements: [],
  }
  const run = runOf({
    ...seen,
    byCountry: measured([bound]),
    deliveryStartedOn: unknown,
    deliveryEndedOn: absent,
    active: measured(true),
  })
  assert.deepEqual([run.from, run.start], ['2025-11-20', 'first-seen'])
})

test('an ad that is announced for later is as short as a day', () => {
  const run = runOf({
    ...seen,
    deliveryStartedOn: measured('2026-12-01'),
    deliveryEndedOn: absent,
    active: measured(false),
  })
  assert.deepEqual([run.from, run.to], ['2026-12-01', '2026-12-01'])
})

test('the axis holds every run and leaves room behind the last day', () => {
  const runs = [
    { from: '2026-11-01', to: '2026-11-10', start: 'stated', end: 'ended' },
    { from: '2026-11-06', to: '2026-11-20', start: 'stated', end: 'open' },
  ] as const
  const axis = axisOf(runs)
  assert.ok(axis)
  assert.equal(axis.days, 22)
  assert.deepEqual(placeOf(runs[0], axis), { start: 0, length: 10 / 22 })
  assert.deepEqual(
    ticksOf(axis).map(({ day }) => day),
    ['2026-11-02', '2026-11-09', '2026-11-16'],
  )
  assert.equal(axisOf([]), undefined)
  const years = axisOf([{ from: '2023-02-01', to: '2026-11-20', start: 'stated', end: 'ended' }])
  assert.ok(years)
  assert.deepEqual(
    ticksOf(years).map(({ day }) => day),
    ['2024-01-01', '2025-01-01', '2026-01-01', '2027-01-01'],
  )
})
