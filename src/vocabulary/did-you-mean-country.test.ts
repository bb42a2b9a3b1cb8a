import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMeanCountry } from './did-you-mean-country.ts'

test('a name, a language and a code of another kind tell the storefront that was meant', () => {
  for (const [given, code] of [
    ['Germany', 'de'],
    [' united kingdom ', 'gb'],
    ['ja', 'jp'],
    ['USA', 'us'],
    ['de-AT', 'at'],
    ['en_US', 'us'],
  ] as const)
    assert.equal(didYouMeanCountry(given), `; did you mean "${code}"?`, given)
})

test('what is near no storefront is not guessed', () => {
  for (const given of ['zz', '', 'constructor', '__proto__', 'x'.repeat(61), 7, null])
    assert.equal(didYouMeanCountry(given), '', String(given))
})
