import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { autocompleteFormula, autocompleteOf, prefixLetters } from '../src/domain/aso/scores/autocomplete.ts'
import {
  difficultyFormula,
  difficultyOf,
  opportunityFor,
  opportunityFormula,
  opportunityOf,
} from '../src/domain/aso/scores/difficulty.ts'
import { ratingStrengthOn } from '../src/domain/aso/scores/rating-scale.ts'
import { relevanceFormula, relevanceTo } from '../src/domain/aso/scores/relevance.ts'
import { specificityFormula, specificityOf } from '../src/domain/aso/scores/specificity.ts'
import { keywordWeight, visibilityFormula, visibilityOf } from '../src/domain/aso/scores/visibility.ts'
import {
  changedPlacesBetween,
  changeRateOf,
  volatilityFormula,
  volatilityOf,
} from '../src/domain/aso/scores/volatility.ts'
import { stemmedMatchesOf } from '../src/text/stemmed-match.ts'

const page = readFileSync(new URL('../docs/scores.md', import.meta.url), 'utf8')

/** The worked example of a score: its table, and the results it states in bold. */
function exampleOf(title: string, formula: string) {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  assert.ok(section.includes(`\`${formula}\``), `${title} is explained as ${formula}`)
  const example = section.slice(section.indexOf('**Example.**') + '**Example.**'.length)
  const table = example.split('\n').filter((line) => line.startsWith('|'))
  const [header = [], , ...body] = table.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  const rows = body.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])))
  const results = [...example.matchAll(/\*\*([\d.]+)\*\*/g)].map((match) => Number(match[1]))
  return { rows, results, text: example.replaceAll(/\s+/g, ' ') }
}

type Row = Record<string, string>
const number = (text: string | undefined) => Number((text ?? '').replaceAll(/[,*]/g, ''))
const numberOr = <Other>(text: string | undefined, other: Other) =>
  Number.isNaN(number(text)) ? other : number(text)

test('the example of difficulty', () => {
  const { rows, results, text } = exampleOf('Difficulty', difficultyFormula)
  const term = 'photo editor'
  const places = rows.map((row: Row) => ({
    storeId: row.place ?? '',
    name: row.name ?? '',
    ratingCount: number(row.ratings),
  }))
  const aim = { name: 100, beginning: 100, together: 100, 'all-words': 75, 'some-words': 25, none: 0 }
  for (const [index, row] of rows.entries()) {
    assert.equal(row.strength, ratingStrengthOn(null)(number(row.ratings)).toFixed(2))
    assert.equal(number(row.aim), aim[stemmedMatchesOf(term, 'us')(row.name ?? '')])
    assert.equal(row.counts, (1 / Math.log2(index + 2)).toFixed(4))
  }
  const difficulty = difficultyOf({ term, country: 'us', places, requested: 50, stated: null }, null)
  assert.deepEqual([difficulty?.value], results)
  const [strength, targeting, barrier] = difficulty?.parts.map(({ value }) => value) ?? []
  assert.ok(text.includes(`the parts ${strength}, ${targeting} and ${barrier}`))
  assert.deepEqual(
    difficulty?.parts.map(({ weight }) => weight),
    [0.5, 0.3, 0.2],
  )
})

test('the example of autocomplete strength', () => {
  const { rows, results } = exampleOf('Autocomplete strength', autocompleteFormula)
  const beginnings = rows.map((row: Row) => ({ typed: row.typed ?? '', place: numberOr(row.place, null) }))
  assert.deepEqual([autocompleteOf('photo editor', beginnings)], results)
  for (const [index, row] of rows.entries())
    assert.equal(prefixLetters(beginnings[index]?.typed ?? ''), number(row.letters))
})

test('the example of opportunity continues the two before', () => {
  const { rows, results } = exampleOf('Opportunity', opportunityFormula)
  const [row = {}] = rows
  const forNobody = opportunityOf(number(row.autocomplete), number(row.difficulty), false)
  assert.deepEqual([forNobody, opportunityFor(forNobody, number(row.relevance))], results)
  const relevant = exampleOf('Relevance', relevanceFormula).rows.find(({ term }) => term === 'photo editor')
  assert.equal(number(row.relevance), number(relevant?.relevance))
  assert.deepEqual(
    [number(row.autocomplete), number(row.difficulty)],
    [
      exampleOf('Autocomplete strength', autocompleteFormula).results[0],
      exampleOf('Difficulty', difficultyFormula).results[0],
    ],
  )
})

test('the example of relevance', () => {
  const { rows, text } = exampleOf('Relevance', relevanceFormula)
  const [, name = '', subtitle = '', description = ''] =
    /Name "([^"]+)", subtitle "([^"]+)", description "([^"]+)"/.exec(text) ?? []
  const relevance = relevanceTo({ name, subtitle, description })
  for (const row of rows) assert.equal(relevance(row.term ?? ''), number(row.relevance), row.term)
  assert.ok(rows.length > 0)
})

test('the example of visibility', () => {
  const { rows, results } = exampleOf('Visibility', visibilityFormula)
  const ranksOfApps = rows.map((row: Row) => ({
    place: numberOr(row.rank, row.rank === 'absent' ? null : undefined),
    autocomplete: numberOr(row.autocomplete, undefined),
  }))
  assert.deepEqual([visibilityOf(ranksOfApps)], results)
  for (const [index, row] of rows.entries()) {
    const { place, autocomplete } = ranksOfApps[index] ?? { place: undefined, autocomplete: undefined }
    if (place !== undefined) assert.equal(row.w, keywordWeight(autocomplete).toFixed(2))
  }
})

test('the example of volatility', () => {
  const { rows, results, text } = exampleOf('Volatility', volatilityFormula)
  const pages = rows.map((row: Row) => ({
    capturedAt: new Date(number(row.day) * 86_400_000),
    storeIds: (row.apps ?? '').split(' '),
  }))
  assert.deepEqual([volatilityOf(pages)], results)
  const changes = changedPlacesBetween(pages)
  assert.deepEqual(
    changes.map(({ changed, places, days }) => [changed, places, days].map(String)),
    rows.slice(1).map((row: Row) => [row.new?.split(' ').length.toString(), row['places compared'], row.days]),
  )
  assert.match(text, new RegExp(`a rate of ${changeRateOf(changes).toFixed(4)} a day`))
})

test('the example of telling', () => {
  const { rows, results } = exampleOf('Telling', specificityFormula)
  const [row = {}] = rows
  const holding = new Map([['word', number(row.holding)]])
  assert.deepEqual([specificityOf('word', { listings: number(row.listings), holding })], results)
})
