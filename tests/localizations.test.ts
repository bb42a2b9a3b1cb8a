import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { present } from '../src/cli/present/present.ts'
import { replay } from '../src/projections/replay.ts'
import { rows } from '../src/storage/database.ts'
import type { LocalizationCode } from '../src/vocabulary/storefronts.ts'
import { type Folder, openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import appWords from './support/words-of-apps.json' with { type: 'json' }
import { openWorld, type World } from './support/world.ts'

let world: World
let folder: Folder
before(async () => {
  world = await openWorld()
  folder = openFolder()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface Texts {
  name?: string
  subtitle?: string | null
  description?: string
  notes?: string
  shots?: string[]
}

/** A page of the App Store as it is saved, with the language that it names. */
function page(
  storeId: number,
  lang: string | null,
  { name = 'Lantern', subtitle, description, notes, shots }: Texts,
) {
  const shelfMapping = {
    ...(description ? { description: { items: [{ paragraph: { text: description } }] } } : {}),
    ...(notes ? { mostRecentVersion: { items: [{ text: notes }] } } : {}),
    ...(shots
      ? {
          product_media_phone_: {
            items: shots.map((shot) => ({
              screenshot: {
                template: `https://pictures.example/${shot}/{w}x{h}{c}.{f}`,
                width: 10,
                height: 20,
              },
            })),
          },
        }
      : {}),
  }
  const lockup = { adamId: String(storeId), title: name, ...(subtitle === undefined ? {} : { subtitle }) }
  const data = { data: [{ intent: { id: String(storeId) }, data: { lockup, shelfMapping } }] }
  return `<!DOCTYPE html><html${lang ? ` lang="${lang}"` : ''}><head><title>x</title></head><body><script type="application/json" id="serialized-server-data">${JSON.stringify(data)}</script></body></html>`
}

const lookup = (storeId: number, texts: Texts) =>
  JSON.stringify({
    resultCount: 1,
    results: [
      {
        wrapperType: 'software',
        kind: 'software',
        trackId: storeId,
        trackName: texts.name ?? 'Lantern',
        description: texts.description,
        releaseNotes: texts.notes,
        price: 0,
        currency: 'USD',
      },
    ],
  })

let files = 0
async function bring(content: string, observedAt: string, country: string, language?: LocalizationCode) {
  const kind = content.startsWith('<') ? 'html' : 'json'
  const path = folder.write(`${++files}.${kind}`, content)
  return world.import({
    kind: 'catalogue',
    paths: [path],
    observedAt,
    country,
    ...(kind === 'json' ? { format: 'itunes-lookup' as const } : {}),
    ...(language ? { language } : {}),
    rejectedFile: `${folder.path}/rejected-${files}.ndjson`,
  })
}

const english = { subtitle: 'Light at night', description: 'A lantern for people who read at night.' }
const spanish = { name: 'Farol', subtitle: 'Luz de noche', description: 'Un farol para leer de noche.' }

/** A default page and record of an app in the US. */
async function known(storeId: number, observedAt = '2026-05-01T00:00:00Z', texts: Texts = english) {
  await bring(lookup(storeId, texts), observedAt, 'us')
  await bring(page(storeId, 'en-US', texts), observedAt, 'us')
}

test('a saved page that names another language than the storefront has is of that language, asked for or not', async () => {
  await known(131)
  const { stored, rejected } = await bring(page(131, 'es-419', spanish), '2026-05-02T00:00:00Z', 'us')
  assert.deepEqual([stored, rejected], [1, 0])
  const { name, localizations } = (await world.call('get_competitor', { platform: 'ios', storeId: '131' })).body
  assert.equal(name, 'Lantern')
  assert.deepEqual(localizations?.known, ['es-MX'])
  const other = await bring(page(131, 'en-GB', { ...english, name: 'Lamp' }), '2026-05-03T00:00:00Z', 'us')
  assert.deepEqual([other.stored, other.rejected], [1, 0])
  const after = (await world.call('get_competitor', { platform: 'ios', storeId: '131' })).body
  assert.equal(after.name, 'Lamp')
})

test('a page in another language is a listing of its own, and changes nothing of the default', async () => {
  await known(101)
  const before = (await world.call('get_competitor', { platform: 'ios', storeId: '101' })).body
  const { stored, rejected } = await bring(
    page(101, 'es-MX', { ...spanish, notes: 'Más luz' }),
    '2026-05-02T00:00:00Z',
    'us',
    'es-MX',
  )
  assert.deepEqual([stored, rejected], [1, 0])
  const { localizations, ...after } = (await world.call('get_competitor', { platform: 'ios', storeId: '101' }))
    .body
  const { localizations: old, ...same } = before
  assert.deepEqual(after, same)
  assert.deepEqual(old?.known, [])
  assert.deepEqual(old?.notMeasured, [
    'ar-SA',
    'zh-Hans',
    'zh-Hant',
    'fr-FR',
    'ko',
    'pt-BR',
    'ru',
    'es-MX',
    'vi',
  ])
  assert.deepEqual(localizations?.known, ['es-MX'])
  assert.equal(localizations?.default, 'en-US')

  for (const language of ['es-MX', 'ES-mx', 'es_MX', 'es']) {
    const { status, body } = await world.call('get_competitor', { platform: 'ios', storeId: '101', language })
    assert.equal(status, 200)
    const { localization } = body
    assert.equal(localization?.language, 'es-MX')
    assert.equal(localization.name, 'Spanish (Mexico)')
    assert.equal(localization.state, 'measured')
    assert.deepEqual(localization.texts.name, { state: 'measured', value: 'Farol', evidence: 0 })
    assert.deepEqual(localization.texts.releaseNotes, { state: 'measured', value: 'Más luz', evidence: 0 })
    assert.equal(localization.evidence[0]?.source, 'app-store-page')
    assert.equal(localization.evidence.length, 1)
    assert.deepEqual(body.subtitle, {
      state: 'measured',
      value: 'Light at night',
      evidence: body.subtitle?.evidence,
    })
  }
})

test('a terminal shows which languages are known, and the one that was asked for', async () => {
  await known(113)
  const later = '2026-05-02T00:00:00Z'
  await bring(page(113, 'es-MX', spanish), later, 'us', 'es-MX')
  await bring(page(113, 'vi', english), later, 'us', 'vi')
  const shown = async (language?: string) => {
    const asked = { platform: 'ios', storeId: '113', ...(language ? { language } : {}) }
    const { body } = await world.call('get_competitor', asked)
    const style = { width: 100, colour: false, unicode: true, drawings: true }
    return present('get_competitor', JSON.parse(JSON.stringify(body)), style)
  }
  const plain = await shown()
  assert.match(plain, /Languages.*default en-US/)
  assert.match(plain, /known +es-MX\n/)
  assert.match(plain, /absent +vi\n/)
  assert.doesNotMatch(plain, /Farol/)
  assert.match(
    await shown('es-MX'),
    /Spanish \(Mexico\).*subtitle +Luz de noche.*Un farol para leer de noche\./s,
  )
  assert.match(await shown('vi'), /No listing in Vietnamese: asked for it, the store showed en-US/)
  assert.match(await shown('ko'), /Not measured in Korean/)
})

test('an answer that echoes the default is no localization, and is kept as such', async () => {
  await known(102)
  await bring(page(102, 'vi', english), '2026-05-02T00:00:00Z', 'us', 'vi')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '102', language: 'vi' })
  assert.deepEqual(body.localizations?.absent, ['vi'])
  assert.equal(body.localization?.state, 'absent')
  assert.deepEqual(body.localization.texts.subtitle, { state: 'absent', evidence: 0 })
  assert.equal(body.localization.evidence[0]?.observedAt, '2026-05-02T00:00:00.000Z')
})

test('an echo is told by the default of its time, whatever arrived first', async () => {
  const changed = { ...english, subtitle: 'Brighter nights' }
  await bring(page(103, 'vi', english), '2026-05-02T00:00:00Z', 'us', 'vi')
  await bring(page(103, 'ko', changed), '2026-05-20T00:00:00Z', 'us', 'ko')
  await known(103, '2026-06-01T00:00:00Z', changed)
  const states = async () =>
    (await world.call('get_competitor', { platform: 'ios', storeId: '103' })).body.localizations
  assert.deepEqual((await states())?.known, ['vi'])
  await known(103, '2026-05-01T00:00:00Z', english)
  // The default changed some day between: both of its texts count as the default then.
  assert.deepEqual((await states())?.absent, ['ko', 'vi'])
})

test('a name alone does not tell: nobody knows whether it is an echo', async () => {
  await known(104)
  await bring(page(104, 'ru', {}), '2026-05-02T00:00:00Z', 'us', 'ru')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '104', language: 'ru' })
  assert.equal(body.localization?.state, 'not-measured')
  assert.deepEqual(body.localization.texts.name, { state: 'not-measured', reason: 'too-little-evidence' })
  assert.ok(body.localizations?.notMeasured.includes('ru'))
  const { body: never } = await world.call('get_competitor', {
    platform: 'ios',
    storeId: '104',
    language: 'fr',
  })
  assert.deepEqual(never.localization?.texts.name, { state: 'not-measured', reason: 'never-collected' })
  assert.deepEqual(never.localization.evidence, [])
})

