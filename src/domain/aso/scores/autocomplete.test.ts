import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { autocompleteOf, type SuggestionsOfPrefix, typedPrefixesOf } from './autocomplete.ts'

const terms = fc.constantFrom('chat', 'photo editor', '天気予報', '😀 chat', 'ab')
const place = fc.option(fc.integer({ min: 1, max: 15 }))
const asked = terms.chain((term) => {
  const letters = [...term]
  const beginning = fc
    .tuple(fc.integer({ min: 1, max: letters.length }), place)
    .map(([length, at]): SuggestionsOfPrefix => ({ typed: letters.slice(0, length).join(''), place: at }))
  return fc.record({ term: fc.constant(term), beginnings: fc.array(beginning, { minLength: 1, maxLength: 6 }) })
})
const strength = (term: string, beginnings: readonly SuggestionsOfPrefix[]) =>
  autocompleteOf(term, beginnings) ?? -1

test('autocomplete strength lies between 0 and 100, and is not known where only the whole term was typed', () => {
  fc.assert(
    fc.property(asked, ({ term, beginnings }) => {
      const score = autocompleteOf(term, beginnings)
      if (beginnings.every(({ typed }) => typed === term)) assert.equal(score, undefined)
      else assert.ok(score !== undefined && score >= 0 && score <= 100)
    }),
  )
})

test('it never falls with a better place, an earlier beginning or an answer more', () => {
  fc.assert(
    fc.property(asked, fc.nat(), place, ({ term, beginnings }, pick, better) => {
      const index = pick % beginnings.length
      const { typed, place: old } = beginnings[index] ?? { typed: term, place: null }
      const before = strength(term, beginnings)
      const raised = better === null || (old !== null && better > old) ? old : better
      assert.ok(strength(term, beginnings.with(index, { typed, place: raised })) >= before)
      const earlier = [...typed].slice(0, Math.max(1, [...typed].length - 1)).join('')
      assert.ok(strength(term, beginnings.with(index, { typed: earlier, place: old })) >= before)
      assert.ok(strength(term, [...beginnings, { typed: earlier, place: better }]) >= before)
    }),
  )
})

test('first after one letter is 100, never suggested is 0, and only once typed whole is next to nothing', () => {
  assert.equal(autocompleteOf('chat', [{ typed: 'c', place: 1 }]), 100)
  assert.equal(autocompleteOf('chat', [{ typed: 'c', place: null }]), 0)
  assert.equal(
    autocompleteOf('chat', [
      { typed: 'cha', place: null },
      { typed: 'chat', place: 1 },
    ]),
    5,
  )
})

test('letters typed count, not the share of the term: what comes early is stronger than what is long', () => {
  const chat = strength('chat', [{ typed: 'cha', place: 1 }])
  const long = strength('chat with strangers anonymously', [{ typed: 'chat with', place: 2 }])
  assert.deepEqual([chat, long], [71, 23])
  assert.equal(strength('chatterbox', [{ typed: 'cha', place: 1 }]), chat)
})

test('a Han character counts three letters, and a syllable of kana or Hangul two', () => {
  const first = (typed: string) => strength(`${typed} 無料`, [{ typed, place: 1 }])
  assert.deepEqual(
    [first('天'), first('天気'), first('てん'), first('날씨'), first('wea')],
    [71, 42, 59, 59, 71],
  )
})

test('a term is typed in four steps, which fall together when it is short', () => {
  assert.deepEqual(typedPrefixesOf('focus timer'), ['foc', 'focus', 'focus tim', 'focus timer'])
  assert.deepEqual(typedPrefixesOf('chat'), ['ch', 'cha', 'chat'])
  assert.deepEqual(typedPrefixesOf('英語学習'), ['英', '英語', '英語学', '英語学習'])
  assert.deepEqual(typedPrefixesOf('x'), ['x'])
})

test('every step begins the next one, and the last is the term', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
      const term = text.trim()
      const typed = typedPrefixesOf(term)
      assert.equal(typed.at(-1), term)
      assert.ok(typed.length <= 4 && typed.every((one, index) => (typed[index + 1] ?? term).startsWith(one)))
    }),
  )
})
