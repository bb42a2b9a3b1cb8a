import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type KeywordPlace, visibilityOf } from './visibility.ts'

const keywordPlace: fc.Arbitrary<KeywordPlace> = fc.record({
  place: fc.oneof(fc.constantFrom(null, undefined), fc.integer({ min: 1, max: 250 })),
  autocomplete: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
})
const set = fc.array(keywordPlace, { minLength: 1, maxLength: 20 })

test('visibility lies between 0 and 100 and is unknown where nothing is measured', () => {
  fc.assert(
    fc.property(set, (keywords) => {
      const share = visibilityOf(keywords)
      if (keywords.every(({ place }) => place === undefined)) assert.equal(share, undefined)
      else assert.ok(share !== undefined && share >= 0 && share <= 100)
    }),
  )
})

test('a better place never lowers it, and an absence more never raises it', () => {
  fc.assert(
    fc.property(set, fc.nat(), fc.nat({ max: 250 }), (keywords, pick, up) => {
      const index = pick % keywords.length
      const { place, autocomplete } = keywords[index] ?? { place: undefined, autocomplete: undefined }
      if (place === undefined) return
      const before = visibilityOf(keywords) ?? -1
      const better = place === null ? 250 : Math.max(1, place - up)
      assert.ok((visibilityOf(keywords.with(index, { place: better, autocomplete })) ?? -1) >= before)
      assert.ok((visibilityOf([...keywords, { place: null, autocomplete }]) ?? -1) <= before)
    }),
  )
})

test('what is not measured is left out of both sums', () => {
  fc.assert(
    fc.property(set, (keywords) => {
      const measured = keywords.filter(({ place }) => place !== undefined)
      assert.equal(visibilityOf(keywords), visibilityOf(measured))
    }),
  )
})

test('first for every keyword is 100, absent from all is 0', () => {
  const all = (place: number | null) => [10, undefined, 90].map((autocomplete) => ({ place, autocomplete }))
  assert.deepEqual([visibilityOf(all(1)), visibilityOf(all(null))], [100, 0])
})