test('answers of lookups in another language add their texts, though they do not name it', async () => {
  await known(105)
  await bring(page(105, 'es-MX', { ...spanish, description: '' }), '2026-05-02T00:00:00Z', 'us', 'es-MX')
  await bring(lookup(105, { ...spanish, notes: 'Más luz' }), '2026-05-03T00:00:00Z', 'us', 'es-MX')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '105', language: 'es-MX' })
  const { texts, evidence } = body.localization ?? assert.fail()
  assert.equal(texts.subtitle.state, 'measured')
  assert.equal(texts.description.state, 'measured')
  assert.deepEqual(evidence.map(({ source }) => source).sort(), ['app-store-page', 'itunes-lookup'])
})

test('the changes of a listing in another language are a history of their own', async () => {
  await known(106)
  await bring(page(106, 'es-MX', { ...spanish, shots: ['a'] }), '2026-05-02T00:00:00Z', 'us', 'es-MX')
  await bring(
    page(106, 'es-MX', { ...spanish, subtitle: 'Luz para leer', shots: ['a'] }),
    '2026-05-16T00:00:00Z',
    'us',
    'es-MX',
  )
  await bring(page(106, 'es-MX', { ...spanish, shots: ['a'] }), '2026-05-09T00:00:00Z', 'us', 'es-MX')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '106', language: 'es-MX' })
  assert.deepEqual(body.listingHistory, [])
  assert.deepEqual(
    body.localization?.history.map(({ field, value, firstSeenAt, lastSeenAt, current }) => [
      field,
      value,
      firstSeenAt.slice(0, 10),
      lastSeenAt.slice(0, 10),
      current,
    ]),
    [
      ['subtitle', 'Luz para leer', '2026-05-16', '2026-05-16', true],
      ['subtitle', 'Luz de noche', '2026-05-02', '2026-05-09', false],
    ],
  )

  // Screenshots that changed have their addresses, of which the default holds none.
  await bring(page(106, 'es-MX', { ...spanish, shots: ['b', 'a'] }), '2026-05-23T00:00:00Z', 'us', 'es-MX')
  const { body: later } = await world.call('get_competitor', {
    platform: 'ios',
    storeId: '106',
    language: 'es-MX',
  })
  const address = (shot: string) => `https://pictures.example/${shot}/10x20bb.jpg`
  assert.deepEqual(
    later.localization?.history.filter(({ field }) => field === 'screenshots-iphone').map(({ value }) => value),
    [`${address('b')}\n${address('a')}`, address('a')],
  )
})

