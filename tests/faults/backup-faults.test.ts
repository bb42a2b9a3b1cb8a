import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { makeDataDirectory, openTestServer } from '../../src/storage/testing.ts'
import { appLines } from '../support/app-lines.ts'
import { everyRow, openBackedUp } from '../support/backups.ts'
import { start } from '../support/command-line.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { openFolder } from '../support/files.ts'
import { run, serveHere } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { untilTrue } from '../support/until.ts'

await using parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
const server = parts.use(await openTestServer())
const from = parts.use(await openBackedUp())
const running = parts.move()
after(() => running.disposeAsync())

await from.importApps(1, 3_000)

/** Waits until something is so. @throws when the command ends before */
async function asSoonAs(is: () => boolean | Promise<boolean>, child: { exitCode: number | null }) {
  await untilTrue(async () => {
    if (await is()) return true
    assert.equal(child.exitCode, null, 'it ended before it could be killed')
    return false
  })
}

describe('A backup', () => {
  test('that is killed is never restored, and the next one is whole', async () => {
    const { backup } = await from.backUp()
    const known = new Set(readdirSync(from.backups))
    await using killed = start(['backup', '--to', from.backups, ...from.installation.location])
    const begun = () =>
      readdirSync(from.backups).find((name) => name.startsWith('20') && !known.has(name)) ?? ''
    const tables = () => (begun() === '' ? '' : join(from.backups, begun(), 'tables'))
    await asSoonAs(() => existsSync(tables()) && readdirSync(tables()).length > 3, killed.child)
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.ok(!existsSync(join(from.backups, begun(), 'manifest.json')))
    await using to = await openInstallation()
    assert.match((await from.restore(to, '--backup', begun())).err, /was not finished, and is not restored/)
    const { code, out, err } = await from.restore(to)
    assert.equal(code, 0, err)
    assert.ok(out.includes(backup), 'the newest that was finished')
    const next = await from.backUp()
    assert.ok(next.backup > begun())
  })

  test('that is interrupted removes what it wrote', async () => {
    await from.backUp()
    const before = readdirSync(from.backups)
    await using stopped = start(['backup', '--to', from.backups, ...from.installation.location])
    await asSoonAs(() => readdirSync(from.backups).length > before.length, stopped.child)
    stopped.child.kill('SIGINT')
    const { code, err } = await stopped.ended
    assert.equal(code, 1)
    assert.match(err, /^Interrupted\. What was written of this backup was removed\.$/m)
    assert.deepEqual(readdirSync(from.backups), before)
  })

  test('onto a disk that is full says so, leaves nothing, and leaves earlier ones as they are', {
    skip: process.getuid?.() === 0 && process.platform === 'linux' ? false : 'only root can mount a small disk',
  }, async (t) => {
    const disk = join(folder.path, 'small')
    mkdirSync(disk)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', disk])
    if (mounted.status !== 0) return t.skip('this system lets nobody mount')
    try {
      const words = ['backup', '--to', disk, '--json', ...from.installation.location]
      const first = await run(words)
      assert.equal(first.code, 0, first.err)
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filling')}`, 'bs=64k'])
      const full = await run(words)
      assert.deepEqual([full.code, full.out], [1, ''])
      assert.match(full.err, /^The disk of \S+small is full\. What was written of this backup was removed/)
      const { backup } = JSON.parse(first.out)
      assert.deepEqual(
        readdirSync(disk).filter((name) => name.startsWith('20')),
        [backup],
      )
      await using to = await openInstallation()
      assert.equal((await run(['restore', '--from', disk, ...to.location])).code, 0)
    } finally {
      spawnSync('umount', [disk])
    }
  })
})

