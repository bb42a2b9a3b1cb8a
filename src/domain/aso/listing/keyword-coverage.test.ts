import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keywordCoverage } from './keyword-coverage.ts'
import type { OwnTexts } from './own-listing.ts'

type Localization = { code: string; texts: OwnTexts }

const english = {
  code: 'en-US',
  texts: { name: 'Tide Planner', subtitle: 'Waves for surfers', 'keyword-field': 'harbour,moon,sea tide' },
}
const spanish = { code: 'es-MX', texts: { name: 'Mareas', 'keyword-field': 'luna,plan,moon' } }

function standings(terms: readonly string[], localizations: readonly Localization[] = [english, spanish]) {
  const { keywords } = keywordCoverage('us', terms, localizations)
  return Object.fromEntries(keywords.map(({ term, standing }) => [term, standing]))
}

test('a keyword is covered by one field, across fields of one localization, or not: words of two do not combine', () => {
  assert.deepEqual(
    standings([
      'tide planner',
      'planner tide',
      'moon tide',
      'tide moon planner',
      'plan de luna',
      'harbour luna',
      'lighthouse',
      'tide lighthouse',
      'wave',
      'planner for tide',
      '🌊',
    ]),
    {
      'tide planner': 'one-field',
      'planner tide': 'one-field',
      'moon tide': 'one-field',
      'tide moon planner': 'across-fields',
      'plan de luna': 'one-field',
      'harbour luna': 'split',
      lighthouse: 'uncovered',
      'tide lighthouse': 'uncovered',
      wave: 'likely',
      'planner for tide': 'one-field',
      '🌊': 'uncovered',
    },
  )
})

test('each localization tells its fields and the words it lacks', () => {
  const { keywords } = keywordCoverage('us', ['tide lighthouse', 'moon', 'wave planner'], [english, spanish])
  assert.deepEqual(keywords, [
    {
      ...{ term: 'tide lighthouse', standing: 'uncovered', missing: ['lighthouse'] },
      in: [
        {
          localization: 'en-US',
          how: 'some-words',
          fields: ['name', 'keyword-field'],
          missing: ['lighthouse'],
        },
      ],
    },
    {
      ...{ term: 'wave planner', standing: 'likely', missing: [] },
      in: [{ localization: 'en-US', how: 'likely', fields: ['name', 'subtitle'], missing: [] }],
    },
    {
      ...{ term: 'moon', standing: 'one-field', missing: [] },
      in: [
        { localization: 'en-US', how: 'one-field', fields: ['keyword-field'], missing: [] },
        { localization: 'es-MX', how: 'one-field', fields: ['keyword-field'], missing: [] },
      ],
    },
  ])
})

test('words without blanks are found at their ends, and only likely inside of others', () => {
  const japanese = { code: 'ja', texts: { name: '潮見表カレンダー', 'keyword-field': '釣り,波,満月' } }
  const korean = { code: 'ko', texts: { name: '가계부앱' } }
  const { keywords } = keywordCoverage(
    'jp',
    ['潮見表', 'カレンダー', '潮見', '釣り カレンダー', '가계부'],
    [japanese, korean],
  )
  const found = Object.fromEntries(keywords.map(({ term, standing }) => [term, standing]))
  assert.deepEqual(found, {
    潮見表: 'one-field',
    カレンダー: 'one-field',
    潮見: found.潮見,
    '釣り カレンダー': 'across-fields',
    가계부: 'likely',
  })
  assert.ok(['one-field', 'likely'].includes(found.潮見 ?? ''))
})

test('what is said twice is named with its places, without stop words', () => {
  const { repeated } = keywordCoverage('us', [], [english, spanish])
  assert.deepEqual(repeated, [
    {
      ...{ word: 'tide', where: 'one-localization' },
      places: [
        { localization: 'en-US', field: 'name' },
        { localization: 'en-US', field: 'keyword-field' },
      ],
    },
    {
      ...{ word: 'moon', where: 'several-localizations' },
      places: [
        { localization: 'en-US', field: 'keyword-field' },
        { localization: 'es-MX', field: 'keyword-field' },
      ],
    },
  ])
})

test('without texts nothing is covered, and without words nothing breaks', () => {
  assert.deepEqual(standings(['tide'], []), { tide: 'uncovered' })
  assert.deepEqual(
    standings(['tide'], [{ code: 'en-US', texts: { name: '', subtitle: '—', 'keyword-field': ',,' } }]),
    {
      tide: 'uncovered',
    },
  )
})
