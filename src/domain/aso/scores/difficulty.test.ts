import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ResultPagePlace } from '../pages/result-pages.ts'
import { difficultyOf, opportunityFor, opportunityOf } from './difficulty.ts'
import { type RatingScale, ratingStrengthOn } from './rating-scale.ts'

const term = 'photo editor'
const names = ['Photo Editor', 'My Photo Editor Pro', 'Editor of Photo', 'Photo', 'Camera']
const counts = fc.oneof(fc.integer({ min: 0, max: 5_000_000 }), fc.constantFrom(null, 0, 99, 100))
const place: fc.Arbitrary<ResultPagePlace | null> = fc.option(
  fc.record({ storeId: fc.nat().map(String), name: fc.constantFrom(...names), ratingCount: counts }),
  { freq: 12 },
)
const page = fc.array(place, { minLength: 5, maxLength: 14 })
const at = fc.nat({ max: 13 })

/** A page without a known end, unless the number of requested places is given. */
const scored = (places: readonly (ResultPagePlace | null)[], requested: number | null = null, asked = term) =>
  difficultyOf({ term: asked, country: 'us', places, requested, stated: null }, null)
const value = (places: readonly (ResultPagePlace | null)[], requested: number | null = null) =>
  scored(places, requested)?.value

/** The page with one of its places changed, where there is an app at it. */
const changed = (
  places: readonly (ResultPagePlace | null)[],
  index: number,
  change: Partial<ResultPagePlace>,
) => places.map((shown, other) => (shown && other === index % places.length ? { ...shown, ...change } : shown))

test('difficulty and its parts lie between 0 and 100, and the weights of the parts are one', () => {
  fc.assert(
    fc.property(page, (places) => {
      const difficulty = scored(places)
      if (!difficulty) return
      for (const part of [difficulty, ...difficulty.parts]) assert.ok(part.value >= 0 && part.value <= 100)
      assert.equal(
        difficulty.parts.reduce((sum, { weight }) => sum + weight, 0),
        1,
      )
      assert.equal(difficulty.results, places.slice(0, 10).filter((shown) => shown !== null).length)
    }),
  )
})

test('difficulty never falls when an app gains ratings', () => {
  fc.assert(
    fc.property(page, at, fc.integer({ min: 0, max: 1_000_000 }), (places, index, gained) => {
      const before = places[index % places.length]?.ratingCount ?? 0
      const after = value(changed(places, index, { ratingCount: before + gained }))
      assert.ok((after ?? -1) >= (value(places) ?? -1))
    }),
  )
})

test('difficulty never falls when a name gains the term', () => {
  fc.assert(
    fc.property(page, at, (places, index) => {
      const name = `${places[index % places.length]?.name ?? ''}: ${term}`
      assert.ok((value(changed(places, index, { name })) ?? -1) >= (value(places) ?? -1))
    }),
  )
})

test('places below the tenth change nothing', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 10, maxLength: 10 }), fc.array(place), (first, rest) => {
      assert.deepEqual(scored([...first, ...rest]), scored(first))
    }),
  )
})

test('a page that may go on carries no difficulty with fewer than five known rating counts', () => {
  const shown = (ratingCount?: number | null): ResultPagePlace => ({ storeId: '1', name: 'Photo', ratingCount })
  assert.equal(scored([]), undefined)
  assert.equal(scored([1, 2, 3, 4].map((count) => shown(count))), undefined)
  assert.equal(scored([...[1, 2, 3, 4].map((count) => shown(count)), shown(), shown()]), undefined)
  assert.equal(typeof value([1, 2, 3, 4, null].map(shown)), 'number')
})

test('the strength of ratings rises with them, by the common scale from a hundred to a million', () => {
  assert.deepEqual(
    [0, 99, 999, 9_999, 99_999, 999_999, 10_000_000].map(ratingStrengthOn(null)),
    [0, 0, 25, 50, 75, 100, 100],
  )
})

test('a complete page has empty places, which make it easier: one app more never does', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 9 }), place, (places, more) => {
      const before = value(places, 200)
      // Too many unreadable entries leave it unmeasured.
      if (before === undefined) return
      assert.ok(before >= 0 && before <= 100)
      if (more) assert.ok((value([...places, more], 200) ?? -1) >= before)
    }),
  )
})

test('a page without any result is not measured', () => {
  assert.equal(value([], 200), undefined)
})

test('number and order of the words of a term change nothing', () => {
  fc.assert(
    fc.property(page, (places) => {
      const values = ['photo editor', 'photo editors', 'photos editor', 'editor photo'].map(
        (asked) => scored(places, null, asked)?.value,
      )
      assert.equal(new Set(values).size, 1)
    }),
  )
})

