import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Finding } from '../src/operator/doctor/finding.ts'
import { diskSpaceFinding } from '../src/operator/doctor/machine.ts'
import { run } from './support/in-process.ts'
import { openInstallation } from './support/installation.ts'

await using parts = new AsyncDisposableStack()
const installation = parts.use(await openInstallation())
const store = parts.use(await installation.open())
const running = parts.move()
after(() => running.disposeAsync())

const { folder, location } = installation

interface Examined {
  code: number
  errors: number
  findings: Finding[]
  /** What is not fine, as `about gravity: found`. */
  trouble: string[]
}

async function examine(...more: string[]): Promise<Examined> {
  const { code, out, err } = await run(['doctor', '--json', ...location, ...more])
  assert.equal(err, '')
  const { errors, findings } = JSON.parse(out) as { errors: number; findings: Finding[] }
  for (const { gravity, todo } of findings) assert.equal(todo === null, gravity === 'ok')
  const trouble = findings.filter((one) => one.gravity !== 'ok' && one.about !== 'disk' && !isOfTests(one))
  return {
    code,
    errors,
    findings,
    trouble: trouble.map(({ about, gravity, found }) => `${about} ${gravity}: ${found}`),
  }
}

/** The PostgreSQL of the tests flushes nothing to its disk. */
const isOfTests = ({ about, found }: Finding) =>
  about === 'database' && /fsync|full_page|synchronous/.test(found)

beforeEach(async () => {
  await sql`truncate work cascade`.execute(store.db)
  await sql`truncate source_health`.execute(store.db)
  await sql`update pgboss.version set cron_on = null`.execute(store.db)
})

test('an installation is examined as a whole, and what is fine is told as well', async () => {
  const { trouble, findings } = await examine()
  assert.deepEqual(trouble, [])
  assert.deepEqual([...new Set(findings.map(({ about }) => about))].sort(), [
    'clock',
    'configuration',
    'database',
    'disk',
    'permissions',
    'schedule',
    'schema',
    'sources',
    'store',
    'versions',
    'work',
  ])
  const { out } = await run(['doctor', ...location])
  assert.match(out, /^ok {6}clock {9}this machine's clock and the database's are \d/m)
  assert.match(out, /\d+ errors?, \d+ warnings?\n$/)
})

test('a store that is not there, and a configuration that is not understood, are told with what to do', async () => {
  const none = await run(['doctor', '--json', '--data-dir', join(folder, 'none')])
  assert.equal(none.code, 1)
  assert.match(none.out, /there is no store in .*rivalscope serve makes one/)
  const config = installation.configure({ schedule: { chart: [] } }, 'wrong.json')
  const { code, trouble } = await examine('--config', config)
  assert.equal(code, 1)
  assert.match(trouble.join(), /^configuration error: \S+ is not understood:\n {2}schedule: /)
  const away = await run(['doctor', '--json', '--database-url', 'postgres://nobody@127.0.0.1:1/none'])
  assert.deepEqual([away.code, /The store cannot be reached/.test(away.out)], [1, true])
})

test('a store of a newer version is told apart from one that is behind', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('0999_future', '2030-01-01')`.execute(
    store.db,
  )
  const { trouble } = await examine()
  await sql`delete from kysely_migration where name = '0999_future'`.execute(store.db)
  assert.deepEqual(trouble, [
    'schema error: the store has migrations that this version does not know: 0999_future',
  ])
})

test('work that waits for nobody, and work that fails again and again, are told', async () => {
  const long = new Date(Date.now() - 8 * 3_600_000)
  await sql`
    insert into work (work_id, kind, subject, input, status, created_at, attempts, last_error_at, last_error_message) values
      (gen_random_uuid(), 'intake', 'a', '{}', 'queued', ${long}, 0, null, null),
      (gen_random_uuid(), 'intake', 'b', '{}', 'running', ${long}, 7, now(), 'the source is out of order')`.execute(
    store.db,
  )
  const { trouble, code } = await examine()
  assert.equal(code, 1)
  assert.match(trouble.join('\n'), /^work error: 2 pieces of work wait, and nobody works since /m)
  assert.match(
    trouble.join('\n'),
    /^work warning: 1 of intake failed 5 times and more: the source is out of order$/m,
  )
  await sql`update pgboss.version set cron_on = now()`.execute(store.db)
  const worked = await examine()
  assert.match(worked.trouble.join('\n'), /^work warning: 1 of intake wait, the first since /m)
})

test('charts that have not come for two turns are named', async () => {
  const config = installation.configure({
    schedule: { charts: [{ countries: ['us', 'de'], charts: ['top-free'] }] },
  })
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await sql`
    insert into charts (country, kind, category_id, device, newest_captured_at) values
      ('us', 'top-free', 36, 'iphone', ${hoursAgo(20)}), ('de', 'top-free', 36, 'iphone', ${hoursAgo(50)})`.execute(
    store.db,
  )
  const { trouble } = await examine('--config', config)
  assert.equal(trouble.length, 1)
  assert.match(trouble.join(), /^schedule warning: 1 of 2 charts have not come for two turns, such as .*de/)
})

test('a source that fails is told with its reason and a remedy', async () => {
  await sql`
    insert into source_health (source, country, failing_since, failures, last_failure_at, failure_kind, failure_message)
    values ('itunes-search', 'us', now(), 3, now(), 'throttled', 'too many requests')`.execute(store.db)
  const { findings, trouble } = await examine()
  assert.match(
    trouble.join(),
    /^sources warning: iTunes Search API \(us\) fails since .*3 times in a row: too many requests$/,
  )
  assert.match(findings.find(({ about }) => about === 'sources')?.todo ?? '', /Lower its callsPerMinute/)
})

test('what others can write or read is told, and a disk that is full', async () => {
  mkdirSync(join(folder, 'media'))
  chmodSync(join(folder, 'media'), 0o777)
  try {
    assert.deepEqual((await examine()).trouble, [
      `permissions error: others can write to ${join(folder, 'media')}`,
    ])
  } finally {
    chmodSync(join(folder, 'media'), 0o700)
  }
  const gibibyte = 2 ** 30
  assert.deepEqual(
    [
      diskSpaceFinding('d', 0.4 * gibibyte, 100 * gibibyte),
      diskSpaceFinding('d', 4 * gibibyte, 100 * gibibyte),
      diskSpaceFinding('d', 4 * gibibyte, 8 * gibibyte),
    ].map(({ gravity }) => gravity),
    ['error', 'warning', 'ok'],
  )
})

test('nobody outside is asked without --online; with it, each address of the configuration once', async () => {
  const asked: string[] = []
  await using listening = new AsyncDisposableStack()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`)
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  listening.defer(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = (baseUrl: string) => ({ baseUrl })
  const apple = [
    'itunes',
    'apple-rss',
    'apple-rss-legacy',
    'apple-search-hints',
    'apple-ad-library',
    'app-store-search',
  ]
  const sources = Object.fromEntries([
    ...apple.map((name) => [name, at(address)]),
    ['app-store-page', at('http://127.0.0.1:1')],
  ])
  const config = installation.configure({ sources }, 'online.json')
  assert.deepEqual((await examine('--config', config)).trouble, [])
  assert.deepEqual(asked, [])
  const { trouble, code } = await examine('--config', config, '--online')
  assert.deepEqual([code, asked.length], [1, 1])
  assert.equal(trouble.length, 1)
  assert.match(trouble.join(), /^online error: app-store-page at http:\/\/127\.0\.0\.1:1 cannot be reached: /)
})
