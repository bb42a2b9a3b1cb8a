import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { replay } from '../../src/projections/replay.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { openFolder } from '../support/files.ts'
import { run, serveHere } from '../support/in-process.ts'
import { storeListings } from '../support/listings.ts'
import { operate } from '../support/operator.ts'
import { importPosts, type MadePost, madePost } from '../support/posts.ts'
import { openWorld, type World } from '../support/world.ts'

/** Posts that the operator links by hand or by the accounts an app has, and what of it wins. */

const tidepool = '6449912345'
const lantern = '6449912346'

let world: World
before(async () => {
  world = await openWorld()
  await storeListings(world, [
    { trackId: Number(tidepool), trackName: 'Tidepool Habits', observedAt: '2026-02-01T00:00:00Z' },
    {
      trackId: Number(lantern),
      trackName: 'Paper Lantern',
      bundleId: 'com.example.lantern',
      observedAt: '2026-02-01T00:00:00Z',
    },
  ])
})
after(() => world?.[Symbol.asyncDispose]())

const silent = (id: string, handle: string, more: Partial<MadePost> = {}) =>
  madePost(id, { author: { handle }, text: 'Nothing about any app', ...more })

const linksOf = async (postId: string) =>
  (await world.call('get_organic_content', { postId })).body.links as {
    app: { storeId: string }
    linkedAt: string
    grounds: { kind: string; text: string; foundIn: string; evidence: number | null; decidedAt?: string }[]
  }[]

const appsOf = async (postId: string) => (await linksOf(postId)).map(({ app }) => app.storeId)

const decide = (action: 'link' | 'unlink' | 'withdraw', postIds: string[], app: string, note?: string) =>
  operate(world, { command: `posts ${action}`, options: { postIds, app, ...(note ? { note } : {}) } })

const declare = (network: 'tiktok' | 'reddit', handle: string, app: string) =>
  operate(world, { command: 'handles declare', options: { network, handle, app } })

/** The posts of an app by every door that tells of them: search, the competitor's own list, its counts and its summary. */
async function reported(storeId: string) {
  const app = { platform: 'ios', storeId }
  const [found, own, record] = await Promise.all([
    world.call('search_organic_content', { competitor: [storeId] }),
    world.call('get_competitor_organic', app),
    world.call('get_competitor', app),
  ])
  const ids = (items: { postId: string }[]) => items.map(({ postId }) => postId).sort()
  return {
    found: ids(found.body.items),
    listed: ids(own.body.items),
    summed: own.body.summary.posts.value,
    counted: record.body.counts.posts.value,
  }
}

const everywhere = (...postIds: string[]) => ({
  found: postIds,
  listed: postIds,
  summed: postIds.length,
  counted: postIds.length,
})

test('a post linked by hand belongs to the app by every door, and says by what and when', async () => {
  const begin = new Date().toISOString()
  await importPosts(world, [silent('8001', 'quiet'), silent('8002', 'quiet'), silent('8003', 'quiet')])
  const { code, out } = await decide('link', ['tiktok_8001', 'tiktok_8002'], 'com.example.lantern', 'their ad')
  assert.deepEqual([code, out], [0, `linked 2 posts to ${lantern}\n`])
  const [link] = await linksOf('tiktok_8001')
  const [{ decidedAt = '', ...attribution } = assert.fail('no ground')] = link?.grounds ?? []
  assert.deepEqual(attribution, { kind: 'manual', text: 'their ad', foundIn: 'decision', evidence: null })
  assert.ok(decidedAt >= begin && decidedAt <= new Date().toISOString(), decidedAt)
  assert.equal(link?.linkedAt, decidedAt)
  assert.deepEqual(await reported(lantern), everywhere('tiktok_8001', 'tiktok_8002'))
  await decide('withdraw', ['tiktok_8001', 'tiktok_8002'], lantern)
  assert.deepEqual(await reported(lantern), everywhere())
})

test('what is unlinked by hand stays so, whatever the post, its author, an import or a replay says', async () => {
  const post = madePost('8101', { author: { handle: 'stubborn' } })
  await importPosts(world, [post])
  assert.deepEqual(await appsOf('tiktok_8101'), [tidepool])
  const address = `https://apps.apple.com/us/app/tidepool/id${tidepool}?uo=4`
  assert.equal((await decide('unlink', ['tiktok_8101'], address)).code, 0)
  await declare('tiktok', 'stubborn', tidepool)
  await importPosts(world, [{ ...post, observedAt: '2026-03-20T08:00:00Z' }])
  assert.deepEqual(await appsOf('tiktok_8101'), [])
  assert.ok(!(await reported(tidepool)).found.includes('tiktok_8101'))
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await appsOf('tiktok_8101'), [])
  const { out } = await operate(world, { command: 'posts decisions', options: {} })
  assert.match(out, /^unlink {4}tiktok_8101 {2}6449912345 {2}Tidepool Habits {2}\d{4}-/m)

  await operate(world, {
    command: 'handles remove',
    options: { network: 'tiktok', handle: 'stubborn', app: tidepool },
  })
  await decide('withdraw', ['tiktok_8101'], tidepool)
  const [link] = await linksOf('tiktok_8101')
  assert.deepEqual(
    link?.grounds.map(({ kind }) => kind),
    ['store-url'],
    'what the post itself shows counts again',
  )
})

test('a later decision about the same post and app takes the place of the one before', async () => {
  await importPosts(world, [silent('8201', 'changing')])
  for (const [action, apps] of [
    ['link', [lantern]],
    ['unlink', []],
    ['link', [lantern]],
    ['withdraw', []],
  ] as const) {
    assert.equal((await decide(action, ['tiktok_8201'], lantern)).code, 0)
    assert.deepEqual(await appsOf('tiktok_8201'), apps, action)
  }
})

