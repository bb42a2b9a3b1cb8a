import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { splitContent } from '../../src/storage/backup/parts.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { everyRow, openBackedUp } from '../support/backups.ts'
import { run, serveHere } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'

await using parts = new AsyncDisposableStack()
const from = parts.use(await openBackedUp())
const running = parts.move()
after(() => running.disposeAsync())

const headers = { authorization: `Bearer ${from.key}` }

test('a backup is of one moment, holds nobody up, and answers the same once it is restored', async () => {
  await from.importApps(1, 50)
  const sha256 = await from.keep('a picture')
  await using service = await serveHere(from.installation.location)
  const record = await (await fetch(`${service.address}/v1/competitors/ios/7`, { headers })).json()
  const writing = from.importApps(50, 400)
  const done = await from.backUp()
  await writing
  assert.deepEqual(done.media, { objects: 1, bytes: 9, copied: 1, missing: 0 })
  const written = await fetch(`${service.address}/v1/competitors/ios/399`, { headers })
  assert.equal(written.status, 200)

  await using to = await openInstallation()
  const { code, out, err } = await from.restore(to)
  assert.equal(code, 0, err)
  assert.match(
    out,
    new RegExp(`^restored backup ${done.backup} of \\S+: ${done.tables} tables with ${done.rows} rows`),
  )
  await using restored = await serveHere(to.location)
  assert.deepEqual(
    await (await fetch(`${restored.address}/v1/competitors/ios/7`, { headers })).json(),
    record,
    'also to the keys of the accounts',
  )
  const copy = await fetch(`${restored.address}/media/${sha256}`)
  assert.equal(await copy.text(), 'a picture')
  await using store = await to.open()
  // What was imported meanwhile is there with all that follows from it, or not at all.
  const { rows: halves } = await sql`
    select from readings r full join payloads p using (payload_hash, month)
    where p.payload_hash is null or r.payload_hash is null`.execute(store.db)
  assert.deepEqual(halves, [])
})

test('when nobody writes, every row of every table is the same, and numbering goes on', async () => {
  const sha256 = await from.keep('lost later')
  await new MediaOnDisk(join(from.installation.folder, 'media')).remove(sha256)
  await using own = await from.installation.open()
  assert.equal((await from.backUp()).media.missing, 1)
  await using to = await openInstallation()
  const { code, err } = await from.restore(to)
  assert.equal(code, 0, err)
  await using store = await to.open()
  assert.deepEqual(await everyRow(store), await everyRow(own))
  const next = sql`select nextval(pg_get_serial_sequence('term_names', 'term_id'))`
  assert.deepEqual((await next.execute(store.db)).rows, (await next.execute(own.db)).rows)
})

test('media are copied once, as many backups stay as was said, and all is for its owner alone', async () => {
  await from.keep('another picture')
  const first = await from.backUp()
  assert.deepEqual([first.media.objects, first.media.copied], [2, 1])
  const second = await from.backUp('--keep', '2')
  assert.deepEqual([second.media.objects, second.media.copied], [2, 0])
  assert.ok(second.removed.length > 0)
  const left = readdirSync(from.backups).filter((name) => name.startsWith('20'))
  assert.deepEqual(left.sort(), [first.backup, second.backup])
  for (const file of readdirSync(from.backups, { recursive: true, withFileTypes: true }))
    assert.equal(statSync(join(file.parentPath, file.name)).mode & 0o077, 0, file.name)
})

test('a restore into a store that is not empty, or in use, is refused', async () => {
  await using to = await openInstallation()
  {
    await using _served = await openStore(to.store, 'rivalscope serve')
    const inUse = await from.restore(to)
    assert.deepEqual(
      [inUse.code, inUse.err],
      [1, 'The store is in use by rivalscope serve. End it, and try again.\n'],
    )
  }
  await run(['keys', 'create', '--name', 'b', '--scopes', 'context:read', ...to.location])
  const filled = await from.restore(to)
  assert.equal(filled.code, 1)
  assert.match(filled.err, /^The store is not empty: there is something in accounts, api_keys/)
})

test('a backup that is damaged, or was not finished, is refused, and nothing is changed', async () => {
  await using to = await openInstallation()
  const { backup } = await from.backUp()
  const folder = join(from.backups, backup)
  const part = join(folder, 'tables', 'app_records.0001.zst')
  const bent = readFileSync(part)
  bent[bent.length >> 1] = (bent[bent.length >> 1] ?? 0) ^ 1
  writeFileSync(part, bent)
  const damaged = await from.restore(to)
  assert.equal(damaged.code, 1)
  assert.match(damaged.err, /is damaged: its file tables\/app_records\.0001\.zst is not what was written/)
  rmSync(join(folder, 'manifest.json'))
  const unfinished = await from.restore(to, '--backup', backup)
  assert.match(unfinished.err, /^The backup \S+ was not finished, and is not restored\. The newest are /)
  await using store = await to.open()
  assert.deepEqual((await sql`select from accounts`.execute(store.db)).rows, [])
})

test('a content is cut into pieces of a bounded size, and is whole again', async () => {
  const chunks = [5, 1, 12, 3].map((size, at) => Buffer.alloc(size, at))
  for (const most of [1, 4, 7, 21, 100]) {
    const pieces: Buffer[] = []
    for (const piece of splitContent(Readable.from(chunks)[Symbol.asyncIterator](), most))
      pieces.push(await buffer(piece))
    assert.deepEqual(Buffer.concat(pieces), Buffer.concat(chunks))
    assert.ok(pieces.every(({ length }) => length <= most))
  }
})
