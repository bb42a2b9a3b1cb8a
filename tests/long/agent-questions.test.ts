import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askReal, askSample, faultsIn } from '../../bench/agent/asked.ts'

describe('An agent that knows only what tools and replies say', { timeout: 900_000 }, () => {
  test('answers 25 questions about the sample right, none dearer than its goal or than recorded', async () => {
    const asked = await askSample()
    assert.equal(asked.length, 25)
    assert.deepEqual(faultsIn(asked), [])
  })

  test('answers questions about the real files right, none dearer than its goal or than recorded', async (t) => {
    const asked = await askReal()
    if (!asked) t.skip('the real material is not beside the project (../shared/data)')
    else assert.deepEqual(faultsIn(asked), [])
  })
})
