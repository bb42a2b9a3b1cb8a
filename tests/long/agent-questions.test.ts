import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Asked, askReal, askSample } from '../../bench/agent/asked.ts'
import recorded from '../../bench/agent/recorded.json' with { type: 'json' }

/** Cursors, ids and tokens that differ from run to run have the same length; times can lose a zero or two. */
const roundingBytes = 100

function holds(asked: readonly Asked[]): void {
  for (const { name, right, answer, truth, ...cost } of asked) {
    assert.ok(right, `${name}: ${JSON.stringify(answer)}, but ${JSON.stringify(truth)} is right`)
    const was = (recorded as Record<string, { calls: number; bytes: number; refusals: number }>)[name]
    assert.ok(was, `${name} is not recorded: bin/node bench/agent.ts --record`)
    assert.ok(cost.calls <= was.calls, `${name} takes ${cost.calls} calls, ${was.calls} before`)
    assert.ok(
      cost.refusals <= was.refusals,
      `${name} is refused ${cost.refusals} times, ${was.refusals} before`,
    )
    assert.ok(cost.bytes <= was.bytes + roundingBytes, `${name} takes ${cost.bytes} bytes, ${was.bytes} before`)
  }
}

describe('An agent that knows only what tools and replies say', { timeout: 300_000 }, () => {
  test('answers 24 questions about the sample right, none dearer than recorded', async () => {
    const asked = await askSample()
    assert.equal(asked.length, 24)
    holds(asked)
  })

  test('answers questions about the real files right, none dearer than recorded', async (t) => {
    const asked = await askReal()
    if (!asked) t.skip('the real material is not beside the project (../shared/data)')
    else holds(asked)
  })
})