test('a change of the default names its own reading, also beside one in another language of the same instant', async () => {
  await bring(page(112, 'en-US', english), '2026-05-01T00:00:00Z', 'us')
  const later = '2026-05-08T00:00:00Z'
  for (const [language, subtitle] of [
    ['vi', 'Sáng'],
    ['ko', '밝은'],
    ['ru', 'Ярче'],
    [undefined, 'Brighter'],
    ['es-MX', 'Más luz'],
  ] as const)
    await bring(page(112, language ?? 'en-US', { ...english, subtitle }), later, 'us', language)
  const { body } = await world.call('get_competitor_aso', { platform: 'ios', storeId: '112' })
  const [change] = body.timeline ?? []
  const own = await rows(
    world.store.db,
    sql<{ id: string }>`
      select reading_id::text as id from readings where context ->> 'storeId' = '112' and not context ? 'language' and observed_at = ${later}`,
  )
  assert.equal(change?.evidence[0]?.readingId, own[0]?.id)
})

test('a language that is none is refused with what was probably meant', async () => {
  await known(107)
  for (const [language, hint] of [
    ['xx', ''],
    ['zh', '; did you mean "zh-Hans" or "zh-Hant"?'],
    ['french', '; did you mean "fr-CA" or "fr-FR"?'],
    ['jp', '; did you mean "ja"?'],
  ] as const) {
    const { status, body } = await world.call('get_competitor', { platform: 'ios', storeId: '107', language })
    assert.equal(status, 400)
    assert.deepEqual(body.errors, [
      { pointer: '/query/language', message: `is not a localization of the App Store${hint}` },
    ])
  }
  assert.equal(
    (await world.call('get_competitor', { platform: 'ios', storeId: '107', language: 'x'.repeat(36) })).status,
    400,
  )
})

