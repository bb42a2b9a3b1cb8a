import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { ListingField, TrackedField } from '../../vocabulary/listing-fields.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import type { Reading } from '../evidence/reading.ts'
import { fieldFact } from '../facts/fact.ts'
import { type AppSighting, isTrackedField } from './listing.ts'
import { fieldUpdatesIn, versionsAfterSightings } from './listing-history.ts'
import { addToRecord, observedAtOf, type RecordState } from './record.ts'

type Seen = { source: SourceName; day: number; sighting: AppSighting }

const dayMs = 86_400_000
const at = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * dayMs)
const iso = (day: number) => at(day).toISOString()

function reading({ source, day }: Pick<Seen, 'source' | 'day'>): Reading {
  return {
    readingId: source === 'catalogue-file' ? `file of day ${day}` : `reading of day ${day}`,
    key: `${source} ${day}`,
    format: 'test',
    source,
    origin: 'imported',
    country: 'us',
    observedAt: at(day),
    timeBasis: 'stated',
    context: {},
  }
}

const lookup = (day: number, listing: AppSighting['listing']): Seen => ({
  source: 'itunes-lookup',
  day,
  sighting: { storeId: '1', listing },
})
const chart = (day: number, listing: AppSighting['listing'], hints: AppSighting['hints'] = {}): Seen => ({
  source: 'apple-rss-legacy',
  day,
  sighting: { storeId: '1', listing, hints },
})

function stateAfter(...seen: readonly Seen[]): RecordState {
  let state: RecordState | undefined
  for (const [index, one] of seen.entries()) {
    const arrived = { sighting: one.sighting, reading: reading(one) }
    const record = addToRecord(state?.record, 'us', arrived.sighting, arrived.reading)
    const fieldUpdates = fieldUpdatesIn(state, record, [arrived])
    const shows = ({ sighting }: Seen, field: TrackedField, hinted: boolean) =>
      field in sighting.listing || (hinted && field in (sighting.hints ?? {}))
    const versions = versionsAfterSightings(
      state,
      fieldUpdates,
      ({ firstSeenAt, lastSeenAt }, { field, hinted }) =>
        seen
          .slice(0, index)
          .filter((earlier) => shows(earlier, field, hinted))
          .map(({ day }) => at(day).getTime())
          .filter((instant) => instant >= firstSeenAt && instant <= lastSeenAt),
    )
    state = { record, versions }
  }
  assert.ok(state)
  return state
}

const backing = ({ record }: RecordState, field: ListingField) =>
  record.evidence.filter((entry) => entry.fields.includes(field)).map((entry) => entry.readingId)

test('the newest sighting of a field wins, whatever the order of arrival', () => {
  const early = lookup(1, { name: 'Notes', version: '1.0' })
  const late = lookup(9, { name: 'Notes Pro', version: '2.0' })
  for (const seen of [
    [early, late],
    [late, early],
  ]) {
    const { record } = stateAfter(...seen)
    assert.equal(record.facts.name, 'Notes Pro')
    assert.equal(record.facts.version, '2.0')
    assert.deepEqual([record.firstObservedAt, record.lastObservedAt], [iso(1), iso(9)])
  }
})

test('a field the newest source does not carry keeps the value of the one before', () => {
  const state = stateAfter(
    lookup(1, { name: 'Notes', description: 'Write it down.' }),
    chart(5, { name: 'Notes!' }),
  )
  assert.equal(state.record.facts.name, 'Notes!')
  assert.equal(state.record.facts.description, 'Write it down.')
  assert.deepEqual(backing(state, 'name'), ['reading of day 5'])
  assert.deepEqual(backing(state, 'description'), ['reading of day 1'])
})

