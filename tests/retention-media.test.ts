import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { policyEffects } from '../src/projections/retention/retain.ts'
import { MediaOnDisk } from '../src/storage/media-on-disk.ts'
import { everyRow } from './support/backups.ts'
import { importAd, mp4, playHosts, png, sends } from './support/media.ts'
import { operate } from './support/operator.ts'
import { importPosts } from './support/posts.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

/** Copies that were made of posts and ads long ago, and of some that were seen since. Ages are counted from today. */

const host = 'p16.tiktokcdn.com'
const at = (path: string) => `https://${host}/${path}`
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()

const parts = new AsyncDisposableStack()
const hosts = parts.use(await playHosts())
const world = parts.use(
  await openWorld({
    works: true,
    network: hosts.network,
    media: { timeoutSeconds: 20 },
    retention: { keepDays: { media: 60 } },
  }),
)
after(() => parts.disposeAsync())
const { db } = world.store
const [anna, ben, cleo] = await Promise.all(['anna', 'ben', 'cleo'].map((name) => world.key(undefined, name)))

/** Contents by the name of their file. */
const contents = {
  old: await png(1, 16),
  saved: await png(2, 24),
  both: await png(3, 32),
  twins: mp4(5_000),
  ad: mp4(9_000),
  lately: await png(6, 40),
  today: await png(7, 48),
}
type Name = keyof typeof contents

/** Posts by what they are called here: when they were last seen, and what they show. */
const posts: Record<string, [daysAgo: number, shows: Name]> = {
  old: [250, 'old'],
  saved: [240, 'saved'],
  bothOld: [230, 'both'],
  bothNew: [1, 'both'],
  twin: [220, 'twins'],
  twinSaved: [200, 'twins'],
  lately: [35, 'lately'],
  today: [0, 'today'],
}
const idOf = (post: string) => `tiktok_${Object.keys(posts).indexOf(post) + 1}`
const kindOf = (shows: Name) => (shows === 'twins' ? 'video' : 'image')

const save = (post: string, key: string | undefined) =>
  world.call('save_organic_content', { postId: idOf(post) }, { key: key ?? '' })
const copyOf = async (post: string, key: string | undefined) =>
  (await world.call('get_organic_content', { postId: idOf(post) }, { key: key ?? '' })).body.media[0].kept
const served = (content: Uint8Array) => world.request({ method: 'GET', url: `/media/${hashOf(content)}` })
const apply = () => operate(world, { command: 'retention apply', options: {} })
const show = async () => {
  const { out } = await operate(world, { command: 'retention show', options: { json: true } })
  return JSON.parse(out).kinds.find(({ kind }: { kind: string }) => kind === 'media')
}

/** The hashes of the files of a store of media. */
const filesIn = (store: unknown) => {
  assert.ok(store instanceof MediaOnDisk)
  return readdirSync(store.directory, { recursive: true })
    .map((path) => String(path).replace('/', ''))
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .sort()
}
const hashesOf = (...names: Name[]) => names.map((name) => hashOf(contents[name])).sort()
/** The hashes that rows say there is a file of. */
const named = async () => {
  const found = await sql<{ sha256: string }>`
    select sha256 from media_objects union select sha256 from archived_media where status = 'stored' order by 1`.execute(
    db,
  )
  return found.rows.map(({ sha256 }) => sha256)
}

before(async () => {
  for (const [name, content] of Object.entries(contents)) hosts.answer(`${host}/${name}`, sends(content))
  for (const [post, [daysAgo, shows]] of Object.entries(posts))
    await importPosts(world, [
      { postId: idOf(post), observedAt: day(daysAgo), media: [{ kind: kindOf(shows), url: at(shows) }] },
    ])
  await importAd(world, '9001', [{ kind: 'video', url: at('ad') }])
  for (const post of Object.keys(posts)) {
    assert.equal((await save(post, anna)).status, 201)
    await until(
      () => copyOf(post, anna),
      ({ status }) => status === 'stored',
    )
  }
  await world.call('save_paid_ad', { platform: 'meta', archiveId: '9001' }, { key: anna ?? '' })
  const adCopy = async () =>
    (await world.call('get_paid_ad', { platform: 'meta', archiveId: '9001' }, { key: anna ?? '' })).body
      .creatives[0].media[0]
  await until(adCopy, ({ kept }) => kept.status === 'stored')
  for (const post of ['saved', 'twinSaved']) await save(post, ben)
  for (const post of Object.keys(posts))
    await world.call('remove_saved_organic_content', { postId: idOf(post) }, { key: anna ?? '' })
  await world.call('remove_saved_paid_ad', { platform: 'meta', archiveId: '9001' }, { key: anna ?? '' })
  await copiedWhenSeen()
})

