import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { factOf, fieldFact, rankFact } from './fact.ts'
import type { Known } from './merge.ts'

interface Fields {
  title: string
  tags: string[]
  count: number
}

const entry = (readingId: string, fields: (keyof Fields)[]) => ({
  readingId,
  key: readingId,
  source: 'paid-ads-file' as const,
  origin: 'imported' as const,
  observedAt: '2026-02-01T08:00:00.000Z',
  timeBasis: 'stated' as const,
  fields,
})
const facts = fc.record(
  { title: fc.option(fc.string()), tags: fc.option(fc.array(fc.string())), count: fc.option(fc.nat()) },
  { requiredKeys: [] },
)
const fields = ['title', 'tags', 'count'] as const

test('a value that is left out is not measured, none is absent, and zero, no and an empty text are values', () => {
  assert.deepEqual(factOf(undefined, 2), { state: 'not-measured', reason: 'not-carried' })
  assert.deepEqual(factOf(undefined, 2, 'hidden-upstream'), {
    state: 'not-measured',
    reason: 'hidden-upstream',
  })
  for (const nothing of [null, []]) assert.deepEqual(factOf(nothing, 2), { state: 'absent', evidence: 2 })
  for (const value of [0, false, '', 'text', [null]])
    assert.deepEqual(factOf(value, 2), { state: 'measured', value, evidence: 2 })
})

test('a field is told in exactly one state, with the reading that gave it, and never without one', () => {
  fc.assert(
    fc.property(facts, fc.subarray([...fields]), (stated, first) => {
      const named = fields.filter((field) => field in stated)
      const known: Known<Fields> = {
        facts: stated,
        evidence: [
          entry(
            '1',
            named.filter((field) => first.includes(field)),
          ),
          entry(
            '2',
            named.filter((field) => !first.includes(field)),
          ),
        ],
      }
      for (const field of fields) {
        const value = stated[field]
        const evidence = first.includes(field) ? 0 : 1
        const fact = fieldFact(known, field)
        if (value === undefined) assert.deepEqual(fact, { state: 'not-measured', reason: 'not-carried' })
        else if (value === null || (Array.isArray(value) && value.length === 0))
          assert.deepEqual(fact, { state: 'absent', evidence })
        else assert.deepEqual(fact, { state: 'measured', value, evidence })
      }
    }),
  )
})

test('a value that is nothing to show is absent, and where nothing is known the reason is told', () => {
  const known: Known<Fields> = {
    facts: { title: 'no address', count: 3 },
    evidence: [entry('1', ['title', 'count'])],
  }
  const address = (text: string) => (URL.canParse(text) ? text : null)
  assert.deepEqual(fieldFact(known, 'title', address), { state: 'absent', evidence: 0 })
  assert.deepEqual(
    fieldFact(known, 'count', (count, { title }) => `${count} of ${title}`),
    { state: 'measured', value: '3 of no address', evidence: 0 },
  )
  const unknown = 'never-collected' as Known<Fields> | 'never-collected'
  assert.deepEqual(fieldFact(unknown, 'count'), { state: 'not-measured', reason: 'never-collected' })
})

test('a place that was looked for in vain is absent down to the depth that was looked at', () => {
  assert.deepEqual(rankFact(3, 200), { state: 'measured', value: 3, depth: 200 })
  for (const none of [null, undefined]) assert.deepEqual(rankFact(none, 200), { state: 'absent', depth: 200 })
})
