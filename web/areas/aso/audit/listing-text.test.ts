import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  comparedWordsOf,
  limits,
  splitAtLimit,
  termCoverageOf,
  textLengthOf,
  usedLength,
} from './listing-text.ts'

test('characters, bytes and letters are counted as what they are', () => {
  assert.deepEqual(textLengthOf('Budget'), { characters: 6, bytes: 6, letters: 6 })
  assert.deepEqual(textLengthOf('Größe'), { characters: 5, bytes: 7, letters: 5 })
  assert.deepEqual(textLengthOf('家計簿'), { characters: 3, bytes: 9, letters: 3 })
  assert.deepEqual(textLengthOf('👨‍👩‍👧'), { characters: 5, bytes: 18, letters: 1 })
  assert.deepEqual(textLengthOf('e\u0301'), { characters: 2, bytes: 3, letters: 1 })
  assert.deepEqual(textLengthOf('\ud83d'), { characters: 1, bytes: 3, letters: 1 })
})

test('the keyword field is limited in bytes for certain, and in characters as is reported, the others in characters', () => {
  const { sure, reported } = limits.keywords
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
  const [fits, over] = splitAtLimit(limits.keywords.sure, '家計簿'.repeat(12))
  assert.equal(textLengthOf(fits).bytes, 99)
  assert.equal(fits + over, '家計簿'.repeat(12))
  const [before, family] = splitAtLimit(limits.name.sure, `${'a'.repeat(27)} 👨‍👩‍👧`)
  assert.equal(before, `${'a'.repeat(27)} `)
  assert.equal(family, '👨‍👩‍👧')
})

test('words are compared without case, width and accents', () => {
  assert.deepEqual(comparedWordsOf('Café ＢＵＤＧＥＴ, Größe', 'en'), ['cafe', 'budget', 'große'])
  assert.notDeepEqual(comparedWordsOf('が', 'ja'), comparedWordsOf('か', 'ja'))
})

test('a keyword is covered when all its words stand in the texts, together or apart', () => {
  const texts = { name: 'Tally: Budget Planner', subtitle: 'Track expenses', keywords: 'tracker,savings' }
  assert.equal(termCoverageOf('budget planner', texts, 'en').state, 'together')
  assert.equal(termCoverageOf('planner budget', texts, 'en').state, 'combined')
  assert.equal(termCoverageOf('savings tracker', texts, 'en').state, 'combined')
  assert.equal(termCoverageOf('tracker savings', texts, 'en').state, 'combined')
  assert.deepEqual(termCoverageOf('budget calendar', texts, 'en'), { state: 'missing', missing: ['calendar'] })
  assert.equal(termCoverageOf('…', texts, 'en').state, 'missing')
})

test('words of scripts without spaces are found by the dictionary of the browser', () => {
  assert.equal(termCoverageOf('家計簿', { name: 'かんたん家計簿' }, 'ja').state, 'together')
})
