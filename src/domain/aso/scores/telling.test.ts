import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tellingOf } from './telling.ts'

const counts = (listings: number, holding: Record<string, number> = {}) => ({
  listings,
  holding: new Map(Object.entries(holding)),
})

test('the example of the page is what the formula gives', () => {
  assert.equal(tellingOf('meditation', counts(7_197, { meditation: 210 })), 40)
})

test('a word tells less the more listings hold it, from 0 to 100, in whole numbers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 50, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (listings, share) => {
        const held = Math.round(share * (listings - 1))
        const [more, fewer] = [held + 1, held].map(
          (n) => tellingOf('word', counts(listings, { word: n })) ?? -1,
        )
        assert.ok(more !== undefined && fewer !== undefined && fewer >= more && more >= 0 && fewer <= 100)
        assert.ok(Number.isInteger(more))
      },
    ),
  )
})

test('a phrase tells as much as its rarest word, also in scripts without spaces', () => {
  const known = counts(1_000, { focus: 500, timer: 20, 写真: 300, 真加: 5, 加工: 80 })
  assert.equal(tellingOf('Focus Timer', known), tellingOf('timer', known))
  assert.equal(tellingOf('写真加工', known), 74)
  assert.equal(tellingOf('写', known), undefined, 'a single letter is counted nowhere')
})

test('fewer than fifty listings carry no number', () => {
  assert.equal(tellingOf('word', counts(49)), undefined)
  assert.notEqual(tellingOf('word', counts(50)), undefined)
})
