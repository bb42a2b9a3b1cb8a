import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findQuote, rangesOf, spansOf, within } from './quotes.ts'

test('a quote is found whatever its white space and Unicode forms', () => {
  const text = 'Sleep\n\n better.\u00a0Free  for 7 days, cafe\u0301 included'
  assert.deepEqual(findQuote(text, 'Free for 7 days'), { from: 16, to: 32 })
  assert.equal(text.slice(16, 32), 'Free  for 7 days')
  const cafe = findQuote(text, 'caf\u00e9')
  assert.ok(cafe)
  assert.equal(text.slice(cafe.from, cafe.to), 'cafe\u0301')
  assert.equal(findQuote(text, 'free for 7 days'), undefined)
  assert.equal(findQuote(text, '  '), undefined)
})

test('a text is cut where quotes begin and end, and quotes that overlap share a span', () => {
  const text = 'Try it free today'
  const ranges = rangesOf(text, [
    { id: 'offer', text: 'free today' },
    { id: 'urgency', text: 'today' },
    { id: 'claim', text: 'not there' },
  ])
  const spans = spansOf(text, ranges)
  assert.equal(spans.map((span) => span.text).join(''), text)
  assert.deepEqual(
    spans.map((span) => [span.text, span.ids]),
    [
      ['Try it ', []],
      ['free ', ['offer']],
      ['today', ['offer', 'urgency']],
    ],
  )
})

test('a quote across two segments of a transcript is marked in both', () => {
  const segments = ['I failed this', 'level 14 times.']
  const ranges = rangesOf(segments.join(' '), [{ id: 'hook', text: 'this level 14' }])
  assert.deepEqual(within(ranges, 0, 13), [{ id: 'hook', from: 9, to: 13 }])
  assert.deepEqual(within(ranges, 14, 29), [{ id: 'hook', from: 0, to: 8 }])
  assert.deepEqual(spansOf('', []), [])
})
