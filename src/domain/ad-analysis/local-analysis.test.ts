import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorSeconds } from '../../../tests/support/processor-time.ts'
import { findQuote, type Passage, wordsOfAd } from './ad-words.ts'
import type { AnalysisReading, Quote } from './analysis.ts'
import { analyseText } from './local-analysis.ts'

const read = (
  body: string,
  more: { title?: string; callToActionText?: string; buttonCode?: string } = {},
  language = 'en',
) => {
  const passages = wordsOfAd([{ body, ...more, callToAction: more.buttonCode ?? null }], [])
  return analyseText({ passages: passages.map(inLanguage(language)), buttonCode: more.buttonCode ?? null })
}
const inLanguage = (language: string | undefined) => (passage: Passage) => ({ ...passage, language })
const said = (one: AnalysisReading['offer']) => (one.state === 'read' ? one.statement : one.state)
const quotesIn = (reading: AnalysisReading): Quote[] => {
  const { claims, ...single } = reading
  const items = claims.state === 'read' ? claims.items : []
  return [...Object.values(single).flatMap((one) => (one.state === 'read' ? [one] : [])), ...items].flatMap(
    ({ quotes }) => quotes,
  )
}

test('offers are told in several languages, and what only looks like one is none', () => {
  const offers: [string, string][] = [
    ['Try it free for 30 days.', 'Free for 30 days.'],
    ['Start your free trial', 'A free trial.'],
    ['Save 50% on the yearly plan until Sunday.', '50% off.'],
    ['Only $4.99/month', 'A price of $4.99.'],
    ['Jetzt 14 Tage kostenlos testen', 'Free for 14 days.'],
    ['Heute 40 % Rabatt', '40% off.'],
    ['14 jours gratuits, -30 %', 'Free for 14 days; 30% off.'],
    ['Obtén 7 días gratis', 'Free for 7 days.'],
    ['50% de desconto', '50% off.'],
    ['Prova gratuita di 7 giorni', 'Free for 7 days.'],
    ['今なら30日間無料。', 'Free for 30 days.'],
    ['2割引', '20% off.'],
    ['Get 500 free coins', 'Something free.'],
    ['Only 3% can solve this.', 'not-measured'],
    ['You could save $400 a year.', 'not-measured'],
    ['Earn $500 a day!', 'not-measured'],
    ['Feel free to look: stress-free, ad-free.', 'not-measured'],
    ['This app is not free.', 'not-measured'],
  ]
  for (const [body, offer] of offers) assert.equal(said(read(body).offer), offer, body)
})

test('calls to action are told by the button, else by a request in the text', () => {
  const button = read('Every day counts.', { buttonCode: 'install-now', callToActionText: 'Install now' })
  assert.deepEqual(button.callToAction, {
    state: 'read',
    statement: 'Install the app.',
    kinds: ['install'],
    quotes: [{ text: 'Install now', foundIn: 'call-to-action', startSeconds: null }],
  })
  const requests: [string, string][] = [
    ['Missed a day? Download Tidepool now.', 'Download it.'],
    ['Lade dir die App herunter', 'Download it.'],
    ['Téléchargez l’appli', 'Download it.'],
    ['Descarga ya la app', 'Download it.'],
    ['Baixe agora', 'Download it.'],
    ['Scarica gratis', 'Download it.'],
    ['詳しくはこちら', 'Learn more.'],
    ['The download took a day.', 'absent'],
    ['I love to play with my dog.', 'absent'],
  ]
  for (const [body, action] of requests) assert.equal(said(read(body).callToAction), action, body)
})

test('urgency and claims rest on the sentences that make them', () => {
  const reading = read('Over 200,000 people love it. Only today: 4.8 stars for free!')
  assert.equal(said(reading.urgency), 'Holds today only.')
  assert.deepEqual(reading.claims, {
    state: 'read',
    items: [
      {
        statement: 'Says how many people use or love it.',
        quotes: [{ text: 'Over 200,000 people love it.', foundIn: 'body', startSeconds: null }],
      },
      {
        statement: 'Names its rating.',
        quotes: [{ text: 'Only today: 4.8 stars for free!', foundIn: 'body', startSeconds: null }],
      },
    ],
  })
  assert.deepEqual(read('Small tides.').claims, { state: 'not-measured', reason: 'not-configured' })
})

test('a hook is what is said first: spoken before written', () => {
  const spoken = [
    { startSeconds: 0.2, endSeconds: 2, text: 'I missed one day', confidence: null },
    { startSeconds: 2, endSeconds: 3, text: 'and gave up. Then I found this.', confidence: null },
  ]
  const passages = wordsOfAd([{ body: 'Try 7 days free.' }], spoken)
  assert.deepEqual(analyseText({ passages: passages.map(inLanguage('en')), buttonCode: null }).hook, {
    state: 'read',
    statement: 'I missed one day and gave up.',
    quotes: [{ text: 'I missed one day and gave up.', foundIn: 'transcript', startSeconds: 0.2 }],
  })
})

test('every quote stands word for word in the ad, whatever the ad says', () => {
  const words = fc.constantFrom(
    'free',
    'Download',
    'now',
    '50% off',
    '無料',
    '今だけ',
    'until Sunday',
    '😀',
    '\n',
    '. ',
    ' ',
    'ﬁ',
    'e\u0301',
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(words, { maxLength: 200 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, text, text, (title, body, spoken) => {
      const passages = wordsOfAd(
        [{ title, body }],
        [{ startSeconds: 1, endSeconds: 2, text: spoken, confidence: null }],
      )
      for (const quote of quotesIn(
        analyseText({ passages: passages.map(inLanguage(undefined)), buttonCode: null }),
      )) {
        assert.ok(passages.some((one) => one.foundIn === quote.foundIn && one.text.includes(quote.text)))
      }
    }),
  )
})

test('an ad of twenty thousand hostile characters is read in a moment', async () => {
  const more = [
    '?',
    '7 days of ',
    'free for ',
    'risk-free ',
    'sugar free ',
    '無料の',
    'feel a',
    '{{',
    '[',
    '#a',
    '-40 ',
    'not ',
  ]
  const seconds = await processorSeconds(() => {
    for (const piece of ['1', '1,', 'a ', 'jetzt ', 'free ', '$1 ', 'save 9', 'до ', '。', 'lade a', ...more]) {
      read(piece.repeat(20_000 / piece.length))
      read(`${piece.repeat(19_990 / piece.length)}a`)
    }
    for (const language of ['en', 'fr', 'es', 'ko'])
      for (const piece of ['vous le ', 'ez ', 'á', '기 ', '받', '1원 ', 'get a b ', '🔥', 'a and '])
        read(piece.repeat(20_000 / piece.length), {}, language)
  })
  assert.ok(seconds < 10, `${seconds} s`)
})

test('quotes are found with other white space and forms, never in half a word or another part', () => {
  const passages = wordsOfAd(
    [{ title: 'Freedom  for\nall', body: 'Ｔｒｙ it free. 30日間無料 コーヒーApp' }],
    [],
  )
  const found = (foundIn: 'title' | 'body', text: string) => findQuote(passages, foundIn, text)?.text
  assert.equal(found('title', 'Freedom for all'), 'Freedom  for\nall')
  assert.equal(found('body', 'Try it free'), 'Ｔｒｙ it free')
  assert.equal(found('body', '無料'), '無料')
  assert.equal(found('body', 'コーヒー'), 'コーヒー')
  assert.equal(found('title', 'Free'), undefined)
  assert.equal(found('title', 'free'), undefined)
  assert.equal(found('body', 'Freedom'), undefined)
  assert.equal(found('body', ' '), undefined)
})
