import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { controlCharacterPaths } from './control-characters.ts'

test('control characters are found wherever they are, in document order', () => {
  const value = { a: 'x\u0000', b: ['fine', 'tab\t', { c: '\u0085' }], 'd\u007f': 1, e: 'é\u200d\u2028' }
  assert.deepEqual(controlCharacterPaths(value), [['a'], ['b', 1], ['b', 2, 'c'], ['d\u007f']])
})

test('texts of several lines are allowed where told', () => {
  const value = { note: 'one\r\n\ttwo', bad: '\u001b[0m' }
  assert.deepEqual(controlCharacterPaths(value, { multiline: true }), [['bad']])
})

test('a deeply nested body is walked to its end, and only its first places are named', () => {
  const depth = 200_000
  const control = '"\\u0000"'
  const value = JSON.parse(`${'['.repeat(depth)}${Array(1000).fill(control)}${']'.repeat(depth)}`)
  const paths = controlCharacterPaths(value)
  assert.equal(paths[0]?.length, depth)
  assert.equal(paths.length, 20)
})

test('a control character is found exactly when one is there', () => {
  const control = (text: string) => [...text].some((c) => c < ' ' || (c >= '\u007f' && c <= '\u009f'))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(controlCharacterPaths({ text }).length > 0, control(text))
    }),
  )
})
