import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFolder } from './support/files.ts'
import type { MadePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
const folder = openFolder()
const daily = (n: number) => `2026-03-${String(n).padStart(2, '0')}`

/** Posts have names here, and ids of their networks in the store. */
const names: string[] = []
const idOf = (name: string, network = 'tiktok') => {
  if (!names.includes(name)) names.push(name)
  const digits = 7_000_000_000 + names.indexOf(name)
  return `${network}_${network === 'reddit' ? digits.toString(36) : digits}`
}

const post = (id: string, more: Partial<MadePost> = {}): MadePost => {
  const network = more.network ?? 'tiktok'
  return {
    postId: idOf(id, network),
    network,
    url: `https://example.com/${id}`,
    author: { handle: `maker_${id}`, name: 'Somebody' },
    text: 'nothing in particular',
    language: 'en',
    hashtags: [],
    publishedAt: '2026-02-01T12:00:00Z',
    media: [],
    metrics: { views: 500, likes: 20, comments: 2, shares: 1 },
    observedAt: '2026-03-20T08:00:00Z',
    ...more,
  }
}

before(async () => {
  world = await openWorld()
  await importPosts([
    post('habit', {
      text: 'Five lanterns that keep a habit alive',
      publishedAt: `${daily(3)}T10:00:00Z`,
      metrics: { views: 90_000, likes: 900, comments: 50, shares: 50 },
    }),
    post('tagged', {
      text: 'look at this',
      hashtags: ['lanterns', 'DIY'],
      publishedAt: `${daily(2)}T10:00:00Z`,
      metrics: { views: 100, likes: 50, comments: 0, shares: 0 },
    }),
    post('sleep', {
      text: '毎晩の睡眠アプリを試しました',
      language: 'ja',
      publishedAt: `${daily(4)}T10:00:00Z`,
    }),
    post('thai', { text: 'แอปนอนหลับที่ดีที่สุด', language: 'th' }),
    post('brazil', {
      text: 'luminárias para dormir',
      language: 'pt-BR',
      author: { handle: 'Ana.Luz', name: 'Ana' },
    }),
    post('hidden', {
      network: 'reddit',
      text: 'lanterns without views',
      metrics: { likes: 70, comments: 9 },
      publishedAt: `${daily(5)}T10:00:00Z`,
    }),
    post('linked', { text: 'mine: https://apps.apple.com/us/app/id6449912345', hashtags: ["l'été", 'a\\b'] }),
    ...Array.from({ length: 6 }, (_, at) =>
      post(`series${at}`, {
        author: { handle: 'seriesmaker', name: 'Serial' },
        text: 'an episode of the series',
        publishedAt: `${daily(10 + at)}T10:00:00Z`,
        metrics: { views: at === 3 ? 5_000 : 1_000, likes: 100 - at, comments: 0, shares: 0 },
      }),
    ),
  ])
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

let files = 0
async function importPosts(posts: readonly MadePost[]): Promise<void> {
  const path = folder.write(`posts-${++files}.ndjson`, posts.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { stored, rejected } = await world.import({ kind: 'organic', paths: [path] })
  assert.deepEqual([stored, rejected], [posts.length, 0])
}

const namesOf = (body: { items: { postId: string; network: string }[] }) =>
  body.items.map(({ postId, network }) => names.find((name) => idOf(name, network) === postId) ?? postId)

async function found(input: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await world.call('search_organic_content', input)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total.value, body.items.length)
  return namesOf(body)
}
const unordered = async (input: Record<string, unknown>) => (await found(input)).sort()

test('words are found in texts, hashtags and authors, in any case, and the last may be a beginning', async () => {
  assert.deepEqual(await unordered({ q: 'LANTERNS' }), ['habit', 'hidden', 'tagged'])
  assert.deepEqual(await unordered({ q: 'lanterns hab' }), ['habit'])
  assert.deepEqual(await unordered({ q: 'luminarias' }), ['brazil'])
  assert.deepEqual(await unordered({ q: 'ana.luz' }), ['brazil'])
  assert.deepEqual(await unordered({ q: 'lanterns nowhere' }), [])
})

test('scripts without spaces are found by any part of a text', async () => {
  assert.deepEqual(await found({ q: '睡眠' }), ['sleep'])
  assert.deepEqual(await found({ q: '眠' }), ['sleep'])
  assert.deepEqual(await found({ q: 'นอนหลับ' }), ['thai'])
})

test('a text without letters and digits finds nothing, not everything', async () => {
  for (const q of ['🔥🔥', '!!!', '#', "' | '"]) assert.deepEqual(await found({ q }), [])
})

test('what fits the text as it stands comes first, then what did better and is newer', async () => {
  assert.deepEqual(await found({ q: 'lanterns' }), ['tagged', 'habit', 'hidden'])
})

test('filters are combined with and, several values of one with or', async () => {
  assert.deepEqual(await unordered({ network: ['reddit'] }), ['hidden'])
  assert.deepEqual(await unordered({ q: 'lanterns', network: ['reddit', 'tiktok'], minViews: 1000 }), ['habit'])
  assert.deepEqual(await unordered({ language: ['pt', 'th'] }), ['brazil', 'thai'])
  assert.deepEqual(await unordered({ language: ['pt-PT'] }), [])
  assert.deepEqual(await unordered({ author: '@ana.LUZ' }), ['brazil'])
  assert.deepEqual(await unordered({ author: 'ana' }), [])
  assert.deepEqual(await unordered({ hashtag: ['#diy', 'nothing'] }), ['tagged'])
  assert.deepEqual(await unordered({ hashtag: ["L'ÉTÉ"] }), ['linked'])
  assert.deepEqual(await unordered({ hashtag: ['a\\b'] }), ['linked'])
  assert.deepEqual(await unordered({ publishedFrom: daily(3), publishedTo: daily(4) }), ['habit', 'sleep'])
  assert.deepEqual(await unordered({ publishedFrom: daily(14) }), ['series4', 'series5'])
})

test('hidden views are neither zero nor any other number', async () => {
  assert.deepEqual(await unordered({ q: 'lanterns', minViews: 0 }), ['habit', 'tagged'])
  assert.deepEqual(await found({ q: 'lanterns', sort: 'views' }), ['habit', 'tagged', 'hidden'])
})

test('posts are sorted high to low, newest first', async () => {
  const ofSeries = { author: 'seriesmaker' }
  const numbers = [5, 4, 3, 2, 1, 0]
  assert.deepEqual(
    await found({ ...ofSeries, sort: 'recent' }),
    numbers.map((at) => `series${at}`),
  )
  assert.deepEqual(
    await found(ofSeries),
    numbers.map((at) => `series${at}`),
  )
  assert.equal((await found({ ...ofSeries, sort: 'outlier' }))[0], 'series3')
  assert.equal((await found({ ...ofSeries, sort: 'engagement' }))[0], 'series0')
  assert.equal((await found({ ...ofSeries, sort: 'engagement' })).at(-1), 'series3')
})

test('apps are named by id or address, in the catalogue or not; a bundle id nobody has seen is refused', async () => {
  assert.deepEqual(await found({ competitor: ['6449912345'] }), ['linked'])
  assert.deepEqual(await found({ competitor: ['https://apps.apple.com/de/app/x/id6449912345', '12'] }), [
    'linked',
  ])
  assert.deepEqual(await found({ competitor: ['12'] }), [])
  const unseen = await world.call('search_organic_content', { competitor: ['com.example.unseen'] })
  assert.deepEqual([unseen.status, unseen.body.code], [404, 'competitor-not-found'])
})

test('what one account saved is found by that account alone', async () => {
  const other = await world.key(undefined, 'other')
  await world.call('save_organic_content', { postId: idOf('habit') })
  assert.deepEqual(await found({ saved: true }), ['habit'])
  assert.deepEqual(await unordered({ q: 'lanterns', saved: false }), ['hidden', 'tagged'])
  const { body } = await world.call('search_organic_content', { saved: true }, { key: other })
  assert.deepEqual(body.items, [])
})

test('pages hold still while posts are added, and a damaged cursor is refused', async () => {
  const first = await world.call('search_organic_content', { author: 'seriesmaker', limit: 2 })
  await importPosts([
    post('series9', {
      author: { handle: 'seriesmaker', name: 'Serial' },
      publishedAt: `${daily(19)}T10:00:00Z`,
    }),
  ])
  const cursor = first.body.nextCursor
  const second = await world.call('search_organic_content', { author: 'seriesmaker', limit: 2, cursor })
  assert.deepEqual(namesOf(second.body), ['series3', 'series2'])
  for (const wrong of [`${cursor.slice(0, -3)}abc`, 'x']) {
    const { status, body } = await world.call('search_organic_content', {
      author: 'seriesmaker',
      limit: 2,
      cursor: wrong,
    })
    assert.deepEqual([status, body.code], [400, 'invalid-cursor'])
  }
  const others = await world.call('search_organic_content', { author: 'other', limit: 2, cursor })
  assert.equal(others.body.code, 'invalid-cursor')
})
