import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, mock, test } from 'node:test'
import { sql } from 'kysely'
import { recordStored } from '../../src/domain/media/contents.ts'
import { mediaIdOf } from '../../src/domain/media/media-id.ts'
import { requestCopies } from '../../src/domain/media/queries.ts'
import { Retention } from '../../src/projections/retention/policies.ts'
import { removeOld } from '../../src/projections/retention/retain.ts'
import { lockTables } from '../../src/storage/backup/write-backup.ts'
import { type Database, firstRow, inTransaction, rows } from '../../src/storage/database.ts'
import { MediaInBucket } from '../../src/storage/media-in-bucket.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import type { MediaStore } from '../../src/storage/media-store.ts'
import { playBucket } from '../support/bucket.ts'
import { start } from '../support/command-line.ts'
import { run } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'

/** The rows of kept media, and the files they name, when both go. */

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())

const policy = { retention: { keepDays: { media: 60 } } }
const retention = Retention.parse(policy.retention)
const never = new AbortController().signal

/** A copy of a post that is not stored any more, made some days ago. @returns the hash of its content */
async function copied(db: Database, media: MediaStore, text: string, daysAgo: number): Promise<string> {
  const mediaId = await asked(db, text)
  const content = await media.put(Readable.from([Buffer.from(text)]))
  assert.equal(await recordStored(db, media, mediaId, { ...content, contentType: 'image/png' }), 'stored')
  await sql`
    update archived_media set stored_at = now() - make_interval(days => ${daysAgo}) where media_id = ${mediaId}`.execute(
    db,
  )
  return content.sha256
}

async function asked(db: Database, post: string): Promise<string> {
  const mediaId = mediaIdOf({ postId: post }, 'image', 1)
  const sourceUrl = `https://p16.tiktokcdn.com/${post}`
  await requestCopies(db, [{ mediaId, owner: `post ${post}`, kind: 'image', sourceUrl, reason: null }], false)
  return mediaId
}

/** Three old contents of one month, and one of each of the last two. */
async function fill(db: Database, media: MediaStore): Promise<{ old: string[]; kept: string[] }> {
  const old = []
  for (const text of ['first', 'second', 'third']) old.push(await copied(db, media, text, 300))
  return {
    old: old.sort(),
    kept: [await copied(db, media, 'lately', 35), await copied(db, media, 'today', 0)].sort(),
  }
}

const named = async (db: Database) =>
  (
    await rows(
      db,
      sql<{ sha256: string }>`
        select sha256 from media_objects union select sha256 from archived_media where status = 'stored' order by 1`,
    )
  ).map(({ sha256 }) => sha256)

/** Those of some contents whose files are there. */
async function there(media: MediaStore, hashes: readonly string[]): Promise<string[]> {
  const found = await Promise.all(hashes.map((hash) => media.has(hash)))
  return hashes.filter((_, index) => found[index])
}