/** Puts the copies back to the day on which their post was seen, and that of the ad to the spring of last year. */
async function copiedWhenSeen(): Promise<void> {
  await sql`
    with seen as materialized (select 'post ' || post_id as owner, last_observed_at from posts)
    update archived_media k set stored_at = seen.last_observed_at from seen where seen.owner = k.owner`.execute(
    db,
  )
  await sql`update ads set last_observed_at = ${day(300)}`.execute(db)
  await sql`update archived_media set stored_at = ${day(300)} where creative_id is not null`.execute(db)
}

test('what would go is shown with its files and bytes, and nothing changes', async () => {
  // Once a minute the worker writes what watches were evaluated at.
  const stored = async () => {
    const { watch_state: _ofWorker, ...rows } = await everyRow(world.store)
    return [rows, filesIn(world.archive.store)]
  }
  const before = await stored()
  const media = await show()
  assert.equal(media.unit, 'files')
  assert.deepEqual(
    [media.stored.count, media.stored.bytes],
    [7, Object.values(contents).reduce((sum, one) => sum + one.length, 0)],
  )
  assert.deepEqual([media.removes.count, media.removes.bytes], [2, contents.old.length + contents.ad.length])
  assert.deepEqual(await stored(), before)
})

test('a clock that jumps ahead removes no more', async () => {
  const shown = async (now: Date) =>
    (await policyEffects(db, world.retention, now)).find(({ kind }) => kind === 'media')
  assert.deepEqual(await shown(new Date('2051-01-01')), await shown(new Date()))
})

test('what nobody saved goes, and its answers say so; what is saved or shown by something newer stays', async () => {
  const used = async () =>
    JSON.parse((await operate(world, { command: 'accounts list', options: { json: true } })).out)
  const before = await used()
  const { code, out, notes } = await apply()
  assert.equal(code, 0, notes)
  assert.match(out, /^media +keep 60 days .*; removed: \S+ to \S+, 2 files, /m)
  assert.deepEqual(filesIn(world.archive.store), hashesOf('saved', 'both', 'twins', 'lately', 'today'))
  assert.deepEqual(await named(), filesIn(world.archive.store))
  assert.deepEqual(await used(), before, 'what accounts keep counts as before')

  const gone = await copyOf('old', anna)
  assert.equal(gone.status, 'not-kept')
  assert.match(
    gone.reason,
    /^A copy was kept until 20\d\d-\d\d-\d\d: this installation keeps media for a time only/,
  )
  assert.match((await served(contents.old)).body.detail, /^What was kept under this address was removed/)
  assert.equal((await served(contents.old)).status, 404)
  const unknown = await served(Buffer.from('another'))
  assert.deepEqual([unknown.status, unknown.body.detail], [404, 'Nothing is kept under this address.'])
  for (const content of [contents.saved, contents.both, contents.twins]) {
    const { statusCode, rawPayload } = await world.server.inject({
      method: 'GET',
      url: `/media/${hashOf(content)}`,
    })
    assert.ok(statusCode === 200 && rawPayload.equals(content))
  }
  assert.equal((await show()).removes, null)
})

test('that somebody else has it saved does not show: a copy that stays for that reason is gone for all others', async () => {
  for (const post of ['saved', 'twinSaved']) {
    assert.equal((await copyOf(post, ben)).status, 'stored')
    const { status, reason } = await copyOf(post, anna)
    assert.deepEqual([status, reason], ['not-kept', (await copyOf('old', anna)).reason])
    assert.deepEqual(
      await copyOf(post, cleo),
      await copyOf('old', cleo),
      'who never asked is told what it was told before',
    )
  }
  assert.equal((await copyOf('bothNew', anna)).status, 'stored')
})

test('whoever saves it again has it copied again, and nobody else is told', async () => {
  await save('old', ben)
  await until(
    () => copyOf('old', ben),
    ({ status }) => status === 'stored',
  )
  assert.equal((await copyOf('old', anna)).status, 'not-kept')
  assert.ok(filesIn(world.archive.store).includes(hashOf(contents.old)))
  await apply()
  assert.ok(filesIn(world.archive.store).includes(hashOf(contents.old)))
})
