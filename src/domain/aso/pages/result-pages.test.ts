import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changesBetweenPages, type PagePlaces, placeByApp, volatilityOfPages } from './result-pages.ts'

const at = (day: number) => new Date(Date.UTC(2026, 2, day, 6))
const page = (day: number, storeIds: readonly (string | null)[]): PagePlaces => ({
  capturedAt: at(day),
  storeIds,
})

test('who came, who went and who moved far is told within the places both pages have', () => {
  const before = page(1, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const now = page(2, ['g', 'b', 'x', null, 'd', 'a'])
  assert.deepEqual(changesBetweenPages([now, before]), [
    {
      observedAt: at(2),
      comparedWith: at(1),
      depth: 6,
      entrants: [{ storeId: 'x', position: 3 }],
      leavers: [
        { storeId: 'c', position: 3 },
        { storeId: 'e', position: 5 },
        { storeId: 'f', position: 6 },
      ],
      movers: [
        { storeId: 'g', from: 7, to: 1 },
        { storeId: 'a', from: 1, to: 6 },
      ],
    },
  ])
})

test('an app that the deeper page before had further down did not enter', () => {
  const [change] = changesBetweenPages([page(2, ['a', 'c']), page(1, ['a', 'b', 'c'])])
  assert.deepEqual(change?.entrants, [])
  assert.deepEqual(change?.leavers, [{ storeId: 'b', position: 2 }])
})

test('fewer than two pages have no change and no volatility', () => {
  for (const pages of [[], [page(1, ['a'])]]) {
    assert.deepEqual(changesBetweenPages(pages), [])
    assert.deepEqual(volatilityOfPages(pages), { score: undefined, comparisons: 0, from: null, to: null })
  }
})

test('an empty page says nothing about volatility, and less than a week carries no number', () => {
  const seen = [page(9, ['b']), page(5, []), page(1, ['a'])]
  assert.deepEqual(volatilityOfPages(seen), { score: 100, comparisons: 1, from: at(1), to: at(9) })
  const short = [page(3, ['b']), page(1, ['a'])]
  assert.deepEqual(volatilityOfPages(short), { score: undefined, comparisons: 1, from: at(1), to: at(3) })
})

const anyPage = fc.uniqueArray(fc.integer({ min: 1, max: 40 }).map(String), { maxLength: 30 })

test('who entered is not on the page before, who left is not on the page now, and nobody does both', () => {
  fc.assert(
    fc.property(anyPage, anyPage, (now, before) => {
      const [change] = changesBetweenPages([page(2, now), page(1, before)])
      assert.ok(change)
      const [nowPlaces, beforePlaces] = [placeByApp({ storeIds: now }), placeByApp({ storeIds: before })]
      for (const { storeId, position } of change.entrants) {
        assert.equal(nowPlaces.get(storeId), position)
        assert.ok(position <= change.depth && !beforePlaces.has(storeId))
      }
      for (const { storeId, position } of change.leavers) {
        assert.equal(beforePlaces.get(storeId), position)
        assert.ok(position <= change.depth && !nowPlaces.has(storeId))
      }
      for (const { storeId, from, to } of change.movers)
        assert.deepEqual([beforePlaces.get(storeId), nowPlaces.get(storeId)], [from, to])
    }),
  )
})
