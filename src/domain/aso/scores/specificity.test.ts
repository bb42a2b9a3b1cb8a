import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { specificityOf } from './specificity.ts'

const counts = (listings: number, holding: Record<string, number> = {}) => ({
  listings,
  holding: new Map(Object.entries(holding)),
})

test('the example of the page is what the formula gives', () => {
  assert.equal(specificityOf('meditation', counts(7_197, { meditation: 210 })), 40)
})

test('a word tells less the more listings hold it, from 0 to 100, in whole numbers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 50, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (listings, share) => {
        const held = Math.round(share * (listings - 1))
        const [more, fewer] = [held + 1, held].map(
          (n) => specificityOf('word', counts(listings, { word: n })) ?? -1,
        )
        assert.ok(more !== undefined && fewer !== undefined && fewer >= more && more >= 0 && fewer <= 100)
        assert.ok(Number.isInteger(more))
      },
    ),
  )
})

test('a phrase tells as much as its rarest word, also in scripts without spaces', () => {
  const known = counts(1_000, { focus: 500, timer: 20, 写真: 300, 真加: 5, 加工: 80 })
  assert.equal(specificityOf('Focus Timer', known), specificityOf('timer', known))
  assert.equal(specificityOf('写真加工', known), 74)
  assert.equal(specificityOf('写', known), undefined, 'a single letter is counted nowhere')
})

test('fewer than fifty listings carry no number', () => {
  assert.equal(specificityOf('word', counts(49)), undefined)
  assert.notEqual(specificityOf('word', counts(50)), undefined)
})
