import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Reading, readingAtRecordTime } from '../evidence/reading.ts'
import { addStatement, factsOfReading, type Known, mergeKnown, type Precedence, type Stated } from './merge.ts'

interface Fields {
  title: string
  active: boolean
  media: { kind: string; url: string }[]
}

const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour))

/** Evidence that an account imports twice has the same content and key under another id. */
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
  reported: fc.option(hour, { nil: undefined }),
  stated,
})

/** As PostgreSQL returns it: with the properties of objects in another order. */
function stored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stored)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(
    ([one], [other]) => one.length - other.length || (one < other ? -1 : 1),
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, stored(inner)]))
}

type Statement = typeof statement extends fc.Arbitrary<infer S> ? S : never

const observedBy = ({ reading, reported }: Statement) =>
  readingAtRecordTime(reading, reported === undefined ? undefined : at(reported))

const knownAfter = (statements: readonly Statement[], precedence?: Precedence<Fields>) =>
  statements.reduce<Known<Fields>>(
    (known, each) => stored(addStatement(known, each.stated, observedBy(each), precedence)) as Known<Fields>,
    { facts: {}, evidence: [] },
  )

const known = fc.array(statement, { maxLength: 4 }).map((list) => knownAfter(list))

/** Another order than the default: titles of some sources are hints, and the shorter text wins. */
const hinting: Precedence<Fields> = {
  weight: (field, { broughtBy }) => (field === 'title' && broughtBy ? 0 : 1),
  compare: (field, one, other) =>
    JSON.stringify(other[field] ?? null).length - JSON.stringify(one[field] ?? null).length,
}

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

test('what two know together is the same whichever of them is asked first, and by a third at whatever time', () => {
  fc.assert(
    fc.property(known, known, known, (one, other, third) => {
      assert.deepEqual(mergeKnown(one, other), mergeKnown(other, one))
      assert.deepEqual(mergeKnown(mergeKnown(one, other), third), mergeKnown(one, mergeKnown(other, third)))
      assert.deepEqual(mergeKnown(one, one), one)
      assert.deepEqual(mergeKnown(mergeKnown(one, other), other), mergeKnown(one, other))
    }),
    { numRuns: 1_000 },
  )
})

test('another precedence changes who wins, and not that the order of arrival is nothing', () => {
  const shuffled = fc
    .array(statement, { maxLength: 6 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      // Two texts of the same length are ordered by the keys of their readings.
      assert.deepEqual(factless(knownAfter(other, hinting)), factless(knownAfter(list, hinting)))
    }),
  )
})

const factless = ({ evidence }: Known<Fields>) => evidence

test('every field that was stated has a value, and one entry of evidence; entries name a field, and are newest first', () => {
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 8 }), (list) => {
      const { facts, evidence } = knownAfter(list)
      const stated = new Set(list.flatMap((each) => Object.keys(each.stated)))
      assert.deepEqual(evidence.flatMap(({ fields }) => fields).sort(), [...stated].sort())
      assert.deepEqual(Object.keys(facts).sort(), [...stated].sort())
      assert.ok(evidence.every(({ fields }) => fields.length > 0))
      const times = evidence.map(({ observedAt }) => observedAt)
      assert.deepEqual(times, times.toSorted().reverse())
    }),
  )
})

const [brought, , , newer, newest] = readings
assert.ok(brought && newer && newest)

test('of two statements the newer holds, of one instant the greater, and of the same the reading with the greater key', () => {
  const title = (text: string | null, reading: Reading, hour = 8) =>
    factsOfReading<Fields>({ title: text }, { ...reading, observedAt: at(hour) })
  const of = (one: Known<Fields>, other: Known<Fields>) => {
    const { facts, evidence } = mergeKnown(one, other)
    return [facts.title, evidence[0]?.key]
  }
  assert.deepEqual(of(title('z', newest, 7), title('a', newer)), ['a', 'c'])
  assert.deepEqual(of(title('z', newer), title('a', newest)), ['z', 'c'])
  assert.deepEqual(of(title('a', newer), title('a', newest)), ['a', 'd'])
  assert.deepEqual(of(title('a', newer, 7), title('z', brought)), ['a', 'c'], 'a source, whenever it says so')
})

test('that something is not there is a statement like any other', () => {
  const before = factsOfReading<Fields>({ title: 'One laptop' }, { ...newer, observedAt: at(7) })
  assert.deepEqual(addStatement(before, { title: null }, newest).facts, { title: null })
  assert.deepEqual(addStatement(before, {}, newest), before, 'what is not carried says nothing')
})
