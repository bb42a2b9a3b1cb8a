import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { csvCellText } from './csv.ts'

test('texts with commas, quotes and line breaks are read back as they were', () => {
  const texts = ['a, b', 'say "hello"', 'two\nlines', 'ねこやなぎ工房', '', '  spaces  ']
  assert.deepEqual(parse(texts.map(csvCellText).join(',')), [texts])
})

test('a text that a spreadsheet would compute is written as a text', () => {
  for (const text of ['=1+1', '+cmd', '-2', '@sum', '\tx']) assert.equal(csvCellText(text)[0], "'")
  assert.equal(csvCellText(-2), '-2')
})

test('nothing measured is an empty cell, and zero is a zero', () => {
  assert.deepEqual([csvCellText(null), csvCellText(0)], ['', '0'])
})
