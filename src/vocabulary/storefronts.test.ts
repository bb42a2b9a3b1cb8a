import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLanguage } from './read-language.ts'
import {
  localizationCodes,
  localizationOf,
  storefrontOf,
  storefronts,
  supportedLocalizations,
  UnknownStorefrontError,
} from './storefronts.ts'

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

test("Apple's table has 175 storefronts and 50 localizations; 104 support more than their default, 71 English alone", () => {
  assert.equal(localizationCodes.length, 50)
  const several = storefronts.filter(({ additional }) => additional.length > 0)
  assert.equal(several.length, 104)
  assert.deepEqual(
    storefronts.filter(({ additional }) => additional.length === 0).map(({ language }) => language),
    Array(71).fill('en-GB'),
  )
  for (const { code, language, additional } of storefronts) {
    const all = [language, ...additional]
    assert.equal(new Set(all).size, all.length, code)
    for (const one of all) assert.ok(localizationCodes.includes(one), `${code} ${one}`)
  }
  const used = new Set(storefronts.flatMap(({ code }) => supportedLocalizations(code)))
  assert.deepEqual([...used].sort(), [...localizationCodes].sort())
  assert.equal(supportedLocalizations('in').length, 12)
  assert.equal(supportedLocalizations('us').length, 10)
  assert.deepEqual(supportedLocalizations('jp'), ['ja', 'en-US'])
  assert.equal(new Set(localizationCodes.map((code) => localizationOf(code).name)).size, 50)
  for (const code of localizationCodes) {
    const { name, page } = localizationOf(code)
    assert.equal(Intl.getCanonicalLocales(page)[0], page, `${code} ${name}`)
  }
})

test('a language is read as its code, in any case, by its usual tags, and by the storefront where it has several', () => {
  const meant = (text: string, country: string) => {
    const read = readLanguage(text, country)
    return 'language' in read ? read.language : read.refusal
  }
  for (const [text, country, code] of [
    ['FR-fr', 'us', 'fr-FR'],
    ['fr_CA', 'us', 'fr-CA'],
    ['nb', 'no', 'no'],
    ['nb-NO', 'no', 'no'],
    ['ur', 'pk', 'ur-PK'],
    ['de-CH', 'ch', 'de-DE'],
    ['zh-Hans-CN', 'us', 'zh-Hans'],
    ['zh-TW', 'us', 'zh-Hant'],
    ['en', 'jp', 'en-US'],
    ['en', 'de', 'en-GB'],
    ['fr', 'ca', 'fr-CA'],
    ['es-419', 'us', 'es-MX'],
    ['pt', 'us', 'pt-BR'],
  ] as const)
    assert.equal(meant(text, country), code, text)
  const refused = (text: string, country: string, suggestion: string) =>
    assert.equal(meant(text, country), `is not a localization of the App Store${suggestion}`)
  refused('xx', 'us', '')
  refused('zh', 'us', '; did you mean "zh-Hans" or "zh-Hant"?')
  refused('fr', 'de', '; did you mean "fr-CA" or "fr-FR"?')
  refused('japanese', 'us', '; did you mean "ja"?')
  refused('jp', 'us', '; did you mean "ja"?')
  refused('gr', 'us', '; did you mean "el"?')
  refused('constructor', 'us', '')
  refused('x'.repeat(10_000), 'us', '')
})
