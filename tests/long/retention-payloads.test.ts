import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { firstRow, rows } from '../../src/storage/database.ts'
import type { Store } from '../../src/storage/store.ts'
import { appLines } from '../support/app-lines.ts'
import { everyRow } from '../support/backups.ts'
import { runProcess, start } from '../support/command-line.ts'
import { run, serveHere } from '../support/in-process.ts'
import { type Installation, openInstallation } from '../support/installation.ts'
import { withClockAt } from '../support/other-clock.ts'
import { until } from '../support/until.ts'

/** Evidence that three processes stored whose clocks stood in January and February of 2025, and in this month. */
let installation: Installation
let store: Store
let key = ''
/** The run in which an account brought an ad, in January. */
let runId = ''
const parts = new AsyncDisposableStack()
before(async () => {
  installation = parts.use(await openInstallation())
  const { location, configure } = installation
  key = (
    await run(['keys', 'create', '--name', 'a', '--scopes', 'context:read,content:write', ...location])
  ).out.trim()
  const chart = (capturedAt: string) =>
    configure(
      [{ country: 'us', chart: 'top-free', category: '36', capturedAt, rank: 1, id: 7, name: 'App 7' }],
      `chart-${capturedAt.slice(0, 10)}.json`,
    )
  const ad = configure([{ ...adOf('100'), creatives: [{ text: 'As the library showed it' }] }], 'ads.json')
  const files = (await import('../support/files.ts')).openFolder()
  parts.use(files)
  const apps = files.write('apps.ndjson', appLines(1, 40))
  const january = withClockAt('2025-01-10T12:00:00Z')
  await bring(['import', 'charts', chart('2025-01-09T06:00:00Z')], january)
  await bring(['import', 'paid-ads', ad], january)
  await bring(['import', 'catalogue', apps, '--observed-at', '2025-01-09'], january)
  {
    await using service = start(['serve', '--port', '0', '--log-level', 'silent', ...location], {
      env: january,
    })
    const [, address = ''] = await service.says(/^ready (http\S+)$/m)
    runId = await bringAd(address)
  }
  await bring(['import', 'charts', chart('2025-02-09T06:00:00Z')], withClockAt('2025-02-10T12:00:00Z'))
  await bring(['import', 'charts', chart('2026-03-08T06:00:00Z')], withClockAt(daysAgo(40)))
  await bring(['import', 'charts', chart('2026-03-09T06:00:00Z')], {})
  store = parts.use(await installation.open())

  async function bring(command: readonly string[], env: Record<string, string>): Promise<void> {
    const { code, err } = await runProcess([...command, ...location], { env })
    assert.equal(code, 0, err)
  }
})
after(() => parts.disposeAsync())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

const adOf = (archiveId: string) => ({
  platform: 'meta',
  archiveId,
  advertiser: { id: '5001', name: 'Tidepool Habits' },
  observedAt: '2025-01-09T08:00:00Z',
})

/** Has an account bring another view of the ad that the library showed. */
async function bringAd(address: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const records = [
    { ...adOf('100'), creatives: [{ text: 'As somebody else saw it' }], observedAt: '2025-01-09T09:00:00Z' },
  ]
  const asked = await fetch(`${address}/v1/admin/paid-ads/imports`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ platform: 'meta', records }),
  })
  const begun = (await asked.json()) as { runId: string }
  assert.ok(asked.ok, JSON.stringify(begun))
  await until(
    async () => (await adText(address)).includes('As somebody else saw it'),
    (isThere) => isThere,
  )
  return begun.runId
}

async function adText(address: string): Promise<string> {
  const reply = await fetch(`${address}/v1/paid-ads/meta/100`, { headers: { authorization: `Bearer ${key}` } })
  return reply.text()
}

const apply = (more: readonly string[] = [], words = 'apply') => {
  const config = installation.configure({ retention: { keepDays: { payloads: 60 } } }, 'retention.json')
  return ['retention', words, ...more, '--config', config, ...installation.location]
}

const readings = () =>
  rows(
    store.db,
    sql<{ format: string; month: string; isThere: boolean }>`
      select format, to_char(r.month, 'YYYY-MM') as month, p.content is not null as "isThere"
      from readings r left join payloads p using (payload_hash, month)
      order by r.month, format, account_id nulls first`,
  )

/** Everything but what retention may change. */
async function kept() {
  const {
    payloads: _,
    removed_months: _removed,
    audit_events: _events,
    evidence_changes: _changes,
    evidence_change_scopes: _scopes,
    ...all
  } = await everyRow(store)
  return all
}

test('a disk that is full in the middle removes nothing of that month, and says so', async () => {
  await sql
    .raw(`
      create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on removed_months for each row execute function full_disk()`)
    .execute(store.db)
  const before = await readings()
  const { code, err } = await run(apply())
  assert.equal(code, 1)
  assert.match(err, /^The disk of PostgreSQL is full: .*No space left on device\. Make room/)
  assert.deepEqual(await readings(), before)
  await sql.raw('drop trigger full_disk on removed_months').execute(store.db)
})

