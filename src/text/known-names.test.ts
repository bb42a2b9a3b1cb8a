import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nameMatch } from './known-names.ts'

const word = fc.constantFrom('chat', 'Photo', 'ÉDITEUR', '天気', 'カメラ', '메신저', 'обмен', 'v2')
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))

test('a name is exactly itself, whatever its case, width, accents and punctuation', () => {
  fc.assert(
    fc.property(words, (term) => {
      assert.equal(nameMatch(term, term), 'exact')
      assert.equal(nameMatch(term, `${term.toUpperCase()}!`), 'exact')
      assert.equal(nameMatch(term, term.normalize('NFD').replaceAll(' ', ' - ')), 'exact')
    }),
  )
})

test('a term between other words is held as a phrase, and in another order by all its words', () => {
  fc.assert(
    fc.property(words, words, words, (before, term, after) => {
      assert.ok(['phrase', 'exact'].includes(nameMatch(term, `${before}: ${term} ${after}`)))
      const turned = term.split(' ').toReversed().join(' ')
      assert.ok(!['none', 'some-words'].includes(nameMatch(term, turned)))
    }),
  )
})

test('the ends of words count, but scripts without spaces have none', () => {
  assert.equal(nameMatch('chat', 'Chatter'), 'none')
  assert.equal(nameMatch('天気', '日本天気予報'), 'phrase')
  assert.equal(nameMatch('photo editor', 'Editor for Photo'), 'all-words')
  assert.equal(nameMatch('photo editor', 'Photo Lab'), 'some-words')
  assert.equal(nameMatch('🎉', '🎉'), 'none')
})