test('a term that means nothing in other questions is found in names as any other', () => {
  const valueIn = (country: string, asked: string) => {
    const name = asked.charAt(0).toUpperCase() + asked.slice(1)
    const places = Array.from({ length: 10 }, (_, index) => ({
      storeId: String(index),
      name: `${name} ${['Kalender', 'Studio', 'Widget'][index % 3]}`,
      ratingCount: 1_000,
    }))
    return difficultyOf({ term: asked, country, places, requested: null, stated: null }, null)?.value
  }
  for (const [country, stop, other] of [
    ['de', 'uhr', 'wecker'],
    ['de', 'zeit', 'wecker'],
    ['us', 'who', 'clock'],
    ['us', 'now', 'clock'],
    ['my', 'makanan', 'resepi'],
  ] as const)
    assert.equal(valueIn(country, stop), valueIn(country, other), `${stop} in ${country}`)
})

/** Marks of a storefront, and the factor by which its ratings exceed those of another. */
const scaled = fc.record({
  middle: fc.integer({ min: 50, max: 5_000 }),
  spread: fc.integer({ min: 10, max: 1_000 }),
  times: fc.constantFrom(0.01, 0.1, 1, 10, 50),
})
const scaleOf = (middle: number, high: number): RatingScale => ({ apps: 5_000, middle, high })

test('the same page among a hundredth of the ratings is as hard, by the scale of its own storefront', () => {
  // Scales the ratings plus one, as their logarithm is taken of the sum.
  const scaledCount = (count: number, times: number) => Math.max(0, (count + 1) * times - 1)
  fc.assert(
    fc.property(page, scaled, (places, { middle, spread, times }) => {
      const high = (middle + 1) * spread - 1
      const elsewhere = places.map(
        (shown) => shown && { ...shown, ratingCount: ((shown.ratingCount ?? 0) + 100) * times - 1 },
      )
      const here = places.map((shown) => shown && { ...shown, ratingCount: (shown.ratingCount ?? 0) + 99 })
      const asked = { term, country: 'us', requested: null, stated: null }
      const one = difficultyOf({ ...asked, places: here }, scaleOf(middle, high))
      const other = difficultyOf(
        { ...asked, places: elsewhere },
        scaleOf(scaledCount(middle, times), scaledCount(high, times)),
      )
      // A median of no ratings cannot be made smaller.
      if (!one || scaledCount(middle, times) === 0) return
      assert.ok(Math.abs(one.value - (other?.value ?? -100)) <= 1)
    }),
  )
})

test('marks of a scale have the strengths that the US storefront had by the common scale', () => {
  const own = ratingStrengthOn(scaleOf(300, 48_000))
  assert.deepEqual([300, 48_000].map(own).map(Math.round), [12, 67])
  for (const ratings of [10, 1_000, 20_000, 500_000])
    assert.ok(Math.abs(own(ratings) - ratingStrengthOn(null)(ratings)) < 1)
})

test('a storefront where almost nothing is rated has a slope, and no cliff', () => {
  const own = ratingStrengthOn(scaleOf(0, 0))
  assert.deepEqual([0, 1, 9, 99].map(own).map(Math.round), [12, 29, 67, 100])
})

const score = fc.integer({ min: 0, max: 100 })

test('opportunity lies between 0 and 100, rises with suggestions and falls with difficulty', () => {
  fc.assert(
    fc.property(score, score, fc.nat({ max: 100 }), fc.boolean(), (autocomplete, difficulty, more, isBrand) => {
      const value = opportunityOf(autocomplete, difficulty, isBrand)
      assert.ok(value >= 0 && value <= 100)
      assert.ok(opportunityOf(Math.min(100, autocomplete + more), difficulty, isBrand) >= value)
      assert.ok(opportunityOf(autocomplete, Math.min(100, difficulty + more), isBrand) <= value)
    }),
  )
})

test('nothing makes up for a page nobody enters; a term that is never suggested has little, and not nothing', () => {
  assert.deepEqual(
    [opportunityOf(0, 0, false), opportunityOf(100, 100, false), opportunityOf(100, 0, false)],
    [22, 0, 100],
  )
})

test('for an app all is left of a term that it is about, and a fifth of one that its texts say nothing of', () => {
  assert.deepEqual(
    [100, 50, 0].map((relevance) => opportunityFor(90, relevance)),
    [90, 54, 18],
  )
})

test('of a brand a fifth is left', () => {
  assert.deepEqual([opportunityOf(100, 0, true), opportunityOf(50, 50, true)], [20, 10])
})
