import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storefrontCodes } from '../vocabulary/storefronts.ts'
import { normaliseTerm, termRefusalOf } from './keyword-term.ts'

const letters = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      'I',
      'İ',
      'ı',
      'Ì',
      'ﬁ',
      'Ａ',
      '①',
      ' ',
      '\u00a0',
      '\n',
      '\u200b',
      '\u202e',
      '\u200d',
      '\ufe0f',
      '\u3164',
      '\u20e3',
      '\u0307',
      'ß',
      'Σ',
      '´',
      '😀',
    ),
    maxLength: 12,
  }),
)
const countries = fc.constantFrom(...storefrontCodes)

test('a normalised term is normalised, in every storefront', () => {
  fc.assert(
    fc.property(letters, countries, (text, country) => {
      const once = normaliseTerm(text, country)
      assert.equal(normaliseTerm(once, country), once)
      assert.doesNotMatch(once, /^\s|\s$|\s\s|[\n\t\0\u200b\u202e]/)
    }),
    { numRuns: 3_000 },
  )
})

test('width, case, spaces and marks nobody sees make no other term', () => {
  for (const text of [
    'Photo Editor',
    ' photo\u00a0 EDITOR\n',
    'ｐｈｏｔｏ　ｅｄｉｔｏｒ',
    '\u202ephoto \u200b editor\u202c',
    'photo\ufe0f edi\u034ftor\u200d',
    '\u3164photo editor\uffa0',
  ])
    assert.equal(normaliseTerm(text, 'us'), 'photo editor')
  assert.deepEqual([normaliseTerm('IŞIK', 'tr'), normaliseTerm('IŞIK', 'us')], ['ışık', 'işik'])
  assert.equal(normaliseTerm('שלום צ׳אט', 'il'), 'שלום צ׳אט')
  assert.equal(normaliseTerm('❤\ufe0f diary', 'us'), normaliseTerm('❤ diary', 'us'))
})

test('what nobody can search for is refused with the reason', () => {
  const refusal = (text: string) => termRefusalOf(normaliseTerm(text, 'us'))
  assert.deepEqual([refusal(' \u200b '), refusal('🎉🎉'), refusal('!?')], ['empty', 'no-letters', 'no-letters'])
  assert.deepEqual(
    [refusal('\u3164'), refusal('1️⃣'), refusal('👨‍👩‍👧‍👦 🇩🇪')],
    ['empty', 'no-letters', 'no-letters'],
  )
  assert.equal(refusal('2 1️⃣'), undefined)
  assert.deepEqual([refusal('x'.repeat(201)), refusal('x'.repeat(200))], ['too-long', undefined])
  assert.deepEqual([refusal('😀 chat'), refusal('7'), refusal('天')], [undefined, undefined, undefined])
})
