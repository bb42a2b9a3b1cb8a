import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Sighting, type Version, withSightings } from './listing-versions.ts'

/** The versions after sightings that arrive in batches. */
function seen(...batches: readonly (readonly Sighting[])[]): Version[] {
  const instants: number[] = []
  let versions: Version[] = []
  for (const batch of batches) {
    versions = withSightings(versions, batch, ({ firstSeenAt, lastSeenAt }) =>
      instants.filter((at) => at >= firstSeenAt && at <= lastSeenAt),
    )
    instants.push(...batch.map(({ at }) => at))
  }
  return versions
}

const sighting = fc.record({
  value: fc.constantFrom('Notes', 'Notes Pro', 'Notes: Plan', null),
  at: fc.integer({ min: 0, max: 12 }),
})

test('a value that stays is one version, from its first to its last sighting', () => {
  assert.deepEqual(
    seen([{ value: 'Notes', at: 10 }], [{ value: 'Notes', at: 30 }], [{ value: 'Notes', at: 20 }]),
    [{ value: 'Notes', firstSeenAt: 10, lastSeenAt: 30 }],
  )
})

test('a value that arrives late parts a version where the other value was last and next seen', () => {
  assert.deepEqual(
    seen(
      [10, 20, 40, 50].map((at) => ({ value: 'Notes', at })),
      [{ value: 'Sale', at: 30 }],
    ),
    [
      { value: 'Notes', firstSeenAt: 10, lastSeenAt: 20 },
      { value: 'Sale', firstSeenAt: 30, lastSeenAt: 30 },
      { value: 'Notes', firstSeenAt: 40, lastSeenAt: 50 },
    ],
  )
})

test('of two values of one instant the same one holds, whichever arrives first', () => {
  const [one, other] = [
    { value: 'Notes', at: 10 },
    { value: 'Sale', at: 10 },
  ]
  assert.deepEqual(seen([one], [other]), seen([other], [one]))
})

test('versions are what all sightings show together, in any order and any batches', () => {
  fc.assert(
    fc.property(
      fc
        .array(fc.array(sighting, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const versions = seen(...shuffled)
        assert.deepEqual(versions, seen(all.flat()))
        for (const [index, { value, firstSeenAt, lastSeenAt }] of versions.entries()) {
          assert.ok(firstSeenAt <= lastSeenAt)
          const before = versions[index - 1]
          if (before) assert.ok(before.lastSeenAt < firstSeenAt && before.value !== value)
        }
      },
    ),
    { numRuns: 1000 },
  )
})
