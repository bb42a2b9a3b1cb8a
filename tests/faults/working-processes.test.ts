import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'

import { appRefresh, askForAppRefresh } from '../../src/domain/aso/tracking/refresh.ts'
import { StoredRateLimiter } from '../../src/domain/collecting/rate-limiter.ts'

import { newestWork } from '../../src/domain/work/queries.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { enqueueOn } from '../../src/jobs/queue.ts'
import { rows } from '../../src/storage/database.ts'
import type { Store } from '../../src/storage/store.ts'
import { type PlayedApple, playedSources, startApple } from '../support/apple.ts'
import { assertPagesAgree } from '../support/aso-invariants.ts'
import { asked } from '../support/collecting.ts'
import { type Running, start } from '../support/command-line.ts'
import { cuttableWayTo } from '../support/cuttable-way.ts'
import { type Installation, openInstallation } from '../support/installation.ts'
import { pause } from '../support/pause.ts'
import { storeTracked } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { startWork } from '../support/worker.ts'

const storeId = '8000000001'
const searches = (apple: PlayedApple) => asked(apple, '/search')

/** The refresh of an app whose keywords are searched at five a second. */
async function openRefresh(keywords: number) {
  await using parts = new AsyncDisposableStack()
  const installation = parts.use(await openInstallation())
  const apple = parts.use(await startApple())
  const config = installation.configure({ sources: playedSources(apple, { callsPerMinute: 300 }) })
  let appId: string
  {
    await using store = await installation.open()
    await using queue = await openQueue(store, false, (error) => assert.fail(error))
    const terms = Array.from({ length: keywords }, (_, at) => `chat ${at}`)
    appId = await storeTracked({ store }, { storeId, keywords: terms })
    await askForAppRefresh(store.db, enqueueOn(queue), appId, new Date())
  }
  const opened = parts.move()
  return {
    installation,
    apple,
    config,
    startWorker: (through: Installation = installation) => startWork(through, config),
    refresh: (store: Store) => newestWork(store.db, appRefresh.name, appId),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Waits until more was searched for than now. Lost work that nobody looks for waits for two hours. */
async function searchedAgain(apple: PlayedApple, more = 1): Promise<void> {
  const before = searches(apple).length
  await until(
    async () => searches(apple).length,
    (count) => count >= before + more,
  )
}

/**
 * Has nobody search while something is done, so that a refresh is in its middle however long that takes. Few seconds at a time:
 * whoever waits for the end of a hold does not look whether it was shortened.
 */
async function whileHeld({ db }: Store, perform: () => Promise<unknown>): Promise<void> {
  const limiter = new StoredRateLimiter(db)
  const hold = () => limiter.hold('itunes', 3_000)
  await hold()
  let isDone = false
  const performed = perform().finally(() => {
    isDone = true
  })
  while (!isDone) {
    await hold()
    await pause(500, 'the hold is renewed before it ends')
  }
  await performed
}

test('serve works on jobs by itself, unless it is told to leave them to others', async () => {
  await using opened = await openRefresh(3)
  const { apple, installation, config } = opened
  const serving = ['serve', ...installation.location, '--config', config, '--port', '0']
  {
    await using taking = start([...serving, '--work', 'off'])
    await taking.says(/^ready /m)
    await pause(3_000, 'a worker looks for jobs every second')
    assert.equal(searches(apple).length, 0)
  }
  await using _working = start(serving)
  await searchedAgain(apple, 3)
})

describe('A process that is killed while it works', { timeout: 600_000, concurrency: true }, () => {
  test('has its work taken up by another, time and again', async () => {
    await using opened = await openRefresh(120)
    const { apple, installation, startWorker } = opened
    await using store = await installation.open()
    let working = startWorker()
    await searchedAgain(apple, 5)
    for (let kill = 1; kill <= 3; kill++) {
      await using killed = working
      const other = startWorker()
      working = other
      await whileHeld(store, async () => {
        await other.says(/^working$/m)
        killed.child.kill('SIGKILL')
        await killed.ended
      })
      await searchedAgain(apple, 5)
    }
    await using last = working
    const work = await until(
      () => opened.refresh(store),
      (refresh) => refresh?.finishedAt != null,
    )
    assert.deepEqual([work?.status, work?.attempts], ['succeeded', 4])
    assert.ok((await assertPagesAgree(store.db)) >= 120)
    assert.ok(searches(apple).length <= 123, 'only what was on its way is asked for twice')
    assert.match(last.said.err, /aso-refresh.*taken up again/)
  })

  test('goes on with it after its next start', async () => {
    await using opened = await openRefresh(30)
    const { apple, startWorker } = opened
    {
      await using killed = startWorker()
      await searchedAgain(apple, 5)
      killed.child.kill('SIGKILL')
      await killed.ended
    }
    await using _next = startWorker()
    await searchedAgain(apple)
  })
})

/** Pauses a process in the middle of a transaction, which holds locks that others wait for. */
async function pauseInTransaction({ db }: Store, { child }: Running): Promise<void> {
  const idle = () =>
    rows(
      db,
      sql<{ pid: number; begun: string }>`
        select pid, xact_start::text as begun from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`,
    )
  await until(
    async () => {
      child.kill('SIGSTOP')
      const before = await idle()
      await pause(100, 'a transaction that goes on ends')
      const still = await idle()
      const held = before.some(({ begun }) => still.some((other) => other.begun === begun))
      if (!held) child.kill('SIGCONT')
      return held
    },
    (held) => held,
  )
}

describe('A process that is paused while it works', { timeout: 600_000 }, () => {
  test('lets go of work that was given to another meanwhile', async () => {
    await using opened = await openRefresh(150)
    const { apple, installation, startWorker } = opened
    await using paused = startWorker()
    await searchedAgain(apple, 5)
    await using store = await installation.open()
    await using other = startWorker()
    await whileHeld(store, () => other.says(/^working$/m))
    await searchedAgain(apple)
    await pauseInTransaction(store, paused)
    await searchedAgain(apple, 10)
    paused.child.kill('SIGCONT')
    const work = await until(
      () => opened.refresh(store),
      (refresh) => refresh?.finishedAt != null,
    )
    assert.deepEqual([work?.status, work?.attempts, work?.done], ['succeeded', 2, 150])
    assert.ok(searches(apple).length <= 153, 'what was on its way may be searched for twice')
    assert.ok((await assertPagesAgree(store.db)) >= 150)
    for (const worker of [paused, other]) {
      assert.equal(worker.child.exitCode, null, worker.said.err)
      worker.child.kill('SIGTERM')
      assert.equal((await worker.ended).code, 0, worker.said.err)
    }
    assert.doesNotMatch(paused.said.err, /an attempt failed/)
  })
})

test('a worker that is stopped for half a minute, wherever it is, goes on with its job, and no other is needed', {
  timeout: 600_000,
}, async () => {
  const keywords = 10
  await Promise.all(
    [0, 1, 3, 6, 9].map(async (searched) => {
      await using opened = await openRefresh(keywords)
      const { apple, installation, startWorker } = opened
      await using worker = startWorker()
      if (searched > 0) await searchedAgain(apple, searched)
      worker.child.kill('SIGSTOP')
      await pause(30_000, 'longer than a session may usually wait inside a transaction')
      worker.child.kill('SIGCONT')
      await using store = await installation.open()
      const work = await until(
        () => opened.refresh(store),
        (refresh) => refresh?.finishedAt != null,
      )
      const after = `stopped after ${searched} searches: ${worker.said.err}`
      assert.equal(work?.status, 'succeeded', after)
      assert.equal(await assertPagesAgree(store.db), keywords, after)
      assert.ok(searches(apple).length <= keywords + 1, 'only what was on its way may be searched for twice')
      worker.child.kill('SIGTERM')
      assert.equal((await worker.ended).code, 0, after)
    }),
  )
})

describe('A database that goes away for a few seconds', { timeout: 600_000, concurrency: true }, () => {
  test('is told of in one line when it goes and in one when it is back, and work goes on', async () => {
    await using opened = await openRefresh(60)
    const { apple, installation, startWorker } = opened
    await using way = await cuttableWayTo(installation.databaseUrl)
    await using worker = startWorker({ ...installation, location: ['--database-url', way.url] })
    await searchedAgain(apple, 5)
    way.cut()
    await worker.says(/database is away/)
    await pause(5_000, 'the database is away')
    await way.mend()
    await using store = await installation.open()
    const work = await until(
      () => opened.refresh(store),
      (refresh) => refresh?.finishedAt != null,
    )
    assert.equal(work?.status, 'succeeded')
    assert.equal(await assertPagesAgree(store.db), 60)
    const lines = worker.said.err.trim().split('\n')
    assert.match(lines[0] ?? '', /database is away/)
    assert.match(lines[1] ?? '', /database is back/)
    assert.ok(lines.length <= 3, worker.said.err)
    if (lines[2]) assert.match(lines[2], /taken up again/)
  })

  test('ends no process that has nothing to do', async () => {
    await using installation = await openInstallation()
    await using way = await cuttableWayTo(installation.databaseUrl)
    const location = ['--database-url', way.url]
    await using idle = start(['work', ...location, '--log-level', 'warn'])
    await idle.says(/^working$/m)
    way.cut()
    await idle.says(/database is away/)
    await pause(3_000, 'the database is away')
    await way.mend()
    await idle.says(/database is back/)
    assert.equal(idle.child.exitCode, null)
    assert.equal(idle.said.err.trim().split('\n').length, 2, idle.said.err)
  })
})
