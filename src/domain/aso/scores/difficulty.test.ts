import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ShownPlace } from '../pages/result-page.ts'
import { difficultyOf, ratingStrength } from './difficulty.ts'

const term = 'photo editor'
const names = ['Photo Editor', 'My Photo Editor Pro', 'Editor of Photo', 'Photo', 'Camera']
const counts = fc.oneof(fc.integer({ min: 0, max: 5_000_000 }), fc.constantFrom(null, 0, 99, 100))
const place: fc.Arbitrary<ShownPlace | null> = fc.option(
  fc.record({ storeId: fc.nat().map(String), name: fc.constantFrom(...names), ratingCount: counts }),
  { freq: 12 },
)
const page = fc.array(place, { minLength: 5, maxLength: 14 })
const at = fc.nat({ max: 13 })

const value = (places: readonly (ShownPlace | null)[]) => difficultyOf(term, places)?.value

/** The page with one of its places changed, where there is an app at it. */
const changed = (places: readonly (ShownPlace | null)[], index: number, change: Partial<ShownPlace>) =>
  places.map((shown, other) => (shown && other === index % places.length ? { ...shown, ...change } : shown))

test('difficulty and its parts lie between 0 and 100, and the weights of the parts are one', () => {
  fc.assert(
    fc.property(page, (places) => {
      const difficulty = difficultyOf(term, places)
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
      assert.deepEqual(difficultyOf(term, [...first, ...rest]), difficultyOf(term, first))
    }),
  )
})

test('a page with fewer than five known rating counts carries no difficulty', () => {
  const shown = (ratingCount?: number | null): ShownPlace => ({ storeId: '1', name: 'Photo', ratingCount })
  assert.equal(difficultyOf(term, []), undefined)
  assert.equal(
    difficultyOf(
      term,
      [1, 2, 3, 4].map((count) => shown(count)),
    ),
    undefined,
  )
  assert.equal(difficultyOf(term, [...[1, 2, 3, 4].map((count) => shown(count)), shown(), shown()]), undefined)
  assert.equal(typeof value([1, 2, 3, 4, null].map(shown)), 'number')
})

test('the strength of ratings rises with them, from a hundred to a million', () => {
  assert.deepEqual(
    [0, 99, 999, 9_999, 99_999, 999_999, 10_000_000].map(ratingStrength),
    [0, 0, 25, 50, 75, 100, 100],
  )
})
