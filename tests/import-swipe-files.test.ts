import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { InputOf } from '../src/commands.ts'
import { decompressPayload } from '../src/domain/evidence/packed-payload.ts'
import { rows } from '../src/storage/database.ts'
import { openFolder, rejectedLines } from './support/files.ts'
import { playHosts, png, sends } from './support/media.ts'
import { operate } from './support/operator.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

/** Made-up swipe files, as tools hand them over. */

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const folder = parts.use(openFolder())
let hosts: Awaited<ReturnType<typeof playHosts>>
let world: World
let studio: string
before(async () => {
  hosts = parts.use(await playHosts())
  world = parts.use(await openWorld({ works: true, network: hosts.network }))
  studio = await world.key(undefined, 'studio')
})

let files = 0
async function save(content: unknown, more: Partial<InputOf<'import saved'>> & { name?: string } = {}) {
  const { name = `swipe-${++files}.json`, ...options } = more
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  const rejected = join(folder.path, `rejected-${files}.ndjson`)
  const path = folder.write(name, text)
  const given = { files: [path], account: 'studio', rejected, json: true, ...options }
  const { code, out, notes } = await operate(world, { command: 'import saved', options: given })
  const summary = out === '' ? undefined : JSON.parse(out)
  const { read, stored, unchanged } = summary ?? {}
  const reasons = summary?.rejectedFile
    ? rejectedLines(rejected).map(({ position, reason }) => `${position}: ${reason}`)
    : []
  return { code, notes, counts: [read, stored, unchanged, summary?.rejected], reasons, path }
}
const mapping = (content: object) => folder.write(`map-${++files}.json`, JSON.stringify(content))

const adsOf = async (key = studio) =>
  (await world.call('search_paid_ads', { saved: true, limit: 100 }, { key })).body.items
const adOf = async (archiveId: string, platform = 'meta', key = studio) =>
  (await world.call('get_paid_ad', { platform, archiveId }, { key })).body
const postOf = async (postId: string, key = studio) =>
  (await world.call('get_organic_content', { postId }, { key })).body
const marked = ({ saved }: { saved: { note: string | null; tags: string[] } | null }) =>
  saved && { note: saved.note, tags: saved.tags }

const foreplay = (ad_id: string, more: object = {}) => ({
  ...{ id: `fp_${ad_id}`, ad_id, name: 'Tide', brand_id: 'br_1', live: true, display_format: 'video' },
  ...{
    headline: 'Calm days',
    description: 'A planner for small days',
    publisher_platform: ['facebook', 'instagram'],
  },
  ...{
    cta_type: 'LEARN_MORE',
    cta_title: 'Learn more',
    link_url: 'https://apps.apple.com/us/app/tide/id100000950',
  },
  ...{
    started_running: 1_756_684_800_000,
    languages: ['en'],
    emotional_drivers: { urgency: 0.8 },
    market_target: 'b2c',
  },
  ...{ video: 'https://r2.foreplay.co/v.mp4', image: null, thumbnail: 'https://scontent.xx.fbcdn.net/t.png' },
  ...more,
})
const board = (...data: object[]) => ({
  metadata: { success: true, status_code: 200, count: data.length },
  data,
})

