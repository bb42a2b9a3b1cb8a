import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textQuery } from '../domain/catalogue/search-plan.ts'
import { fold, joinedNeighbours, letterPairs, storedTerms, tokens } from './search-terms.ts'

const texts = (text: string) => tokens(text).map((token) => token.text)

test('case, width and Latin accents do not matter', () => {
  for (const text of ['Café', 'CAFÉ', 'cafe', 'Cafe\u0301', 'ＣＡＦＥ']) assert.equal(fold(text), 'cafe', text)
  assert.deepEqual(texts('Öl-Wechsel No.5'), ['ol', 'wechsel', 'no', '5'])
})

test('marks of other scripts are letters of their own right', () => {
  assert.notEqual(fold('バス'), fold('ハス'))
  assert.deepEqual(texts('मेरा समाचार'), ['मेरा', 'समाचार'])
  assert.equal(fold('ｶﾞｲﾄﾞ'), 'ガイド')
})

test('words end where letters and digits end, and a text without either has no tokens', () => {
  assert.deepEqual(texts("Notes & To-do's — v2.0"), ['notes', 'to', 'do', 's', 'v2', '0'])
  assert.deepEqual(tokens(' ★ — 🎉 !? '), [])
})

test('scripts without spaces are stretches, cut from the Latin words they stand beside', () => {
  assert.deepEqual(tokens('LINE家計簿2'), [
    { kind: 'word', text: 'line' },
    { kind: 'run', text: '家計簿' },
    { kind: 'word', text: '2' },
  ])
  assert.deepEqual(tokens('微信 读书'), [
    { kind: 'run', text: '微信' },
    { kind: 'run', text: '读书' },
  ])
})

test('a run of unspaced script is stored by its pairs, so that any part of it is found', () => {
  assert.deepEqual(letterPairs('楽天市場'), ['楽天', '天市', '市場'])
  assert.deepEqual([...storedTerms('楽天市場')], ['楽天', '天市', '市場', '場'])
  fc.assert(
    fc.property(fc.stringMatching(/^[一-龠ァ-ヺ]{2,12}$/u), fc.nat(), fc.nat(), (name, from, length) => {
      const stored = storedTerms(name)
      const letters = [...fold(name)]
      const start = from % (letters.length - 1)
      const part = letters.slice(start, start + 2 + (length % letters.length)).join('')
      assert.ok(letterPairs(part).every((pair) => stored.has(pair)))
    }),
  )
})

test('a single letter of a run is found wherever it stands', () => {
  const stored = [...storedTerms('家計簿')]
  for (const letter of '家計簿') assert.ok(stored.some((term) => term.startsWith(letter)))
})

test('every word of a text is among its terms, and no term is too long for the index', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const stored = storedTerms(text)
      for (const token of tokens(text)) if (token.kind === 'word') assert.ok(stored.has(token.text))
      for (const term of stored) assert.ok(term.length > 0 && term.length <= 40)
    }),
  )
  assert.deepEqual(texts('x'.repeat(500)), ['x'.repeat(40)])
})

test('terms hold nothing that a query would have to escape', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const term of storedTerms(text)) assert.match(term, /^[\p{L}\p{N}\p{M}]+$/u)
    }),
  )
})

test('folding twice is folding once', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(fold(fold(text)), fold(text))))
})

test('the last word of a query may be a prefix, and a text without words asks for nothing', () => {
  assert.equal(textQuery('Ever note')?.terms, "('ever' & 'note':* | 'evernote':*)")
  assert.equal(textQuery('家計簿 app')?.terms, "'家計' & '計簿' & 'app':*")
  assert.equal(textQuery('家')?.terms, "'家':*")
  assert.equal(textQuery('…!'), undefined)
})

test('words of a name are stored joined to their neighbours, runs of unspaced script are not', () => {
  assert.deepEqual(joinedNeighbours('Candy Crush Saga'), ['candycrush', 'candycrushsaga', 'crushsaga'])
  assert.deepEqual(joinedNeighbours('Maps'), [])
  assert.deepEqual(joinedNeighbours('楽天 ペイ'), [])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      for (const term of joinedNeighbours(name)) assert.match(term, /^[\p{L}\p{N}\p{M}]{2,40}$/u)
    }),
  )
})
