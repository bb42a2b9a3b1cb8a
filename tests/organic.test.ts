import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { importPosts, type MadePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

const usual: MadePost = {
  postId: 'tiktok_7001',
  network: 'tiktok',
  url: 'https://www.tiktok.com/@moss/video/7001',
  author: { handle: 'moss', name: 'Moss & Minutes', followers: 20400 },
  text: 'I broke my streak so you do not have to: https://apps.apple.com/us/app/id6449912345 #habits',
  language: 'en',
  hashtags: ['habits'],
  publishedAt: '2026-03-01T17:41:09Z',
  media: [{ kind: 'video', url: 'https://media.example.com/7001.mp4', width: 576, height: 1024 }],
  metrics: { views: 1000, likes: 80, comments: 15, shares: 5, saves: 7 },
  observedAt: '2026-03-03T08:00:00Z',
}

test('a post is shown as last observed, each value with the reading it rests on', async () => {
  await importPosts(world, [usual])
  await importPosts(world, [
    { ...usual, metrics: { views: 3000, likes: 240 }, observedAt: '2026-03-10T08:00:00Z' },
  ])
  const { status, body } = await world.call('get_organic_content', { postId: usual.postId })
  assert.equal(status, 200)
  console.log(JSON.stringify(body, null, 1))
})
