import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { firstRow } from '../src/storage/database.ts'
import { run } from './support/in-process.ts'
import { signOf } from './support/worker-sign.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

test('queued work says when nobody works on jobs, and since when', async () => {
  const world = parts.use(await openWorld())
  const { db } = world.store
  const signAt = (ago: string | null) =>
    sql`update pgboss.version set cron_on = ${ago === null ? null : sql`now() - ${ago}::interval`}`.execute(db)
  const ask = () => world.call('request_ios_competitor', { app: '9000000001', country: 'us' })
  await signAt(null)
  const fresh = await ask()
  assert.equal(fresh.status, 202)
  assert.equal(fresh.body.waitingForWorker, undefined, 'somebody may be about to start')
  await sql`update work set created_at = now() - interval '1 minute'`.execute(db)
  const alone = await ask()
  assert.equal(alone.body.waitingForWorker.since, alone.body.createdAt)

  await signAt('5 seconds')
  assert.equal((await ask()).body.waitingForWorker, undefined)
  await signAt('10 minutes')
  const gone = await ask()
  const sign = await firstRow<{ at: Date }>(db, sql`select cron_on as at from pgboss.version`)
  assert.equal(gone.body.waitingForWorker.since, sign?.at.toISOString())

  const env = {
    RIVALSCOPE_SERVER: await world.server.listen({ host: '127.0.0.1', port: 0 }),
    RIVALSCOPE_KEY: await world.key(),
  }
  const reported = await run(['request-ios-competitor', '--app', '9000000001'], { env })
  assert.equal(reported.code, 0)
  assert.match(reported.err, /waits for a worker: .* since 20.*rivalscope work/)

  await sql`update work set status = 'failed', finished_at = now()`.execute(db)
  const { body } = await world.call('request_ios_competitor', { app: '9000000002', country: 'us' })
  assert.notEqual(body.waitingForWorker, undefined, 'who has gone is told of at once')
})

test('a service is ready unless work waits that nobody does', async () => {
  const world = parts.use(await openWorld())
  const { db } = world.store
  const ready = async () => {
    const { status, body } = await world.request({ method: 'GET', url: '/readyz' })
    return [status, body.detail ?? body.status] as const
  }
  await sql`update pgboss.version set cron_on = now() - interval '10 minutes'`.execute(db)
  assert.deepEqual(await ready(), [200, 'ready'], 'nothing waits')
  await world.call('request_ios_competitor', { app: '9000000001', country: 'us' })
  const [status, detail] = await ready()
  assert.equal(status, 503)
  assert.match(
    String(detail),
    /^Jobs wait, and no process has worked on them since 20\S+Z: start rivalscope work\.$/,
  )
  await sql`update pgboss.version set cron_on = now()`.execute(db)
  assert.deepEqual(await ready(), [200, 'ready'])
})

test('a process that works gives a sign of itself', async () => {
  const world = parts.use(await openWorld({ works: true }))
  await signOf(world)
})
