import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction, rows } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { withPreparedStatements } from '../../src/storage/prepared.ts'
import { isStatementTimeout, type Store } from '../../src/storage/store.ts'
import { openTestServer } from '../../src/storage/testing.ts'
import { appLines } from '../support/app-lines.ts'
import { start as command, runProcess } from '../support/command-line.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { openFolder } from '../support/files.ts'
import { openInstallation } from '../support/installation.ts'
import { pause } from '../support/pause.ts'
import { lacksPooler, poolerTo } from '../support/pooler.ts'
import { startServing } from '../support/serving.ts'

interface Session {
  zone: string
  jit: string
  idle: string
  backend: number
}

async function areSet(store: Store): Promise<void> {
  const asked = Array.from({ length: 30 }, () =>
    rows<Session>(
      store.db,
      sql`
        select current_setting('TimeZone') as zone, current_setting('jit') as jit,
          current_setting('idle_in_transaction_session_timeout') as idle, pg_backend_pid() as backend
        from pg_sleep(0.02)`,
    ),
  )
  const sessions = (await Promise.all(asked)).flat()
  assert.deepEqual(
    [...new Set(sessions.map(({ zone, jit, idle }) => `${zone} ${jit} ${idle}`))],
    ['UTC off 10s'],
  )
  assert.ok(new Set(sessions.map(({ backend }) => backend)).size > 1, 'more than one session was used')
}

describe('Through pgbouncer in transaction mode', { skip: lacksPooler, timeout: 400_000 }, () => {
  test('every session is set as it has to be, also those from before and whatever the database says', async () => {
    await using installation = await openInstallation()
    {
      await using store = await installation.open()
      const [{ name = '' } = {}] = await rows<{ name: string }>(
        store.db,
        sql`select current_database() as name`,
      )
      await sql`alter database ${sql.id(name)} set timezone = 'Asia/Tokyo'`.execute(store.db)
    }
    await using pooler = await poolerTo(installation.databaseUrl, 3)
    await using store = await openStore({ databaseUrl: pooler.url }, 'test')
    await areSet(store)
  })

  test('nor does it help to ignore what connections ask for: sessions are set all the same, and belong to nobody', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 3, 'ignore_startup_parameters = options')
    for (const start of ['first', 'second']) {
      await using store = await openStore({ databaseUrl: pooler.url }, 'test')
      await areSet(store)
      assert.equal(store.direct, false, start)
    }
  })

  test('no connection looks for a statement that it prepared in another session', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 3)
    await using store = await openStore({ databaseUrl: pooler.url }, 'test')
    const db = withPreparedStatements(store.db)
    const asked = Array.from({ length: 60 }, (_, at) =>
      rows(db, sql`select ${at}::int as at, pg_sleep(0.01)::text as slept`),
    )
    const found = (await Promise.all(asked)) as { at: number }[][]
    assert.deepEqual(
      found.map(([row]) => row?.at),
      asked.map((_, at) => at),
    )
  })

  test('requests are counted over two services, up to the limit and not beyond it', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 3)
    const location = ['--database-url', pooler.url, '--data-dir', installation.folder]
    const made = await runProcess(['keys', 'create', '--name', 'k', '--scopes', 'context:read', ...location])
    const serving = [
      ...location,
      '--port',
      '0',
      '--work',
      'off',
      '--rate-limit',
      '100',
      '--log-level',
      'silent',
    ]
    await using one = await startServing(serving)
    await using other = await startServing(serving)
    const headers = { authorization: `Bearer ${made.out.trim()}` }
    const begun = performance.now()
    const asked = Array.from({ length: 200 }, async (_, index) => {
      const { address } = index % 2 === 0 ? one : other
      return (await fetch(`${address}/v1/competitors/categories`, { headers })).status
    })
    const statuses = await Promise.all(asked)
    const served = statuses.filter((status) => status === 200).length
    assert.equal(served + statuses.filter((status) => status === 429).length, 200)
    // A hundred are let through at once, and as many again in each minute that it takes.
    const allowed = 100 * (1 + Math.ceil((performance.now() - begun) / 60_000))
    assert.ok(served <= allowed && served > 90, `${served} served, of ${allowed}`)
  })

  test('what is done alone is done by one at a time, and lets go at its end', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 3)
    await using one = await openStore({ databaseUrl: pooler.url }, 'test')
    await using other = await openStore({ databaseUrl: pooler.url }, 'test')
    let inside = 0
    const perform = async () => {
      assert.equal(++inside, 1)
      await pause(30, 'others would come in meanwhile')
      inside--
    }
    await Promise.all([one, other, one, other].map((store) => store.alone('something', perform)))
  })

  test('a statement of a request that takes too long is ended, and no other one', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 4)
    await using store = await openStore({ databaseUrl: pooler.url }, 'test')
    const { db } = store.requests
    const sleep = (of: typeof db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(of)
    const ended = sleep(db, 60).catch((error: unknown) => ({ error }))
    const others = Promise.all([sleep(store.db, 24), sleep(db, 8)])
    const answer = await ended
    assert.ok('error' in answer && isStatementTimeout(answer.error), 'it went on')
    await others
    await inTransaction(db, (transaction) => sleep(transaction, 0.1))
  })

  test('no lock is left behind by whoever migrates, or is killed while it does', async () => {
    await using server = await openTestServer()
    await using database = await emptyDatabase(server.url)
    await using pooler = await poolerTo(database.url, 4)
    for (let start = 0; start < 3; start++) {
      await using killed = command(['migrate', '--database-url', pooler.url])
      await pause(400 + 300 * start, 'it is killed at some moment of its work')
      killed.child.kill('SIGKILL')
      await killed.ended
    }
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore({ databaseUrl: pooler.url }, 'test')),
    )
    const [one] = stores
    assert.ok(one)
    const held = await rows(
      one.db,
      sql`
        select pid from pg_locks join pg_database d on d.oid = database
        where locktype = 'advisory' and datname = current_database()`,
    )
    assert.deepEqual(held, [])
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  test('a replay makes records anew with two sessions', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 2)
    await using folder = openFolder()
    const located = ['--database-url', pooler.url]
    const file = folder.write('apps.ndjson', appLines(1, 50))
    const imported = await runProcess(['import', 'catalogue', file, ...located], { cwd: installation.folder })
    assert.equal(imported.code, 0, imported.err)
    const replayed = await runProcess(['replay', '--json', ...located], { cwd: installation.folder })
    assert.equal(replayed.code, 0, replayed.err)
    assert.deepEqual(JSON.parse(replayed.out), { readings: 1, refused: 0 })
    await using store = await installation.open()
    const stored = await rows<{ apps: number }>(store.db, sql`select count(*)::int as apps from app_records`)
    assert.deepEqual(stored, [{ apps: 49 }])
  })

  test('commands do their work', async () => {
    await using installation = await openInstallation()
    await using pooler = await poolerTo(installation.databaseUrl, 2)
    const { code, out, err } = await runProcess(
      ['keys', 'create', '--name', 'k', '--scopes', 'context:read', '--database-url', pooler.url],
      { cwd: installation.folder },
    )
    assert.equal(code, 0, err)
    assert.match(out, /^\S+\n$/)
  })
})
