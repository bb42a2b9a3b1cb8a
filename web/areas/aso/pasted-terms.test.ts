import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsFor, foldedTerm, pastedTerms, writtenOut } from './pasted-terms.ts'

test('terms stand in lines or between commas, semicolons and tabs, and each counts once', () => {
  const text = 'budget\nBudget planner, budget  planner;家計簿、貯金\tспорт\r\n\n , budget'
  const { fresh, known, repeated } = pastedTerms(text, new Set(['budget']))
  assert.deepEqual(
    fresh.map(({ term }) => term),
    ['Budget planner', '家計簿', '貯金', 'спорт'],
  )
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
  const calls = callsFor(pastedTerms(terms.join(','), new Set()).fresh)
  assert.equal(calls.length, 25)
  assert.deepEqual(
    calls.flat().map(({ term }) => term),
    terms,
  )
})

test('width, case and spaces make no other term', () => {
  assert.equal(foldedTerm(' Ｂｕｄｇｅｔ   Planner '), 'budget planner')
})

test('a table as keyword tools export it is one of keywords, and not of its figures', () => {
  const astro = 'Keyword,Popularity,Difficulty,Position\ntide planner,6,64,52\n"quiet, alarm",5,17,1000\n'
  assert.deepEqual(pastedTerms(astro, new Set()).fresh, [{ term: 'tide planner' }, { term: 'quiet, alarm' }])
  const plain = 'tide planner,6,64,52\r\nquiet alarm,5,17,-\r\n'
  assert.deepEqual(pastedTerms(plain, new Set()).fresh, [{ term: 'tide planner' }, { term: 'quiet alarm' }])
  const list = 'budget,planner\nsavings,家計簿'
  assert.equal(pastedTerms(list, new Set()).fresh.length, 4)
})

test('the tags and notes of a table come along, in a call for those of which it says the same', () => {
  const table =
    'Search Term\tTags\tNotes\tCountry\ntide\tcore; sea\t"said ""twice"""\tus\nswell\tcore; sea\t"said ""twice"""\tUnited States\nhafen\t\t\tde\nport\tcore\t\t\nwell\t\t\t\n'
  const { fresh, noted, known, elsewhere } = pastedTerms(table, new Set(['port', 'well']), 'us')
  const beside = { tags: ['core', 'sea'], note: 'said "twice"' }
  assert.deepEqual(fresh, [
    { term: 'tide', ...beside },
    { term: 'swell', ...beside },
  ])
  assert.deepEqual([noted, known, elsewhere], [[{ term: 'port', tags: ['core'] }], 1, 1])
  assert.deepEqual(
    callsFor([...fresh, ...noted]).map((call) => call.length),
    [2, 1],
  )
  assert.deepEqual(pastedTerms(writtenOut(fresh).join('\n'), new Set()).fresh, fresh)
  assert.deepEqual(writtenOut([{ term: 'a' }, { term: 'b' }]), ['a', 'b'])
})
