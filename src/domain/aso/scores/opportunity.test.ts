import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { opportunityOf } from './opportunity.ts'

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

test('nothing makes up for a term that is never suggested, or a page nobody enters', () => {
  assert.deepEqual(
    [opportunityOf(0, 0, false), opportunityOf(100, 100, false), opportunityOf(100, 0, false)],
    [0, 0, 100],
  )
})

test('of a brand a fifth is left', () => {
  assert.deepEqual([opportunityOf(100, 0, true), opportunityOf(50, 50, true)], [20, 10])
})