describe("a board of Foreplay's", () => {
  test('brings its ads as evidence, and saves them for one account with the board as tag', async () => {
    const content = board(foreplay('880000000000001'), foreplay('880000000000002', { video: null }))
    const first = await save(content, { board: 'Hooks', observedAt: '2026-03-01' })
    assert.deepEqual([first.code, first.counts, first.reasons], [0, [2, 2, 0, 0], []])
    const ad = await adOf('880000000000001')
    assert.deepEqual(marked(ad), { note: null, tags: ['Hooks'] })
    assert.equal(ad.saved.savedAt, '2026-03-01T00:00:00.000Z')
    const [creative] = ad.creatives
    assert.deepEqual(
      [creative.title.value, creative.body.value, creative.callToAction.value, creative.linkUrl.value],
      ['Calm days', 'A planner for small days', 'learn-more', 'https://apps.apple.com/us/app/tide/id100000950'],
    )
    assert.deepEqual(
      [ad.format.value, ad.deliveryStartedOn.value, ad.active.value],
      ['video', '2025-09-01', true],
    )
    assert.equal(ad.advertiser.name.state, 'not-measured', 'what Foreplay calls a name may be that of the ad')
    const other = await world.key(undefined, 'other')
    assert.equal((await adOf('880000000000001', 'meta', other)).saved, null)
    assert.deepEqual(await adsOf(other), [])
    assert.deepEqual((await save(content, { board: 'Hooks', observedAt: '2026-03-01' })).counts, [2, 0, 2, 0])
    const second = await save(board(foreplay('880000000000001')), {
      board: 'Openers',
      observedAt: '2026-03-01',
    })
    assert.deepEqual(second.counts, [1, 1, 0, 0])
    assert.deepEqual(marked(await adOf('880000000000001')), { note: null, tags: ['Hooks', 'Openers'] })
    assert.deepEqual((await save(content, { board: 'Hooks', observedAt: '2026-03-01' })).counts, [2, 0, 2, 0])
  })

  test('of other networks, or without the number of an ad, is refused ad by ad', async () => {
    const { code, counts, reasons } = await save(
      board(
        foreplay('880000000000003', { publisher_platform: ['linkedin'] }),
        foreplay('fp_ad_1'),
        foreplay('880000000000004', { publisher_platform: ['tiktok'] }),
      ),
    )
    assert.deepEqual([code, counts], [0, [3, 1, 0, 2]])
    assert.match(reasons[0] ?? '', /publisher_platform is "linkedin"/)
    assert.match(reasons[1] ?? '', /ad_id, the number of an ad in its library, is "fp_ad_1"/)
    assert.deepEqual(marked(await adOf('880000000000004', 'tiktok')), { note: null, tags: [] })
  })

  test('has its media copied from the hosts of networks, and from no other', async () => {
    hosts.answer('scontent.xx.fbcdn.net/t.png', sends(await png(1), { 'content-type': 'image/png' }))
    await save(board(foreplay('880000000000005')), { board: 'Media' })
    const media = await until(
      async () => (await adOf('880000000000005')).creatives[0].media,
      (all: { kept: { status: string } }[]) => all.every(({ kept }) => kept.status !== 'pending'),
    )
    assert.deepEqual(
      media.map(({ kind, kept }: { kind: string; kept: { status: string } }) => [kind, kept.status]),
      [
        ['video', 'failed'],
        ['thumbnail', 'stored'],
      ],
    )
    assert.ok(!hosts.asked.some((address) => address.includes('foreplay')))
  })
})

