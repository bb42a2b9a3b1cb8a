import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type KeywordStanding, visibilityOf } from './visibility.ts'

const standing: fc.Arbitrary<KeywordStanding> = fc.record({
  place: fc.oneof(fc.constantFrom(null, undefined), fc.integer({ min: 1, max: 250 })),
  autocomplete: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
})
const set = fc.array(standing, { minLength: 1, maxLength: 20 })

test('visibility lies between 0 and 100 and is unknown where nothing is measured', () => {
  fc.assert(
    fc.property(set, (standings) => {
      const share = visibilityOf(standings)
      if (standings.every(({ place }) => place === undefined)) assert.equal(share, undefined)
      else assert.ok(share !== undefined && share >= 0 && share <= 100)
    }),
  )
})

test('a better place never lowers it, and an absence more never raises it', () => {
  fc.assert(
    fc.property(set, fc.nat(), fc.nat({ max: 250 }), (standings, pick, up) => {
      const index = pick % standings.length
      const { place, autocomplete } = standings[index] ?? { place: undefined, autocomplete: undefined }
      if (place === undefined) return
      const before = visibilityOf(standings) ?? -1
      const better = place === null ? 250 : Math.max(1, place - up)
      assert.ok((visibilityOf(standings.with(index, { place: better, autocomplete })) ?? -1) >= before)
      assert.ok((visibilityOf([...standings, { place: null, autocomplete }]) ?? -1) <= before)
    }),
  )
})

test('what is not measured is left out of both sums', () => {
  fc.assert(
    fc.property(set, (standings) => {
      const measured = standings.filter(({ place }) => place !== undefined)
      assert.equal(visibilityOf(standings), visibilityOf(measured))
    }),
  )
})

test('first for every keyword is 100, absent from all is 0', () => {
  const all = (place: number | null) => [10, undefined, 90].map((autocomplete) => ({ place, autocomplete }))
  assert.deepEqual([visibilityOf(all(1)), visibilityOf(all(null))], [100, 0])
})
