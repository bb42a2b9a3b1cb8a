import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { appsAbove, compareRanks } from './workstation.ts'

const rank = fc.oneof(
  fc.record({
    state: fc.constant('measured' as const),
    value: fc.integer({ min: 1, max: 200 }),
    depth: fc.constant(200),
  }),
  fc.record({ state: fc.constant('absent' as const), depth: fc.constant(200) }),
  fc.constant({ state: 'not-measured' as const, reason: 'never-collected' as const }),
)

test('every keyword is counted once when a rival is compared, and the rival sees the mirror image', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ own: rank, rival: rank })), (pairs) => {
      // Two apps never share a place.
      const apart = pairs.filter(
        ({ own, rival }) => own.state !== 'measured' || rival.state !== 'measured' || own.value !== rival.value,
      )
      const seen = compareRanks(apart)
      const mirrored = compareRanks(apart.map(({ own, rival }) => ({ own: rival, rival: own })))
      assert.equal(seen.ahead + seen.behind + seen.neither + seen.notMeasured, apart.length)
      assert.deepEqual([mirrored.ahead, mirrored.behind], [seen.behind, seen.ahead])
    }),
  )
})

test('who ranks above is on the page, above, named once, and rivals come first', () => {
  const page = fc.uniqueArray(fc.integer({ min: 1, max: 500 }).map(String), { maxLength: 60 })
  fc.assert(
    fc.property(page, fc.nat(70), fc.array(fc.nat(59), { maxLength: 8 }), (storeIds, place, rivalsAt) => {
      const rivals = [...new Set(rivalsAt)].flatMap((index) => {
        const storeId = storeIds[index]
        return storeId === undefined ? [] : [{ storeId, position: index + 1 }]
      })
      const own = place === 0 || place > storeIds.length ? undefined : place
      const above = appsAbove(storeIds.slice(0, 10), rivals, own)
      const isRival = above.map(({ storeId }) => rivals.some((rival) => rival.storeId === storeId))
      assert.ok(above.length <= 5)
      assert.equal(new Set(above.map(({ storeId }) => storeId)).size, above.length)
      for (const { storeId, position } of above) {
        assert.equal(storeIds[position - 1], storeId)
        assert.ok(own === undefined || position < own)
      }
      assert.deepEqual(
        isRival,
        isRival.toSorted((one, other) => Number(other) - Number(one)),
      )
      assert.equal(above.length, Math.min(5, own === undefined ? storeIds.length : own - 1))
    }),
  )
})

test('an entry nobody could read is passed over', () => {
  assert.deepEqual(appsAbove(['1', null, '3'], [], undefined), [
    { storeId: '1', position: 1 },
    { storeId: '3', position: 3 },
  ])
})