test('a hint fills what nobody stated and never replaces what was stated, nor outlives it', () => {
  const stated = lookup(3, { name: 'Notes', iconUrl: 'https://example.com/stated.png', sellerUrl: null })
  const hint = (day: number) =>
    chart(
      day,
      { name: 'Notes' },
      {
        iconUrl: `https://example.com/hint-${day}.png`,
        sellerUrl: 'https://example.com',
        bundleId: `com.example.day${day}`,
      },
    )
  for (const seen of [
    [stated, hint(1), hint(9)],
    [hint(1), stated, hint(9)],
    [hint(9), hint(1), stated],
    [hint(9), stated, hint(1)],
  ]) {
    const state = stateAfter(...seen)
    assert.equal(state.record.facts.iconUrl, 'https://example.com/stated.png')
    assert.equal(state.record.facts.sellerUrl, null)
    assert.equal(state.record.facts.bundleId, 'com.example.day9', 'the newest hint holds where nobody stated')
    assert.deepEqual(backing(state, 'iconUrl'), ['reading of day 3'])
    assert.equal(state.versions.get('iconUrl'), undefined, 'what a hint said is no version of what was stated')
  }
})

test('hints that change are a history until a better source states the field', () => {
  const hint = (day: number, price: number) => chart(day, { name: 'Notes' }, { price, currency: 'USD' })
  const hinted = stateAfter(hint(1, 2.99), hint(2, 0.99))
  assert.deepEqual(
    hinted.versions.get('price')?.map((version) => version.value),
    ['2.99 USD', '0.99 USD'],
  )
  const stated = stateAfter(
    hint(1, 2.99),
    hint(2, 0.99),
    lookup(3, { name: 'Notes', price: 0, currency: 'USD' }),
  )
  assert.equal(stated.versions.get('price'), undefined)
  assert.equal(stated.record.since.price, iso(3))
})

test('a value is measured, or absent where a source carries the field and had none, or not measured', () => {
  const { record } = stateAfter(
    lookup(1, { name: 'Notes', rating: null, ratingCount: 0 }),
    chart(2, { name: 'Notes' }),
  )
  const fact = (field: ListingField) => fieldFact(record, field)
  assert.deepEqual(fact('name'), { state: 'measured', value: 'Notes', evidence: 0 })
  assert.deepEqual(fact('ratingCount'), { state: 'measured', value: 0, evidence: 1 })
  assert.deepEqual(fact('rating'), { state: 'absent', evidence: 1 })
  assert.deepEqual(fact('subtitle'), { state: 'not-measured', reason: 'not-carried' })
})

test('a value that went absent is absent, and its history tells when', () => {
  const { record, versions } = stateAfter(
    lookup(1, { name: 'Notes', subtitle: 'Write it down' }),
    lookup(4, { name: 'Notes', subtitle: null }),
  )
  assert.equal(record.facts.subtitle, null)
  assert.deepEqual(versions.get('subtitle'), [
    { value: 'Write it down', firstSeenAt: at(1).getTime(), lastSeenAt: at(1).getTime() },
    { value: null, firstSeenAt: at(4).getTime(), lastSeenAt: at(4).getTime() },
  ])
})

test('one picture served from another host is no change', () => {
  const picture = (host: string) => `https://${host}.mzstatic.com/image/thumb/v4/ab/icon.png/512x512bb.png`
  const { versions } = stateAfter(
    lookup(1, { name: 'Notes', iconUrl: picture('is2-ssl') }),
    lookup(2, { name: 'Notes', iconUrl: picture('is5-ssl') }),
  )
  assert.deepEqual([...versions], [])
})

test('a reading that says nothing new leaves no trace in the evidence but the fields it was the newest to show', () => {
  const state = stateAfter(
    lookup(5, { name: 'Notes', version: '2' }),
    lookup(1, { name: 'Notes', version: '1' }),
  )
  assert.deepEqual(
    state.record.evidence.map((entry) => entry.readingId),
    ['reading of day 5'],
  )
})

const sources: SourceName[] = [
  'itunes-search',
  'itunes-lookup',
  'catalogue-file',
  'apple-rss-v2',
  'apple-rss-legacy',
]
const text = fc.constantFrom('a', 'b', 'c', null)
const fields = fc.record(
  { subtitle: text, version: text, bundleId: text, iconUrl: text, ratingCount: fc.nat(3), price: fc.nat(2) },
  { requiredKeys: [] },
)
const sighting = fc.record({
  source: fc.constantFrom(...sources),
  name: fc.constantFrom('x', 'y', 'z'),
  fields,
})