test('a restore that is killed leaves an empty store, and can be given again', async () => {
  await using to = await openInstallation()
  await using looking = await to.open()
  await using killed = start(['restore', '--from', from.backups, ...to.location])
  await asSoonAs(async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'rivalscope restore' and query like 'copy%'`.execute(
      looking.db,
    )
    return rows.length > 0
  }, killed.child)
  killed.child.kill('SIGKILL')
  await killed.ended
  const { rows } = await sql`select from accounts`.execute(looking.db)
  assert.deepEqual(rows, [])
  await looking[Symbol.asyncDispose]()
  const { code, err } = await from.restore(to)
  assert.equal(code, 0, err)
})

test('a store moves to PostgreSQL although it is killed on the way, and back, and nothing is lost', async () => {
  const home = join(folder.path, 'home')
  await makeDataDirectory(home)
  const apps = folder.write('apps.ndjson', appLines(1, 2_000))
  const embedded = ['--data-dir', home]
  const imported = await run(['import', 'catalogue', apps, '--observed-at', '2026-03-01', ...embedded])
  assert.equal(imported.code, 0, imported.err)
  await run(['keys', 'create', '--name', 'a', '--scopes', 'context:read', ...embedded])
  const { sha256, sizeBytes } = await new MediaOnDisk(join(home, 'media')).put(once('a picture'))
  {
    await using store = await openStore({ dataDir: home }, 'test')
    await sql`insert into media_objects (sha256, content_type, size_bytes) values (${sha256}, 'image/png', ${sizeBytes})`.execute(
      store.db,
    )
  }
  await using database = await emptyDatabase(server.url)
  {
    await using _served = await serveHere(embedded)
    const refused = await run(['move', '--to', database.url, ...embedded])
    assert.deepEqual(
      [refused.code, refused.err],
      [1, 'The store is in use by rivalscope serve. End it, and try again.\n'],
    )
  }
  const move = ['move', '--to', database.url, ...embedded]
  const breakOff = async () => {
    await using looking = await openStore({ databaseUrl: database.url }, 'test', { asItIs: true })
    await using killed = start(move)
    await asSoonAs(async () => {
      const { rows } = await sql<{ moved: number }>`
        select count(*)::int as moved from rivalscope_move.tables`
        .execute(looking.db)
        .catch(() => ({ rows: [] }))
      return (rows[0]?.moved ?? 0) > 10
    }, killed.child)
    killed.child.kill('SIGKILL')
    await killed.ended
  }
  await breakOff()
  const early = await run(['keys', 'list', '--database-url', database.url])
  assert.deepEqual([early.code, /^A move into this store has not ended\./.test(early.err)], [1, true])
  const examined = await run(['doctor', '--json', '--database-url', database.url, '--data-dir', home])
  assert.match(examined.out, /a move into this store has not ended/)
  const moved = await run(move)
  assert.equal(moved.code, 0, moved.err)
  assert.match(
    moved.out,
    /^moved \d+ tables, \d+ of them by an earlier run with \d+ rows\. The source is as it was\./,
  )
  const again = await run(move)
  assert.match(again.err, /^The store is not empty/)

  const back = join(folder.path, 'back')
  const returned = await run([
    'move',
    '--to',
    back,
    '--json',
    '--database-url',
    database.url,
    '--data-dir',
    home,
  ])
  assert.equal(returned.code, 0, returned.err)
  assert.deepEqual(JSON.parse(returned.out).media, { objects: 1, bytes: 9, copied: 1, missing: 0 })
  await using first = await openStore({ dataDir: home }, 'test')
  await using last = await openStore({ dataDir: back }, 'test')
  assert.deepEqual(await everyRow(last), await everyRow(first))
  assert.equal(await new MediaOnDisk(join(back, 'media')).has(sha256), true)
})

test('a move begins again when the source has changed since it was broken off, and refuses the rest of another', async () => {
  await using database = await emptyDatabase(server.url)
  const move = ['move', '--to', database.url, ...from.installation.location]
  {
    await using looking = await openStore({ databaseUrl: database.url }, 'test', { asItIs: true })
    await using killed = start(move)
    await asSoonAs(async () => {
      const { rows } = await sql<{ moved: number }>`
        select count(*)::int as moved from rivalscope_move.tables where name = 'accounts'`
        .execute(looking.db)
        .catch(() => ({ rows: [] }))
      return rows[0]?.moved === 1
    }, killed.child)
    killed.child.kill('SIGKILL')
    await killed.ended
  }
  await using other = await openInstallation()
  {
    // Databases of tests are copies of one, and have its secret.
    await using store = await other.open()
    await sql`update store_secret set secret = 'another'`.execute(store.db)
  }
  const strange = await run(['move', '--to', database.url, ...other.location])
  assert.match(strange.err, /^The target of --to holds the beginning of a move from another store\./)
  await run([
    'keys',
    'create',
    '--name',
    'c',
    '--account',
    'new',
    '--scopes',
    'context:read',
    ...from.installation.location,
  ])
  const { code, out, err } = await run([...move, '--json'])
  assert.equal(code, 0, err)
  assert.equal(JSON.parse(out).movedBefore, 0)
  await using target = await openStore({ databaseUrl: database.url }, 'test')
  await using source = await from.installation.open()
  assert.deepEqual(await everyRow(target), await everyRow(source))
  const itself = await run(['move', '--to', from.installation.databaseUrl, ...from.installation.location])
  assert.match(itself.err, /^The store is there already/)
  const nowhere = await run(['move', '--to', 'mysql://a/b', ...from.installation.location])
  assert.deepEqual([nowhere.code, /--to must be an address such as postgres:/.test(nowhere.err)], [2, true])
})

async function* once(content: string) {
  yield Buffer.from(content)
}
