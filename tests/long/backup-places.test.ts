import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openBackupPlace } from '../../src/storage/backup/place.ts'
import { inSession } from '../../src/storage/backup/session.ts'
import { writeBackup } from '../../src/storage/backup/write-backup.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import { applyMigrations, knownMigrations } from '../../src/storage/migrate.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { installQueue } from '../../src/storage/queue.ts'
import { openTestServer } from '../../src/storage/testing.ts'
import { openBackedUp } from '../support/backups.ts'
import { playBucket } from '../support/bucket.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { run, serveHere } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'

await using parts = new AsyncDisposableStack()
const from = parts.use(await openBackedUp())
const server = parts.use(await openTestServer())
const running = parts.move()
after(() => running.disposeAsync())

const { folder, location } = from.installation
await from.importApps(1, 100)
await from.keep('a picture')

test('unfinished jobs come along, and those that were being worked on wait again', async () => {
  await using own = await from.installation.open()
  // It makes the queues.
  await (await serveHere(location))[Symbol.asyncDispose]()
  await sql`insert into pgboss.job (name, data, singleton_key, state, policy) values
    ('collect-page', '{"country":"us","storeId":"5"}', 'us 5', 'active', 'exclusive')`.execute(own.db)
  await from.backUp()
  await using to = await openInstallation()
  assert.equal((await from.restore(to)).code, 0)
  await using store = await to.open()
  const { rows } = await sql`select state, data from pgboss.job where singleton_key = 'us 5'`.execute(store.db)
  assert.deepEqual(rows, [{ state: 'created', data: { country: 'us', storeId: '5' } }])
})

test('a backup is checked by restoring it into a store of its own, which is gone afterwards', async () => {
  const { backup, rows } = await from.backUp()
  const { code, out, err } = await run([
    ...['restore', '--from', from.backups, '--check', '--data-dir', join(folder, 'no')],
  ])
  assert.equal(code, 0, err)
  assert.match(out, new RegExp(`^backup ${backup} of \\S+ is sound: \\d+ tables with ${rows} rows`))
  assert.ok(!existsSync(join(folder, 'no')))
})

test('backups lie in a bucket as well', async () => {
  await using bucket = await playBucket()
  const env = {
    AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
    AWS_ENDPOINT_URL: bucket.endpoint,
  }
  const to = ['--to', 's3://backups/rivalscope']
  const names: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const { code, out, err } = await run(['backup', ...to, '--keep', '2', '--json', ...location], { env })
    assert.equal(code, 0, err)
    const done = JSON.parse(out)
    names.push(done.backup)
    assert.equal(done.media.copied, turn === 0 ? 1 : 0)
  }
  const folders = new Set([...bucket.objects.keys()].map((path) => path.split('/')[3]))
  assert.deepEqual(folders, new Set(['media', ...names.slice(1)]))
  await using empty = await openInstallation()
  const restored = await run(['restore', '--from', 's3://backups/rivalscope', ...empty.location], { env })
  assert.match(restored.out, new RegExp(`^restored backup ${names[2]}`), restored.err)
  bucket.fail.status = 503
  const refused = await run(['backup', ...to, ...location], { env })
  assert.deepEqual([refused.code, refused.err], [1, 'The bucket of backups answered 503.\n'])
  const away = await run(['backup', ...to, ...location], {
    env: { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
  })
  assert.match(away.err, /^The bucket of backups cannot be reached: /)
  const anonymous = await run(['backup', ...to, ...location])
  assert.deepEqual([anonymous.code, /set AWS_ACCESS_KEY_ID/.test(anonymous.err)], [2, true])
})

test('a backup of an older version is brought up to date when it is restored', async () => {
  await using older = await emptyDatabase(server.url)
  const known = await knownMigrations()
  {
    await using store = await openStore({ databaseUrl: older.url }, 'test', { asItIs: true })
    await inSession(store, 'isolation level read committed', ({ db }) => applyMigrations(db, known.at(-2)))
    await installQueue(store)
    const place = openBackupPlace('older', folder, {})
    const media = new MediaOnDisk(join(folder, 'media'))
    const { signal } = new AbortController()
    await writeBackup({ store, media, place, version: '0', signal, progress: () => {} })
  }
  await using to = await emptyDatabase(server.url)
  const command = ['restore', '--from', join(folder, 'older')]
  const { code, out, err } = await run([...command, '--database-url', to.url])
  assert.equal(code, 0, err)
  assert.match(out, /; applied 1 migration to it$/m)
  await using newer = await openInstallation()
  assert.match(
    (await run([...command, ...newer.location])).err,
    /^The store is empty, but its schema is of another version/,
  )
})

test('a backup of a newer version, or with a manifest that was changed, is refused, and nothing is changed', async () => {
  await using to = await openInstallation()
  const { backup } = await from.backUp()
  const manifest = join(from.backups, backup, 'manifest.json')
  const written = readFileSync(manifest, 'utf8')
  const refused = async (says: RegExp, ...more: string[]) => {
    const { code, out, err } = await from.restore(to, ...more)
    assert.deepEqual([code, out], [1, ''])
    // What takes longer shows how far it is before.
    assert.match(err, new RegExp(says, 'm'))
    await using store = await to.open()
    assert.deepEqual((await sql`select from accounts`.execute(store.db)).rows, [])
  }
  writeFileSync(manifest, written.replace('"rows":', '"rows":1'))
  await refused(/^The manifest of the backup \S+ is damaged/)
  writeFileSync(manifest, '{')
  await refused(/^The manifest of the backup \S+ is damaged/)

  const sealAs = (
    change: (manifest: { migrations: string[]; tables: Record<string, unknown>[] }) => object,
  ) => {
    const { manifest: said } = JSON.parse(written)
    const changed = { ...said, ...change(said) }
    writeFileSync(
      manifest,
      JSON.stringify({ sha256: hash('sha256', JSON.stringify(changed)), manifest: changed }),
    )
  }
  sealAs(() => ({ format: 2 }))
  await refused(/was written by a newer version of Rivalscope \(its form has the number 2/)
  sealAs(({ migrations }) => ({ migrations: [...migrations, '0999_future'] }))
  await refused(/was written by a newer version of Rivalscope, \S+ \(it has 0999_future\)/)
  sealAs(({ tables }) => ({ tables: tables.map((one) => ({ ...one, sum: '0'.repeat(16) })) }))
  await refused(/is damaged: its rows of \w+ are not those that it says/)
  sealAs(({ tables }) => ({ tables: tables.map((one) => ({ ...one, name: `${one.name}_x` })) }))
  await refused(/^Its tables are not those of its migrations: /)
  writeFileSync(manifest, written)
  await refused(/^There is no backup 2020 in /, '--backup', '2020')
  await refused(/^There is no backup in /, '--from', join(folder, 'nowhere'))
  await refused(/"ftp:\/\/a\/b" is no place for backups/, '--from', 'ftp://a/b')
})
