import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openWorld } from '../../tests/support/world.ts'
import { type Errand, runErrands } from './collection.ts'

const quiet = { out() {}, note() {}, progress() {} }

test('an errand that breaks stops the others before the command ends', async () => {
  await using world = await openWorld()
  const { collecting } = world
  const told: string[] = []
  const errands = Array.from({ length: 100 }, (_, index): Errand => {
    return {
      name: `errand ${index}`,
      upstream: 'itunes',
      async run(signal) {
        if (index === 3) throw new Error('the disk is full')
        await setTimeout(20, undefined, { signal }).finally(() => told.push(`${index} ended`))
        return { outcome: 'stored', message: null }
      },
    }
  })
  const bench = { terminal: quiet, collecting, signal: new AbortController().signal }
  await assert.rejects(runErrands(bench, errands, true), /the disk is full/)
  const ended = told.length
  assert.ok(ended < 10, `${ended} errands were run`)
  await setTimeout(60)
  assert.equal(told.length, ended)
})
