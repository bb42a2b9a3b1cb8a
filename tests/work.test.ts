import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { EndedWell } from '../src/domain/work/perform.ts'
import { newestWork } from '../src/domain/work/queries.ts'
import { askForWork, type Enqueue } from '../src/domain/work/work.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { db } = world.store

const kind = 'estimate-refresh'
const unqueued: Enqueue = async () => {}
const ask = (subject: string) => askForWork(db, unqueued, { kind, subject, input: {} })
const patient = new AbortController().signal
const done: EndedWell = { status: 'succeeded', result: { by: 'the other worker' } }

test('work that another worker ended is not put back by one that was thought dead and fails late', async () => {
  const { workId } = await ask('late failure')
  const late = workTask(db, async () => {
    await workTask(db, async () => done)({ workId }, patient)
    throw new Error('too late')
  })
  await assert.rejects(late({ workId }, patient), /too late/)
  const work = await newestWork(db, kind, 'late failure')
  assert.equal(work?.status, 'succeeded')
  assert.equal(work?.lastErrorMessage, null)
})

test('of two workers that performed the same work, the first one tells how it ended', async () => {
  const { workId } = await ask('twice')
  const late = workTask(db, async () => {
    await workTask(db, async () => done)({ workId }, patient)
    return { status: 'partial', result: { by: 'the late one' } }
  })
  await late({ workId }, patient)
  const work = await newestWork(db, kind, 'twice')
  assert.deepEqual([work?.status, work?.result], ['succeeded', done.result])
})

test('a late failure does not stand in the way of the same work asked for anew', async () => {
  const { workId } = await ask('anew')
  const late = workTask(db, async () => {
    await workTask(db, async () => done)({ workId }, patient)
    await ask('anew')
    throw new Error('too late')
  })
  await assert.rejects(late({ workId }, patient), /too late/)
  assert.equal((await newestWork(db, kind, 'anew'))?.status, 'queued')
})
