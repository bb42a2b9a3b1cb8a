import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AdQuery,
  filtersNotSupported,
  forecastImport,
  searchKey,
  searchPlan,
  withQueryDefaults,
} from './search-plan.ts'

const now = new Date('2026-03-12T11:00:00Z')
const ids = (count: number) => Array.from({ length: count }, (_, at) => String(9_000_000 + at))

test('Meta is searched for each term with each ten advertisers', () => {
  const plan = searchPlan('meta', { terms: ['a', 'b'], advertiserIds: ids(23), limit: 500 })
  assert.deepEqual(
    plan.map(({ term, advertiserIds }) => `${term} ${advertiserIds.length}`),
    ['a 10', 'a 10', 'a 3', 'b 10', 'b 10', 'b 3'],
  )
})

test('Meta is asked for one kind of media at a time, and for all of them at once', () => {
  const kinds = (mediaTypes: AdQuery['mediaTypes'] & {}) =>
    searchPlan('meta', { terms: ['a'], mediaTypes, limit: 1 }).map(({ mediaType }) => mediaType)
  assert.deepEqual(kinds(['image', 'video']), ['image', 'video'])
  assert.deepEqual(kinds(['image', 'meme', 'video', 'none']), [null])
})

test('TikTok is asked for one country at a time, or for all at once, and has no filter for some things', () => {
  const query: AdQuery = { terms: ['a'], countries: ['de', 'fr'], languages: ['de'], active: true, limit: 500 }
  assert.deepEqual(
    searchPlan('tiktok', query).map(({ countries, active, languages }) => [countries, active, languages]),
    [
      [['de'], null, []],
      [['fr'], null, []],
    ],
  )
  assert.deepEqual(filtersNotSupported('tiktok', query), ['active', 'languages'])
  assert.deepEqual(filtersNotSupported('meta', query), [])
  assert.equal(searchPlan('tiktok', { advertiserIds: ids(120), limit: 500 }).length, 3)
})

test('every advertiser and term is searched for, none twice', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('meta' as const, 'tiktok' as const),
      fc.uniqueArray(fc.nat().map(String), { maxLength: 100 }),
      fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 10 }),
      (platform, advertiserIds, terms) => {
        const query = {
          ...(advertiserIds.length && { advertiserIds }),
          ...(terms.length && { terms }),
          limit: 1,
        }
        const plan = searchPlan(platform, query as AdQuery)
        for (const term of terms.length ? terms : [null]) {
          const asked = plan.filter((search) => search.term === term).flatMap((search) => search.advertiserIds)
          assert.deepEqual(asked, advertiserIds)
        }
      },
    ),
  )
})

test('the same wish is the same query: without repetitions, in one order, with what follows when left out', () => {
  assert.deepEqual(withQueryDefaults('tiktok', { terms: ['a', 'a'] }, now), {
    terms: ['a'],
    deliveredFrom: '2022-10-02',
    deliveredTo: '2026-03-11',
    limit: 500,
  })
  assert.equal(
    JSON.stringify(withQueryDefaults('meta', { limit: 500, countries: ['de'], terms: ['a'] }, now)),
    JSON.stringify(withQueryDefaults('meta', { terms: ['a'], countries: ['de', 'de'] }, now)),
  )
})

test('a search is the same on another day, when it asks for everything until yesterday', () => {
  const keyOn = (day: Date) => {
    const [search] = searchPlan('tiktok', withQueryDefaults('tiktok', { terms: ['a'] }, day))
    assert.ok(search)
    return searchKey('tiktok', search, day)
  }
  assert.equal(keyOn(now), keyOn(new Date('2026-05-01T00:00:00Z')))
})

test('first pages tell what an import reads and how often it asks', () => {
  const page = (ads: number, more = false) => ({ ads, more })
  const reported = (...given: Parameters<typeof forecastImport>) => {
    const { matching, requests } = forecastImport(...given)
    return `${matching.relation} ${matching.value}, ${requests.relation} ${requests.value}`
  }
  assert.equal(reported(1, [page(12)], 500), 'exact 12, exact 1')
  assert.equal(reported(2, [page(12), page(0)], 500), 'exact 12, exact 2')
  assert.equal(reported(1, [page(250, true)], 500), 'at-least 250, at-least 2')
  assert.equal(reported(1, [page(250, true)], 200), 'exact 250, exact 1')
  assert.equal(reported(3, [page(40), page(30)], 60), 'exact 70, exact 2')
  assert.equal(reported(3, [page(40), page(3)], 60), 'at-least 43, at-least 3')
  assert.equal(reported(2, [page(40, true), page(30)], 60), 'at-least 60, at-least 2')
})
