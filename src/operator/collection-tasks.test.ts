import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openWorld } from '../../tests/support/world.ts'
import { type CollectionTask, runCollectionTasks } from './collection-tasks.ts'

const quiet = { out() {}, note() {}, progress() {} }

test('an errand that breaks stops the others before the command ends', async () => {
  await using world = await openWorld()
  const { sources } = world.collecting
  const begun: number[] = []
  const ended: number[] = []
  const tasks = Array.from({ length: 100 }, (_, index): CollectionTask => {
    return {
      name: `errand ${index}`,
      upstream: 'itunes',
      async run(signal) {
        if (index === 3) throw new Error('the disk is full')
        begun.push(index)
        await once(signal, 'abort')
        // What is stopped takes a moment to end.
        await new Promise((resolve) => setImmediate(resolve))
        ended.push(index)
        throw signal.reason
      },
    }
  })
  const context = { terminal: quiet, signal: new AbortController().signal }
  await assert.rejects(runCollectionTasks(context, sources, tasks, true), /the disk is full/)
  assert.ok(begun.length < 10, `${begun.length} errands were run`)
  assert.deepEqual(ended, begun)
})
