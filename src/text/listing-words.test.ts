import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listingWords, termsIn } from './listing-words.ts'
import { stopWordsOf } from './stop-words.ts'

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

const termsOf = (text: string, country: string, language: string) =>
  termsIn(listingWords(text, country), stopWordsOf(language)).map(({ term }) => term)

test('no Japanese or Chinese word is cut in the middle', () => {
  assert.deepEqual(termsOf('かんたん節約', 'jp', 'ja'), ['かんたん', 'かんたん節約', '節約'])
  assert.deepEqual(termsOf('きちんとりん家計簿', 'jp', 'ja').includes('りん家計'), false)
  for (const [text, words] of [
    ['家計簿', ['家計簿']],
    ['スマホ決済', ['スマホ', 'スマホ決済', '決済']],
    ['恋活婚活', ['恋活', '恋活婚活', '婚活']],
    ['聴き放題', ['聴き', '聴き放題', '放題']],
  ] as const)
    assert.deepEqual(termsOf(text, 'jp', 'ja'), words)
  for (const [text, words] of [
    ['有声小说', ['有声', '有声小说', '小说']],
    ['股票开户', ['股票', '股票开户', '开户']],
    ['阅读器', ['阅读器']],
  ] as const)
    assert.deepEqual(termsOf(text, 'cn', 'zh'), words)
})

test('what says nothing of an app is no term by itself and starts no phrase', () => {
  assert.deepEqual(termsOf('Not a few, but lots of communities', 'us', 'en'), ['communities'])
})

test('a text is read to the same length where its signs are each written out as many letters', () => {
  const letters = listingWords('\ufdfa\n'.repeat(6_000), 'sa').reduce((sum, { text }) => sum + text.length, 0)
  assert.ok(letters > 1_000 && letters <= 10_000, `${letters} letters`)
})
