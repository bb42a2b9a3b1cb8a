import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOneLine, isTooLong, limits, splitAtLimit, textLengthOf, usedLength } from './listing-text.ts'

test('characters, bytes and letters are counted as what they are', () => {
  assert.deepEqual(textLengthOf('Budget'), { characters: 6, bytes: 6, letters: 6 })
  assert.deepEqual(textLengthOf('Größe'), { characters: 5, bytes: 7, letters: 5 })
  assert.deepEqual(textLengthOf('家計簿'), { characters: 3, bytes: 9, letters: 3 })
  assert.deepEqual(textLengthOf('👨‍👩‍👧'), { characters: 5, bytes: 18, letters: 1 })
  assert.deepEqual(textLengthOf('e\u0301'), { characters: 2, bytes: 3, letters: 1 })
  assert.deepEqual(textLengthOf('\ud83d'), { characters: 1, bytes: 3, letters: 1 })
})

test('the keyword field is limited in bytes for certain, and in characters as is reported, the others in characters', () => {
  const { sure, reported } = limits['keyword-field']
  assert.equal(usedLength(sure, '家計簿'), 9)
  assert.equal(reported && usedLength(reported, '家計簿'), 3)
  assert.equal(usedLength(limits.name.sure, '家計簿'), 3)
  assert.equal(limits.name.reported, undefined)
})

test('what is over the limit begins with a whole word', () => {
  assert.deepEqual(splitAtLimit(limits.name.sure, 'Tally & Ferret: Budget Planner'), [
    'Tally & Ferret: Budget Planner',
    '',
  ])
  assert.deepEqual(splitAtLimit(limits.name.sure, 'Tally & Ferret: Budget Planners'), [
    'Tally & Ferret: Budget ',
    'Planners',
  ])
  assert.deepEqual(splitAtLimit(limits.name.sure, 'x'.repeat(40)), ['x'.repeat(30), 'x'.repeat(10)])
})

test('scripts without spaces are cut between letters, and no letter is cut apart', () => {
  const [fits, over] = splitAtLimit(limits['keyword-field'].sure, '家計簿'.repeat(12))
  assert.equal(textLengthOf(fits).bytes, 99)
  assert.equal(fits + over, '家計簿'.repeat(12))
  const [before, family] = splitAtLimit(limits.name.sure, `${'a'.repeat(27)} 👨‍👩‍👧`)
  assert.equal(before, `${'a'.repeat(27)} `)
  assert.equal(family, '👨‍👩‍👧')
})

test('pasted lines are entries of the keyword field, and words of the others', () => {
  assert.equal(asOneLine('keyword-field', 'budget\r\n savings \nplan'), 'budget,savings,plan')
  assert.equal(asOneLine('name', 'Tally\nBudget\u0007'), 'Tally Budget ')
})

test('a text is kept up to twice its limit', () => {
  assert.deepEqual([isTooLong('name', 'x'.repeat(60)), isTooLong('name', 'x'.repeat(61))], [false, true])
})
