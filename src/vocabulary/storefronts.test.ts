import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storefrontOf, storefronts, UnknownStorefrontError } from './storefronts.ts'

test('every storefront has a code, a name and an Apple number of its own', () => {
  assert.equal(storefronts.length, 175)
  for (const column of ['code', 'name', 'appleNumber'] as const)
    assert.equal(new Set(storefronts.map((one) => one[column])).size, storefronts.length, column)
  assert.ok(storefronts.every(({ code }) => /^[a-z]{2}$/.test(code)))
  assert.ok(storefronts.every(({ appleNumber }) => appleNumber >= 143_441 && appleNumber <= 143_624))
  assert.deepEqual(
    ['us', 'de', 'jp', 'xk'].map((code) => storefrontOf(code).appleNumber),
    [143441, 143443, 143462, 143624],
  )
})

test('every time zone, language and currency of a storefront is one the runtime knows', () => {
  const currencies = new Set(Intl.supportedValuesOf('currency'))
  for (const { name, timeZone, language, currency } of storefronts) {
    assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone }), `${name}: ${timeZone}`)
    assert.deepEqual(Intl.DisplayNames.supportedLocalesOf([language]), [language], `${name}: ${language}`)
    assert.ok(currencies.has(currency), `${name}: ${currency}`)
  }
})

test('a country without a store is refused, and never taken for another', () => {
  for (const country of ['zz', 'US', '', 'usa', 'constructor', '__proto__', 'kp', 'bd'])
    assert.throws(() => storefrontOf(country), UnknownStorefrontError, country)
})
