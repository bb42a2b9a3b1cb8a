import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Folder, openFolder } from '../support/files.ts'
import { asLines, listed, takenOut, toldAgain } from '../support/taken-out.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const folder: Folder = openFolder()
after(() => folder[Symbol.dispose]())

const real = (path: string) => (existsSync(join(sharedData, path)) ? [path] : [])
const storeUrl = 'https://apps.apple.com/us/app/id6449912345'

const posts = [
  {
    postId: 'tiktok_7478123456789012345',
    author: {
      handle: 'moss',
      name: 'Moss',
      bio: `my app ${storeUrl}`,
      links: ['https://moss.example.com/'],
      followers: 0,
    },
    text: 'Words #Streaks for the first day of many',
    publishedAt: '2026-03-01T17:41:09Z',
    media: [
      {
        kind: 'video',
        url: 'https://media.example.com/7478.mp4',
        width: 1080,
        durationSeconds: 9.5,
        captions: { language: 'en', segments: [{ startSeconds: 0, endSeconds: 2, text: 'hello' }] },
      },
      { kind: 'thumbnail', url: null },
    ],
    metrics: { views: 0, likes: 3 },
    observedAt: '2026-03-10T08:00:00Z',
  },
  {
    postId: 'tiktok_7478123456789012345',
    author: { handle: 'moss', followers: 12 },
    metrics: { views: 70, saves: 1, hidden: ['likes', 'comments'] },
    observedAt: '2026-03-11T08:00:00.123Z',
  },
  {
    postId: 'tiktok_7478123456789012345',
    text: 'Other words',
    metrics: { views: 90 },
    observedAt: '2026-03-12T08:00:00Z',
  },
  {
    postId: 'instagram_CxYz_12-3',
    title: null,
    text: '',
    hashtags: [],
    language: null,
    linkUrl: null,
    media: [],
    metrics: { likes: 4, hidden: ['views'] },
    observedAt: '2026-03-10T09:00:00Z',
  },
  {
    postId: 'instagram_17890000000000001',
    url: 'https://www.instagram.com/p/Cabc/',
    observedAt: '2026-03-10T09:00:00Z',
  },
  {
    postId: 'instagram_17890000000000001',
    url: 'https://www.instagram.com/p/Cabc/',
    text: 'später',
    observedAt: '2026-03-12T09:00:00Z',
  },
  {
    postId: 'reddit_1abc',
    language: 'pt-BR',
    title: '#1 planner',
    metrics: { likes: 7 },
    observedAt: '2026-03-10T08:00:00Z',
  },
  {
    postId: 'youtube_dQw4w9WgXcQ',
    text: `see ${storeUrl}`,
    media: [{ kind: 'thumbnail', url: 'https://i.example.com/a.jpg' }],
    observedAt: '2026-03-10T08:00:00Z',
  },
]

async function repliesOnPosts(world: World) {
  const byViews = await listed(world, 'search_organic_content', { sort: 'views' })
  const replies: unknown[] = byViews.map((post) => toldAgain(post))
  for (const post of byViews.filter((_, index) => index % 10 === 0 || index > byViews.length - 200))
    replies.push(toldAgain((await world.call('get_organic_content', { postId: post.postId })).body))
  for (const more of [
    { q: 'app' },
    { hashtag: ['streaks'] },
    { language: ['en'] },
    { sort: 'outlier' },
    { mediaType: ['text'] },
  ])
    replies.push((await listed(world, 'search_organic_content', more)).map(({ postId }) => postId).sort())
  return replies
}

test('posts that were taken out and brought into an empty store answer the same', async () => {
  await using from = await openWorld()
  await from.import({ kind: 'organic', paths: [folder.write('made.ndjson', asLines(posts))] })
  const unread = {
    id: '7400000000000000021',
    authorMeta: { name: 'moss', profileUrl: 'n/a' },
    hashtags: [7],
    playCount: 9,
    videoMeta: { width: '576px' },
    mediaUrls: ['https://media.example.com/v.mp4'],
  }
  const unlinked = { ...unread, id: '7400000000000000022', mediaUrls: ['n/a'] }
  await from.import({
    kind: 'organic',
    paths: [folder.write('unread.ndjson', asLines([unread, unlinked]))],
    observedAt: '2026-03-10',
  })
  for (const path of ['social/reddit-notion-2025.json', 'social/tiktok-trending-2020.json'].flatMap(real))
    await from.import({ kind: 'organic', paths: [path] })
  const expected = await repliesOnPosts(from)
  const file = await takenOut(from, 'organic', folder, 'posts-again.ndjson')
  await using to = await openWorld()
  const brought = await to.import({ kind: 'organic', paths: [file] })
  assert.equal(brought.rejected, 0)
  // One by one: what differs is shown, not the difference of everything.
  const answered = await repliesOnPosts(to)
  assert.equal(answered.length, expected.length)
  for (const [index, reply] of answered.entries()) assert.deepEqual(reply, expected[index])
})

test('a table of exported posts comes back as far as it carries, its texts without the mark that spreadsheets need', async () => {
  await using from = await openWorld()
  const post = {
    postId: 'tiktok_7478123456789012345',
    author: { handle: 'moss', name: '@Moss', followers: 12 },
    title: '=1+1',
    text: "-50% off, 'tis so",
    hashtags: ['streaks', 'moss'],
    publishedAt: '2026-03-01T17:41:09Z',
    metrics: { views: 70, saves: 0, hidden: ['likes'] },
    media: [],
  }
  const records = [
    { ...post, metrics: { views: 3 }, observedAt: '2026-03-10T08:00:00Z' },
    { ...post, observedAt: '2026-03-11T08:00:00.123Z' },
  ]
  await from.import({ kind: 'organic', paths: [folder.write('table.ndjson', asLines(records))] })
  const before = (await from.call('get_organic_content', { postId: post.postId })).body
  const file = await takenOut(from, 'organic', folder, 'posts.csv')
  await using to = await openWorld()
  const brought = await to.import({ kind: 'organic', paths: [file] })
  assert.equal(brought.firstRejection, null)
  assert.match(brought.notes.join(), /^posts\.csv: a table holds the newest figures/)
  const { body } = await to.call('get_organic_content', { postId: post.postId })
  const newest = ({ metricsHistory: _, ...others }: Record<string, unknown>) => toldAgain(others)
  assert.deepEqual(newest(body), newest(before))
})