/** Sightings on days of their own, and an order in which they arrive. */
const arrivals = fc
  .array(sighting, { minLength: 1, maxLength: 12 })
  .map((all) =>
    all.map(
      ({ source, name, fields: said }, day): Seen =>
        source.startsWith('apple-rss')
          ? chart(day, { name }, said)
          : { source, day, sighting: { storeId: '1', listing: { name, ...said } } },
    ),
  )
  .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }).map((arrived) => ({ all, arrived })))

test('the order in which sightings arrive changes neither the record, nor what it rests on, nor its history', () => {
  fc.assert(
    fc.property(arrivals, ({ all, arrived }) => {
      const { record, versions } = stateAfter(...arrived)
      const expected = stateAfter(...all)
      assert.deepEqual(record, expected.record)
      assert.deepEqual(versions, expected.versions)
      assert.deepEqual([record.firstObservedAt, record.lastObservedAt], [iso(0), iso(all.length - 1)])
    }),
    { numRuns: 500 },
  )
})

test('of two observations of one instant the same one holds, whichever arrives first', () => {
  const one = lookup(3, { name: 'Notes', price: 2, currency: 'USD', ratingCount: 7 })
  const other: Seen = {
    ...lookup(3, { name: 'Plans', price: 1, currency: 'USD', ratingCount: 10 }),
    source: 'catalogue-file',
  }
  const state = stateAfter(one, other)
  assert.deepEqual(stateAfter(other, one), state)
  assert.deepEqual(
    [state.record.facts.name, state.record.facts.price, state.record.facts.ratingCount],
    ['Plans', 2, 10],
  )
  assert.deepEqual([...state.versions], [])
})

test('evidence names exactly the readings that back something, newest first, and each field once', () => {
  fc.assert(
    fc.property(arrivals, ({ arrived }) => {
      const { record } = stateAfter(...arrived)
      const times = record.evidence.map((entry) => entry.observedAt)
      assert.deepEqual(times, times.toSorted().reverse())
      assert.ok(record.evidence.every((entry) => entry.fields.length > 0))
      const named = record.evidence.flatMap((entry) => entry.fields)
      assert.deepEqual(named.toSorted(), Object.keys(record.facts).toSorted())
    }),
  )
})

test('the newest version of a field is the value of the record', () => {
  fc.assert(
    fc.property(arrivals, ({ arrived }) => {
      const { record, versions } = stateAfter(...arrived)
      for (const [field, seen] of versions) {
        const value = record.facts[field as TrackedField]
        assert.equal(seen.at(-1)?.value, value === null ? null : String(value), field)
        assert.equal(new Date(seen.at(-1)?.lastSeenAt ?? 0).toISOString(), observedAtOf(record, field))
        assert.equal(
          new Date(seen[0]?.firstSeenAt ?? 0).toISOString(),
          record.since[field] ?? record.firstObservedAt,
        )
      }
      assert.ok([...versions.keys()].every(isTrackedField))
    }),
    { numRuns: 500 },
  )
})

test('what a source says again changes the evidence alone: facts and first sightings are the same objects, and nothing is news', () => {
  let again = 0
  fc.assert(
    fc.property(arrivals, fc.nat(), fc.integer({ min: 100, max: 130 }), ({ arrived }, chosen, day) => {
      const before = stateAfter(...arrived)
      const said = arrived[chosen % arrived.length]
      assert.ok(said)
      const arriving = { sighting: said.sighting, reading: reading({ ...said, day }) }
      const after = addToRecord(before.record, 'us', arriving.sighting, arriving.reading)
      if (!isDeepStrictEqual(after.facts, before.record.facts)) return
      again++
      assert.equal(after.facts, before.record.facts)
      if (isDeepStrictEqual(after.since, before.record.since)) assert.equal(after.since, before.record.since)
      assert.equal(after.lastObservedAt, iso(day))
      const newest = after.evidence.find(({ observedAt }) => observedAt === iso(day))
      assert.equal(newest?.source, newest && said.source)
    }),
    { numRuns: 1000 },
  )
  assert.ok(again > 50, `${again} were said again`)
})
