import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DayPosition, impactOfChange, type PositionsByDay } from './impact.ts'

const ranked = (place: number): DayPosition => ({ place, shown: true })
const daily = (places: readonly number[], from = 0): PositionsByDay =>
  new Map(places.map((place, index) => [from + index, ranked(place)]))
const steady = (place: number, days: number) => Array.from({ length: days }, () => place)
const change = { lastSeen: 40, firstSeen: 41 }

test('a move over a change is told in places climbed, beside the usual one', () => {
  const stands = daily([...steady(30, 41), ...steady(20, 60)])
  assert.deepEqual(impactOfChange([stands], change, 7), {
    state: 'measured',
    compared: 1,
    places: 10,
    usual: 0,
  })
})

test('without a look before or on the day after it is not measured, and without any ranks never collected', () => {
  const gap = new Map([...daily(steady(5, 100))].filter(([day]) => Math.abs(day - 48) > 1))
  assert.deepEqual(impactOfChange([gap], change, 7), { state: 'not-measured', reason: 'no-snapshot' })
  assert.equal(impactOfChange([gap], change, 14).state, 'measured')
  const late = new Map([...daily(steady(5, 100))].filter(([day]) => day < 38 || day > 40))
  assert.deepEqual(impactOfChange([late], change, 7), { state: 'not-measured', reason: 'no-snapshot' })
  assert.deepEqual(impactOfChange([], change, 7), { state: 'not-measured', reason: 'never-collected' })
})

test('an app that stood on neither side tells nothing, one that came in climbed from below the last place', () => {
  const absent: DayPosition = { place: 101, shown: false }
  const never: PositionsByDay = new Map(Array.from({ length: 100 }, (_, day) => [day, absent]))
  assert.equal(impactOfChange([never], change, 7).state, 'not-measured')
  const came: PositionsByDay = new Map(
    Array.from({ length: 100 }, (_, day) => [day, day > 41 ? ranked(51) : absent]),
  )
  const found = impactOfChange([never, came], change, 7)
  assert.ok(found.state === 'measured')
  assert.deepEqual([found.compared, found.places], [1, 50])
})

test('too few other days leave the usual move unknown', () => {
  const stands = new Map([
    [40, ranked(9)],
    [48, ranked(4)],
  ])
  assert.deepEqual(impactOfChange([stands], change, 7), {
    state: 'measured',
    compared: 1,
    places: 5,
    usual: null,
  })
})

test('the same ranks on other days are the same impact, and ranks turned round are the opposite one', () => {
  const places = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 60, maxLength: 120 })
  fc.assert(
    fc.property(
      places,
      fc.integer({ min: -500, max: 500 }),
      fc.constantFrom(7, 14, 28),
      (some, moved, days) => {
        const found = impactOfChange([daily(some)], change, days)
        const later = { lastSeen: change.lastSeen + moved, firstSeen: change.firstSeen + moved }
        assert.deepEqual(impactOfChange([daily(some, moved)], later, days), found)
        const turned = impactOfChange([daily(some.map((place) => 201 - place))], change, days)
        if (found.state !== 'measured' || turned.state !== 'measured')
          return assert.equal(turned.state, found.state)
        assert.deepEqual([turned.places, turned.usual], [0 - found.places, found.usual])
      },
    ),
  )
})
