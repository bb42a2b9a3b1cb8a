import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { replay } from '../src/projections/replay.ts'
import { openFolder } from './support/files.ts'
import { importPosts, madePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
  await importPosts(world, [
    ...['7301', '7302', '7303', '7304', '7305'].map((id) => madePost(id)),
    madePost('x', {
      postId: 'reddit_1abcde',
      url: 'https://www.reddit.com/r/habits/comments/1abcde/',
      media: [],
    }),
  ])
  const ad = {
    platform: 'meta',
    archiveId: '900000000000000001',
    advertiser: { id: '5001', name: 'Tidepool Habits' },
    creatives: [{ title: 'Small tides', media: [{ kind: 'video', url: 'https://media.example.com/ad.mp4' }] }],
    startedOn: '2026-02-20',
    active: true,
    observedAt: '2026-03-01T08:00:00Z',
  }
  const summary = await world.import({
    kind: 'paid-ads',
    paths: [folder.write('ads.json', JSON.stringify([ad]))],
  })
  assert.equal(summary.stored, 1)
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const keyOf = (account: string) => world.key(undefined, account)
const postId = 'tiktok_7301'

async function savedList(key: string, input: object = {}) {
  const { status, body } = await world.call('list_saved_organic_content', { ...input }, { key })
  assert.equal(status, 200)
  return body
}
const idsOf = (body: { items: { post: { postId: string } }[] }) => body.items.map(({ post }) => post.postId)

test('saving a post keeps it with a note and tags; saving again changes only what is given', async () => {
  const key = await keyOf('saver')
  const first = await world.call(
    'save_organic_content',
    { postId, note: '  Opens with the failure. ', tags: ['hook', 'ﬁrst', 'hook'] },
    { key },
  )
  assert.equal(first.status, 201)
  const { savedAt } = first.body
  assert.deepEqual(
    [first.body.note, first.body.tags],
    ['Opens with the failure.', ['hook', 'first']],
    'texts are normalised, and a tag given twice is one',
  )
  assert.deepEqual(first.body.post.saved, {
    savedAt,
    note: 'Opens with the failure.',
    tags: ['hook', 'first'],
  })
  const again = async (given: object) => {
    const { status, body } = await world.call('save_organic_content', { postId, ...given }, { key })
    assert.deepEqual([status, body.savedAt], [200, savedAt])
    return [body.note, body.tags]
  }
  assert.deepEqual(await again({}), ['Opens with the failure.', ['hook', 'first']])
  assert.deepEqual(await again({ note: null }), [null, ['hook', 'first']])
  assert.deepEqual(await again({ tags: [] }), [null, []])
  assert.deepEqual(await again({ note: 'Back', tags: ['b', 'a'] }), ['Back', ['b', 'a']])
})

test('saving asks for copies of the media', async () => {
  const key = await keyOf('copier')
  const { body } = await world.call('save_organic_content', { postId: 'tiktok_7302' }, { key })
  assert.equal(body.post.mediaStatus.status, 'pending')
  assert.equal(body.post.media[0].kept.status, 'pending')
  const text = await world.call('save_organic_content', { postId: 'reddit_1abcde' }, { key })
  assert.equal(text.body.post.mediaStatus.status, 'text-only')
})

test('a post that is not stored is neither saved nor removed', async () => {
  for (const tool of ['save_organic_content', 'remove_saved_organic_content'] as const) {
    const { status, body } = await world.call(tool, { postId: 'tiktok_1' })
    assert.deepEqual([status, body.code], [404, 'post-not-found'])
  }
})

test('the list shows the newest saved first, and its pages hold still while posts are saved and removed', async () => {
  const key = await keyOf('reader')
  for (const id of ['7301', '7302', '7303', '7304'])
    await world.call('save_organic_content', { postId: `tiktok_${id}`, tags: [id, 'all'] }, { key })
  const first = await savedList(key, { limit: 2 })
  assert.deepEqual(idsOf(first), ['tiktok_7304', 'tiktok_7303'])
  await world.call('save_organic_content', { postId: 'tiktok_7305' }, { key })
  await world.call('remove_saved_organic_content', { postId: 'tiktok_7303' }, { key })
  const second = await savedList(key, { limit: 2, cursor: first.nextCursor })
  assert.deepEqual([idsOf(second), second.nextCursor], [['tiktok_7302', 'tiktok_7301'], null])
  assert.deepEqual(idsOf(await savedList(key, { tag: ['7301', '7304', 'none'] })), [
    'tiktok_7304',
    'tiktok_7301',
  ])
  assert.deepEqual(idsOf(await savedList(key, { tag: ['ALL'] })), [], 'tags are written exactly so')
  assert.deepEqual(idsOf(await savedList(key, { network: ['reddit', 'x'] })), [])
  const other = await world.call(
    'list_saved_organic_content',
    { tag: ['all'], cursor: first.nextCursor },
    { key },
  )
  assert.equal(other.body.code, 'invalid-cursor', 'a cursor works for no other list')
})

test('a tag may hold any sign', async () => {
  const key = await keyOf('signs')
  const tags = ['a,b', '{}', '"quoted"', "it's", 'null', '\\n', '朝の習慣']
  await world.call('save_organic_content', { postId, tags }, { key })
  for (const tag of tags) {
    const { items } = await savedList(key, { tag: [tag] })
    assert.deepEqual(items[0]?.tags, tags, tag)
  }
})

test('removing takes a post off with its note, and can be repeated', async () => {
  const key = await keyOf('remover')
  await world.call('save_organic_content', { postId, note: 'soon gone' }, { key })
  for (const _ of [1, 2]) {
    const { status } = await world.call('remove_saved_organic_content', { postId }, { key })
    assert.equal(status, 204)
  }
  assert.deepEqual(idsOf(await savedList(key)), [])
  const again = await world.call('save_organic_content', { postId }, { key })
  assert.deepEqual([again.status, again.body.note], [201, null])
})

test('accounts never see what others have saved', async () => {
  const [mine, theirs] = [await keyOf('one'), await keyOf('other')]
  await world.call('save_organic_content', { postId, note: 'mine', tags: ['private'] }, { key: mine })
  assert.deepEqual(idsOf(await savedList(theirs)), [])
  const seen = await world.call('get_organic_content', { postId }, { key: theirs })
  assert.equal(seen.body.saved, null)
  assert.ok(!JSON.stringify(seen.body).includes('private'))
  await world.call('remove_saved_organic_content', { postId }, { key: theirs })
  assert.deepEqual(idsOf(await savedList(mine)), [postId])
  const named = { platform: 'meta', archiveId: '900000000000000001' }
  await world.call('save_paid_ad', { ...named, note: 'mine' }, { key: mine })
  const ad = await world.call('get_paid_ad', named, { key: theirs })
  assert.equal(ad.body.saved, null)
})

test('what was saved outlives a replay; a post that vanished in one is left out and comes back with it', async () => {
  const key = await keyOf('keeper')
  await world.call('save_organic_content', { postId: 'tiktok_7304', note: 'stays' }, { key })
  await world.call('save_organic_content', { postId: 'tiktok_7305' }, { key })
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(idsOf(await savedList(key)), ['tiktok_7305', 'tiktok_7304'])
  await sql`delete from posts where post_id = 'tiktok_7305'`.execute(world.store.db)
  const { items } = await savedList(key)
  assert.deepEqual([idsOf({ items }), items[0].note], [['tiktok_7304'], 'stays'])
  const { status } = await world.call('save_organic_content', { postId: 'tiktok_7305' }, { key })
  assert.equal(status, 404)
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(idsOf(await savedList(key)), ['tiktok_7305', 'tiktok_7304'])
})

test('an ad is saved, changed and removed as a post is', async () => {
  const key = await keyOf('advertised')
  const named = { platform: 'meta', archiveId: '900000000000000001' }
  const first = await world.call('save_paid_ad', { ...named, note: 'calm', tags: ['x'] }, { key })
  assert.equal(first.status, 201)
  assert.deepEqual(first.body.ad.saved, { savedAt: first.body.savedAt, note: 'calm', tags: ['x'] })
  assert.equal(first.body.ad.creatives[0].mediaStatus.status, 'pending')
  const again = await world.call('save_paid_ad', { ...named, note: null }, { key })
  assert.deepEqual(
    [again.status, again.body.savedAt, again.body.note, again.body.tags],
    [200, first.body.savedAt, null, ['x']],
  )
  for (const _ of [1, 2]) assert.equal((await world.call('remove_saved_paid_ad', named, { key })).status, 204)
  assert.equal((await world.call('get_paid_ad', named, { key })).body.saved, null)
  for (const tool of ['save_paid_ad', 'remove_saved_paid_ad'] as const) {
    const { status, body } = await world.call(tool, { platform: 'meta', archiveId: '1' }, { key })
    assert.deepEqual([status, body.code], [404, 'paid-ad-not-found'])
  }
})
