import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Folder, openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

const folder: Folder = openFolder()
after(() => folder[Symbol.dispose]())

/** What evidence names: the reading, and how it was come by. What names the same place in another list is told apart by what is there. */
const named = new Set(['readingId', 'source', 'surface', 'origin', 'timeBasis', 'evidence'])
const told = (reply: unknown) =>
  JSON.parse(JSON.stringify(reply, (name, value) => (named.has(name) ? undefined : value)))

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

const lines = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n')

async function exported(world: World, kind: 'organic' | 'paid-ads', name: string): Promise<string> {
  const out = join(folder.path, name)
  const { code, notes } = await operate(world, { command: 'export', options: { kind, out } })
  assert.deepEqual([code, notes], [0, ''])
  return out
}

async function listed(world: World, tool: 'search_organic_content' | 'search_paid_ads', more: object) {
  const items: Record<string, string>[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await world.call(tool, { ...more, limit: 100, ...(cursor ? { cursor } : {}) })
    items.push(...body.items)
    cursor = body.nextCursor ?? null
  }
  return items
}

async function repliesOnPosts(world: World) {
  const byViews = await listed(world, 'search_organic_content', { sort: 'views' })
  const replies: unknown[] = byViews.map(told)
  for (const post of byViews.filter((_, index) => index % 10 === 0 || index > byViews.length - 200))
    replies.push(told((await world.call('get_organic_content', { postId: post.postId })).body))
  for (const more of [
    { q: 'app' },
    { hashtag: ['streaks'] },
    { language: ['en'] },
    { sort: 'outlier' },
    { mediaType: ['text'] },
  ])
    replies.push((await listed(world, 'search_organic_content', more)).map(({ postId }) => postId).sort())
  replies.push()
  return replies
}

test('posts that were taken out and brought into an empty store answer the same', async () => {
  await using from = await openWorld()
  await from.import({ kind: 'organic', paths: [folder.write('made.ndjson', lines(posts))] })
  for (const path of ['social/reddit-notion-2025.json', 'social/tiktok-trending-2020.json'].flatMap(real))
    await from.import({ kind: 'organic', paths: [path] })
  const expected = await repliesOnPosts(from)
  const file = await exported(from, 'organic', 'posts-again.ndjson')
  await using to = await openWorld()
  const brought = await to.import({ kind: 'organic', paths: [file] })
  assert.equal(brought.rejected, 0)
  // One by one: what differs is shown, not the difference of everything.
  const answered = await repliesOnPosts(to)
  assert.equal(answered.length, expected.length)
  for (const [index, reply] of answered.entries()) assert.deepEqual(reply, expected[index])
})
