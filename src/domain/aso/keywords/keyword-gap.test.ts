import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareGap, type GapSort, gapCounts, gapKeyword, sortGap } from './keyword-gap.ts'

const place = fc.option(fc.integer({ min: 1, max: 200 }))
const score = fc.option(fc.integer({ min: 0, max: 100 }))
const anyRow = fc
  .record({
    searched: fc.boolean(),
    own: place,
    rival: place,
    difficulty: score,
    opportunity: score,
    opportunityFormula: fc.constant(null),
  })
  .map((row) => (row.searched ? row : { ...row, own: null, rival: null }))
const anyKeywords = fc
  .array(anyRow, { maxLength: 40 })
  .map((rows) =>
    rows.map((row, index) => gapKeyword({ ...row, termId: index + 1, term: `term ${index % 7} ${index}` })),
  )
const sorts: GapSort[] = [
  'opportunity',
  'rival-ahead',
  'difficulty',
  'relevance',
  'own-rank',
  'rival-rank',
  'distance',
  'term',
]
const relevance = (term: string) => (term.length % 3 === 0 ? null : term.length)

test('every keyword has one standing, and who is ahead is told exactly where somebody ranks', () => {
  fc.assert(
    fc.property(anyKeywords, (keywords) => {
      const counts = Object.values(gapCounts(keywords)).reduce((sum, count) => sum + count, 0)
      const tied = keywords.filter(({ standing, ahead }) => standing === 'both' && ahead === null)
      assert.equal(counts + tied.length, keywords.length)
      for (const { own, rival, ahead, distance } of keywords) {
        if (own === null && rival === null) assert.equal(ahead, null)
        assert.equal(distance === null, own === null || rival === null)
      }
    }),
  )
})

test('whatever the order, going on after any keyword leaves exactly those behind it', () => {
  fc.assert(
    fc.property(anyKeywords, fc.constantFrom(...sorts), (keywords, sort) => {
      const sorted = sortGap(keywords, sort, relevance)
      for (const [index, last] of sorted.entries()) {
        const next = sorted.findIndex((other) => compareGap(other, last, sort) > 0)
        assert.equal(next, index + 1 === sorted.length ? -1 : index + 1)
      }
      const missing = sorted.findIndex(({ key }) => key === null)
      if (missing !== -1) assert.ok(sorted.slice(missing).every(({ key }) => key === null))
    }),
  )
})

test('keywords where the rival is ahead come first, those with the best opportunity before the others', () => {
  const row = (term: string, own: number | null, rival: number | null, opportunity: number | null) =>
    gapKeyword({
      termId: 1,
      term,
      searched: true,
      own,
      rival,
      difficulty: 10,
      opportunity,
      opportunityFormula: null,
    })
  const sorted = sortGap(
    [
      row('neither', null, null, 100),
      row('own', 1, 2, 99),
      row('unknown', 9, 2, null),
      row('small', null, 3, 5),
      row('large', 9, 2, 70),
    ],
    'rival-ahead',
    relevance,
  )
  assert.deepEqual(
    sorted.map(({ term }) => term),
    ['large', 'small', 'unknown', 'own', 'neither'],
  )
})
