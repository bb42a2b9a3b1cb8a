import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formulaInWords } from './formula.ts'

test('a formula is its name, its version, and a sentence for each mark in its brackets', () => {
  assert.deepEqual(formulaInWords('autocomplete/2'), { name: 'autocomplete, version 2', notes: [] })
  const { name, notes } = formulaInWords('difficulty/3 (brand term, 6 places, common scale)')
  assert.equal(name, 'difficulty, version 3')
  assert.equal(notes.length, 3)
  assert.match(notes[1] ?? '', /first 6 results/)
})

test('a mark that is words already stays as it is, with the commas it has', () => {
  assert.deepEqual(formulaInWords('outlier-score/3 (at 7 days, at least: over posts seen older)').notes, [
    'At 7 days, at least: over posts seen older.',
  ])
})

test('what has no version is shown as it came', () => {
  assert.deepEqual(formulaInWords('whisper-1 large'), { name: 'whisper-1 large', notes: [] })
})
