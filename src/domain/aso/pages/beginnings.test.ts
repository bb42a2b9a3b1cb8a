import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { beginningsOf } from './beginnings.ts'

test('a term is typed in four steps, which fall together when it is short', () => {
  assert.deepEqual(beginningsOf('focus timer'), ['foc', 'focus', 'focus tim', 'focus timer'])
  assert.deepEqual(beginningsOf('chat'), ['ch', 'cha', 'chat'])
  assert.deepEqual(beginningsOf('英語学習'), ['英', '英語', '英語学', '英語学習'])
  assert.deepEqual(beginningsOf('x'), ['x'])
})

test('every step begins the next one, and the last is the term', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
      const term = text.trim()
      const typed = beginningsOf(term)
      assert.equal(typed.at(-1), term)
      assert.ok(typed.length <= 4 && typed.every((one, index) => (typed[index + 1] ?? term).startsWith(one)))
    }),
  )
})
