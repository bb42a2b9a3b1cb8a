import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedChartReasons } from './similar-reasons.ts'

/** Captures, one more than the steps between them. */
const steps = 60
type Steps = (at: number) => number
/** Movements of different frequencies have nothing in common. */
const wave =
  (frequency: number): Steps =>
  (at) =>
    Math.sin((2 * Math.PI * frequency * at) / steps)
const sum =
  (...parts: [number, Steps][]): Steps =>
  (at) =>
    parts.reduce((total, [share, one]) => total + share * one(at), 0)

function ranksOf(step: Steps): number[] {
  const ranks = [50]
  for (let at = 0; at < steps; at++) ranks.push((ranks[at] ?? 50) * Math.exp(step(at) / 10))
  return ranks
}

test('of two apps that rise and fall with one as much, the one with the same company in the chart is more alike', () => {
  const [kin, strangers] = [wave(2), wave(3)]
  const family = Array.from({ length: 12 }, (_, index) => sum([1, kin], [0.5, wave(6 + index)]))
  const foreign = Array.from({ length: 14 }, (_, index) =>
    sum([1, strangers], [0.3, kin], [0.2, wave(6 + index)]),
  )
  const others = new Map(
    [
      ['friend', sum([1, kin], [0.9, wave(25)])],
      ['stranger', sum([1, kin], [0.9, strangers])],
      ...family.map((one, index) => [`family ${index}`, one] as const),
      ...foreign.map((one, index) => [`foreign ${index}`, one] as const),
    ].map(([id, one]) => [String(id), ranksOf(one as Steps)]),
  )
  const chart = { categoryId: 6015, captures: steps + 1, own: ranksOf(kin), others }
  const strength = (id: string) => sharedChartReasons([chart]).get(id)?.strength ?? 0
  assert.ok(strength('friend') > strength('stranger') * 1.1)
  const arrived = { ...chart, others: new Map([...others].reverse()) }
  assert.deepEqual(sharedChartReasons([arrived]), sharedChartReasons([chart]))
})