test('killed between two files, no row names one that is gone, and the next run removes the rest', async () => {
  await using installation = await openInstallation()
  const { location, folder, configure } = installation
  const apply = ['retention', 'apply', '--config', configure(policy), ...location]
  await using store = await installation.open()
  const media = new MediaOnDisk(join(folder, 'media'))
  const { old, kept } = await fill(store.db, media)
  await sql
    .raw(`
      create function slowly() returns trigger language plpgsql as
        $$ begin if old.sha256 = '${old[1]}' then perform pg_sleep(60); end if; return old; end $$;
      create trigger slowly before delete on removed_contents for each row execute function slowly()`)
    .execute(store.db)
  {
    await using first = start(apply)
    const isAtSecond = () =>
      firstRow(
        store.db,
        sql`select from pg_stat_activity where wait_event = 'PgSleep' and query like '%removed_contents%'`,
      )
    await until(isAtSecond, (found) => found !== undefined)
    const second = await run(apply)
    assert.equal(second.code, 1)
    assert.match(second.err, /one at a time is possible.*Nothing was removed/)
    first.child.kill('SIGKILL')
    await first.ended
  }
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and query like '%removed_contents%'`.execute(
    store.db,
  )
  await sql.raw('drop trigger slowly on removed_contents').execute(store.db)
  assert.deepEqual(await named(store.db), kept)
  assert.deepEqual(await there(media, kept), kept)
  assert.deepEqual(await there(media, old), old.slice(2))
  const { code, err } = await run(apply)
  assert.equal(code, 0, err)
  assert.deepEqual([await there(media, old), await there(media, kept)], [[], kept])
  assert.equal(await firstRow(store.db, sql`select from removed_contents`), undefined)
})

test('files stay as long as a backup reads them, and so does an equal content that is copied meanwhile', async () => {
  await using installation = await openInstallation()
  await using store = await installation.open()
  const { db } = store
  const media = new MediaOnDisk(join(installation.folder, 'media'))
  const { old, kept } = await fill(db, media)
  const again = createHash('sha256').update('second').digest('hex')
  let removing: Promise<unknown> | undefined
  await inTransaction(db, async (backup) => {
    await lockTables(store, backup, 'access share')
    removing = removeOld({ db, media }, retention, new Date(), () => {}, never)
    await until(
      () => named(db),
      (hashes) => hashes.length === kept.length,
    )
    assert.deepEqual(await there(media, old), old)
    const content = { sha256: again, sizeBytes: 6, contentType: 'image/png' }
    assert.equal(await recordStored(db, media, await asked(db, 'another post'), content), 'stored')
  })
  await removing
  assert.deepEqual(await there(media, old), [again])
  assert.deepEqual(await named(db), [...kept, again].sort())
  assert.deepEqual(await there(media, await named(db)), await named(db))
})

test('what somebody saves at that very moment stays', async () => {
  await using installation = await openInstallation()
  await using store = await installation.open()
  const { db } = store
  const media = new MediaOnDisk(join(installation.folder, 'media'))
  const { old, kept } = await fill(db, media)
  await run(['keys', 'create', '--name', 'a', '--scopes', 'content:write', ...installation.location])
  // As a run leaves it that was killed between what it let go and what it removed.
  await sql`update archived_media set released_at = now() where stored_at < now() - interval '60 days'`.execute(
    db,
  )
  let removing: Promise<unknown> | undefined
  await inTransaction(db, async (saving) => {
    await sql`insert into saved_posts (account_id, post_id) select account_id, 'second' from accounts`.execute(
      saving,
    )
    await asked(saving, 'second')
    removing = removeOld({ db, media }, retention, new Date(), () => {}, never)
    const isWaiting = () =>
      firstRow(
        db,
        sql`
        select from pg_stat_activity
        where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
          and query like '%update archived_media set status = status%'`,
      )
    await until(isWaiting, (found) => found !== undefined)
  })
  await removing
  const saved = createHash('sha256').update('second').digest('hex')
  assert.deepEqual(await there(media, old), [saved])
  assert.deepEqual(await named(db), [...kept, saved].sort())
})

test('a copy whose file was removed before it was recorded is not recorded, and is made another time', async () => {
  await using installation = await openInstallation()
  await using store = await installation.open()
  const media = new MediaOnDisk(join(installation.folder, 'media'))
  const content = await media.put(Readable.from([Buffer.from('a picture')]))
  const mediaId = await asked(store.db, 'a post')
  await media.remove(content.sha256)
  assert.equal(
    await recordStored(store.db, media, mediaId, { ...content, contentType: 'image/png' }),
    'removed',
  )
  const [copy] = await rows(store.db, sql<{ status: string }>`select status from archived_media`)
  assert.deepEqual([copy?.status, await named(store.db)], ['pending', []])
})

test('in a bucket as on a disk; where it does not answer, rows are gone and the files go with the next run', async () => {
  await using installation = await openInstallation()
  await using bucket = await playBucket()
  await using store = await installation.open()
  const { db } = store
  const place = { bucket: 'kept', endpoint: bucket.endpoint, region: 'eu-central-1', prefix: 'media' }
  const media = new MediaInBucket(place, bucket.credentials)
  const { old, kept } = await fill(db, media)
  const settings = { ...policy, media: { store: place } }
  const env = {
    AWS_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
  }
  const apply = () =>
    run(['retention', 'apply', '--config', installation.configure(settings), ...installation.location], { env })
  bucket.fail.status = 503
  const failed = await apply()
  bucket.fail.status = undefined
  assert.equal(failed.code, 1)
  assert.match(failed.err, /The bucket of kept media answered 503/)
  assert.deepEqual([await there(media, old), await named(db)], [old, kept])
  const { code, err } = await apply()
  assert.equal(code, 0, err)
  assert.deepEqual([await there(media, old), await there(media, kept)], [[], kept])
})

test('behind a backup that takes longer than ten minutes it gives up, and says what was done and what goes on', async () => {
  await using installation = await openInstallation()
  await using store = await installation.open()
  const { db } = store
  const media = new MediaOnDisk(join(installation.folder, 'media'))
  const { old, kept } = await fill(db, media)
  const apply = ['retention', 'apply', '--config', installation.configure(policy), ...installation.location]
  await inTransaction(db, async (backup) => {
    await lockTables(store, backup, 'access share')
    const given = run(apply)
    await until(
      () => named(db),
      (hashes) => hashes.length === kept.length,
    )
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 11 * 60_000 })
    const { code, err } = await given.finally(() => mock.timers.reset())
    assert.equal(code, 1)
    assert.match(err, /A backup or a long statement has had the tables in use for ten minutes\./)
    assert.match(err, /the same command goes on once it has ended/)
    assert.deepEqual(await there(media, old), old)
  })
  const { code, err } = await run(apply)
  assert.equal(code, 0, err)
  assert.deepEqual([await there(media, old), await there(media, kept)], [[], kept])
})
