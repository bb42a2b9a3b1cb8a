import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CountryDelivery } from '../../vocabulary/ad-fields.ts'
import { derivedFrom, joinedCountries } from './by-country.ts'

const day = fc.constantFrom(null, '2026-01-01', '2026-02-01', '2026-03-01')
const delivery: fc.Arbitrary<CountryDelivery> = fc
  .record({
    country: fc.constantFrom('de', 'fr', 'se'),
    firstShownOn: day,
    firstShownBy: day,
    lastShownOn: day,
    knownUntil: day,
    placements: fc.subarray(['search-results', 'today-tab', 'APPSTORE_NEW']),
  })
  .map((one) => ({ ...one, firstShownBy: one.firstShownOn === null ? one.firstShownBy : null }))
const deliveries = fc.array(delivery, { maxLength: 4 }).map((some) => joinedCountries([], some))

test('joining does not depend on order or repetition', () => {
  fc.assert(
    fc.property(deliveries, deliveries, deliveries, (one, other, third) => {
      assert.deepEqual(joinedCountries(one, other), joinedCountries(other, one))
      assert.deepEqual(
        joinedCountries(joinedCountries(one, other), third),
        joinedCountries(one, joinedCountries(other, third)),
      )
      assert.deepEqual(joinedCountries(one, one), one)
    }),
  )
})

const shownIn = (country: string, more: Partial<CountryDelivery> = {}): CountryDelivery => ({
  country,
  firstShownOn: '2026-10-01',
  firstShownBy: null,
  lastShownOn: '2026-11-13',
  knownUntil: '2026-11-13',
  placements: [],
  ...more,
})

test('an ad runs if it was shown in any country on the last day that is covered, or the day before', () => {
  const ended = shownIn('de', { lastShownOn: '2026-11-11' })
  assert.deepEqual([derivedFrom([ended]).active, derivedFrom([ended]).endedOn], [false, '2026-11-11'])
  assert.equal(derivedFrom([shownIn('de', { lastShownOn: '2026-11-12' })]).active, true)
  assert.deepEqual(
    [derivedFrom([ended, shownIn('fr')]).active, derivedFrom([ended, shownIn('fr')]).endedOn],
    [true, null],
  )
  assert.equal('active' in derivedFrom([ended, shownIn('fr', { knownUntil: null })]), false)
})

test('it started on a date only where no country has a bound', () => {
  const bound = shownIn('fr', { firstShownOn: null, firstShownBy: '2025-11-20' })
  assert.equal(derivedFrom([shownIn('de')]).startedOn, '2026-10-01')
  assert.equal('startedOn' in derivedFrom([shownIn('de'), bound]), false)
})