test('a localization that the storefront does not support is allowed, and said', async () => {
  await known(108)
  const { notes, stored } = await bring(
    page(108, 'de-DE', { name: 'Laterne', subtitle: 'Licht' }),
    '2026-05-02T00:00:00Z',
    'us',
    'de-DE',
  )
  assert.equal(stored, 1)
  assert.match(notes.join(), /"de-DE" is not among the localizations that Apple names for "us"/)
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '108', language: 'de' })
  assert.deepEqual([body.localization?.state, body.localization?.supported], ['measured', false])
  assert.deepEqual(body.localizations?.unsupported, ['de-DE'])
})

test('the language of the storefront is its default', async () => {
  await known(109)
  await bring(page(109, 'en-US', english), '2026-05-03T00:00:00Z', 'us', 'en-US')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '109', language: 'en' })
  assert.deepEqual([body.localization?.language, body.localization?.isDefault], ['en-US', true])
  assert.deepEqual(body.localization?.texts.subtitle, body.subtitle)
  assert.deepEqual(body.localization.evidence, body.evidence)
})

test('a page in another language, of none, of another storefront or app is refused by name, and nothing is stored', async () => {
  const count = () => rows(world.store.db, sql`select from localized_readings`)
  const before = (await count()).length
  const refused = async (content: string, country: string, language: LocalizationCode, reason: RegExp) => {
    const { rejected, stored, firstRejection } = await bring(content, '2026-05-02T00:00:00Z', country, language)
    assert.deepEqual([stored, rejected], [0, 1])
    assert.match(firstRejection?.reason ?? '', reason)
  }
  await refused(page(110, 'en-US', english), 'us', 'es-MX', /the page is in "en-US", not in "es-MX"/)
  await refused(page(110, 'fr-CA', spanish), 'ca', 'fr-FR', /the page is in "fr-CA", not in "fr-FR"/)
  await refused(page(110, 'tlh', spanish), 'us', 'es-MX', /the page is in "tlh"/)
  await refused(page(110, null, spanish), 'us', 'es-MX', /does not name its language/)
  const inJapan = page(110, 'es-MX', spanish).replace(
    '"data":{',
    '"data":{"pageMetrics":{"pageFields":{"storeFront":"143462"}},',
  )
  await refused(inJapan, 'us', 'es-MX', /the page of the storefront "jp", not of "us"/)
  await refused(page(110, 'es-MX', spanish).slice(0, -60), 'us', 'es-MX', /in the middle/)
  await refused('<html lang="es-MX"><p>Hola</p></html>', 'us', 'es-MX', /HTML or XML/)
  assert.equal((await count()).length, before)
})

test('a saved page without a language is the default page it always was', async () => {
  await bring(page(111, 'en-US', english), '2026-05-01T00:00:00Z', 'us')
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '111' })
  assert.deepEqual(body.subtitle, { state: 'measured', value: english.subtitle, evidence: 0 })
})

