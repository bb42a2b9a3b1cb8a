import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type RelatedTermInputs, relatedTerms, type TermPage } from './related-terms.ts'

const apps = (...numbers: number[]) => numbers.map(String)
const around = (
  own: TermPage,
  others: readonly TermPage[],
  pagesWith: [number, number][],
): RelatedTermInputs => ({
  ...own,
  country: 'us',
  pages: 200,
  pagesWith: new Map(pagesWith.map(([app, pages]) => [String(app), pages])),
  termsWith: new Map(),
  others,
})
const own = { term: 'focus timer', top: apps(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }

test('sharing apps of the first places is nearer than sharing those of the last, and rare ones nearer than common ones', () => {
  const strengthsOf = (pagesWith: [number, number][]) =>
    new Map(
      relatedTerms(
        around(
          own,
          [
            { term: 'first', top: apps(1, 2, 3, 94, 95, 96) },
            { term: 'last', top: apps(91, 92, 93, 94, 8, 9, 10) },
          ],
          pagesWith,
        ),
      ).map(({ term, strength }) => [term, strength]),
    )
  assert.deepEqual([...strengthsOf([]).keys()], ['first'])
  assert.deepEqual([...strengthsOf([1, 2, 3].map((app) => [app, 180])).keys()], ['last'])
  const rare = strengthsOf([[4, 190], [5, 190], [6, 190], [7, 190]]) // biome-ignore format: a table
  assert.ok((rare.get('first') ?? 0) > (strengthsOf([]).get('first') ?? 0))
})

test('one shared app, or words alone, relate nothing', () => {
  const others = [
    { term: 'focus timers', top: apps(1, 92, 93, 94, 95, 96) },
    { term: 'timer focus', top: apps(91, 92, 93, 94, 95) },
    { term: 'thin', top: apps(1, 2, 3, 4) },
  ]
  assert.deepEqual(relatedTerms(around(own, others, [])), [])
  assert.deepEqual(relatedTerms(around({ term: 'focus', top: apps(1, 2, 3, 4) }, [own], [])), [])
})

const app = fc.integer({ min: 1, max: 20 })
const top = fc.uniqueArray(app, { maxLength: 10 }).map((ids) => ids.map(String))
const phrase = fc
  .array(fc.constantFrom('focus', 'timer', 'study', 'clock', 'für', '集中', 'タイマー', '🙂', ''), {
    maxLength: 4,
  })
  .map((words) => words.join(' ').trim())
const page = fc.record({ term: phrase, top })

test('at most 25 terms are named, each once, strongest first and from 0 to 100, whatever the order of the pages', () => {
  const surroundings = fc.record({
    term: phrase,
    top,
    country: fc.constantFrom('us', 'jp', 'tr'),
    pages: fc.integer({ min: 0, max: 200 }),
    pagesWith: fc.array(fc.tuple(app.map(String), fc.nat(200))).map((list) => new Map(list)),
    termsWith: fc.array(fc.tuple(phrase, fc.nat(200))).map((list) => new Map(list)),
    others: fc.uniqueArray(page, { maxLength: 60, selector: ({ term }) => term }),
  })
  fc.assert(
    fc.property(surroundings, (given) => {
      const related = relatedTerms(given)
      assert.ok(related.length <= 25)
      assert.equal(new Set(related.map(({ term }) => term)).size, related.length)
      for (const { term, strength, reasons } of related) {
        assert.ok(reasons.length > 0 && term !== given.term)
        assert.ok(strength >= 0 && strength <= 100, String(strength))
      }
      const strengths = related.map(({ strength }) => strength)
      assert.deepEqual(
        strengths,
        strengths.toSorted((one, other) => other - one),
      )
      assert.deepEqual(relatedTerms({ ...given, others: given.others.toReversed() }), related)
    }),
  )
})
