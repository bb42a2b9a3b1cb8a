import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { replyPathsOf, replyValueAt } from './reply-paths.ts'

test('a path leads through facts, lists and what is not there', () => {
  const item = {
    category: { state: 'measured', value: { name: 'Games' } },
    reasons: [{ kind: 'text' }, { kind: 'developer' }],
    price: { state: 'absent', evidence: 0 },
    kept: null,
  }
  assert.equal(replyValueAt(item, ['category', 'value', 'name']), 'Games')
  assert.deepEqual(replyValueAt(item, ['reasons', 'kind']), ['text', 'developer'])
  assert.deepEqual(replyValueAt(item, ['price', 'value', 'amount']), item.price)
  assert.equal(replyValueAt(item, ['kept', 'status']), undefined)
  assert.equal(replyValueAt(item, ['toString']), undefined)
})

test('what a reply can hold is known by path, through lists, facts and what may be left out', () => {
  const fact = z.union([
    z.object({ state: z.literal('measured'), value: z.object({ name: z.string() }) }),
    z.object({ state: z.literal('absent'), evidence: z.int() }),
  ])
  const paths = replyPathsOf(z.object({ items: z.array(z.object({ category: fact.nullable() })).optional() }))
  assert.deepEqual(paths.at(['items', 'category'])?.names, ['state', 'value', 'evidence'])
  assert.deepEqual(paths.at(['items', 'category', 'value'])?.names, ['name'])
  assert.deepEqual(paths.at(['items', 'category', 'value', 'name'])?.names, [])
  assert.equal(paths.at(['items', 'category', 'colour']), undefined)
  assert.equal(paths.at(['toString']), undefined)
})
