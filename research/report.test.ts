import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { svgOfSeries } from './report.ts'

const value = fc.double({ min: -1e12, max: 1e12, noNaN: true })
const line = fc.record({
  name: fc.constantFrom('score', 'a <b> & "c"'),
  points: fc.array(fc.tuple(value, value), { maxLength: 5 }),
})

test('any lines make a picture: every point within it, a few marks at round numbers, and words as words', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const svg = svgOfSeries({
        kind: 'series',
        title: '<script>',
        axes: { x: 'days & nights', y: '%' },
        lines,
      })
      assert.doesNotMatch(svg, /NaN|Infinity|undefined|<script|<b>| & /)
      const [, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).slice(1).map(Number)
      const dots = [...svg.matchAll(/<circle cx="([^"]+)" cy="([^"]+)"/g)].map(([, x, y]) => [
        Number(x),
        Number(y),
      ])
      assert.equal(dots.length, lines.flatMap(({ points }) => points).length)
      for (const [x = -1, y = -1] of dots) assert.ok(x >= 64 && x <= 704 && y > 0 && y < height, `${x} ${y}`)
      const marks = [...svg.matchAll(/text-anchor="(middle|end)"/g)].length
      assert.ok(marks >= 2 && marks <= 20, `${marks}`)
    }),
    { numRuns: 50 },
  )
})
