import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addSighting, type Version } from './listing-versions.ts'

type Value = string | null
type Sighting = { value: Value; at: number }

const same = (one: Value, other: Value) => one === other
const seen = (sightings: readonly Sighting[]): Version[] =>
  sightings.reduce<Version[]>((versions, { value, at }) => addSighting(versions, value, at, same), [])
const byTime = (sightings: readonly Sighting[]) => sightings.toSorted((one, other) => one.at - other.at)
const valuesOf = (things: readonly { value: Value }[]) =>
  things.map(({ value }) => value).filter((value, index, all) => index === 0 || value !== all[index - 1])

const times = fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 24 })
const value = fc.constantFrom<Value>('Notes', 'Notes Pro', 'Notes: Plan', null)

/** Sightings at moments of their own, in the order they happened. */
const history = times.chain((moments) =>
  fc
    .array(value, { minLength: moments.length, maxLength: moments.length })
    .map((values) => byTime(moments.map((at, index) => ({ at, value: values[index] ?? null })))),
)

/** A history in which no value comes back once it was replaced, and an order in which its sightings arrive. */
const steadyHistory = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  .chain((values) =>
    fc
      .array(fc.integer({ min: 1, max: 4 }), { minLength: values.length, maxLength: values.length })
      .map((counts) => values.flatMap((one, index) => Array<string>(counts[index] ?? 1).fill(one))),
  )
  .map((values) => values.map((one, index) => ({ value: one as Value, at: index * 10 })))
const shuffled = <T>(things: fc.Arbitrary<T[]>) =>
  things.chain((all) =>
    fc.shuffledSubarray(all, { minLength: all.length }).map((arrived) => ({ all, arrived })),
  )

test('a value that stays is one version, from its first to its last sighting', () => {
  assert.deepEqual(
    seen([
      { value: 'Notes', at: 10 },
      { value: 'Notes', at: 30 },
      { value: 'Notes', at: 20 },
    ]),
    [{ value: 'Notes', firstSeenAt: 10, lastSeenAt: 30 }],
  )
})

test('a value seen between two sightings of another splits it at its ends, for nothing is known in between', () => {
  assert.deepEqual(
    seen([
      { value: 'Notes', at: 10 },
      { value: 'Notes', at: 30 },
      { value: 'Sale', at: 20 },
    ]),
    [
      { value: 'Notes', firstSeenAt: 10, lastSeenAt: 10 },
      { value: 'Sale', firstSeenAt: 20, lastSeenAt: 20 },
      { value: 'Notes', firstSeenAt: 30, lastSeenAt: 30 },
    ],
  )
})

test('an empty field is a value of its own', () => {
  assert.deepEqual(
    valuesOf(
      seen([
        { value: 'Plan', at: 1 },
        { value: null, at: 2 },
        { value: 'Plan', at: 3 },
      ]),
    ),
    ['Plan', null, 'Plan'],
  )
})

test('of two values at one instant the later to arrive stays', () => {
  assert.deepEqual(
    seen([
      { value: 'Notes', at: 1 },
      { value: 'Sale', at: 1 },
    ]),
    [{ value: 'Sale', firstSeenAt: 1, lastSeenAt: 1 }],
  )
})

test('values that count as the same are one version, which keeps the newest spelling', () => {
  const loosely = (one: Value, other: Value) => one?.toLowerCase() === other?.toLowerCase()
  const versions = addSighting(addSighting([], 'notes', 1, loosely), 'NOTES', 2, loosely)
  assert.deepEqual(versions, [{ value: 'NOTES', firstSeenAt: 1, lastSeenAt: 2 }])
})

test('versions never overlap, stand in the order of time, and neighbours differ, whatever the order of arrival', () => {
  fc.assert(
    fc.property(shuffled(history), ({ arrived }) => {
      const versions = seen(arrived)
      for (const [index, version] of versions.entries()) {
        assert.ok(version.firstSeenAt <= version.lastSeenAt)
        const next = versions[index + 1]
        if (next) assert.ok(version.lastSeenAt < next.firstSeenAt && version.value !== next.value)
      }
    }),
  )
})

test('sightings in the order of time give exactly the values that were seen, with their first and last sighting', () => {
  fc.assert(
    fc.property(history, (sightings) => {
      const versions = seen(sightings)
      assert.deepEqual(valuesOf(versions), valuesOf(sightings))
      for (const { value: shown, firstSeenAt, lastSeenAt } of versions) {
        const within = sightings.filter(({ at }) => at >= firstSeenAt && at <= lastSeenAt)
        assert.ok(within.every((sighting) => sighting.value === shown))
      }
    }),
  )
})

test('a value that never comes back gives the same versions in any order of arrival', () => {
  fc.assert(
    fc.property(shuffled(steadyHistory), ({ all, arrived }) => {
      assert.deepEqual(seen(arrived), seen(all))
      assert.deepEqual(valuesOf(seen(arrived)), valuesOf(all))
    }),
  )
})

test('in any order of arrival no value is invented or lost, and the oldest and the newest stand at the ends', () => {
  fc.assert(
    fc.property(shuffled(history), ({ all, arrived }) => {
      const versions = seen(arrived)
      const at = new Map(all.map((sighting) => [sighting.at, sighting.value]))
      for (const version of versions) {
        assert.equal(at.get(version.firstSeenAt), version.value)
        assert.equal(at.get(version.lastSeenAt), version.value)
      }
      assert.deepEqual(new Set(versions.map((version) => version.value)), new Set(all.map((one) => one.value)))
      assert.deepEqual([versions[0]?.firstSeenAt, versions.at(-1)?.lastSeenAt], [all[0]?.at, all.at(-1)?.at])
    }),
  )
})
