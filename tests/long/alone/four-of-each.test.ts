import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKey } from '../../../src/domain/accounts/keys.ts'
import { accountNamed } from '../../../src/domain/accounts/queries.ts'
import { appRefresh, askForAppRefresh } from '../../../src/domain/aso/tracking/refresh.ts'
import { newestWork } from '../../../src/domain/work/queries.ts'
import { openQueue } from '../../../src/jobs/open-queue.ts'
import { enqueueOn } from '../../../src/jobs/queue.ts'
import { openStore } from '../../../src/storage/open-store.ts'
import { playedSources, startApple } from '../../support/apple.ts'
import { assertPagesAgree } from '../../support/aso-invariants.ts'
import { asked } from '../../support/collecting.ts'
import { runProcess, start } from '../../support/command-line.ts'
import { openFolder } from '../../support/files.ts'
import { lacksPooler, poolerTo } from '../../support/pooler.ts'
import { givePosts, postIds } from '../../support/power/given-files.ts'
import { callTo } from '../../support/power/service-client.ts'
import { openStreaming } from '../../support/streaming.ts'
import { storeTracked } from '../../support/tracking.ts'
import { until } from '../../support/until.ts'

const [apps, keywordsEach] = [10, 20]

test('four services and four workers on a pooler and two replicas lose no acknowledged write and double no job when one of each is killed', {
  skip: lacksPooler,
  timeout: 580_000,
}, async () => {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(openFolder())
  const streaming = parts.use(await openStreaming(2))
  const { primary, replicas } = streaming
  const store = parts.use(await openStore({ databaseUrl: primary.url }, 'test'))
  const imported = await runProcess(
    ['import', 'organic', givePosts(folder.path), '--database-url', primary.url],
    {
      cwd: folder.path,
    },
  )
  assert.equal(imported.code, 0, imported.err)
  const key = await createKey(store.db, { name: 'four', scopes: ['context:read', 'content:write'] })
  const apple = parts.use(await startApple())
  const config = folder.write(
    'c.json',
    JSON.stringify({ sources: playedSources(apple, { callsPerMinute: 600 }) }),
  )
  const queue = parts.use(await openQueue(store, false, (error) => assert.fail(error)))
  const pooler = parts.use(await poolerTo(primary.url, 30, 'max_client_conn = 400'))
  const located = ['--database-url', pooler.url, '--data-dir', folder.path, '--config', config]
  const services = Array.from({ length: 4 }, () => {
    const where = replicas.flatMap(({ url }) => ['--replica-url', url])
    const options = ['--port', '0', '--work', 'off', '--rate-limit', '0', '--log-level', 'warn']
    return parts.use(start(['serve', ...located, ...where, ...options]))
  })
  const workers = Array.from({ length: 4 }, () => parts.use(start(['work', ...located, '--log-level', 'warn'])))
  const addresses = await Promise.all(
    services.map(async (one) => (await one.says(/^ready (http\S+)$/m))[1] ?? ''),
  )
  await Promise.all(workers.map((one) => one.says(/^working$/m)))

  /** The last note that was acknowledged for each post, and the one that was on its way when its service was killed. */
  const acknowledged = new Map<string, string>()
  const underWay = new Map<string, string>()
  const strange: unknown[] = []
  let goesOn = true
  const callers = addresses.map(async (address, each) => {
    const call = callTo(address, key)
    for (let round = 0; goesOn; round++) {
      const postId = postIds[15 * each + (round % 15)] ?? ''
      const note = `${each} ${round}`
      underWay.set(postId, note)
      try {
        const { status } = await call('POST', `/v1/organic/${postId}/saved`, { note })
        if (status >= 300) strange.push({ each, status })
        acknowledged.set(postId, note)
        underWay.delete(postId)
        // Another process is asked for what this one acknowledged.
        const other = callTo(addresses[1 + ((each + round) % 3)] ?? '', key)
        const { status: read, body } = await other('GET', `/v1/organic/${postId}`)
        if (read !== 200 || body.saved?.note !== note) strange.push({ each, read, note, saved: body.saved })
      } catch (error) {
        if (services[each]?.child.signalCode !== 'SIGKILL') strange.push({ each, error: String(error) })
        return
      }
    }
  })
  const appIds: string[] = []
  for (let app = 0; app < apps; app++) {
    const keywords = Array.from({ length: keywordsEach }, (_, at) => `app ${app} term ${at}`)
    const appId = await storeTracked({ store }, { storeId: String(8_000_000_001 + app), keywords })
    await askForAppRefresh(store.db, enqueueOn(queue), appId, new Date())
    appIds.push(appId)
  }
  const searches = async () => asked(apple, '/search').length
  const kill = async ({ child, ended }: (typeof services)[number]) => {
    child.kill('SIGKILL')
    await ended
  }
  const after = (count: number) => until(searches, (found) => found >= count)
  await after(20)
  await replicas[0]?.kill()
  await after(50)
  if (workers[0]) await kill(workers[0])
  await after(80)
  if (services[0]) await kill(services[0])
  const works = await until(
    () => Promise.all(appIds.map((appId) => newestWork(store.db, appRefresh.name, appId))),
    (all) => all.every((work) => work?.finishedAt != null),
  )
  goesOn = false
  await Promise.all(callers)
  assert.deepEqual(strange, [])
  assert.deepEqual([...new Set(works.map((work) => work?.status))], ['succeeded'])
  assert.equal(await assertPagesAgree(store.db), apps * keywordsEach)
  const terms = asked(apple, '/search')
  const repeated = works.reduce((sum, work) => sum + (work?.attempts ?? 0), 0) - apps
  // What the killed worker had on its way is asked for twice, and nothing else.
  assert.ok(terms.length - apps * keywordsEach <= 4, `${terms.length} searches, ${repeated} taken up again`)
  const accountId = await accountNamed(store.db, 'default')
  const saved = await primary.query<{ postId: string; note: string }>(
    `select post_id as "postId", note from saved_posts where account_id = '${accountId}'`,
  )
  assert.ok(acknowledged.size > 20)
  for (const [postId, note] of acknowledged) {
    const found = saved.find((one) => one.postId === postId)?.note
    assert.ok(
      found === note || found === underWay.get(postId),
      `${postId}: ${found}, and ${note} was acknowledged`,
    )
  }
})