describe('other files of saved ads and posts', () => {
  const snapshot = {
    body: { text: 'Small tides' },
    title: 'Tide',
    link_url: 'https://tide.example',
    images: [],
  }

  test("a search of ScrapeCreators', Apify's ads, and posts of any form are saved as what they are", async () => {
    const search = {
      success: true,
      credits_remaining: 1,
      searchResults: [
        { ad_archive_id: '880000000000101', page_id: '1', page_name: 'Tide', is_active: true, snapshot },
      ],
      cursor: 'x',
    }
    assert.deepEqual((await save(search, { board: 'Search' })).counts, [1, 1, 0, 0])
    const apify = [
      { adArchiveID: '880000000000102', pageID: '1', pageName: 'Tide', isActive: true, snapshot },
      { id: '7400000000000000951', authorMeta: { name: 'maker' }, diggCount: 1, text: 'A post' },
      { neither: 'one' },
    ]
    const mixed = await save(apify, { board: 'Mixed' })
    assert.deepEqual(mixed.counts, [3, 2, 0, 1])
    assert.match(
      mixed.reasons[0] ?? '',
      /^record 3: neither a post nor an ad of an export or of a form that is known; .*--map FILE; it has neither/,
    )
    for (const found of [
      await adOf('880000000000101'),
      await adOf('880000000000102'),
      await postOf('tiktok_7400000000000000951'),
    ])
      assert.equal(found.saved.tags.length, 1)
    const { body } = await world.call('list_saved_organic_content', { tag: ['Mixed'] }, { key: studio })
    assert.equal(body.items.length, 1)
  })

  test('records of our own shape may say themselves what was written beside them, which stays with the account', async () => {
    const own = {
      ...{
        platform: 'meta',
        archiveId: '880000000000103',
        creatives: [{ title: 'Own' }],
        observedAt: '2026-02-01',
      },
      saved: {
        savedAt: '2026-02-02T10:00:00Z',
        note: 'Why it works: secret-of-studio',
        boards: ['Hooks'],
        tags: ['calm'],
      },
    }
    const post = {
      network: 'x',
      id: '1900000000000000951',
      text: 'Own post',
      saved: { note: 'Other', tags: ['calm'] },
    }
    const lines = `${JSON.stringify(own)}\n${JSON.stringify(post)}\n`
    assert.deepEqual((await save(lines, { name: 'own.ndjson' })).counts, [2, 2, 0, 0])
    const ad = await adOf('880000000000103')
    assert.deepEqual(
      [marked(ad), ad.saved.savedAt],
      [{ note: own.saved.note, tags: ['Hooks', 'calm'] }, '2026-02-02T10:00:00.000Z'],
    )
    assert.deepEqual(marked(await postOf('x_1900000000000000951')), { note: 'Other', tags: ['calm'] })
    const payloads = await rows(world.store.db, sql<{ content: Buffer }>`select content from payloads`)
    const texts = await Promise.all(
      payloads.map(async ({ content }) => Buffer.from(await decompressPayload(content)).toString()),
    )
    assert.ok(texts.some((text) => text.includes('880000000000103')))
    assert.ok(!texts.some((text) => text.includes('secret-of-studio')), 'evidence is shared, and a note is not')

    const again = { ...own, saved: { ...own.saved, note: 'Another thought' } }
    const late = await save(`${JSON.stringify(again)}\n${JSON.stringify(post)}\n`, { name: 'again.ndjson' })
    assert.deepEqual(late.counts, [2, 0, 1, 1])
    assert.match(
      late.reasons[0] ?? '',
      /studio saved the ad meta\/880000000000103 with another note, which stays/,
    )
    assert.equal((await adOf('880000000000103')).saved.note, own.saved.note)
  })

  const table =
    'Ad Library ID;Brand;Copy;Folder;Labels;Comment;Date saved;Media\n' +
    '880000000000201;Tide;Small days;Hooks;calm, short;Opens with a failure;02.01.2026;https://r2.foreplay.co/a.png\n' +
    '880000000000202;Tide;Big days;;;;;\n' +
    'none;Tide;No id;Hooks;;;;\n' +
    '880000000000203;Tide;Bad day;Hooks;;;32.01.2026;\n'
  const columns = {
    fields: {
      ...{ archiveId: 'Ad Library ID', advertiserName: 'Brand', body: 'Copy', imageUrls: 'Media' },
      ...{ boards: 'Folder', tags: 'Labels', note: 'Comment', savedAt: 'Date saved' },
    },
    constants: { platform: 'meta' },
    dates: { savedAt: 'dd.mm.yyyy' },
    separators: { tags: ', ' },
  }

  test('tables of any tool come in by a mapping, with boards, tags, notes and when it was saved', async () => {
    const map = mapping(columns)
    const { counts, reasons } = await save(table, { name: 'export.csv', map })
    assert.deepEqual(counts, [4, 2, 0, 2])
    assert.match(reasons[0] ?? '', /^line 4: .*archiveId is "none"/)
    assert.match(reasons[1] ?? '', /^line 5: savedAt: "32.01.2026" is of no form that the mapping names/)
    const ad = await adOf('880000000000201')
    assert.deepEqual(marked(ad), { note: 'Opens with a failure', tags: ['Hooks', 'calm', 'short'] })
    assert.deepEqual([ad.saved.savedAt, ad.advertiser.name.value], ['2026-01-02T00:00:00.000Z', 'Tide'])
    assert.deepEqual(marked(await adOf('880000000000202')), { note: null, tags: [] })
    assert.deepEqual((await save(table, { name: 'export-2.csv', map })).counts, [4, 0, 2, 2])

    const posts = 'link,network,who,caption,board\n1900000000000000961,x,@maker,Hi,Ideas|More\n'
    const ofPosts = {
      fields: { id: 'link', network: 'network', author: 'who', text: 'caption', boards: 'board' },
    }
    assert.deepEqual((await save(posts, { name: 'posts.csv', map: mapping(ofPosts) })).counts, [1, 1, 0, 0])
    assert.deepEqual(marked(await postOf('x_1900000000000000961')), { note: null, tags: ['Ideas', 'More'] })
  })

  test('a column that was renamed, a mapping that cannot be, and no mapping are named, and nothing is stored', async () => {
    const before = (await adsOf()).length
    const renamed = await save(table.replace('Labels', 'Tags'), { map: mapping(columns), name: 'renamed.csv' })
    assert.deepEqual([renamed.code, renamed.counts], [1, [1, 0, 0, 1]])
    assert.match(renamed.reasons[0] ?? '', /no column "Labels", which the mapping names for tags/)
    const wrong = await save(table, {
      map: mapping({ fields: { archiveId: 'a', platform: 'b', folder: 'c' } }),
    })
    assert.equal(wrong.code, 1)
    assert.match(wrong.notes, /names the field "folder"/)
    const unmapped = await save(table, { name: 'unmapped.csv' })
    assert.match(unmapped.reasons[0] ?? '', /--map FILE; it has Ad Library ID, Brand/)
    assert.equal((await adsOf()).length, before)
  })
})

