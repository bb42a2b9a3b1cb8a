import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bootstrapInterval, mean, rankCorrelation } from './statistics.ts'

const groups = fc.array(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 12,
})

test('an interval lies within what the cases say, and the same cases give the same', () => {
  fc.assert(
    fc.property(groups, (drawn) => {
      const { low, high, level } = bootstrapInterval(drawn, mean)
      const all = drawn.flat()
      assert.ok(Math.min(...all) - 1e-9 <= low && low <= high && high <= Math.max(...all) + 1e-9)
      assert.deepEqual(bootstrapInterval(drawn, mean), { low, high, level })
    }),
    { numRuns: 20 },
  )
})

test('nine intervals in ten hold the truth, where cases come in groups that resemble each other', () => {
  // Numbers of a fixed order of chance: groups of five around a mean of their own, which is around 0.
  let state = 1
  const uniform = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value, -6)
  const holding = Array.from({ length: 100 }, () => {
    const drawn = Array.from({ length: 20 }, () => {
      const own = normal()
      return Array.from({ length: 5 }, () => own + normal() / 5)
    })
    const { low, high } = bootstrapInterval(drawn, mean)
    return low <= 0 && 0 <= high
  })
  const held = holding.filter(Boolean).length
  assert.ok(held >= 80 && held <= 97, `${held} of 100`)
})

test('a rank correlation is of orders alone, and equal numbers share their ranks', () => {
  const pairs = [1, 2, 3, 4, 5].map((value) => [value, value ** 3] as const)
  assert.equal(rankCorrelation(pairs), 1)
  assert.equal(rankCorrelation(pairs.map(([one, other]) => [one, -other])), -1)
  assert.equal(rankCorrelation(pairs.map(([one]) => [one, 7])), 0)
  // Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4.
  const tied = rankCorrelation([
    [10, 1],
    [20, 3],
    [20, 2],
    [30, 4],
  ])
  assert.ok(Math.abs(tied - 4.5 / Math.sqrt(4.5 * 5)) < 1e-12)
})
