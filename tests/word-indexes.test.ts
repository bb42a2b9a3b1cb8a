import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hasOutdatedWords, renewWords } from '../src/projections/word-indexes.ts'
import { fold, storedTerms } from '../src/text/search-terms.ts'
import { stemsInLanguage } from '../src/text/stems.ts'
import { wordsVersion } from '../src/text/words-version.ts'
import { lookAtSchedule } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { importPosts, madePost } from './support/posts.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { untilTrue } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

/** What is asked, and the name that it finds. */
const asked = [
  ['strasse', 'Straßenkarte'],
  ['STRASSENKARTE', 'Straßenkarte'],
  ['doc truyen', 'Đọc Truyện'],
  ['مصحف', 'مُصحَف'],
  ['العاب', 'ألعـــاب'],
  ['kisa', 'Kısa Film'],
  ['lodz', 'Łódź Bus'],
  ['ostergard', 'Østergård'],
  ['aether', 'Æther'],
  ['coeur', 'Cœur'],
  ['thor', 'Þór'],
  ['שלום', 'שָׁלוֹם'],
  ['κοσμοσ', 'Κόσμος'],
  ['हिन्दी', 'हिंदी समाचार'],
  ['फिल्म 2024', 'फ़िल्म २०२४'],
  ['അവന്\u200d', 'അവൻ'],
  ['ഭാരതി എയര്\u200dടെൽ', 'ഭാരതി എയർടെൽ'],
  ['উত্\u200dসব', 'উৎসব'],
  ['ਪਂਜਾਬੀ ਵਿਚ', 'ਪੰਜਾਬੀ ਵਿੱਚ'],
  ['ଓଡିଆ', 'ଓଡ଼ିଆ'],
  ['యాప్\u200cలు', 'యాప్లు'],
  ['هندي كهاني', 'ہندی کہانی'],
  ['بٹكوائن', 'بٹ\u200cکوائن'],
] as const
const names = [...new Set(asked.map(([, name]) => name))]

let world: World
const folder = openFolder()

before(async () => {
  world = await openWorld()
  await importContent(world, folder, 'catalogue', {
    resultCount: names.length,
    results: names.map((trackName, index) => ({
      wrapperType: 'software',
      kind: 'software',
      trackId: 6_000_001 + index,
      trackName,
    })),
  })
  await importPosts(world, [madePost('7000000001', { text: 'Meine Straßenkarte' })])
  const ad = {
    platform: 'meta',
    archiveId: '901',
    active: true,
    advertiser: { id: '31', name: 'Straßen GmbH' },
  }
  await world.import({
    kind: 'paid-ads',
    paths: [
      folder.write(
        'ads.ndjson',
        JSON.stringify({ ...ad, creatives: [{ text: 'Đọc ngay' }], observedAt: '2026-03-01T08:00:00Z' }),
      ),
    ],
  })
  await storePages(world, [
    { term: 'straße', country: 'de', observedAt: '2026-03-01T12:00:00.000Z', apps: appsOf([1, 2, 3]) },
  ])
})

after(async () => {
  folder[Symbol.dispose]()
  await world?.[Symbol.asyncDispose]()
})

const found = async (q: string) =>
  (await world.call('search_competitors', { q })).body.items.map(({ name }: { name: string }) => name)
const others = async () => [
  (await world.call('search_organic_content', { q: 'strassenkarte' })).body.items.length,
  (await world.call('search_paid_ads', { q: 'doc' })).body.items.length,
  (await world.call('search_paid_ads', { advertiser: 'strassen' })).body.items.length,
]
const termWords = async () =>
  (await sql<{ word: string }>`select word from term_words order by word`.execute(world.store.db)).rows.map(
    ({ word }) => word,
  )

test('a word finds what is written with other letters, points or vowel signs, and the original is shown', async () => {
  for (const [q, name] of asked) assert.ok((await found(q)).includes(name), q)
  for (const name of names) assert.ok((await found(name)).includes(name), name)
  assert.deepEqual(await others(), [1, 1, 1])
})

test('a store that holds the words of before is given those of now in the background, and can be cut off meanwhile', async () => {
  const { db } = world.store
  await renewWords(db)
  const whole = await sql<{ stored: string }>`
    select string_agg(s::text, '' order by store_id) as stored from app_search s`.execute(db)
  // As a version without this folding had written it.
  await sql`delete from word_indexes`.execute(db)
  await sql`update app_search set name_terms = array_to_tsvector(array['straßenkarte']), all_terms = array_to_tsvector(array['straßenkarte'])`.execute(
    db,
  )
  await sql`update app_records set sort_name = lower(name)`.execute(db)
  await sql`update post_search set terms = array_to_tsvector(array['straßenkarte'])`.execute(db)
  await sql`update ad_search set terms = array_to_tsvector(array['đọc'])`.execute(db)
  await sql`update ad_advertisers set words = ' straßen gmbh '`.execute(db)
  await sql`update term_words set word = 'straß'`.execute(db)

  const cut = new AbortController()
  cut.abort(new Error('cut off'))
  await assert.rejects(renewWords(db, cut.signal), /cut off/)
  assert.ok(await hasOutdatedWords(db), 'one part is done, the others are left')
  await renewWords(db)
  assert.equal(await hasOutdatedWords(db), false)

  const now = await sql<{ stored: string }>`
    select string_agg(s::text, '' order by store_id) as stored from app_search s`.execute(db)
  assert.deepEqual(now.rows, whole.rows)
  for (const [q, name] of asked) assert.ok((await found(q)).includes(name), q)
  assert.deepEqual(await others(), [1, 1, 1])
  assert.deepEqual(
    await termWords(),
    stemsInLanguage('straße', 'de').map(({ text }) => text),
  )
  const sorted = await sql<{ name: string; sorted: string }>`
    select name, sort_name as sorted from app_records`.execute(db)
  for (const { name, sorted: sort } of sorted.rows) assert.equal(sort, fold(name))
  assert.deepEqual(await renewWords(db), {}, 'there is nothing left to do')
})

test('a worker gives an old store its words by itself', async () => {
  await using working = await openWorld({ works: true })
  const { db } = working.store
  await renewWords(db)
  await sql`update word_indexes set version = ${wordsVersion - 1}`.execute(db)
  assert.ok(await hasOutdatedWords(db))
  await lookAtSchedule(working)
  await untilTrue(async () => !(await hasOutdatedWords(db)))
})

test('words that change get another version', () => {
  assert.deepEqual(
    [
      ...storedTerms(
        'Straße ĐỌC مُصحَف ألعاب Œuvre İstanbul Łódź 楽天市場 שָׁלוֹם Κόσμος Ёлка हिन्दी ज़रूर क्\u200dष १२ അവൻ ৎ ਵਿੱਚ ଓଡ଼ିଆ ஸ்ரீ ਪੰਜਾਬ ہندی',
      ),
    ],
    'strasse doc مصحف العاب oeuvre istanbul lodz 楽天 天市 市場 場 שלום κοσμοσ елка हिंदी जरूर क्ष 12 അവന് ত্ ਵਿਚ ଓଡିଆ ஸ்ரீ ਪਂਜਾਬ هندي'.split(
      ' ',
    ),
    `raise wordsVersion, and write here what words are now (${wordsVersion} until now)`,
  )
})