test('a declared handle links what its account posts and what names it, stored or yet to come', async () => {
  await importPosts(world, [
    silent('8301', 'Lantern.Official'),
    silent('8302', 'fan', { text: 'Look at @lantern.official, everyone' }),
  ])
  const { code, out } = await declare('tiktok', '@LANTERN.official', lantern)
  assert.deepEqual([code, out], [0, `declared @lantern.official of tiktok for ${lantern}; 2 stored posts\n`])
  await importPosts(world, [silent('8303', 'lantern.OFFICIAL'), silent('8304', 'elsewhere')])
  assert.deepEqual(await reported(lantern), everywhere('tiktok_8301', 'tiktok_8302', 'tiktok_8303'))
  const grounds = async (postId: string) =>
    (await linksOf(postId)).flatMap((link) =>
      link.grounds.map(({ decidedAt, ...attribution }) => ({
        ...attribution,
        decided: decidedAt !== undefined,
      })),
    )
  const attribution = { kind: 'declared-handle', text: '@lantern.official', evidence: null, decided: true }
  assert.deepEqual(await grounds('tiktok_8303'), [{ ...attribution, foundIn: 'author' }])
  assert.deepEqual(await grounds('tiktok_8302'), [{ ...attribution, foundIn: 'text' }])

  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await reported(lantern), everywhere('tiktok_8301', 'tiktok_8302', 'tiktok_8303'))
  const listed = await operate(world, { command: 'handles list', options: { json: true } })
  assert.deepEqual(
    JSON.parse(listed.out).map(({ declaredAt, ...handle }: { declaredAt: string }) => handle),
    [{ network: 'tiktok', handle: 'lantern.official', storeId: lantern, app: 'Paper Lantern' }],
  )
  const removed = await operate(world, {
    command: 'handles remove',
    options: { network: 'tiktok', handle: 'Lantern.official', app: lantern },
  })
  assert.equal(removed.code, 0, removed.notes)
  assert.deepEqual(await reported(lantern), everywhere())
})

test('a handle is of its network alone, and may be given as the address of its profile', async () => {
  await importPosts(world, [silent('8401', 'twin')])
  assert.equal((await declare('reddit', 'u/twin', lantern)).code, 0)
  assert.deepEqual(await appsOf('tiktok_8401'), [])
  assert.equal((await declare('tiktok', 'https://www.tiktok.com/@Twin?lang=en', lantern)).code, 0)
  assert.deepEqual(await appsOf('tiktok_8401'), [lantern])
  const astray = await declare('reddit', 'https://www.tiktok.com/@twin', lantern)
  assert.equal(astray.code, 1)
  assert.match(astray.notes, /no handle of reddit/)
})

test('a link by hand fulfils what accounts asked for', async () => {
  await storeListings(world, [
    { trackId: 6449912377, trackName: 'Asked For', observedAt: '2026-02-01T00:00:00Z' },
  ])
  const app = { platform: 'ios', storeId: '6449912377' }
  await importPosts(world, [silent('8501', 'asked')])
  await world.call('request_competitor_data', { ...app, kinds: ['organic'] })
  await decide('link', ['tiktok_8501'], app.storeId)
  const { body } = await world.call('list_competitor_data_requests', app)
  assert.equal(body.items[0].status, 'fulfilled')
})

test('one wrong id decides nothing, and every refusal says what would be right', async () => {
  await importPosts(world, [silent('8601', 'careful')])
  const refused = async (command: ReturnType<typeof decide>, notes: RegExp) => {
    const { code, notes: said } = await command
    assert.equal(code, 1)
    assert.match(said, notes)
  }
  await refused(decide('link', ['tiktok_8601', 'tiktok_no'], lantern), /"tiktok_no".*search-organic-content/)
  assert.deepEqual(await appsOf('tiktok_8601'), [])
  await refused(decide('link', ['tiktok_8601'], 'not an app'), /no App Store id or address/)
  await refused(
    decide('link', ['tiktok_8601'], '999999999'),
    /999999999.*request-ios-competitor --app 999999999/,
  )
  await refused(decide('withdraw', ['tiktok_8601'], lantern), /posts decisions/)
  await refused(declare('tiktok', 'two words', lantern), /no handle of tiktok/)
  const remove = { network: 'tiktok', handle: 'nobody', app: lantern } as const
  await refused(operate(world, { command: 'handles remove', options: remove }), /handles list/)
})

test('the commands work on a store that is served', async () => {
  using folder = openFolder()
  const directory = join(folder.path, 'store')
  await makeDataDirectory(directory)
  const store = ['--data-dir', directory]
  await using _service = await serveHere(store)
  const rivalscope = (...args: string[]) => run([...args, ...store])
  const posts = folder.write('posts.json', JSON.stringify([madePost('8701')]))
  assert.equal((await rivalscope('import', 'organic', posts)).code, 0)
  const unlinked = await rivalscope('posts', 'unlink', 'tiktok_8701', '--app', tidepool)
  assert.deepEqual([unlinked.code, unlinked.out], [0, `unlinked 1 post from ${tidepool}\n`])
  const listed = await rivalscope('posts', 'decisions', '--json')
  assert.equal(JSON.parse(listed.out)[0].action, 'unlink')
  assert.equal((await rivalscope('handles', 'declare', 'tiktok', 'moss', '--app', '42')).code, 1)
  assert.equal((await rivalscope('handles', 'list')).out, 'No handle is declared.\n')
  assert.equal((await rivalscope('handles', 'declare', 'myspace', 'moss', '--app', tidepool)).code, 2)
  assert.equal((await rivalscope('posts', 'link', 'tiktok_8701')).code, 2)
})
