import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createKey } from '../src/domain/accounts/keys.ts'
import { recordFailure, recordSuccess } from '../src/domain/collecting/health.ts'
import { storeFiguresNow } from '../src/domain/work/store-figures.ts'
import { openFolder } from './support/files.ts'
import { run, serveHere } from './support/in-process.ts'
import { openInstallation } from './support/installation.ts'
import { openWorld } from './support/world.ts'

const folder = openFolder()
const parts = new AsyncDisposableStack()
parts.use(folder)
after(() => parts.disposeAsync())
const installation = parts.use(await openInstallation())

const status = async (url: string, key?: string) => {
  const headers: Record<string, string> = {
    connection: 'close',
    ...(key ? { authorization: `Bearer ${key}` } : {}),
  }
  const reply = await fetch(url, { headers })
  return [reply.status, reply.headers.get('www-authenticate'), await reply.text()] as const
}

test('the metrics answer at an address of their own, to whoever has the key, and not where the service answers', async () => {
  const env = { RIVALSCOPE_METRICS_PORT: '0', RIVALSCOPE_METRICS_KEY: 'for-the-watchers' }
  await using service = await serveHere(installation.location, { env })
  const [, metrics = ''] = /^metrics (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(service.said.err) ?? []
  assert.equal((await status(`${service.address}/metrics`, 'for-the-watchers'))[0], 404)
  for (const wrong of [undefined, 'for-the-watcher', 'for-the-watchers-', 'x'.repeat(5_000)]) {
    const [code, challenge, body] = await status(metrics, wrong)
    assert.deepEqual(
      [code, challenge, JSON.parse(body).code],
      [401, 'Bearer realm="rivalscope"', 'unauthenticated'],
    )
  }
  await status(`${service.address}/healthz`)
  const [code, , text] = await status(metrics, 'for-the-watchers')
  assert.equal(code, 200)
  assert.match(text, /^rivalscope_request_duration_seconds_count\{tool="none",status="200"\} 1$/m)
  assert.equal((await status(metrics.replace('/metrics', '/healthz'), 'for-the-watchers'))[0], 404)
  assert.doesNotMatch(service.said.err, /warning:|for-the-watchers/)
})

test('a key guards the metrics where the service answers too', async () => {
  await using service = await serveHere(installation.location, { env: { RIVALSCOPE_METRICS_KEY: 'k' } })
  assert.equal((await status(`${service.address}/metrics`))[0], 401)
  assert.equal((await status(`${service.address}/metrics`, 'k'))[0], 200)
})

test('who listens on all addresses is told what to do about it, as far as it is not done', async () => {
  for (const host of ['0.0.0.0', '::']) {
    await using open = await serveHere(installation.location, { env: { RIVALSCOPE_HOST: host } })
    assert.match(open.said.err, /warning: .* proxy that speaks TLS .*--public-url/)
    assert.match(open.said.err, /warning: .*\/metrics.*--metrics-port.*RIVALSCOPE_METRICS_KEY/)
  }
  const done = { RIVALSCOPE_METRICS_KEY: 'k', RIVALSCOPE_PUBLIC_URL: 'https://rivalscope.example.com' }
  await using service = await serveHere(installation.location, { env: { RIVALSCOPE_HOST: '0.0.0.0', ...done } })
  assert.match(service.said.err, /proxy that speaks TLS/)
  assert.doesNotMatch(service.said.err, /--public-url|\/metrics/)
})

test('a host for the metrics without a port, and a key that no header can hold, are refused', async () => {
  const here = ['serve', '--data-dir', join(folder.path, 'none')]
  const alone = await run([...here, '--metrics-host', '127.0.0.1'])
  assert.deepEqual([alone.code, alone.err], [2, 'error: --metrics-host goes with --metrics-port\n'])
  const unsendable = await run(here, { env: { RIVALSCOPE_METRICS_KEY: 'ends in a\nline' } })
  assert.deepEqual(
    [unsendable.code, unsendable.err],
    [2, 'error: --metrics-key must be 1 to 1,000 visible ASCII characters\n'],
  )
})

test('what the store says of jobs, sources, keys and size is told beside the requests', async () => {
  const own = parts.use(await openInstallation())
  await using service = await serveHere(own.location, {})
  await using store = await own.open()
  await createKey(store.db, {
    name: 'ends soon',
    scopes: ['context:read'],
    expiresAt: new Date(Date.now() + 86_400_000),
  })
  await recordFailure(store.db, 'itunes-search', 'de', {
    at: new Date(Date.now() - 3_600_000),
    kind: 'throttled',
    message: 'slow down',
  })
  await recordSuccess(store.db, 'itunes-lookup', 'us', new Date(Date.now() - 60_000))
  await sql`insert into upstream_rate_limits (upstream, next_at, held_until) values ('itunes', now(), now() + interval '10 minutes')`.execute(
    store.db,
  )
  const [, , text] = await status(`${service.address}/metrics`)
  const told = (series: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return line === undefined ? undefined : Number(line.slice(series.length + 1))
  }
  const about = (series: string, from: number, to: number) => {
    const value = told(series) ?? Number.NaN
    assert.ok(value >= from && value <= to, `${series} is ${value}`)
  }
  assert.equal(told('rivalscope_store_up'), 1)
  assert.equal(told('rivalscope_keys_expiring'), 1)
  assert.equal(told('rivalscope_source_failures{source="itunes-search",country="de"}'), 1)
  about('rivalscope_source_failing_seconds{source="itunes-search",country="de"}', 3_590, 3_700)
  assert.equal(told('rivalscope_source_failing_seconds{source="itunes-lookup",country="us"}'), 0)
  about('rivalscope_source_last_success_seconds{source="itunes-lookup",country="us"}', 59, 120)
  assert.equal(told('rivalscope_source_last_success_seconds{source="itunes-search",country="de"}'), undefined)
  about('rivalscope_upstream_hold_seconds{upstream="itunes"}', 500, 600)
  about('rivalscope_store_bytes', 5_000_000, 500_000_000)
  about('rivalscope_table_bytes{table="app_records"}', 1, 50_000_000)
  assert.doesNotMatch(text, /NaN/)
})

test('jobs are told by queue and state, with how long the oldest waits', async () => {
  await using world = await openWorld()
  await world.call('request_ios_competitor', { app: '9000000001', country: 'us' })
  await sql`update pgboss.job set start_after = now() - interval '5 minutes'`.execute(world.store.db)
  const figures = await storeFiguresNow(world.store)
  const values = (name: string) =>
    figures.filter((one) => one.name === name).map(({ labels, value }) => [...labels, Math.round(value / 10)])
  const jobs = figures.filter(({ name }) => name === 'rivalscope_jobs')
  assert.deepEqual(jobs, [{ name: 'rivalscope_jobs', labels: ['intake', 'queued'], value: 1 }])
  assert.deepEqual(
    values('rivalscope_job_oldest_waiting_seconds').map(([, tens]) => tens),
    [30],
  )
  assert.deepEqual(values('rivalscope_worker_silent_seconds'), [], 'none was ever there')
})

test('how old the newest backup is, and how many have failed since, is told', async () => {
  await using installation = await openInstallation()
  await using store = await installation.open()
  const told = async () => {
    const figures = await storeFiguresNow(store)
    const value = (name: string) => figures.find((one) => one.name === name)?.value
    return [value('rivalscope_backup_age_seconds'), value('rivalscope_backup_failures')] as const
  }
  const backUp = (to: string) =>
    run(['backup', '--to', join(installation.folder, to), ...installation.location])
  assert.deepEqual(await told(), [undefined, 0])
  writeFileSync(join(installation.folder, 'file'), '')
  assert.equal((await backUp('file/backups')).code, 1)
  assert.deepEqual(await told(), [undefined, 1])
  assert.equal((await backUp('backups')).code, 0)
  const [age, failures] = await told()
  assert.ok(age !== undefined && age >= 0 && age < 600, `${age} s old`)
  assert.equal(failures, 0)
  assert.equal((await backUp('file/backups')).code, 1)
  assert.equal((await told())[1], 1)
})
