import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { StoredRateLimiter } from '../../src/domain/collecting/rate-limiter.ts'
import { adImport } from '../../src/domain/paid-ads/imports/import-run.ts'
import { runState } from '../../src/domain/paid-ads/imports/run-queries.ts'
import { startRun } from '../../src/domain/paid-ads/imports/start-run.ts'
import { workById } from '../../src/domain/work/queries.ts'
import { performAdImport } from '../../src/jobs/kinds/ad-import.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { enqueueOn } from '../../src/jobs/queue.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { Sources } from '../../src/sources/settings.ts'
import { rows } from '../../src/storage/database.ts'
import type { Store } from '../../src/storage/store.ts'
import { adLibraries } from '../../src/suppliers/ad-libraries.ts'
import { playedAds, playedLibrarySources, startAdLibraries } from '../support/ad-libraries.ts'
import { patient } from '../support/collecting.ts'
import { openInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'
import { startWork } from '../support/worker.ts'

test('a worker that is killed in the middle of a run loses and doubles nothing', {
  timeout: 600_000,
}, async () => {
  await using installation = await openInstallation()
  await using played = await startAdLibraries(playedAds(60))
  played.mostAtOnce = 15
  const sources = playedLibrarySources(played)
  const config = installation.configure({ sources })
  let runId: string
  {
    await using store = await installation.open()
    await using queue = await openQueue(store, false, (error) => assert.fail(error))
    const query = { terms: ['tides'], limit: 500 }
    const asked = { platform: 'meta' as const, query, records: null }
    const account = await ensureAccount(store.db, uuidv7(), 'test')
    runId = await startRun(store.db, enqueueOn(queue), { accountId: account, door: 'http' }, asked)
  }
  const laterPages = () => played.requests.filter(({ path }) => path.includes('after=')).length
  {
    // The third page is on its way when the worker dies.
    played.behave(({ path }) => path.includes('after=') && laterPages() >= 2, { does: 'hang' })
    await using worker = startWork(installation, config, { RIVALSCOPE_META_TOKEN: played.tokens.meta[0] })
    await until(
      async () => laterPages(),
      (asked) => asked >= 2,
    )
    worker.child.kill('SIGKILL')
  }
  played.recover()
  await using store = await installation.open()
  assert.deepEqual(await stored(store), Array(30).fill(1))
  const broken = await runState(store.db, runId)
  assert.deepEqual([broken?.read, broken?.stored, broken?.pages], [30, 30, 2])
  const libraries = adLibraries(Sources.parse(sources), played.tokens, new StoredRateLimiter(store.db))
  await workTask(store.db, adImport, performAdImport(store.db, libraries))({ workId: runId }, patient)
  assert.deepEqual(await stored(store), Array(60).fill(1))
  const whole = await runState(store.db, runId)
  assert.deepEqual([whole?.read, whole?.stored, whole?.unchanged], [60, 60, 0])
  const work = await workById(store.db, runId)
  assert.deepEqual([work?.status, work?.attempts], ['succeeded', 2])
})

/** How often each stored ad was observed. */
async function stored({ db }: Store): Promise<number[]> {
  const found = await rows(
    db,
    sql<{ observations: number }>`
      select count(o)::int as observations from ads left join ad_observations o using (ad_number) group by ad_number`,
  )
  return found.map(({ observations }) => observations)
}
