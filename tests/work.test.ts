import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dueRefreshes } from '../src/domain/estimates/due-refreshes.ts'
import { type RefreshInput, refreshKind, refreshSubject } from '../src/domain/estimates/refresh.ts'
import type { EndedWell } from '../src/domain/work/perform.ts'
import { newestWork } from '../src/domain/work/queries.ts'
import { askForWork, type Enqueue } from '../src/domain/work/work.ts'
import { openQueue } from '../src/jobs/queue.ts'
import { runSchedule } from '../src/jobs/run-schedule.ts'
import { Schedule } from '../src/jobs/schedule.ts'
import { workTask } from '../src/jobs/work-tasks.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { db } = world.store

const kind = 'emerging-discovery'
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

test('work whose jobs are missing gets new ones, a kind at a time and each once', async () => {
  await using queue = await openQueue(world.store, false, (error) => assert.fail(error))
  const works = [await ask('no job'), await ask('no job either')]
  const twoMinutesOn = new Date(Date.now() + 120_000)
  await runSchedule(db, queue, Schedule.parse({}), twoMinutesOn)
  await runSchedule(db, queue, Schedule.parse({}), twoMinutesOn)
  const jobs = await queue.boss.fetch<{ workId: string }>(kind, { batchSize: 100 })
  const workIds = jobs.map(({ data }) => data.workId)
  for (const { workId } of works) assert.equal(workIds.filter((id) => id === workId).length, 1)
})

test('estimates that are being refreshed do not stand in the way of others that are due', async () => {
  const ask = (app: RefreshInput) =>
    askForWork(db, unqueued, { kind: refreshKind, subject: refreshSubject(app), input: { ...app } })
  const [busy, idle] = [
    { storeId: '1', country: 'us' },
    { storeId: '2', country: 'us' },
  ]
  await ask(busy)
  const { workId } = await ask(idle)
  await workTask(db, async () => done)({ workId }, patient)
  const aMinuteOn = new Date(Date.now() + 60_000)
  assert.deepEqual(await dueRefreshes(db, aMinuteOn, 100), [idle])
})
