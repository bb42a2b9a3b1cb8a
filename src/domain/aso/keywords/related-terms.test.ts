import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { relatedTerms, type Surroundings } from './related-terms.ts'

const nothing: Surroundings = {
  term: 'focus timer',
  country: 'us',
  suggestions: [],
  sameApps: [],
  sameWords: [],
  names: [],
}

test('a term that is near in two ways stands before those that are near in one, strongest reason first', () => {
  const related = relatedTerms({
    ...nothing,
    suggestions: [{ typed: 'focus timer', terms: ['focus timer', 'focus timer app'] }],
    sameApps: [
      { term: 'study clock', shared: 8 },
      { term: 'focus timer app', shared: 3 },
    ],
  })
  assert.deepEqual(
    related.map(({ term, reasons }) => [term, reasons.map(({ kind }) => kind)]),
    [
      ['focus timer app', ['autocomplete', 'shared-results']],
      ['study clock', ['shared-results']],
    ],
  )
})

test('what Apple suggests after few letters tells nothing about the term', () => {
  assert.deepEqual(relatedTerms({ ...nothing, suggestions: [{ typed: 'foc', terms: ['focaccia'] }] }), [])
})

test('words of names tell however short they are, but not those that mean nothing, lone letters and numbers', () => {
  const names = [
    'AI Planner with 24 Lists',
    'Your AI app with a 24 h Planner',
    'The AI: 24 h with your App',
    'Your h App',
  ]
  const related = relatedTerms({ ...nothing, names })
  assert.deepEqual(
    related.map(({ term, reasons }) => [term, reasons.map(({ text }) => text)]),
    [['ai', ['3 of the first 4 names hold it.']]],
  )
})

const word = fc.constantFrom('focus', 'timer', 'study', 'clock', 'für', '集中', 'タイマー', '🙂', '')
const phrase = fc.array(word, { maxLength: 4 }).map((words) => words.join(' ').trim())

test('at most 25 terms are named, each once, with a reason, never the term itself nor one without letters', () => {
  const around = fc.record({
    term: phrase.filter((text) => /\p{L}/u.test(text)),
    country: fc.constantFrom('us', 'jp', 'tr'),
    suggestions: fc.array(fc.record({ typed: phrase, terms: fc.array(phrase, { maxLength: 12 }) })),
    sameApps: fc.array(fc.record({ term: phrase, shared: fc.integer({ min: 1, max: 10 }) })),
    sameWords: fc.array(phrase, { maxLength: 60 }),
    names: fc.array(phrase, { maxLength: 60 }),
  })
  fc.assert(
    fc.property(around, (surroundings) => {
      const related = relatedTerms(surroundings)
      assert.ok(related.length <= 25)
      assert.equal(new Set(related.map(({ term }) => term)).size, related.length)
      for (const { term, reasons } of related) {
        assert.ok(reasons.length > 0 && term !== surroundings.term && /\p{L}/u.test(term), term)
        assert.equal(new Set(reasons.map(({ kind }) => kind)).size, reasons.length)
      }
    }),
  )
})
