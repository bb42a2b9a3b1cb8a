import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GapPoint, layOutGap } from './gap-layout.ts'

const point = (given: Partial<GapPoint>): GapPoint => ({
  term: 'budget',
  own: 10,
  rival: 10,
  opportunity: 50,
  ...given,
})

test('rank 1 is at the end and on top, and deeper ranks lie further away on a logarithmic scale', () => {
  const { points } = layOutGap([point({ own: 1, rival: 10 }), point({ own: 10, rival: 1 })], 800, 500)
  const [first, second] = points
  assert(first && second)
  assert(first.x > second.x)
  assert(first.y > second.y)
  const { ticks } = layOutGap([point({ own: 100 })], 800, 500)
  const at = (rank: number) => ticks.find((tick) => tick.rank === rank)?.x ?? Number.NaN
  assert(Math.abs(at(1) - at(10) - (at(10) - at(100))) < 0.001)
})

test('a keyword where one app was looked for in vain lies on the rail outside, at the rank of the other', () => {
  const layout = layOutGap([point({ own: null, rival: 3 }), point({ own: 3, rival: null })], 800, 500)
  const [rivalOnly, ownOnly] = layout.points
  assert.equal(rivalOnly?.x, layout.rails.x)
  assert(layout.rails.x < layout.field.left)
  assert.equal(ownOnly?.y, layout.rails.y)
  assert(layout.rails.y > layout.field.bottom)
})

test('keywords with equal ranks do not hide each other', () => {
  const { points } = layOutGap(
    Array.from({ length: 12 }, (_, index) => point({ term: `t${index}` })),
    800,
    500,
  )
  for (const [index, one] of points.entries())
    for (const other of points.slice(index + 1))
      assert(Math.hypot(one.x - other.x, one.y - other.y) >= Math.min(one.radius, other.radius))
})

test('the area of a bubble grows with the opportunity, and an unmeasured one is the smallest', () => {
  const { points } = layOutGap(
    [point({ opportunity: 100 }), point({ own: 50, opportunity: 10 }), point({ own: 80, opportunity: null })],
    800,
    500,
  )
  const [large, small, unknown] = points.map(({ radius }) => radius)
  assert(large && small && unknown)
  assert(large > small && small > unknown)
})

test('names of keywords stay in the picture and lie on no other name', () => {
  const { labels } = layOutGap(
    Array.from({ length: 60 }, (_, index) =>
      point({ term: `a keyword ${index}`, own: 1 + (index % 7), rival: 1 + index }),
    ),
    800,
    500,
  )
  assert(labels.length > 5)
  for (const { x, anchor, text } of labels)
    assert(anchor === 'start' ? x + text.length * 6.2 <= 800 : x - text.length * 6.2 >= 0)
  for (const [index, one] of labels.entries())
    for (const other of labels.slice(index + 1))
      assert(one.anchor !== other.anchor || Math.abs(one.y - other.y) >= 14 || Math.abs(one.x - other.x) > 20)
})

test('no name of a keyword lies on the words that say whose side is which', () => {
  const { labels, sides } = layOutGap(
    Array.from({ length: 12 }, (_, index) =>
      point({ term: `budget planner ${index}`, own: 2 + index, rival: 1 + (index % 2) }),
    ),
    320,
    460,
  )
  assert.equal(sides.length, 2)
  const endsOf = ({ text, x, anchor }: (typeof labels)[number]) =>
    anchor === 'start' ? [x, x + text.length * 6.2] : [x - text.length * 6.2, x]
  for (const label of labels)
    for (const side of sides) {
      const [left = 0, right = 0] = endsOf(label)
      const [from = 0, to = 0] = endsOf(side)
      assert(
        Math.abs(label.y - side.y) >= 14 || right <= from || left >= to,
        `${label.text} lies on ${side.text}`,
      )
    }
})
