import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { listingWords } from '../src/text/listing-words.ts'
import { fold } from '../src/text/search-terms.ts'
import { stemmedMatchesOf } from '../src/text/stemmed-match.ts'
import { stemsInLanguage } from '../src/text/stems.ts'
import { languagesWithStopWords, stopWordsOf } from '../src/text/stop-words.ts'

/** What apps are about, by language. */
const { words } = JSON.parse(readFileSync('tests/support/words-of-apps.json', 'utf8')) as {
  words: Record<string, string>
}
const sameLanguage: Record<string, string> = { fil: 'tl', nb: 'no', nn: 'no' }
const aboutIn = (language: string) => (words[sameLanguage[language] ?? language] ?? '').split(' ')

/** Words of grammar that nearly every text of the language holds, and that are something else as well. */
const grammar: Record<string, string> = {
  ca: 'sobre',
  da: 'by får man dog',
  de: 'man hat war',
  es: 'sobre',
  fa: 'در',
  he: 'פה',
  lt: 'man',
  lv: 'bus',
  nb: 'by man',
  nl: 'door',
  nn: 'by man',
  no: 'by man',
  ro: 'care sale',
  sk: 'had',
  sv: 'by man',
  vi: 'từ',
}

test('no list of stop words holds what apps are about, in its language or in English', () => {
  for (const language of languagesWithStopWords) {
    const about = aboutIn(language)
    assert.ok(about.length >= 25, `${language} was not held against what apps are about`)
    const [stop, but] = [stopWordsOf(language), new Set((grammar[language] ?? '').split(' '))]
    const deleted = [...about, ...aboutIn('en')].filter((word) => stop.has(word) && !but.has(word))
    assert.deepEqual(deleted, [], language)
  }
})

test('a list is found by every name that its language has', () => {
  for (const [language, word] of [
    ['nb', 'ikke'],
    ['nn', 'ikke'],
    ['no', 'ikke'],
    ['fil', 'hindi'],
    ['tl', 'hindi'],
    ['sw', 'lakini'],
    ['my', 'နှင့်'],
    ['ha', 'amma'],
    ['lt', 'šit'],
    ['sk', 'keď'],
  ] as const)
    assert.ok(stopWordsOf(language).has(word), `${word} in ${language}`)
})

test('a word that only marks tell from a stop word is none', () => {
  for (const [language, stop, word] of [
    ['da', 'nogle', 'nøgle'],
    ['vi', 'cho', 'chó'],
    ['vi', 'của', 'cửa'],
    ['vi', 'vì', 'ví'],
    ['tr', 'şu', 'su'],
    ['sv', 'säga', 'saga'],
  ] as const) {
    assert.ok(stopWordsOf(language).has(stop), stop)
    assert.ok(!stopWordsOf(language).has(word), word)
  }
  assert.deepEqual(
    stemsInLanguage('Bán cá cho chó', 'vi').map(({ text }) => text),
    ['ban', 'ca', 'cho'],
  )
})

test('the stop words of a storefront are found in names as they are written there', () => {
  const named = (term: string, country: string, name: string) => stemmedMatchesOf(term, country)(name)
  assert.equal(named('vær', 'no', 'Været for deg'), 'name')
  assert.equal(named('balita', 'ph', 'Ang balita ngayon'), 'name')
  assert.equal(named('kewangan', 'my', 'Bank Kewangan'), 'together')
  assert.equal(named('bank', 'my', 'Bank Kewangan'), 'beginning')
})

test('a stop word beside other words of a keyword need not be held, but an app without it is not called so', () => {
  const named = (term: string, country: string, name: string) => stemmedMatchesOf(term, country)(name)
  assert.equal(named('uhr widget', 'de', 'Widget Studio'), 'some-words')
  assert.equal(named('uhr widget', 'de', 'Widget: Uhr & Kalender'), 'beginning')
  assert.equal(named('we chat', 'us', 'Chat'), 'together')
  assert.equal(named('we chat', 'us', 'We Chat'), 'name')
  assert.equal(named('who now', 'us', 'Now: Who'), 'name')
  assert.equal(named('games for kids', 'us', 'Kids Games'), 'together')
  assert.equal(named('weather channel', 'us', 'The Weather Channel'), 'name')
  assert.equal(named('for', 'us', 'Games'), 'none')
})

test('every stop word is asked for as listings are read', () => {
  for (const language of languagesWithStopWords)
    for (const word of stopWordsOf(language)) assert.equal(word, word.toLowerCase(), language)
  const [word] = listingWords('Çünkü', 'tr')
  assert.ok(word && stopWordsOf('tr').has(word.text) && stopWordsOf('tr').has(fold(word.text)))
})
