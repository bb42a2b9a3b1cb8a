import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsIn } from './listing-terms.ts'
import { listingWords } from './listing-words.ts'
import { stopWordsOf } from './stop-words.ts'

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