describe('what cannot be kept', () => {
  test('of a mark is refused with the creative it is of', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `tag ${index}`)
    const own = (n: number, saved: object) => ({
      network: 'x',
      id: `19000000000000009${70 + n}`,
      text: 'x',
      saved,
    })
    const { counts, reasons } = await save([
      own(0, { tags: many }),
      own(1, { tags: ['x'.repeat(51)] }),
      own(2, { note: 'x'.repeat(2001) }),
      own(3, { tags: ['a\u0001b'] }),
      own(4, { savedAt: '2099-01-01' }),
      own(5, { savedAt: 'last week' }),
      own(6, { tags: 'no list' }),
      own(7, { tags: many.slice(0, 20) }),
    ])
    assert.deepEqual(counts, [8, 1, 0, 7])
    const expected = [
      /21 boards and tags; at most 20/,
      /over 50 characters/,
      /saved\.note: over 2,000/,
      /control characters/,
    ]
    const more = [/lies ahead/, /savedAt: "last week" is no time/, /saved\.tags: /]
    for (const [index, reason] of [...expected, ...more].entries()) assert.match(reasons[index] ?? '', reason)
    const full = await save([own(7, { tags: ['one more'] })])
    assert.match(full.reasons[0] ?? '', /with these it would have over 20/)
  })

  test('of a file is named: empty, cut off, of another kind, or for an account that is not there', async () => {
    for (const [content, reason] of [
      ['', /document: the file is empty/],
      [JSON.stringify(board(foreplay('880000000000301'))).slice(0, -20), /it stops in the middle/],
      ['{"hello":{"world":1}}', /neither a post nor an ad/],
      ['[1,2]', /no object/],
      [
        '{"error":{"message":"Insufficient credits","code":402}}',
        /an error and no posts, 402: Insufficient credits/,
      ],
      ['<html></html>', /HTML or XML/],
    ] as const) {
      const { code, reasons } = await save(content)
      assert.equal(code, 1, content)
      assert.match(reasons[0] ?? '', reason)
    }
    const nobody = await save(board(foreplay('880000000000302')), { account: 'nobody' })
    assert.deepEqual([nobody.code, nobody.notes], [1, 'There is no account "nobody".\n'])
    const found = await rows(
      world.store.db,
      sql`select from ads where archive_id in ('880000000000301', '880000000000302')`,
    )
    assert.equal(found.length, 0)
  })

  test('is kept with its evidence, or neither is', async () => {
    const { db } = world.store
    const content = board(foreplay('880000000000304'))
    await sql`alter table saved_ads add constraint no_such check (archive_id <> '880000000000304')`.execute(db)
    const failed = await save(content)
    await sql`alter table saved_ads drop constraint no_such`.execute(db)
    assert.deepEqual([failed.code, failed.counts[0]], [1, undefined])
    assert.match(failed.notes, /The import failed: /)
    assert.equal((await rows(db, sql`select from ads where archive_id = '880000000000304'`)).length, 0)
    assert.deepEqual((await save(content)).counts, [1, 1, 0, 0])
  })

  test('is known again whatever happened to the file', async () => {
    const content = board(foreplay('880000000000303'))
    const first = await save(content, { name: 'untimed.json' })
    assert.deepEqual(first.counts, [1, 1, 0, 0])
    assert.match(first.notes, /1 of 1 files tells no time of observation/)
    const copy = folder.write('copied.json', JSON.stringify(content, null, 2))
    utimesSync(copy, new Date('2026-01-01'), new Date('2026-01-01'))
    const { out } = await operate(world, {
      command: 'import saved',
      options: { files: [copy], account: 'studio', json: true },
    })
    assert.equal(JSON.parse(out).unchanged, 1)
  })
})
