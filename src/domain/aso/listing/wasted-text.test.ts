import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wastedIn } from './wasted-text.ts'

const wasteFor = (keywords: string, name = 'Tally Budget', subtitle = 'Plan your money') =>
  wastedIn({ name, subtitle, 'keyword-field': keywords }, 'en-US', 'us').map(({ kind, what, bytes }) => [
    kind,
    what.join(' '),
    bytes,
  ])

test('blanks beside commas and empty entries are wasted', () => {
  assert.deepEqual(wasteFor('savings, expense,,'), [
    ['spaces', '', 1],
    ['empty', '', 2],
  ])
  assert.deepEqual(wasteFor(''), [])
})

test('words that stand in the name, the subtitle or the field itself already are repeated', () => {
  assert.deepEqual(wasteFor('budget,savings,Savings,money'), [['repeated', 'budget savings money', 7 + 8 + 6]])
  assert.deepEqual(wasteFor('', 'Budget', 'Budget planner'), [['repeated', 'budget', null]])
})

test('words without meaning, words of two letters and signs are told', () => {
  assert.deepEqual(wasteFor('app,vr,#saving,to'), [
    ['short', 'vr', 3],
    ['stop-word', 'app to', 4 + 3],
    ['sign', '#', 1],
  ])
})

test('a word of Japanese of two letters is not short, and takes three bytes a letter', () => {
  assert.deepEqual(wastedIn({ 'keyword-field': '家計,節約,家計' }, 'ja', 'jp'), [
    { kind: 'repeated', what: ['家計'], characters: 3, bytes: 7 },
  ])
})

test('stop words are those of the language of the localization', () => {
  assert.deepEqual(wastedIn({ 'keyword-field': 'para,luna' }, 'es-MX', 'us')[0]?.what, ['para'])
})
