import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeFormulaCell, unescapeFormulaCell } from './exported-reading.ts'

test('a text that a spreadsheet could take for a formula begins with an apostrophe', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠A',
    ' =1',
    '\ufeff=1',
    '\u200b＝1',
    "'=1",
  ])
    assert.equal(escapeFormulaCell(text), `'${text}`)
})

test('every other text stays as it is', () => {
  for (const text of ['', 'a=1', "'tis", '1-1', 'mail@example.com', '日本'])
    assert.equal(escapeFormulaCell(text), text)
})

test('whatever a text is, its cell gives it back', () => {
  const pieces = fc.constantFrom("'", '=', '＝', '-', '@', '\t', '\n', ' ', '\ufeff', 'a', '1')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (given) => {
      const text = given.join('')
      assert.equal(unescapeFormulaCell(escapeFormulaCell(text)), text)
    }),
  )
})
