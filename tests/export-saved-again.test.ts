import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openFolder, rejectedLines } from './support/files.ts'
import { operate } from './support/operator.ts'
import { asLines, takenOut, toldAgain } from './support/taken-out.ts'
import { openWorld, type World } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const folder = parts.use(openFolder())
let from: World
let to: World
let mine: string

const posts = ['tiktok_7478123456789012345', 'reddit_1abc', 'youtube_dQw4w9WgXcQ'].map((postId) => ({
  postId,
  text: 'Words for the first day of many',
  media: [{ kind: 'image', url: 'https://media.example.com/a.png' }],
  observedAt: '2026-03-10T08:00:00Z',
}))
const ad = { platform: 'meta', archiveId: '31' }
const cards = [{ title: 'One' }, { title: 'Two' }]

const out = (name: string) => join(folder.path, name)
const importSaved = async (files: string[], account?: string) => {
  const options = { files, rejected: out('rejected.ndjson'), json: true, ...(account ? { account } : {}) }
  const reported = await operate(to, { command: 'import saved', options })
  return { ...reported, summary: reported.out === '' ? undefined : JSON.parse(reported.out) }
}
const shelf = async (world: World, key: string) => [
  toldAgain((await world.call('list_saved_organic_content', {}, { key })).body),
  toldAgain((await world.call('search_paid_ads', { saved: true }, { key })).body),
]

before(async () => {
  from = parts.use(await openWorld())
  to = parts.use(await openWorld())
  await from.import({ kind: 'organic', paths: [folder.write('posts.ndjson', asLines(posts))] })
  const ads = [{ ...ad, observedAt: '2026-03-10T08:00:00Z', creatives: cards }]
  await from.import({ kind: 'paid-ads', paths: [folder.write('ads.ndjson', asLines(ads))] })
  mine = await from.key(undefined, 'studio')
  const save = (input: object) => from.call('save_organic_content', { ...input }, { key: mine })
  await save({ postId: posts[0]?.postId, note: '=look | at\nthis', tags: ['-hook', 'cta'] })
  await save({ postId: posts[1]?.postId })
  await from.call('save_paid_ad', { ...ad, tags: ['cta'] }, { key: mine })
  for (const format of ['ndjson', 'csv'] as const) {
    const options = { account: 'studio', out: out(`saved.${format}`) } as const
    assert.equal((await operate(from, { command: 'export saved', options })).code, 0)
  }
})

test('what an account saved comes back with its notes, tags and times, once its posts and ads are there', async () => {
  const key = await to.key(undefined, 'studio')
  const saved = out('saved.ndjson')
  const early = await importSaved([saved], 'studio')
  assert.equal(early.code, 1)
  assert.deepEqual(
    rejectedLines(out('rejected.ndjson'))
      .map(({ reason }) => String(reason))
      .sort(),
    [
      ...[posts[0], posts[1]].map(
        (post) =>
          `the post ${post?.postId} is not stored: run rivalscope import organic first, with this file or a fuller one`,
      ),
      'the ad meta/31 is not stored: run rivalscope import paid-ads first, with this file or a fuller one',
    ].sort(),
  )
  await to.import({ kind: 'organic', paths: [await takenOut(from, 'organic', folder, 'all.ndjson')] })
  await to.import({ kind: 'paid-ads', paths: [await takenOut(from, 'paid-ads', folder, 'all-ads.ndjson')] })
  const first = await importSaved([saved], 'studio')
  const { read, stored, unchanged, rejected } = first.summary
  assert.deepEqual([first.code, first.notes, read, stored, unchanged, rejected], [0, '', 3, 3, 0, 0])
  assert.deepEqual(await shelf(to, key), await shelf(from, mine))
  const other = await to.key(undefined, 'other')
  assert.deepEqual((await to.call('list_saved_organic_content', {}, { key: other })).body.items, [])
  const again = await importSaved([saved], 'studio')
  assert.deepEqual([again.summary.stored, again.summary.unchanged], [0, 3])

  await to.call('save_organic_content', { postId: posts[0]?.postId, note: 'mine' }, { key })
  const late = await importSaved([saved], 'studio')
  assert.deepEqual([late.code, late.summary.unchanged, late.summary.rejected], [0, 2, 1])
  assert.match(late.notes, /studio saved the post tiktok_7478123456789012345 already, .* which stay/)
  const { body } = await to.call('list_saved_organic_content', {}, { key })
  assert.ok(body.items.some(({ note }: { note: string }) => note === 'mine'))

  const table = await to.key(undefined, 'table')
  const rows = await importSaved([out('saved-posts.csv'), out('saved-ads.csv')], 'table')
  assert.deepEqual([rows.summary.stored, rows.summary.unchanged, rows.summary.rejected], [3, 1, 0])
  assert.deepEqual(await shelf(to, table), await shelf(from, mine))
})

test('what is no mark is refused with the reason, and so is an account that is not there', async () => {
  const [line = ''] = readFileSync(out('saved.ndjson'), 'utf8').split('\n')
  const { saved, ...post } = JSON.parse(line)
  const wrong: [object, RegExp][] = [
    [{ ...post, saved: null }, /^nobody saved it/],
    [{ saved }, /^neither a post nor an ad/],
    [{ ...post, saved: { ...saved, note: 'x'.repeat(2001) } }, /^not valid at "saved\.note"/],
    [{ ...post, saved: { ...saved, tags: ['\u0001'] } }, /control characters/],
    [{ ...post, saved: { ...saved, savedAt: '2999-01-01T00:00:00.000Z' } }, /lies ahead/],
  ]
  const file = folder.write('wrong.ndjson', asLines(wrong.map(([record]) => record)))
  const { code } = await importSaved([file])
  assert.equal(code, 1)
  const reasons = rejectedLines(out('rejected.ndjson')).map(({ reason }) => String(reason))
  assert.equal(reasons.length, wrong.length)
  for (const [index, [, pattern]] of wrong.entries()) assert.match(reasons[index] ?? '', pattern)
  const nobody = await importSaved([file], 'nobody')
  assert.deepEqual([nobody.code, nobody.notes], [1, 'There is no account "nobody".\n'])
  const zip = await importSaved([folder.write('saved.zip', 'PK\u0003\u0004....')])
  assert.equal(zip.code, 1)
  assert.match(zip.notes, /a zip holds both: unpack it/)
})
