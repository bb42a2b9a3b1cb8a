import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { termsIn } from './listing-terms.ts'
import { listingWords } from './listing-words.ts'

const none = new Set<string>()
const terms = (text: string) =>
  termsIn(listingWords(text, 'us'), new Set(['the', 'for'])).map(({ term }) => term)

test('words that stand together are a term, and nothing that ends a phrase stands in one', () => {
  assert.deepEqual(terms('Deep-Work timer: music for the train'), [
    'deep',
    'deep work',
    'work',
    'work timer',
    'timer',
    'music',
    'train',
  ])
  assert.deepEqual(terms('Café\nTimer 24 A'), ['café', 'timer', 'timer 24'])
})

test('addresses are left out, and a name that looks like one stays', () => {
  assert.deepEqual(terms('See https://example.org/terms or mail help@example.org'), [
    'see',
    'or',
    'or mail',
    'mail',
  ])
  assert.ok(terms('Booking.com').includes('booking'))
})

test('any text is read, and each word of it is normalised', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const words = listingWords(text, 'tr')
      for (const { text: word } of words) assert.equal(word, word.trim())
      for (const { term, count } of termsIn(words, none)) assert.ok(term !== '' && count > 0)
    }),
  )
})