test('an export and its import in another order lead to the same listings', async () => {
  const out = join(folder.path, 'catalogue.ndjson')
  const { code, notes } = await operate(world, { command: 'export catalogue', options: { out } })
  assert.equal(code, 0, notes)
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
  const turned = folder.write('turned.ndjson', lines.toReversed().join('\n'))
  await using other = await openWorld()
  const { rejected } = await other.import({ kind: 'catalogue', paths: [turned] })
  assert.equal(rejected, 0)
  const state = async ({ store }: World) => ({
    readings: await rows(
      store.db,
      sql`
        select store_id::text, country, language, observed_at, reading_key, source, origin, time_basis, fields
        from localized_readings order by 1, 2, 3, 4, 5`,
    ),
    texts: await rows(
      store.db,
      sql`select store_id::text, text_hash, content from localized_texts order by 1, 2`,
    ),
  })
  assert.deepEqual(await state(other), await state(world))
  for (const storeId of ['101', '102', '103', '106']) {
    const of = async (one: World) =>
      (await one.call('get_competitor', { platform: 'ios', storeId, language: 'es-MX' })).body
    const [mine, theirs] = [await of(world), await of(other)]
    assert.deepEqual(theirs.localizations, mine.localizations)
    assert.deepEqual(theirs.localization?.texts, mine.localization?.texts)
    assert.deepEqual(theirs.localization?.history, mine.localization?.history)
  }
  const bad = lines
    .find((line) => line.includes('"language":"es-MX"'))
    ?.replaceAll('"language":"es-MX"', '"language":"xx"')
  const refused = await other.import({
    kind: 'catalogue',
    paths: [folder.write('bad.ndjson', `${bad}\n`)],
    rejectedFile: join(folder.path, 'rejected-bad.ndjson'),
  })
  assert.match(refused.firstRejection?.reason ?? '', /"xx" is not a localization of the App Store/)
})

test('a replay leads to the same listings', async () => {
  const state = async () => ({
    readings: await rows(world.store.db, sql`select * from localized_readings order by 1, 2, 3, 4, 5`),
    texts: await rows(world.store.db, sql`select * from localized_texts order by 1, 2`),
  })
  const before = await state()
  assert.ok(before.readings.length > 5)
  await replay(world.store.db, () => {}, new AbortController().signal, ['localizations'])
  assert.deepEqual(await state(), before)
})

test('a second language takes at most 0.4 of the bytes of the first: texts of its own, and the pictures of the default', async () => {
  const { en: words = '' } = appWords.words
  const some = words.split(' ')
  const prose = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => some[(from + at * 37) % some.length]).join(' ')
  const texts = (from: number) => ({
    name: prose(from, 3),
    subtitle: prose(from + 1, 4),
    description: prose(from + 2, 380),
    notes: prose(from + 3, 30),
  })
  const shots = Array.from(
    { length: 10 },
    (_, at) => `PurpleSource${at}/v4/aa/bb/cc/${createHash('sha256').update(String(at)).digest('hex')}`,
  )
  const { notes: _, ...own } = texts(1)
  const answer = JSON.parse(lookup(120, own))
  answer.results[0].screenshotUrls = shots.map((shot) => `https://pictures.example/${shot}/392x696bb.jpg`)
  await bring(JSON.stringify(answer), '2026-05-01T00:00:00Z', 'us')
  await bring(page(120, 'en-US', { ...own, shots }), '2026-05-01T00:00:00Z', 'us')
  await bring(page(120, 'es-MX', { ...texts(2), shots }), '2026-05-02T00:00:00Z', 'us', 'es-MX')
  const bytes = async (tables: readonly string[]) => {
    let sum = 0
    for (const table of tables) {
      const [of] = await rows(
        world.store.db,
        sql<{
          bytes: number
        }>`select coalesce(sum(pg_column_size(t.*)), 0)::float8 as bytes from ${sql.table(table)} t where store_id = 120`,
      )
      sum += of?.bytes ?? 0
    }
    return sum
  }
  const [first, second] = [
    await bytes(['app_records', 'app_search', 'listing_sightings']),
    await bytes(['localized_readings', 'localized_texts']),
  ]
  assert.ok(second > 1_000 && second <= 0.4 * first, `${second} of ${first} bytes`)
})
