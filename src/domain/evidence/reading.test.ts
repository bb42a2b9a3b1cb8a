import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { evidenceIndexOf, evidenceList, type Observed } from './reading.ts'

const observed = fc.record({
  readingId: fc.constantFrom('1', '2', '3'),
  source: fc.constantFrom('paid-ads-file', 'derived'),
  observedAt: fc.constantFrom('2026-02-01T07:00:00.000Z', '2026-02-01T08:00:00.000Z'),
})

test('evidence is each reading at each of its times once, newest first, in whatever order it was collected', () => {
  const shuffled = fc
    .array(observed)
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
  fc.assert(
    fc.property(shuffled, fc.nat(4), ([list, other], most) => {
      const evidence = evidenceList(list)
      const byName = (entries: readonly Observed[]) => entries.map((entry) => JSON.stringify(entry)).sort()
      assert.deepEqual(byName(evidence), [...new Set(byName(list))])
      assert.deepEqual(evidence.map(placed), evidenceList(other).map(placed))
      assert.deepEqual(evidenceList(list, most), evidence.slice(0, most), 'bounded, the newest are kept')
      const times = evidence.map(({ observedAt }) => observedAt)
      assert.deepEqual(times, times.toSorted().reverse())
    }),
  )
})

const placed = ({ readingId, observedAt }: Observed) => `${observedAt} ${readingId}`

test('of two entries that are the same the first is kept: it may say more', () => {
  const one = { readingId: '1', source: 'paid-ads-file', observedAt: '2026-02-01T07:00:00.000Z' }
  assert.deepEqual(
    evidenceList([
      { ...one, fields: ['title'] },
      { ...one, fields: [] },
    ]),
    [{ ...one, fields: ['title'] }],
  )
})

test('the place of a reading is that of its time, else of another, and never that of what was derived from it', () => {
  fc.assert(
    fc.property(fc.array(observed), observed, (list, sought) => {
      const evidence = evidenceList(list)
      const found = evidence[evidenceIndexOf(evidence, sought, sought.observedAt)]
      const same = evidence.filter(
        ({ readingId, source }) => readingId === sought.readingId && source === sought.source,
      )
      const exact = same.find(({ observedAt }) => observedAt === sought.observedAt)
      assert.equal(found, exact ?? same[0])
    }),
  )
})
