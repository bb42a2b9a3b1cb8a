import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordExamples } from '../../scripts/examples/recording.ts'
import { areas } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'

test('the examples of the contract are what a service with the sample evidence answers', {
  timeout: 400_000,
}, async () => {
  const recorded = await recordExamples()
  for (const [area, { operations }] of Object.entries(areas))
    for (const [tool, { example }] of Object.entries<Operation>(operations))
      assert.deepEqual(recorded[area]?.[tool], example, `${tool}: run node scripts/record-examples.ts`)
})
