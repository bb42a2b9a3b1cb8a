import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, tokens } from '../../text/search-terms.ts'
import { matchRelevance, type SearchMatch } from './relevance.ts'

const asked = (q: string) => ({ folded: fold(q).trim(), tokens: tokens(q) })
const match = (name: string, more: Partial<SearchMatch> = {}): SearchMatch => ({
  sortName: fold(name),
  ratingCount: 1_000,
  inName: true,
  corrected: false,
  ...more,
})
const score = (q: string, name: string, more?: Partial<SearchMatch>) =>
  matchRelevance(asked(q), match(name, more))

const query = fc.constantFrom('notes', 'daily notes', 'no', '家計簿', 'note')
const matches = fc.record({
  sortName: fc.constantFrom(
    'notes',
    'notes pro',
    'daily notes',
    'my notes',
    'banking',
    '家計簿',
    '家計簿アプリ',
    '!',
  ),
  ratingCount: fc.option(fc.nat(50_000_000)),
  inName: fc.boolean(),
  corrected: fc.boolean(),
})

test('every score lies between 0 and 1', () => {
  fc.assert(
    fc.property(query, matches, (q, one) => {
      const found = matchRelevance(asked(q), one)
      assert.ok(found >= 0 && found <= 1, String(found))
    }),
  )
})

test('more ratings never make an app less relevant, all else being equal', () => {
  fc.assert(
    fc.property(query, matches, fc.nat(50_000_000), (q, one, ratingCount) => {
      const more = { ...one, ratingCount: (one.ratingCount ?? 0) + ratingCount }
      assert.ok(matchRelevance(asked(q), more) >= matchRelevance(asked(q), one))
    }),
  )
})

test('what a misspelling had to be assumed for is never more relevant than what was typed', () => {
  fc.assert(
    fc.property(query, matches, (q, one) => {
      const typed = matchRelevance(asked(q), { ...one, corrected: false })
      assert.ok(matchRelevance(asked(q), { ...one, corrected: true }) <= typed)
    }),
  )
})

test('a match in the name is never less relevant than one in the description', () => {
  fc.assert(
    fc.property(query, matches, (q, one) => {
      const named = matchRelevance(asked(q), { ...one, inName: true })
      assert.ok(named >= matchRelevance(asked(q), { ...one, inName: false }))
    }),
  )
})

test('the exact name comes before one that ends or begins with the words, then one that holds them, one with a longer word, and a description', () => {
  const ranked = [
    score('notes', 'Notes'),
    score('notes', 'Notes: Plan your day'),
    score('notes', 'My Notes'),
    score('notes', 'Notes and Plans'),
    score('notes', 'My Daily Notes and Plans'),
    score('notes', 'Notesmith'),
    score('notes', 'Planner', { inName: false }),
  ]
  assert.deepEqual(
    ranked,
    ranked.toSorted((one, other) => other - one),
  )
  assert.equal(new Set(ranked).size, ranked.length)
})

test('case, width and accents of a name do not matter', () => {
  for (const name of ['cafe', 'CAFÉ', 'Ｃａｆｅ']) assert.equal(score('café', name), score('cafe', 'cafe'))
})

test('an established app beats an unknown one of the same name, and a much better name beats ratings', () => {
  assert.ok(score('notes', 'Notes', { ratingCount: 100_000 }) > score('notes', 'Notes', { ratingCount: 10 }))
  assert.ok(
    score('notes', 'Notes', { ratingCount: null }) >
      score('notes', 'Planner', { ratingCount: 5e6, inName: false }),
  )
})

test('words written together or apart are the same, and a maker or a line behind the name is no part of it', () => {
  assert.equal(score('you tube', 'YouTube'), score('youtube', 'YouTube'))
  assert.equal(score('candycrush', 'Candy Crush Saga'), score('candy crush', 'Candy Crush Saga'))
  assert.equal(score('paper', 'Paper by Fifty'), score('paper', 'Paper – draw and note'))
})

test('the beginning of a longer word never beats an established app of exactly that name', () => {
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 50_000_000 }), fc.nat(50_000_000), (established, famous) => {
      const exact = score('maps', 'Maps', { ratingCount: established })
      assert.ok(exact > score('maps', 'Mapsmith', { ratingCount: famous }))
    }),
  )
})
