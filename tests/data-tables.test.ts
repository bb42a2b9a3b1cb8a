import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import actions from '../src/data/calls-to-action.json' with { type: 'json' }
import claims from '../src/data/claims.json' with { type: 'json' }
import offers from '../src/data/offers.json' with { type: 'json' }
import published from '../src/data/published-ranks.json' with { type: 'json' }
import storefronts from '../src/data/storefronts.json' with { type: 'json' }
import urgency from '../src/data/urgency.json' with { type: 'json' }
import { offersIn } from '../src/domain/ad-analysis/offer.ts'
import { phrasesOf } from '../src/text/phrase.ts'
import { chartKinds } from '../src/vocabulary/chart-kinds.ts'
import { isStorefront } from '../src/vocabulary/storefronts.ts'

const tables = readdirSync('src/data/').map((name) => ({
  name,
  table: JSON.parse(readFileSync(`src/data/${name}`, 'utf8')) as { source?: unknown },
}))

test('every table says where its rows come from', () => {
  for (const { name, table } of tables) assert.ok(textsIn(table.source).join('').length > 15, name)
})

/** Lists of these tables are lines of words with blanks between them. */
const ofWords = ['common-words.json', 'known-names.json', 'languages.json', 'stop-words.json']

test('nothing stands twice in a list of a table', () => {
  for (const { name, table } of tables)
    for (const list of listsIn(table)) {
      const entries = ofWords.includes(name) ? list.join(' ').split(' ') : list
      assert.deepEqual(
        entries.filter((entry, index) => entries.indexOf(entry) !== index),
        [],
        name,
      )
    }
})

test('every phrase of an ad has a kind with a sentence, and a pattern that compiles and finds no empty text', () => {
  for (const table of [actions, claims, urgency]) {
    const phrases = phrasesOf(table)
    for (const { pattern } of phrases) assert.doesNotMatch('', pattern)
    assert.deepEqual(new Set(phrases.map(({ kind }) => kind)), new Set(Object.keys(table.kinds)))
  }
  assert.deepEqual(offersIn(''), [])
})

test('every phrase says in one way where it counts', () => {
  const rows = [actions.phrases, claims.phrases, urgency.phrases, Object.values(offers.offers)].flat(2)
  for (const { kind, language, ...ways } of rows as Record<string, unknown>[]) {
    const [way, ...others] = Object.keys(ways)
    assert.ok(way !== undefined && others.length === 0, JSON.stringify({ kind, language, ...ways }))
    assert.ok(['words', 'opening', 'anywhere', 'anyCase', 'korean'].includes(way), way)
  }
})

test('every part of a phrase is used', () => {
  for (const table of [claims, offers, urgency])
    for (const part of Object.keys(table.parts)) assert.ok(JSON.stringify(table).includes(`{${part}}`), part)
})

test('a button asks for one thing', () => {
  const codes = Object.values(actions.kinds).flatMap(({ buttons }) => buttons)
  assert.equal(new Set(codes).size, codes.length)
})

test('published figures are of charts there are', () => {
  const { levels, slopes, ratios, factors } = published
  for (const { kind } of [levels, slopes, ratios, factors].flat())
    assert.ok(
      chartKinds.some((known) => known === kind),
      kind,
    )
})

test('a slip for a country means one with a store', () => {
  for (const [slip, code] of Object.entries(storefronts.slips)) assert.ok(isStorefront(code), slip)
})

/** All texts in a value, its lists and objects included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** All lists of texts in a value. */
function listsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return [value]
  return Object.values(value).flatMap(listsIn)
}
