import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  DayMap,
  dayNumber,
  dayOfNumber,
  type RankState,
  rankChangeBetween,
  rankChangeOver,
  rankOnDay,
} from './rank-days.ts'

const state: fc.Arbitrary<RankState> = fc.oneof(
  fc.constant<RankState>({ state: 'not-measured', reason: 'no-snapshot' }),
  fc.integer({ min: 0, max: 200 }).map((depth): RankState => ({ state: 'absent', depth })),
  fc
    .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 100 }))
    .map(([value, below]): RankState => ({ state: 'measured', value, depth: value + below })),
)
const on = '2024-01-01'

test('a change read backwards is the opposite change', () => {
  fc.assert(
    fc.property(state, state, (then, now) => {
      const [forth, back] = [rankChangeBetween(then, now, on), rankChangeBetween(now, then, on)]
      const opposite: Record<string, string> = { entered: 'left', left: 'entered' }
      assert.equal(back.state, opposite[forth.state] ?? forth.state)
      if (forth.state === 'measured' && back.state === 'measured') assert.equal(forth.places + back.places, 0)
    }),
  )
})

test('an app entered or left only among places that both pages have', () => {
  fc.assert(
    fc.property(state, state, (then, now) => {
      const change = rankChangeBetween(then, now, on)
      if (change.state === 'entered') assert.ok(now.state === 'measured' && now.value <= change.depth)
      if (change.state === 'left') assert.ok(change.from <= change.depth)
      if (then.state === 'not-measured' || now.state === 'not-measured')
        assert.equal(change.state, 'not-measured')
    }),
  )
})

test('days and their numbers are the same days', () => {
  fc.assert(
    fc.property(fc.integer({ min: dayNumber('1900-01-01'), max: dayNumber('2099-12-31') }), (day) => {
      assert.equal(dayNumber(dayOfNumber(day)), day)
    }),
  )
})

test('a day without a page is not measured, one with a page and no rank is an absence to its depth', () => {
  const [depths, ranks] = [new DayMap(100, 110), new DayMap(100, 110)]
  depths.set(105, 50)
  depths.set(107, 50)
  ranks.set(107, 3)
  ranks.set(99, 1)
  const states = [104, 105, 107].map((day) => rankOnDay(ranks, depths, day).state)
  assert.deepEqual(states, ['not-measured', 'absent', 'measured'])
  assert.equal(ranks.at(99), undefined)
})

test('a change is told against the newest page of its window', () => {
  const [depths, ranks] = [new DayMap(0, 40), new DayMap(0, 40)]
  for (const [day, rank] of [
    [20, 9],
    [32, 7],
    [33, 5],
    [40, 2],
  ] as const) {
    depths.set(day, 50)
    ranks.set(day, rank)
  }
  assert.deepEqual(rankChangeOver(ranks, depths, 40, { least: 7, most: 14 }), {
    state: 'measured',
    places: 3,
    comparedOn: dayOfNumber(33),
  })
  assert.equal(rankChangeOver(ranks, depths, 40, { least: 1, most: 2 }).state, 'not-measured')
  assert.equal(rankChangeOver(ranks, depths, undefined, { least: 1, most: 2 }).state, 'not-measured')
})
