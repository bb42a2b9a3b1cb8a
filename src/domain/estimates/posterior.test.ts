import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { logOfNormalCdf } from './distributions.ts'
import { type Bound, type PosteriorEvidence, posteriorOf } from './posterior.ts'
import { evidenceOfRatings } from './rating-growth.ts'

/** Slow and to the last digit: the series near the middle, the continued fraction in the tail. */
function exactly(z: number): number {
  const density = -0.5 * z * z - 0.5 * Math.log(2 * Math.PI)
  if (z < -3) {
    let fraction = 0
    for (let step = 200; step > 0; step--) fraction = step / (-z + fraction)
    return density - Math.log(-z + fraction)
  }
  let [sum, term] = [0, z]
  for (let odd = 1; Math.abs(term) > 1e-18; odd += 2) {
    sum += term
    term *= (z * z) / (odd + 2)
  }
  return z > 6 ? Math.log1p(-Math.exp(exactly(-z))) : Math.log(0.5 + Math.exp(density) * sum)
}

test('The share of a normal below any number of standard deviations is right to a five-millionth, however far out', () => {
  // The first four are of mpmath, to 60 digits.
  const known: [z: number, logarithm: number][] = [
    [-200, -20006.217280898898],
    [-37, -689.0305855768906],
    [-5, -15.064998393988725],
    [-2, -3.7831843336820317],
  ]
  for (const [z, logarithm] of known)
    assert.ok(Math.abs(exactly(z) - logarithm) < 1e-8 * Math.abs(logarithm), `${z}`)
  for (let z = -60; z <= 8; z += 0.013)
    assert.ok(Math.abs(logOfNormalCdf(z) - exactly(z)) < 2e-7, `${z}: ${logOfNormalCdf(z) - exactly(z)}`)
})

const edgeSd = 0.05
const anyNormal = fc.record({
  mean: fc.double({ min: -1, max: 13, noNaN: true }),
  sd: fc.double({ min: 0.15, max: 1.6, noNaN: true }),
})
const anyBound: fc.Arbitrary<Bound> = fc
  .record({ level: anyNormal, side: fc.constantFrom('upper' as const, 'lower' as const) })
  .map(({ level: { mean, sd }, side }) => ({
    side,
    mean,
    sd,
    edge: side === 'upper' ? mean + 1.28 * sd : mean - 1.28 * sd,
  }))
const anyCount = fc
  .record({ gained: fc.integer({ min: 0, max: 29 }), days: fc.integer({ min: 1, max: 60 }) })
  .map(({ gained, days }) => {
    const evidence = evidenceOfRatings({ from: '', to: '', gained, days }, undefined)
    return evidence?.kind === 'count' ? evidence.count : undefined
  })
  .filter((count) => count !== undefined)
const anyEvidence: fc.Arbitrary<PosteriorEvidence> = fc
  .record({
    normals: fc.array(anyNormal, { maxLength: 2 }),
    counts: fc.array(anyCount, { maxLength: 1 }),
    bounds: fc.array(anyBound, { maxLength: 6 }),
    least: fc.constantFrom(Math.log(0.1), 0),
  })
  .filter(({ normals, counts, bounds }) => counts.length > 0 || (normals.length > 0 && bounds.length > 0))

/** The same on a grid of ten thousand cells. */
function finely({
  normals,
  counts,
  bounds,
  least,
}: PosteriorEvidence): [low: number, mid: number, high: number] {
  const cells = 10_000
  const [from, to] = [least - 3, 22]
  const at = (x: number) => {
    let sum = x < least ? -0.5 * ((x - least) / edgeSd) ** 2 : 0
    for (const { mean, sd } of normals) sum -= 0.5 * ((x - mean) / sd) ** 2
    for (const count of counts) sum += count.at(x)
    for (const { side, mean, sd, edge } of bounds) {
      const sign = side === 'upper' ? 1 : -1
      const beyond = Math.max(0, sign * (x - edge))
      sum += logOfNormalCdf((sign * (mean - x)) / sd) - 0.5 * (beyond / edgeSd) ** 2
    }
    return sum
  }
  const points = Array.from({ length: cells }, (_, cell) => from + ((to - from) * (cell + 0.5)) / cells)
  const logs = points.map(at)
  const best = logs.reduce((one, other) => Math.max(one, other))
  const mass = logs.map((log) => Math.exp(log - best))
  const all = mass.reduce((sum, one) => sum + one, 0)
  const quantile = (share: number) => {
    let below = 0
    const cell = mass.findIndex((one) => {
      below += one
      return below >= share * all
    })
    const over = (below - share * all) / (mass[cell] ?? 1)
    return Math.exp((points[cell] ?? 0) + ((to - from) / cells) * (0.5 - over))
  }
  return [quantile(0.1), quantile(0.5), quantile(0.9)]
}

test('Low, mid and high of any evidence are those of a grid a hundred times as fine, to a hundredth', () => {
  fc.assert(
    fc.property(anyEvidence, (evidence) => {
      const { range, weights } = posteriorOf(evidence)
      const fines = finely(evidence)
      for (const [at, one] of [range.low, range.mid, range.high].entries()) {
        const fine = fines[at] ?? Number.NaN
        assert.ok(Math.abs(one - fine) < fine / 100 + 0.002, `${one} instead of ${fine}`)
      }
      assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9)
    }),
    { numRuns: 60, endOnFailure: true },
  )
})
