import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appRefresh, askForAppRefresh } from '../../src/domain/aso/tracking/refresh.ts'
import { newestWork } from '../../src/domain/work/queries.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { enqueueOn } from '../../src/jobs/queue.ts'
import { playedSources, startApple } from '../support/apple.ts'
import { assertPagesAgree } from '../support/aso-invariants.ts'
import { asked } from '../support/collecting.ts'
import { openInstallation } from '../support/installation.ts'
import { storeTracked } from '../support/tracking.ts'
import { until } from '../support/until.ts'
import { startWork } from '../support/worker.ts'

const lantern = '8000000001'

test('a worker that is killed in the middle of a refresh leaves the rest to the next one, which searches only for what is missing', {
  timeout: 600_000,
}, async () => {
  await using installation = await openInstallation()
  await using apple = await startApple()
  const config = installation.configure({ sources: playedSources(apple, { callsPerMinute: 600 }) })
  const many = Array.from({ length: 24 }, (_, at) => `chat ${at}`)
  let appId: string
  {
    await using store = await installation.open()
    await using queue = await openQueue(store, false, (error) => assert.fail(error))
    appId = await storeTracked({ store }, { storeId: lantern, keywords: many })
    await askForAppRefresh(store.db, enqueueOn(queue), appId, new Date())
  }
  {
    await using worker = startWork(installation, config)
    await until(
      async () => asked(apple, '/search').length,
      (searches) => searches >= 8,
    )
    worker.child.kill('SIGKILL')
  }
  {
    await using store = await installation.open()
    const work = await newestWork(store.db, appRefresh.name, appId)
    assert.ok(work?.status === 'running' && (work.done ?? 0) >= 6 && (work.done ?? 0) < 24)
    assert.ok((await assertPagesAgree(store.db)) >= (work.done ?? 0), 'what counts as done has its page')
  }
  await using next = startWork(installation, config)
  await until(
    async () => new Set(asked(apple, '/search')).size,
    (terms) => terms === 24,
  )
  next.child.kill('SIGTERM')
  assert.equal((await next.ended).code, 0, next.said.err)
  await using store = await installation.open()
  const work = await newestWork(store.db, appRefresh.name, appId)
  assert.ok((work?.done ?? 0) >= 23)
  assert.ok((await assertPagesAgree(store.db)) >= 23)
  assert.ok(asked(apple, '/search').length <= 25, 'the one on its way may be asked for twice')
  assert.equal(asked(apple, '/lookup').length, 1)
})
