import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import type { InputOf } from '../src/commands.ts'
import { accountNamed } from '../src/domain/accounts/queries.ts'
import { recordStored } from '../src/domain/media/contents.ts'
import { mediaIdOf } from '../src/domain/media/media-id.ts'
import { requestCopies } from '../src/domain/media/queries.ts'
import { type ExportKind, savedZip } from '../src/exports/run-export.ts'
import { inTransaction, rows } from '../src/storage/database.ts'
import { type Folder, openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'
import { entriesOf } from './support/zip-entries.ts'

const app = '6449912345'
const storeUrl = `https://apps.apple.com/us/app/id${app}`
const observedAt = '2026-03-10T08:00:00Z'

const posts = [
  {
    postId: 'tiktok_7478123456789012345',
    network: 'tiktok',
    author: { handle: 'moss', name: '=HYPERLINK("https://example.com")' },
    text: `Streaks, "quoted", and\ntwo lines ${storeUrl}`,
    publishedAt: '2026-03-01T17:41:09Z',
    media: [{ kind: 'video', url: 'https://media.example.com/7478.mp4' }],
    metrics: { views: 0, likes: 3 },
    observedAt,
  },
  {
    postId: 'reddit_1abc',
    network: 'reddit',
    author: { handle: 'u1' },
    text: 'plain',
    metrics: { likes: 7 },
    observedAt,
  },
]

const ads = [
  {
    platform: 'meta',
    archiveId: '1127384950617284999',
    advertiser: { id: '104829173650281', name: 'Tidepool' },
    creatives: [
      { text: 'First card', title: 'One', callToAction: 'Install Now', linkUrl: storeUrl, media: [] },
      { text: 'Second card', title: 'Two', callToAction: 'Install Now', media: [] },
    ],
    startedOn: '2026-02-20',
    active: true,
    countries: ['de'],
    publisherPlatforms: ['facebook'],
    languages: ['en'],
    observedAt,
  },
]

let world: World
let folder: Folder
before(async () => {
  world = await openWorld()
  folder = openFolder()
  const lines = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n')
  const posted = await world.import({ kind: 'organic', paths: [folder.write('posts.ndjson', lines(posts))] })
  const advertised = await world.import({
    kind: 'paid-ads',
    format: 'ndjson',
    paths: [folder.write('ads.ndjson', lines(ads))],
  })
  assert.deepEqual([posted.stored, advertised.stored], [2, 1])
})
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

type ExportOptions = InputOf<'export saved'> & { kind: ExportKind }

const exported = async ({ kind, ...options }: ExportOptions) => {
  const call = { command: `export ${kind}`, options: { ...options, json: true } } as const
  const { code, out, notes } = await operate(world, call)
  assert.equal(code, 0, notes)
  return JSON.parse(out) as { posts: number; ads: number; media: number; files: string[] }
}
const target = (name: string) => join(folder.path, name)
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('An export', () => {
  test('as NDJSON holds every post as the API shows it, with its figures over time', async () => {
    const summary = await exported({ kind: 'organic', out: target('all.ndjson') })
    assert.deepEqual([summary.posts, summary.ads, summary.files], [2, 0, [target('all.ndjson')]])
    const [first] = linesOf(target('all.ndjson'))
    const { unshown: _, ...written } = first
    const { body } = await world.call('get_organic_content', { postId: first.postId })
    const { asOf: _today, ...post } = body
    assert.deepEqual(written, post)
  })

  test('as CSV tells measured zero from what is hidden, and gives spreadsheets no formula', async () => {
    await exported({ kind: 'organic', out: target('all.csv') })
    const rows: Record<string, string>[] = parse(readFileSync(target('all.csv')), { columns: true })
    const [tiktok, reddit] = ['tiktok', 'reddit'].map((network) => rows.find((row) => row.network === network))
    assert.deepEqual([tiktok?.views, tiktok?.viewsState], ['0', 'measured'])
    assert.deepEqual([reddit?.views, reddit?.viewsState], ['', 'not-measured: hidden-upstream'])
    assert.equal(tiktok?.text, posts[0]?.text)
    assert.equal(tiktok?.authorName, `'${posts[0]?.author.name}`)
    assert.deepEqual([tiktok?.linkedApps, tiktok?.linkGrounds], [app, 'store-url'])
  })

  test('as CSV says of every row and number which source, surface and country it comes from, and when', async () => {
    await exported({ kind: 'organic', out: target('told.csv') })
    const rows: Record<string, string>[] = parse(readFileSync(target('told.csv')), { columns: true })
    const [tiktok, reddit] = ['tiktok', 'reddit'].map((network) => rows.find((row) => row.network === network))
    assert.deepEqual(
      [tiktok?.source, tiktok?.surface, tiktok?.country, tiktok?.observedAt],
      [
        'derived | organic-file',
        'Language detection | organic post file',
        ' | ',
        [observedAt, observedAt].map((at) => new Date(at).toISOString()).join(' | '),
      ],
    )
    assert.deepEqual([tiktok?.viewsEvidence, tiktok?.likesEvidence, reddit?.viewsEvidence], ['2', '2', ''])
    assert.match(
      `${tiktok?.outlierScoreState} ${tiktok?.outlierScoreFormula}`,
      /^(?:not-measured: .* |measured outlier-score\/2 \(.*\))$/,
    )
    await exported({ kind: 'paid-ads', format: 'csv', out: target('told-ads.csv') })
    const [card] = parse(readFileSync(target('told-ads.csv')), { columns: true }) as Record<string, string>[]
    assert.deepEqual(
      [card?.source, card?.surface, card?.observedAt, card?.daysRunningFormula, card?.daysRunningRelation],
      ['paid-ads-file', 'paid ad file', new Date(observedAt).toISOString(), 'delivery-days/2', 'at-least'],
    )
  })

  test('of ads as CSV has a row for each card, and ids in full', async () => {
    const summary = await exported({ kind: 'paid-ads', format: 'csv', out: target('ads.csv') })
    assert.equal(summary.ads, 1)
    const rows: Record<string, string>[] = parse(readFileSync(target('ads.csv')), { columns: true })
    assert.deepEqual(
      rows.map((row) => [row.archiveId, row.title, row.landingUrlState]),
      [
        ['1127384950617284999', 'One', 'measured'],
        ['1127384950617284999', 'Two', rows[1]?.landingUrlState],
      ],
    )
    assert.ok(!rows.some((row) => Object.keys(row).some((name) => /spend|impression/i.test(name))))
  })

  test('of ads is the same text wherever the database has put its rows', async () => {
    const text = async (name: string) => {
      await exported({ kind: 'paid-ads', out: target(name) })
      return readFileSync(target(name), 'utf8')
    }
    const before = await text('in-place.ndjson')
    await inTransaction(world.store.db, async (db) => {
      const first = await rows(
        db,
        sql`delete from ad_creatives where ctid = (select min(ctid) from ad_creatives) returning *`,
      )
      await sql`
        insert into ad_creatives select * from jsonb_populate_recordset(null::ad_creatives, ${JSON.stringify(first)})
      `.execute(db)
    })
    assert.equal(await text('moved.ndjson'), before)
  })

  test('of one app holds what is linked to it', async () => {
    const linked = await exported({ kind: 'organic', competitor: storeUrl, out: target('linked.ndjson') })
    assert.equal(linked.posts, 1)
    const none = await exported({ kind: 'paid-ads', competitor: '999', out: target('none.ndjson') })
    assert.equal(none.ads, 0)
    assert.equal(readFileSync(target('none.ndjson'), 'utf8'), '')
  })

  test('of saved items holds those of one account, with its words', async () => {
    await world.call('save_organic_content', { postId: 'reddit_1abc', note: 'keep', tags: ['hook'] })
    await world.call('save_paid_ad', { platform: 'meta', archiveId: ads[0]?.archiveId })
    await world.key(undefined, 'other')
    const own = await exported({ kind: 'saved', out: target('saved.ndjson') })
    assert.deepEqual([own.posts, own.ads], [1, 1])
    assert.deepEqual(linesOf(target('saved.ndjson'))[0].saved.tags, ['hook'])
    const tables = await exported({ kind: 'saved', out: target('saved.csv') })
    assert.deepEqual(tables.files, [target('saved-posts.csv'), target('saved-ads.csv')])
    const others = await exported({ kind: 'saved', account: 'other', out: target('other.ndjson') })
    assert.deepEqual([others.posts, others.ads], [0, 0])
    assert.equal((await exported({ kind: 'organic', out: target('bare.ndjson') })).posts, 2)
    assert.deepEqual(
      linesOf(target('bare.ndjson')).map(({ saved }) => saved),
      [null, null],
      'without an account nobody sees what was saved',
    )
  })

  test('as a zip holds the tables and each kept copy once', async () => {
    const content = Buffer.from('not really a video, but kept')
    const { sha256, sizeBytes } = await world.archive.store.put(Readable.from([content]))
    const mediaId = mediaIdOf({ postId: posts[0]?.postId ?? '' }, 'video', 1)
    const sourceUrl = 'https://media.example.com/7478.mp4'
    const owner = `post ${posts[0]?.postId}`
    await requestCopies(world.store.db, [{ mediaId, owner, kind: 'video', sourceUrl, reason: null }])
    await recordStored(world.store.db, world.archive.store, mediaId, {
      sha256,
      sizeBytes,
      contentType: 'video/mp4',
    })
    const summary = await exported({ kind: 'organic', out: target('all.zip') })
    assert.equal(summary.media, 1)
    const entries = entriesOf(readFileSync(target('all.zip')))
    assert.deepEqual([...entries.keys()], ['posts.ndjson', 'posts.csv', `media/${sha256}.mp4`])
    assert.deepEqual(entries.get(`media/${sha256}.mp4`), content)
    assert.equal(entries.get('posts.ndjson')?.toString().trimEnd().split('\n').length, 2)
  })

  test('of saved items over HTTP is a zip of the whole account, a tag or what is named, and of no other account', async () => {
    const key = await world.key(undefined, 'zipper')
    await world.call('save_organic_content', { postId: posts[0]?.postId, tags: ['hook', 'cta'] }, { key })
    await world.call('save_organic_content', { postId: posts[1]?.postId, tags: ['cta'] }, { key })
    await world.call(
      'save_paid_ad',
      { platform: 'meta', archiveId: ads[0]?.archiveId, tags: ['hook'] },
      { key },
    )
    const zip = async (query: string, used = key) => {
      const reply = await world.server.inject({
        url: `/saved-creatives.zip${query}`,
        headers: { authorization: `Bearer ${used}` },
      })
      assert.equal(reply.statusCode, 200, reply.payload)
      assert.match(String(reply.headers['content-disposition']), /^attachment/)
      const entries = entriesOf(reply.rawPayload)
      const told = ['posts.ndjson', 'ads.ndjson'].map(
        (name) => (entries.get(name)?.toString().match(/\n/g) ?? []).length,
      )
      const copies = [...entries.keys()].filter((name) => name.startsWith('media/'))
      return [...told, copies.length]
    }
    assert.deepEqual(await zip(''), [2, 1, 1])
    assert.deepEqual(await zip('?tag=hook'), [1, 1, 1])
    assert.deepEqual(await zip(`?items=post.${posts[1]?.postId},ad.meta.${ads[0]?.archiveId}`), [1, 1, 0])
    assert.deepEqual(await zip('?tag=nothing'), [0, 0, 0])
    assert.deepEqual(await zip('', await world.key(undefined, 'nosy')), [0, 0, 0])
    const ask = (query: string, used?: string) =>
      world.request({
        url: `/saved-creatives.zip${query}`,
        headers: used ? { authorization: `Bearer ${used}` } : {},
      })
    assert.equal((await ask('')).status, 401)
    assert.equal((await ask('', await world.key(['content:write'], 'zipper'))).status, 403)
    assert.equal((await ask('?account=studio', key)).status, 400)
    assert.equal((await ask(`?items=${Array.from({ length: 201 }, (_, n) => `post.x_${n}`)}`, key)).status, 400)
  })

  test('whose copies are larger than it may be says in it what was left out, and one that nobody reads ends', async () => {
    const accountId = (await accountNamed(world.store.db, 'zipper')) ?? assert.fail()
    const open = (sha256: string) => world.archive.store.open(sha256)
    const all = () => true
    const small = await buffer(savedZip(world.store.db, accountId, all, open, 10))
    const entries = entriesOf(small)
    assert.deepEqual(
      [...entries.keys()].filter((name) => name.startsWith('media/')),
      [],
    )
    assert.match(entries.get('left-out.txt')?.toString() ?? '', /^media\/\w{64}\.mp4\t28 bytes/)
    const unread = new PassThrough()
    const broken = savedZip(world.store.db, accountId, all, async () => unread, 1_000)
    broken.resume()
    // It waits for a copy that never comes.
    await until(
      () => unread.listenerCount('data') + unread.listenerCount('end'),
      (heard) => heard > 0,
    )
    const closed = once(unread, 'close')
    unread.on('error', () => {})
    broken.on('error', () => {})
    broken.destroy()
    await closed.catch(() => {})
    assert.equal(unread.destroyed, true)
  })

  test('that cannot be made says why and leaves nothing half-written', async () => {
    const refused = async ({ kind, ...options }: ExportOptions) =>
      operate(world, { command: `export ${kind}`, options })
    const nowhere = await refused({ kind: 'organic', out: target('no/such/folder.ndjson') })
    assert.deepEqual([nowhere.code, /ENOENT/.test(nowhere.notes)], [1, true])
    const account = await refused({ kind: 'saved', account: 'nobody' })
    assert.equal(account.notes, 'There is no account "nobody".\n')
    const unknown = await refused({ kind: 'organic', competitor: 'no app at all' })
    assert.match(unknown.notes, /^"no app at all" is no App Store id/)
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith('.partial')),
      [],
    )
    assert.ok(!existsSync(target('no')))
  })
})
