import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordExamples } from '../../scripts/examples/recording.ts'
import { fillSample, onTheRecordedDay } from '../../scripts/sample-service.ts'
import { performTutorials } from '../../scripts/tutorials/performing.ts'
import { readTutorial } from '../../scripts/tutorials/tutorial.ts'
import { areas } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'

test('what is recorded of the sample evidence is what a service answers today', {
  timeout: 600_000,
}, async (t) => {
  await onTheRecordedDay(async () => {
    await using parts = new AsyncDisposableStack()
    const sample = await fillSample(parts)
    await t.test('every example of the contract', async () => {
      const recorded = await recordExamples(sample)
      for (const [area, { operations }] of Object.entries(areas))
        for (const [tool, { example }] of Object.entries<Operation>(operations))
          assert.deepEqual(recorded[area]?.[tool], example, `${tool}: npm run record -- examples reference`)
    })
    await t.test('what every command of every tutorial prints', async () => {
      for (const [name, page] of await performTutorials(sample))
        assert.equal(await readTutorial(name), page, `docs/tutorials/${name}.md: npm run record -- tutorials`)
    })
  })
})
