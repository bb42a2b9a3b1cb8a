import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesOf, planAsText, withText } from './plan-text.ts'

test('a text that says what is there already is no edit', () => {
  const planned = withText({}, 'en-US', 'name', 'Tides', 'Tide Planner')
  assert.deepEqual(planned, { 'en-US': { name: 'Tides' } })
  assert.deepEqual(withText(planned, 'en-US', 'name', 'Tide Planner', 'Tide Planner'), {})
  assert.deepEqual(withText(planned, 'ja', 'subtitle', '', null), planned)
  assert.deepEqual(withText({}, 'en-US', 'name', '', 'Tide Planner'), { 'en-US': { name: '' } })
})

test('two plans differ where one says something else, or nothing', () => {
  assert.deepEqual(
    differencesOf({ 'en-US': { name: 'a', subtitle: 'b' } }, { 'en-US': { subtitle: 'b' }, ja: { name: 'c' } }),
    [
      { localization: 'en-US', field: 'name', one: 'a', other: null },
      { localization: 'ja', field: 'name', one: null, other: 'c' },
    ],
  )
})

test('the text for the store holds what is changed, in the order of the localizations', () => {
  const of = (localization: 'en-US' | 'ja' | 'ko', name: string) => ({
    ...{ localization, name, support: 'additional' as const, texts: [] },
  })
  const localizations = [of('en-US', 'English (U.S.)'), of('ko', 'Korean'), of('ja', 'Japanese')]
  assert.equal(
    planAsText('Summer', { ja: { 'keyword-field': '波' }, 'en-US': { name: 'Tides' } }, localizations),
    'Summer\n\nEnglish (U.S.) (en-US)\nName: Tides\n\nJapanese (ja)\nKeyword field: 波',
  )
})