test('one at a time removes: a second one, and a replay, are refused meanwhile, and one that is killed is taken up', async () => {
  await sql
    .raw(`
      create function slowly() returns trigger language plpgsql as
        $$ begin if new.month = '2025-02-01' then perform pg_sleep(60); end if; return new; end $$;
      create trigger slowly before insert on removed_months for each row execute function slowly()`)
    .execute(store.db)
  const state = await kept()
  const told = await run(apply(['--json'], 'show'))
  {
    await using first = start(apply())
    const isAtSecond = () =>
      firstRow(
        store.db,
        sql`select from pg_stat_activity where wait_event = 'PgSleep' and query like '%removed_months%'`,
      )
    await until(isAtSecond, (found) => found !== undefined)
    const second = await run(apply())
    assert.equal(second.code, 1)
    assert.match(second.err, /one at a time is possible.*Nothing was removed/)
    const replayed = await run(['replay', 'posts', ...installation.location])
    assert.equal(replayed.code, 1)
    assert.match(replayed.err, /one at a time is possible/)
    first.child.kill('SIGKILL')
    await first.ended
  }
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and query like '%removed_months%'`.execute(
    store.db,
  )
  await sql.raw('drop trigger slowly on removed_months').execute(store.db)
  const halfway = await readings()
  assert.ok(halfway.some(({ month, isThere }) => month === '2025-01' && !isThere))
  assert.ok(halfway.every(({ month, isThere }) => month !== '2025-02' || isThere))
  assert.deepEqual(await kept(), state)

  const { code, out, err } = await run(apply())
  assert.equal(code, 0, err)
  assert.match(out, /^payloads .*; removed: 2025-02, 1 payloads/m)
  const [shownFirst] = (JSON.parse(told.out) as { kinds: { removes: { count: number } | null }[] }).kinds.slice(
    -1,
  )
  assert.equal(shownFirst?.removes?.count, 3, 'charts of two months and a file of apps')
})

test('readings stay with their time, source and hash, and so do what accounts brought and all payloads of ads', async () => {
  assert.deepEqual(await readings(), [
    { format: 'chart-rows', month: '2025-01', isThere: false },
    { format: 'itunes-search', month: '2025-01', isThere: false },
    { format: 'paid-ads', month: '2025-01', isThere: true },
    { format: 'paid-ads', month: '2025-01', isThere: true },
    { format: 'chart-rows', month: '2025-02', isThere: false },
    { format: 'chart-rows', month: daysAgo(40).slice(0, 7), isThere: true },
    { format: 'chart-rows', month: daysAgo(0).slice(0, 7), isThere: true },
  ])
  await using service = await serveHere(installation.location)
  const headers = { authorization: `Bearer ${key}` }
  const record = await (await fetch(`${service.address}/v1/competitors/ios/7`, { headers })).text()
  assert.match(record, /"evidence":\[\{"source":"chart-file"/)
})

test('a replay that would make fewer records is refused by name, and one of what is whole is not', async () => {
  const before = await kept()
  const refused = await run(['replay', ...installation.location])
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /A replay of catalogue, .*charts.* would lose what rests on the payloads of 3 readings until 2025-02, which retention removed\. Nothing was changed\. What can be replayed: rivalscope replay .*ads/,
  )
  assert.deepEqual(await kept(), before)
  const { code, err } = await run(['replay', 'ads', ...installation.location])
  assert.equal(code, 0, err)
})

test('an export of what was said goes on behind what is gone, and says how much that is', async () => {
  const out = join(installation.folder, 'catalogue.ndjson.gz')
  const { code, err } = await run(['export', 'catalogue', '--out', out, ...installation.location])
  assert.equal(code, 0, err)
  assert.match(err, /3 readings are not among them: retention removed what they held\./)
  assert.equal(gunzipSync(readFileSync(out)).toString().trim().split('\n').length, 2)
})

test('what an account brought is withdrawn as ever, and the ad is again what the library showed', async () => {
  const { code, err } = await run(['evidence', 'withdraw', runId, ...installation.location])
  assert.equal(code, 0, err)
  await using service = await serveHere(installation.location)
  const text = await adText(service.address)
  assert.match(text, /As the library showed it/)
  assert.doesNotMatch(text, /As somebody else saw it/)
})

test('the same file brought again is known, although its payload is gone', async () => {
  const chart = join(installation.folder, 'chart-2025-01-09.json')
  const { code, out, err } = await run(['import', 'charts', chart, ...installation.location])
  assert.equal(code, 0, err)
  assert.match(out, /unchanged/)
  assert.equal((await readings()).filter(({ format }) => format === 'chart-rows').length, 4)
})
