import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wastedCharactersOf } from './wasted-characters.ts'

const wasteFor = (keywords: string, name = 'Tally Budget', subtitle = 'Plan your money') =>
  wastedCharactersOf({ name, subtitle, keywords }, 'en')

test('spaces around commas and empty entries are wasted bytes', () => {
  assert.deepEqual(wasteFor('savings, expense,,'), [
    { kind: 'spaces', what: [' '], bytes: 1 },
    { kind: 'empty', what: [',', ','], bytes: 2 },
  ])
  assert.deepEqual(wasteFor(''), [])
  assert.deepEqual(wasteFor('savings,to do list'), [
    { kind: 'short', what: ['do'], bytes: 3 },
    { kind: 'stop-word', what: ['to'], bytes: 3 },
  ])
})

test('words that stand in the name, the subtitle or the field itself already are repeated', () => {
  assert.deepEqual(wasteFor('budget,savings,Savings,money'), [
    { kind: 'repeated', what: ['budget', 'savings', 'money'], bytes: 7 + 8 + 6 },
  ])
  assert.deepEqual(wasteFor('', 'Budget', 'Budget planner'), [
    { kind: 'repeated', what: ['budget'], bytes: null },
  ])
})

test('words without meaning, words of two letters and signs are told', () => {
  assert.deepEqual(wasteFor('app,vr,#saving'), [
    { kind: 'short', what: ['vr'], bytes: 3 },
    { kind: 'stop-word', what: ['app'], bytes: 4 },
    { kind: 'sign', what: ['#'], bytes: 1 },
  ])
})

test('a word of Japanese of two letters is not short', () => {
  assert.deepEqual(wasteFor('家計,節約'), [])
})
