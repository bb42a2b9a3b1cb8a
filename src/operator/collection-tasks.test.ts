import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openWorld } from '../../tests/support/world.ts'
import { type CollectionTask, runCollectionTasks } from './collection-tasks.ts'

const quiet = { out() {}, note() {}, progress() {} }

test('an errand that breaks stops the others before the command ends', async () => {
  await using world = await openWorld()
  const { sources } = world.collecting
  const endings: string[] = []
  const tasks = Array.from({ length: 100 }, (_, index): CollectionTask => {
    return {
      name: `errand ${index}`,
      upstream: 'itunes',
      async run(signal) {
        if (index === 3) throw new Error('the disk is full')
        await setTimeout(20, undefined, { signal }).finally(() => endings.push(`${index} ended`))
        return { outcome: 'stored', message: null }
      },
    }
  })
  const context = { terminal: quiet, signal: new AbortController().signal }
  await assert.rejects(runCollectionTasks(context, sources, tasks, true), /the disk is full/)
  const ended = endings.length
  assert.ok(ended < 10, `${ended} errands were run`)
  await setTimeout(60)
  assert.equal(endings.length, ended)
})
