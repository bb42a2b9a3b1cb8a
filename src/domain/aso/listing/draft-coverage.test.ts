import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftCoverage, withDraft } from './draft-coverage.ts'

const before = {
  'en-US': { name: 'Tide Planner', subtitle: 'Waves for surfers', 'keyword-field': 'harbour,moon' },
  'es-MX': { 'keyword-field': 'luna' },
} as const
const terms = ['tide planner', 'harbour luna', 'moon waves', 'tide clock', 'lighthouse']

const planned = (draft: Parameters<typeof withDraft>[1]) =>
  draftCoverage('us', terms, ['en-US', 'es-MX'], before, withDraft(before, draft))

test('a draft wins, loses and strengthens keywords, and those that nothing happened to come last', () => {
  const { keywords } = planned({
    'en-US': { name: 'Tide Clock' },
    'es-MX': { 'keyword-field': 'luna,harbour' },
  })
  assert.deepEqual(
    keywords.map(({ term, before, standing, change }) => [term, before, standing, change]),
    [
      ['tide planner', 'one-field', 'uncovered', 'lost'],
      ['harbour luna', 'split', 'one-field', 'won'],
      ['tide clock', 'uncovered', 'one-field', 'won'],
      ['lighthouse', 'uncovered', 'uncovered', 'unchanged'],
      ['moon waves', 'across-fields', 'across-fields', 'unchanged'],
    ],
  )
})

test('each edit says which keywords it covers, alone or with other texts, and which it loses', () => {
  const { edits } = planned({ 'en-US': { name: 'Tide Clock', 'keyword-field': 'harbour,moon,clock' } })
  assert.deepEqual(edits, [
    {
      ...{ localization: 'en-US', field: 'name', loses: ['tide planner'] },
      covers: [{ term: 'tide clock', how: 'one-field', isNew: true }],
    },
    {
      ...{ localization: 'en-US', field: 'keyword-field', loses: [] },
      covers: [{ term: 'moon waves', how: 'across-fields', isNew: false }],
    },
  ])
})

test('a text that says what is there already is no edit, and without edits nothing changes', () => {
  const { edits, keywords } = planned({ 'en-US': { name: 'Tide Planner' } })
  assert.deepEqual(edits, [])
  assert.ok(keywords.every(({ change }) => change === 'unchanged'))
})

test('from one field to across fields is weaker, and the other way stronger', () => {
  const weaker = planned({ 'en-US': { name: 'Tide', subtitle: 'Planner of waves' } })
  assert.deepEqual(weaker.keywords[0], {
    ...{ term: 'tide planner', before: 'one-field', standing: 'across-fields', change: 'weaker', missing: [] },
    in: [{ localization: 'en-US', how: 'across-fields', fields: ['name', 'subtitle'], missing: [] }],
  })
  const stronger = planned({ 'en-US': { 'keyword-field': 'moon waves,harbour' } })
  assert.deepEqual([stronger.keywords[0]?.term, stronger.keywords[0]?.change], ['moon waves', 'stronger'])
})
