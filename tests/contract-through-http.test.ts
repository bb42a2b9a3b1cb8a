import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contract, type Tool } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import {
  bodyProblems,
  commonProblems,
  idempotencyProblems,
  type ProblemCode,
  problems,
} from '../src/contract/problems.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** Statuses of the endings that go well. */
const wellEnded: Record<Operation['ending'], number[]> = {
  read: [200],
  record: [200, 201],
  accept: [200, 202],
  remove: [204],
}

/** An example asks upstream only where that can be forbidden. */
function inputOf(row: Operation): Record<string, unknown> {
  const { params, query, body } = row.example
  return { ...params, ...query, ...body, ...(row.body && 'live' in row.body.shape ? { live: false } : {}) }
}

test('the contract has 45 operations', () => {
  assert.equal(Object.keys(contract).length, 45)
})

for (const [tool, row] of Object.entries(contract) as [Tool, Operation][]) {
  test(`${row.method} ${row.path} performs ${tool}, or says what is missing`, async () => {
    const reply = await world.call(tool, inputOf(row))
    if (reply.status < 400) {
      assert.ok(wellEnded[row.ending].includes(reply.status), `${reply.status} is no end of ${row.ending}`)
      return
    }
    const allowed: ProblemCode[] = [...row.problems, ...commonProblems]
    if (row.method === 'POST') allowed.push(...idempotencyProblems)
    if (row.body) allowed.push(...bodyProblems)
    assert.ok(allowed.includes(reply.body.code), `${reply.body.code} is not in its row`)
    assert.equal(reply.status, problems[reply.body.code as ProblemCode].status)
    // The example is valid, the key holds: whatever is missing is missing in an empty store.
    for (const code of ['invalid-request', 'unauthenticated', 'scope-missing', 'internal'])
      assert.notEqual(reply.body.code, code, reply.body.detail)
  })
}

test('every operation refuses a caller without a key, and one without its scope', async () => {
  const other = { 'context:read': 'content:write', 'content:write': 'context:read' } as const
  const keys = {
    'context:read': await world.key(['context:read']),
    'content:write': await world.key(['content:write']),
  }
  for (const [tool, row] of Object.entries(contract) as [Tool, Operation][]) {
    const stranger = await world.call(tool, inputOf(row), { key: 'nobody' })
    assert.deepEqual([stranger.status, stranger.body.code], [401, 'unauthenticated'], tool)
    const poorer = await world.call(tool, inputOf(row), { key: keys[other[row.scope]] })
    assert.deepEqual([poorer.status, poorer.body.scope], [403, row.scope], tool)
  }
})

test('every operation is reached by its own address, not by a broader one beside it', async () => {
  for (const [tool, row] of Object.entries(contract) as [Tool, Operation][]) {
    const counted = async () => {
      const { body } = await world.request({ method: 'GET', url: '/metrics' })
      const lines = String(body).matchAll(
        /^rivalscope_request_duration_seconds_count\{tool="(\w+)",.*\} (\d+)$/gm,
      )
      return [...lines].reduce((sum, [, name, count]) => (name === tool ? sum + Number(count) : sum), 0)
    }
    const before = await counted()
    await world.call(tool, inputOf(row), { key: 'nobody' })
    assert.equal(await counted(), before + 1, tool)
  }
})
