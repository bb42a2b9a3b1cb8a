import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import {
  dueRefreshes,
  estimateRefresh,
  type RefreshInput,
  refreshSubject,
} from '../src/domain/estimates/refresh.ts'
import { askForWork, type Enqueue } from '../src/domain/work/ask-for-work.ts'
import { AttemptLost, newestWork, reportProgress, startWork } from '../src/domain/work/queries.ts'
import { ProcessStopping, type WorkKind, type WorkSuccess } from '../src/domain/work/work.ts'
import { jobKind, queues, workJobKind } from '../src/jobs/job-kind.ts'
import { jobKinds } from '../src/jobs/job-kinds.ts'
import { collectAppsJob } from '../src/jobs/kinds/collect-apps.ts'
import { collectPageJob } from '../src/jobs/kinds/collect-page.ts'
import { collectPagesJob } from '../src/jobs/kinds/collect-pages.ts'
import { estimateRefreshJob } from '../src/jobs/kinds/estimate-refresh.ts'
import { addAppJob } from '../src/jobs/kinds/intake.ts'
import { openQueue } from '../src/jobs/open-queue.ts'
import { enqueueOn, type JobQueue, type QueuedKind } from '../src/jobs/queue.ts'
import { maxAttempts, workTask } from '../src/jobs/work-tasks.ts'
import { reclaimLostJobs, startWorker } from '../src/jobs/worker.ts'
import { rows } from '../src/storage/database.ts'
import { jobPartsOf, jobsOf, lookAtSchedule } from './support/collecting.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { db } = world.store

const kind: WorkKind<Record<string, never>> = {
  name: 'emerging-discovery',
  input: z.strictObject({}),
  unit: 'pages',
}
const unqueued: Enqueue = async () => {}
const ask = (subject: string) => askForWork(db, unqueued, { kind, subject, input: {} })
const patient = new AbortController().signal
const done: WorkSuccess = { status: 'succeeded', result: { by: 'the other worker' } }

test('work that another worker ended is not put back by one that was thought dead and fails late', async () => {
  const { workId } = await ask('late failure')
  const late = workTask(db, kind, async () => {
    await workTask(db, kind, async () => done)({ workId }, patient)
    throw new Error('too late')
  })
  await assert.rejects(late({ workId }, patient), /too late/)
  const work = await newestWork(db, kind.name, 'late failure')
  assert.equal(work?.status, 'succeeded')
  assert.equal(work?.lastErrorMessage, null)
})

test('of two workers that performed the same work, the one it was given to last tells how it ended', async () => {
  const { workId } = await ask('twice')
  const late = workTask(db, kind, async () => {
    await workTask(db, kind, async () => done)({ workId }, patient)
    return { status: 'partial', result: { by: 'the late one' } }
  })
  await late({ workId }, patient)
  const work = await newestWork(db, kind.name, 'twice')
  assert.deepEqual([work?.status, work?.result], ['succeeded', done.result])
})

test('a worker whose work was given to another can tell nothing of it any longer', async () => {
  const { workId } = await ask('lost')
  const late = workTask(db, kind, async (_work, report) => {
    await startWork(db, workId)
    await report({ done: 5, total: 9 })
    return done
  })
  await assert.rejects(late({ workId }, patient), AttemptLost)
  const work = await newestWork(db, kind.name, 'lost')
  assert.deepEqual([work?.status, work?.attempts, work?.done], ['running', 2, null])
})

test('an attempt that is stopped with its process does not count', async () => {
  const { workId } = await ask('stopped')
  const stopping = new AbortController()
  const stopped = workTask(db, kind, async (_work, _report, signal) => {
    stopping.abort(new ProcessStopping())
    throw signal.reason
  })
  await assert.rejects(stopped({ workId }, stopping.signal), ProcessStopping)
  const work = await newestWork(db, kind.name, 'stopped')
  assert.deepEqual([work?.status, work?.attempts, work?.lastErrorCode], ['queued', 0, null])
})

/** Attempts that end with their process, each after it has told how far it is. */
async function killedAttempts(workId: string, times: number, done: (time: number) => number): Promise<void> {
  for (let time = 1; time <= times; time++) {
    const attempt = await startWork(db, workId)
    assert.ok(attempt)
    await reportProgress(db, attempt, { done: done(time), total: null, unit: 'pages' })
  }
}

test('work that ends its process at the same place time and again fails, and says so', async () => {
  const { workId } = await ask('deadly')
  await killedAttempts(workId, maxAttempts, () => 3)
  assert.equal((await newestWork(db, kind.name, 'deadly'))?.status, 'running')
  await workTask(db, kind, () => assert.fail('is not begun again'))({ workId }, patient)
  const work = await newestWork(db, kind.name, 'deadly')
  assert.deepEqual([work?.status, work?.lastErrorCode], ['failed', 'interrupted'])
  assert.match(work?.lastErrorMessage ?? '', /10 times in a row the process .* ended in the middle/)
})

