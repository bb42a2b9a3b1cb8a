import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsIn } from './listing-terms.ts'
import { listingWords } from './listing-words.ts'
import { stopWordsOf } from './stop-words.ts'

const termsOf = (text: string, country: string, language: string) =>
  termsIn(listingWords(text, country), stopWordsOf(language)).map(({ term }) => term)

test('scraps of a Japanese word are no terms, the word they make and the others are', () => {
  assert.deepEqual(termsOf('かんたん節約', 'jp', 'ja'), ['かんたん', 'たん節約', '節約'])
})

test('what says nothing of an app is no term by itself and starts no phrase', () => {
  assert.deepEqual(termsOf('Not a few, but lots of communities', 'us', 'en'), ['communities'])
})
