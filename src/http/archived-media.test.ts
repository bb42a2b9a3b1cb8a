import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byteRangeOf } from './archived-media.ts'

test('a part is what was asked for, as far as the content goes', () => {
  assert.deepEqual(byteRangeOf('bytes=0-99', 1000), { start: 0, end: 99 })
  assert.deepEqual(byteRangeOf('bytes=900-', 1000), { start: 900, end: 999 })
  assert.deepEqual(byteRangeOf('bytes=-100', 1000), { start: 900, end: 999 })
  assert.deepEqual(byteRangeOf('bytes=-5000', 1000), { start: 0, end: 999 })
  assert.deepEqual(byteRangeOf('bytes=999-5000', 1000), { start: 999, end: 999 })
})

test('beyond the end there is nothing', () => {
  for (const range of ['bytes=1000-', 'bytes=1000-2000', 'bytes=-0'])
    assert.equal(byteRangeOf(range, 1000), 'unsatisfiable')
})

test('what cannot be read, and several parts at once, ask for the whole', () => {
  for (const range of [
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-1',
    'bytes=0-1,5-9',
    'items=0-1',
    'bytes=a-b',
    'bytes=-1-5',
  ])
    assert.equal(byteRangeOf(range, 1000), undefined, range)
})

test('whatever is asked, a part lies within the content', () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.option(fc.nat()), fc.option(fc.nat())).map(([from, to]) => `bytes=${from ?? ''}-${to ?? ''}`),
  )
  fc.assert(
    fc.property(header, fc.integer({ min: 1, max: 5000 }), (range, size) => {
      const part = byteRangeOf(range, size)
      if (part === undefined || part === 'unsatisfiable') return
      assert.ok(part.start >= 0 && part.start <= part.end && part.end < size)
    }),
  )
})
