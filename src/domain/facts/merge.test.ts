import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { observedThen, type Reading } from '../evidence/reading.ts'
import { type Known, type Stated, withStatement } from './merge.ts'

interface Fields {
  title: string
  active: boolean
  media: { kind: string; url: string }[]
}

const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour))

/** The same content under another id is what an account brings twice. */
const readings = ['a', 'b', 'b', 'c', 'd'].map(
  (key, index): Reading => ({
    readingId: `0000000${index}`,
    key,
    format: 'paid-ads',
    source: 'paid-ads-file',
    origin: 'imported',
    country: null,
    observedAt: at(8),
    timeBasis: 'stated',
    context: {},
    ...(key === 'c' || key === 'd' ? {} : { broughtBy: { accountId: key, door: 'http' } }),
  }),
)
const hour = fc.integer({ min: 7, max: 8 })
const stated = fc.record<Stated<Fields>>(
  {
    title: fc.constantFrom('One laptop', 'Another laptop', null),
    active: fc.boolean(),
    media: fc.array(fc.record({ kind: fc.constantFrom('image', 'video'), url: fc.constantFrom('1', '2') }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
)
const statement = fc.record({
  reading: fc.constantFrom(...readings),
  told: fc.option(hour, { nil: undefined }),
  stated,
})

/** As the store gives it back: properties of objects in an order of its own. */
function stored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stored)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(
    ([one], [other]) => one.length - other.length || (one < other ? -1 : 1),
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, stored(inner)]))
}

const knownAfter = (statements: readonly (typeof statement extends fc.Arbitrary<infer S> ? S : never)[]) =>
  statements.reduce<Known<Fields> | undefined>((known, { reading, told, stated }) => {
    const observed = observedThen(reading, told === undefined ? undefined : at(told))
    return stored(withStatement(known, stated, observed)) as Known<Fields>
  }, undefined)

test('statements come to the same in any order, however often they are made', () => {
  fc.assert(
    fc.property(
      fc
        .array(statement, { minLength: 2, maxLength: 8 })
        .chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
        ),
      ([list, shuffled, again]) => {
        assert.deepEqual(knownAfter([...shuffled, ...again]), knownAfter(list))
      },
    ),
    { numRuns: 2_000 },
  )
})
