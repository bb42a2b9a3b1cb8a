import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf, folded, pastedTerms } from './pasted-terms.ts'

test('terms stand in lines or between commas, semicolons and tabs, and each counts once', () => {
  const text = 'budget\nBudget planner, budget  planner;家計簿、貯金\tспорт\r\n\n , budget'
  const { fresh, known, repeated } = pastedTerms(text, new Set(['budget']))
  assert.deepEqual(fresh, ['Budget planner', '家計簿', '貯金', 'спорт'])
  assert.equal(known, 1)
  assert.equal(repeated, 2)
})

test('a term is too long by its letters, not by its bytes', () => {
  const { fresh, tooLong } = pastedTerms(`${'😀'.repeat(200)}\n${'a'.repeat(201)}`, new Set())
  assert.deepEqual([fresh.length, tooLong.length], [1, 1])
})

test('a text of any size is read within bounds, and what was not read is counted', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `keyword number ${index}`).join('\n')
  const started = process.cpuUsage()
  const { fresh, beyond } = pastedTerms(text, new Set())
  const { user, system } = process.cpuUsage(started)
  assert.ok(user + system < 1_000_000, `took ${(user + system) / 1_000} ms of the processor`)
  assert.ok(fresh.length < 60_000)
  assert.equal(beyond, text.length - 1_000_000)
})

test('5,000 terms are 25 calls, and none is lost between them', () => {
  const terms = Array.from({ length: 5_000 }, (_, index) => `term ${index}`)
  const batches = batchesOf(pastedTerms(terms.join(','), new Set()).fresh, 200)
  assert.equal(batches.length, 25)
  assert.deepEqual(batches.flat(), terms)
})

test('width, case and spaces make no other term', () => {
  assert.equal(folded(' Ｂｕｄｇｅｔ   Planner '), 'budget planner')
})