test('work whose process is killed more often than that, but which gets further each time, is finished', async () => {
  const { workId } = await ask('hardy')
  await killedAttempts(workId, maxAttempts * 2, (time) => time)
  await workTask(db, kind, async () => done)({ workId }, patient)
  assert.equal((await newestWork(db, kind.name, 'hardy'))?.status, 'succeeded')
})

describe('A job whose process is gone', () => {
  const names = jobKinds.map(({ name }) => name)
  const eightSecondsPass = () =>
    sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '8 seconds'`.execute(db)
  const takeOne = async (queue: JobQueue, name: string) => (await queue.boss.fetch(name))[0]

  test('is waited for eight seconds, and then goes on at once, also where the queue itself would end it', async () => {
    await using queue = await openQueue(world.store, false, (error) => assert.fail(error))
    const data = { country: 'us' }
    await queue.add(db, collectAppsJob, [{ key: 'us', data }])
    const lost = await takeOne(queue, 'collect-apps')
    assert.deepEqual(await reclaimLostJobs(db, names, true), [])
    await eightSecondsPass()
    assert.deepEqual(await reclaimLostJobs(db, names, false), [], 'not while nobody watches')
    assert.deepEqual(await reclaimLostJobs(db, names, true), [{ name: 'collect-apps', goesOn: true }])
    const taken = await takeOne(queue, 'collect-apps')
    assert.deepEqual([taken?.id, taken?.data], [lost?.id, data])
    assert.ok(lost && taken)
    const state = async () => (await queue.boss.findJobs('collect-apps', { id: taken.id }))[0]?.state
    await queue.boss.complete('collect-apps', [lost])
    assert.equal(await state(), 'active', 'whoever was thought dead cannot end it')
    await queue.boss.complete('collect-apps', [taken])
    assert.equal(await state(), 'completed')
  })

  test('has ended when it has cost ten processes', async () => {
    await using queue = await openQueue(world.store, false, (error) => assert.fail(error))
    await queue.add(db, collectPagesJob, [{ key: 'us', data: { country: 'us' } }])
    const ends: boolean[] = []
    while (await takeOne(queue, 'collect-pages')) {
      await eightSecondsPass()
      for (const { goesOn } of await reclaimLostJobs(db, names, true)) ends.push(goesOn)
    }
    assert.deepEqual(ends, [...Array(9).fill(true), false])
    assert.equal(await queue.add(db, collectPagesJob, [{ key: 'us', data: { country: 'us' } }]), 1)
  })
})

test('queues that are there keep to what this version wants of them', async () => {
  await sql`update pgboss.queue set heartbeat_seconds = 30, retry_limit = 2 where name = 'intake'`.execute(db)
  await using queue = await openQueue(world.store, false, (error) => assert.fail(error))
  const intake = await queue.boss.getQueue('intake')
  const { retryLimit, heartbeatSeconds } = addAppJob.queue
  assert.deepEqual([intake?.retryLimit, intake?.heartbeatSeconds], [retryLimit, heartbeatSeconds])
})

test('a late failure does not stand in the way of the same work asked for anew', async () => {
  const { workId } = await ask('anew')
  const late = workTask(db, kind, async () => {
    await workTask(db, kind, async () => done)({ workId }, patient)
    await ask('anew')
    throw new Error('too late')
  })
  await assert.rejects(late({ workId }, patient), /too late/)
  assert.equal((await newestWork(db, kind.name, 'anew'))?.status, 'queued')
})

test('work whose jobs are missing gets new ones, a kind at a time and each once', async () => {
  await using queue = await openQueue(world.store, false, (error) => assert.fail(error))
  const works = [await ask('no job'), await ask('no job either')]
  const twoMinutesOn = new Date(Date.now() + 120_000)
  await lookAtSchedule({ ...world, queue }, twoMinutesOn)
  await lookAtSchedule({ ...world, queue }, twoMinutesOn)
  const jobs = await queue.boss.fetch<{ workId: string }>(kind.name, { batchSize: 100 })
  const workIds = jobs.map(({ data }) => data.workId)
  for (const { workId } of works) assert.equal(workIds.filter((id) => id === workId).length, 1)
})

test('estimates that are being refreshed do not stand in the way of others that are due', async () => {
  const ask = (app: RefreshInput) =>
    askForWork(db, unqueued, { kind: estimateRefresh, subject: refreshSubject(app), input: { ...app } })
  const [busy, idle] = [
    { storeId: '1', country: 'us' },
    { storeId: '2', country: 'us' },
  ]
  await ask(busy)
  const { workId } = await ask(idle)
  await workTask(db, estimateRefresh, async () => done)({ workId }, patient)
  const aMinuteOn = new Date(Date.now() + 60_000)
  assert.deepEqual(await dueRefreshes(db, aMinuteOn, 100), [idle])
})

describe('A job whose input this version does not read', () => {
  const jobEnded = (name: string) =>
    until(
      async () => (await jobsOf(world, name)).map(({ state }) => state),
      (states) => states.every((state) => ['completed', 'failed'].includes(state)),
    )

  test('ends as failed at its first attempt, by the name of its kind and of what is wrong', async () => {
    const { workId } = await askForWork(db, unqueued, {
      kind: estimateRefresh,
      subject: 'unreadable',
      input: { storeId: '1', country: 'us' },
    })
    await sql`update work set input = '{"storeId": 1}' where work_id = ${workId}`.execute(db)
    await estimateRefreshJob.performer(jobPartsOf(world))({ workId }, patient)
    const work = await newestWork(db, estimateRefresh.name, 'unreadable')
    assert.deepEqual([work?.status, work?.attempts, work?.lastErrorCode], ['failed', 1, 'unreadable-input'])
    assert.match(work?.lastErrorMessage ?? '', /^The input of estimate-refresh is not what .*: storeId: /)
  })

  test('is not tried again by a queue that is patient with others', async () => {
    const failures: string[] = []
    const failure = (task: string, error: unknown) => failures.push(`${task}: ${(error as Error).message}`)
    const data = { storeId: 7, country: 'us' }
    await world.queue.boss.send(collectPageJob.name, data, { singletonKey: 'unreadable' })
    await using _worker = await startWorker(jobPartsOf(world), 0.5, { failure, lost: () => {} })
    assert.deepEqual(await jobEnded(collectPageJob.name), ['failed'])
    const [one] = failures.filter((line) => line.startsWith(collectPageJob.name))
    assert.match(one ?? '', /^collect-page: The input of collect-page is not what .*: storeId: /)
  })

  test('is not taken by the queue in the first place', async () => {
    const queued: QueuedKind<unknown> = { ...collectPageJob, input: collectPageJob.input }
    const adding = world.queue.add(db, queued, [{ key: 'no page', data: { storeId: '7' } }])
    await assert.rejects(adding, /The input of collect-page is not what .*: country: /)
    const asking = askForWork<unknown>(db, unqueued, { kind: estimateRefresh, subject: 'no app', input: {} })
    await assert.rejects(asking, /The input of estimate-refresh is not what .*: storeId: /)
  })
})

test('every kind of job stands in the table by the name of its file, and one that leaves something out does not compile', () => {
  const files = readdirSync(new URL('../src/jobs/kinds', import.meta.url))
  assert.deepEqual(jobKinds.map(({ name }) => `${name}.ts`).sort(), files.sort())
  const whole = {
    name: 'sweep',
    does: 'sweeps the floor',
    input: z.strictObject({ room: z.string() }),
    queue: queues.scheduled,
    atATime: 1,
    addDue: null,
    perform: () => async () => undefined,
  }
  assert.equal(jobKind(whole).unit, null)
  const { input: _input, ...inputless } = whole
  // @ts-expect-error what it takes is not said
  assert.ok(jobKind(inputless))
  const { perform: _perform, ...idle } = whole
  // @ts-expect-error nothing performs it
  assert.ok(jobKind(idle))
  const { queue: _queue, ...impatient } = whole
  // @ts-expect-error how often it is tried again is not said
  assert.ok(jobKind(impatient))
  const { addDue: _addDue, ...undue } = whole
  // @ts-expect-error whether the schedule adds it is not said
  assert.ok(jobKind(undue))
  const { unit: _unit, ...unitless } = estimateRefresh
  // @ts-expect-error what its progress counts is not said
  assert.ok(workJobKind({ ...impatient, queue: queues.work, work: unitless, perform: () => async () => done }))
  const misled = {
    ...whole,
    perform:
      () =>
      async ({ size }: { size: number }) =>
        assert.fail(`${size}`),
  }
  // @ts-expect-error a room has no size
  assert.ok(jobKind(misled))
})

test('a worker takes the next job when one has ended, and a new one when it is told, however rarely it polls', async () => {
  await using queue = await openQueue(world.store, true, (error) => assert.fail(error))
  const ask = async (storeId: string) => {
    const input = { storeId, country: 'us' as const }
    const asked = { kind: estimateRefresh, subject: refreshSubject(input), input }
    return (await askForWork(db, enqueueOn(queue), asked)).workId
  }
  const attempts = (workIds: string[]) =>
    rows(
      db,
      sql<{ ended: boolean; attempts: number }>`
        select finished_at is not null as ended, attempts from work where work_id = any(${workIds}::uuid[])`,
    )
  const allEnd = async (workIds: string[]) => {
    const seen = await until(
      () => attempts(workIds),
      (works) => works.every(({ ended }) => ended),
    )
    assert.deepEqual(new Set(seen.map(({ attempts }) => attempts)), new Set([1]))
  }
  const waiting = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(String(8_000_000 + index))))
  await using _worker = await startWorker({ ...jobPartsOf(world), queue }, 600)
  await allEnd(waiting)
  await allEnd([await ask('8000040')])
})
