import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countQuestions, emojiOf, readingGrade, wordsOf } from './text-facts.ts'

test('words are counted in scripts with spaces and without', () => {
  assert.equal(wordsOf('Missed a day again? Tidepool forgives it. Try 7 days free.', 'en').length, 11)
  assert.deepEqual(wordsOf('無料で試す', 'ja'), ['無料', 'で', '試す'])
  assert.deepEqual(wordsOf(' 😀 — … ', 'en'), [])
})

test('a simple text needs few school years, a hard one many, a short one says nothing', () => {
  const simple = wordsOf('The cat sat on the mat and the dog ran to the cat', 'en')
  const hard = wordsOf(
    'Institutional characteristics notwithstanding, interdisciplinary considerations necessitate extraordinarily comprehensive organisational transformations',
    'en',
  )
  assert.ok((readingGrade(simple, 1) ?? 99) < 5)
  assert.ok((readingGrade(hard, 1) ?? 0) > 15)
  assert.equal(readingGrade(['free'], 1), undefined)
})

test('questions are told from addresses with question marks', () => {
  assert.equal(countQuestions('Tired? See https://example.com/?a=1&b=2 — really?! Ok'), 2)
  assert.equal(countQuestions('試してみませんか？毎日'), 1)
})

test('emoji come by how often they stand there', () => {
  assert.deepEqual(emojiOf('👍🏽 🔥🔥 1 © 👨‍👩‍👧 🇩🇪'), ['🔥', '👍🏽', '👨‍👩‍👧', '🇩🇪'])
})
