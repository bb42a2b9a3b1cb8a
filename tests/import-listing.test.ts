import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { accountNamed } from '../src/domain/accounts/queries.ts'
import { ownListingOf } from '../src/domain/aso/listing/own-listing.ts'
import { openFolder, rejectedLines } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { operate } from './support/operator.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

let made = 0
/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const name = `listing-${++made}`
  for (const [path, content] of Object.entries(files)) folder.write(join(name, path), content)
  return join(folder.path, name)
}

interface Options {
  app?: string
  account?: string
  observedAt?: string
  whole?: boolean
}

async function bring(files: string | string[], options: Options = {}) {
  const rejected = join(folder.path, `rejected-${++made}.ndjson`)
  const call = {
    command: 'import listing' as const,
    options: { files: [files].flat(), rejected, json: true, ...options },
  }
  const { code, out, notes } = await operate(world, call)
  const summary = out === '' ? undefined : JSON.parse(out)
  const reasons = rejectedLines(summary?.rejectedFile ?? null).map(({ reason }) => reason)
  const counts = summary && [summary.read, summary.stored, summary.unchanged, summary.rejected]
  if (summary) assert.equal(summary.read, summary.stored + summary.unchanged + summary.rejected)
  return { code, notes, reasons, counts }
}

async function told(storeId: string, account = 'default') {
  const accountId = await accountNamed(world.store.db, account)
  const found = await ownListingOf(world.store.db, accountId ?? assert.fail(account), storeId)
  return Object.fromEntries([...(found?.localizations ?? [])].map(([code, { texts }]) => [code, texts]))
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

describe('a fastlane folder', () => {
  const metadata = {
    Appfile: '',
    'metadata/en-US/name.txt': 'Tide Planner\n',
    'metadata/en-US/subtitle.txt': 'Waves and moon\r\n',
    'metadata/en-US/keywords.txt': '\ufeffsurf, sea,harbour,sea\r\n',
    'metadata/en-US/description.txt': 'Tides.\r\n\r\nEvery day.\n',
    'metadata/de-DE/name.txt': 'Gezeiten',
    'metadata/de-DE/keywords.txt': utf16('ebbe,flut,küste'),
    'metadata/de-DE/subtitle.txt': '',
    'metadata/ja/name.txt': '潮見表',
    'metadata/default/subtitle.txt': 'Tides for all',
    'metadata/default/keywords.txt': 'tide',
    'metadata/copyright.txt': '2026 Somebody',
    'metadata/primary_category.txt': 'WEATHER',
    'metadata/en-US/support_url.txt': 'https://example.com',
    'metadata/review_information/demo_password.txt': 'hunter2',
    'metadata/android/en-US/title.txt': 'Of another store',
    'metadata/en-US/.DS_Store': 'x',
  }

  test('is read by localization, with its default, and belongs to the account', async () => {
    await storeTracked(world, { storeId: '801' })
    const root = folderOf(metadata)
    const first = await bring(root, { app: '801' })
    assert.deepEqual([first.code, first.counts, first.reasons], [0, [3, 3, 0, 0], []])
    assert.match(first.notes, /The keyword field of en-US has 1 blank beside commas, which count/)
    assert.match(first.notes, /The keyword field of en-US says twice: sea\./)
    assert.match(first.notes, /android is of Google Play/)
    assert.deepEqual(await told('801'), {
      'de-DE': { name: 'Gezeiten', subtitle: '', 'keyword-field': 'ebbe,flut,küste' },
      'en-US': {
        name: 'Tide Planner',
        subtitle: 'Waves and moon',
        'keyword-field': 'surf, sea,harbour,sea',
        description: 'Tides.\n\nEvery day.',
      },
      ja: { name: '潮見表', subtitle: 'Tides for all', 'keyword-field': 'tide' },
    })
    assert.deepEqual((await bring(root, { app: '801' })).counts, [3, 0, 3, 0])
    await storeTracked(world, { storeId: '801', account: 'studio' })
    assert.deepEqual(await told('801', 'studio'), {})
  })

  test('is of the app that its Appfile names, where the account tracks it', async () => {
    const files = { 'metadata/en-US/name.txt': 'Tides' }
    await storeTracked(world, { storeId: '805' })
    await storeListings(world, [
      { trackId: 805, bundleId: 'com.example.tides', trackName: 'Tides', observedAt: '2026-03-01T00:00:00Z' },
    ])
    const project = {
      'fastlane/metadata/it/name.txt': 'Maree',
      'fastlane/Appfile': "# of the app\napp_identifier('com.example.tides') # its id\n",
    }
    assert.deepEqual((await bring(folderOf(project))).counts, [1, 1, 0, 0])
    assert.deepEqual(await told('805'), { it: { name: 'Maree' } })
    const strange = { ...files, Appfile: 'app_identifier("com.example.strange")' }
    const cases: [string, Options, RegExp][] = [
      [folderOf(files), {}, /Nothing says which app .* --app/],
      [folderOf(strange), {}, /The Appfile names com\.example\.strange, and no stored app has that bundle id/],
      [folderOf(files), { app: '899' }, /tracks no app 899: track it first/],
      [folderOf(files), { app: '801', account: 'nobody' }, /There is no account "nobody"/],
      [folderOf(files), { app: '801', observedAt: '2999-01-01' }, /lies ahead/],
      ['/nowhere/at/all', { app: '801' }, /There is no file or directory \/nowhere/],
    ]
    for (const [path, options, reason] of cases) {
      const { code, counts, notes } = await bring(path, options)
      assert.deepEqual([code, counts], [1, undefined])
      assert.match(notes, reason)
    }
  })

  test('tells a faulty localization by name and stores nothing of it, and takes the others', async () => {
    await storeTracked(world, { storeId: '802' })
    const root = folderOf({
      'en-US/name.txt': 'Tides',
      'en_GB/name.txt': 'Tides',
      'en/name.txt': 'Tides',
      'french/name.txt': 'Marées',
      'xx-YY/name.txt': 'x',
      'de-DE/name.txt': 'G'.repeat(31),
      'de-DE/subtitle.txt': 'S'.repeat(32),
      'de-DE/description.txt': 'Gut',
      'es-ES/keywords.txt': 'marea\u0000',
      'it/name.txt': 'Due\nrighe',
      'ko/name.txt': Buffer.from([0xb9, 0xd9, 0xb4, 0xd9, 0xff]),
      'fr-FR/title.txt': 'Marées',
      'fr-FR/notes.txt': 'x',
      'nl-NL/description.txt': 'x'.repeat(70_000),
      'pt-BR/keywords.txt': 'é'.repeat(60),
    })
    const { code, counts, reasons, notes } = await bring(root, { app: '802' })
    assert.equal(code, 0)
    assert.deepEqual(Object.keys(await told('802')).sort(), ['en-US', 'pt-BR'])
    assert.equal(counts?.[3], reasons.length)
    for (const reason of [
      /^"en_GB" is not a localization of App Store Connect; did you mean "en-GB"\?$/,
      /^"en" is not a localization of App Store Connect; did you mean "en-AU", "en-CA", "en-GB" or "en-US"\?$/,
      /^"french" is not .*; did you mean "fr-CA" or "fr-FR"\?$/,
      /^"xx-YY" is not a localization of App Store Connect$/,
      /^de-DE: its name has 31 characters, 1 over the limit of 30; its subtitle has 32 characters, 2 over/,
      /^es-ES: its keyword field holds control characters/,
      /^it: its name has several lines$/,
      /UTF-8/,
      /^no text of a listing is called so; did you mean name\.txt\?$/,
      /^no text of a listing is called so: there are name\.txt, subtitle\.txt, keywords\.txt/,
      /^over 64 kB/,
    ])
      assert.ok(
        reasons.some((one) => reason.test(one)),
        `${reason} in\n${reasons.join('\n')}`,
      )
    assert.match(notes, /The keyword field of pt-BR has 120 bytes: Apple's help says 100 bytes/)
  })

  test('does not follow a link out of it, and reads one inside', async () => {
    await storeTracked(world, { storeId: '803' })
    const root = folderOf({ 'en-US/name.txt': 'Tides' })
    symlinkSync('en-US', join(root, 'en-GB'))
    symlinkSync(folder.write('secret.txt', 'Secret'), join(root, 'en-US', 'subtitle.txt'))
    symlinkSync('/', join(root, 'de-DE'))
    const { reasons } = await bring(root, { app: '803' })
    assert.deepEqual(reasons, Array(3).fill('a link that leads out of the folder'))
    assert.deepEqual(await told('803'), { 'en-GB': { name: 'Tides' }, 'en-US': { name: 'Tides' } })
  })

  test('of several platforms is that of iOS', async () => {
    await storeTracked(world, { storeId: '804' })
    const root = folderOf({ 'ios/en-US/name.txt': 'Tides', 'macos/en-US/name.txt': 'Tides for Mac' })
    const { counts, notes } = await bring(root, { app: '804' })
    assert.deepEqual([counts, (await told('804'))['en-US']], [[1, 1, 0, 0], { name: 'Tides' }])
    assert.match(notes, /Texts of macOS are not read/)
    const twice = await bring(folderOf({ 'a/en-US/name.txt': 'One', 'b/en-US/name.txt': 'Two' }), {
      app: '804',
    })
    assert.deepEqual(twice.reasons, ['en-US: its name is told twice, and differently: also by name.txt'])
  })
})

describe('JSON and tables', () => {
  const info = (locale: string, attributes: object) => ({
    ...{ type: 'appInfoLocalizations', id: `i-${locale}`, attributes: { locale, ...attributes } },
  })
  const version = (locale: string, attributes: object, of = '1') => ({
    ...{ type: 'appStoreVersionLocalizations', id: `v-${locale}-${of}`, attributes: { locale, ...attributes } },
    relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: of } } },
  })

  test('of the App Store Connect API are put together, those of other platforms left out', async () => {
    await storeTracked(world, { storeId: '811' })
    const infos = {
      data: [info('en-US', { name: 'Tides', subtitle: null }), info('fr-CA', { name: 'Marées' })],
    }
    const versions = {
      data: [
        version('en-US', { keywords: 'surf,sea', whatsNew: 'Faster', promotionalText: 'New' }),
        version('en-US', { keywords: 'mac' }, '2'),
      ],
      included: [
        { type: 'appStoreVersions', id: '1', attributes: { platform: 'IOS' } },
        { type: 'appStoreVersions', id: '2', attributes: { platform: 'MAC_OS' } },
      ],
    }
    const paths = [
      folder.write('811/infos.json', JSON.stringify(infos)),
      folder.write('811/versions.json', JSON.stringify(versions)),
    ]
    assert.deepEqual((await bring(paths, { app: '811' })).counts, [2, 2, 0, 0])
    assert.deepEqual((await told('811'))['en-US'], {
      ...{ name: 'Tides', subtitle: '', 'keyword-field': 'surf,sea' },
      ...{ 'release-notes': 'Faster', 'promotional-text': 'New' },
    })
  })

  test('of other tools are read: localizations as names, Expo, files by localization, rows', async () => {
    await storeTracked(world, { storeId: '812' })
    const forms: Record<string, string> = {
      'export.json': JSON.stringify({ 'en-US': { keywords: 'surf,sea', marketingURL: 'x' } }),
      'store.config.json': JSON.stringify({
        configVersion: 0,
        apple: { info: { 'en-GB': { title: 'Tides', keywords: ['surf', 'sea'], promoText: 'New' } } },
      }),
      'texts.csv': 'Locale,Name,Subtitle,Keywords\nfr-FR,Marées,,"vague,mer"\nfr,Marées,,\n',
      'texts.ndjson': '{"locale":"it","name":"Maree","keywords":"onde"}\n',
    }
    for (const [name, content] of Object.entries(forms)) {
      const { counts } = await bring(folder.write(`812/${name}`, content), { app: '812' })
      assert.equal(counts?.[1], 1, name)
    }
    const asc = folderOf({
      'app-info/ja.json': '{"name":"潮見表","subtitle":"波と月"}',
      'version/1.9.0/ja.json': '{"keywords":"古い"}',
      'version/1.10.0/ja.json': '{"keywords":"波,海"}',
    })
    assert.match((await bring(asc, { app: '812' })).notes, /Of 2 versions the texts of 1\.10\.0 are read/)
    const now = await told('812')
    assert.deepEqual(now.ja, { name: '潮見表', subtitle: '波と月', 'keyword-field': '波,海' })
    assert.deepEqual(now['en-GB'], { name: 'Tides', 'keyword-field': 'surf,sea', 'promotional-text': 'New' })
    assert.deepEqual(Object.keys(now).sort(), ['en-GB', 'en-US', 'fr-FR', 'it', 'ja'])
  })

  test('of which one is packed, endless or nested without end stay within bounds', async () => {
    await storeTracked(world, { storeId: '814' })
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a'))
    const root = folderOf({
      'en-US/name.txt': 'Tides',
      'en-US/subtitle.txt': bomb,
      'deep.json': deep,
      'many.json': JSON.stringify(
        Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, { name: 'a' }])),
      ),
      [`${Array(12).fill('a').join('/')}/en-GB/name.txt`]: 'Out of sight',
    })
    const { code, reasons } = await bring(root, { app: '814' })
    assert.equal(code, 0)
    assert.deepEqual(await told('814'), { 'en-US': { name: 'Tides' } })
    assert.equal(reasons.length, 3, reasons.join('\n'))
    assert.ok(reasons.some((one) => /^over 64 kB/.test(one)) && reasons.some((one) => /nested/.test(one)))
  })

  test('that are none are refused by name', async () => {
    await storeTracked(world, { storeId: '813' })
    for (const [name, content, reason] of [
      ['a.json', '{"results":[]}', /no texts of localizations: .*; it has results/],
      ['b.json', '{"en-US":', /truncated JSON/],
      ['c.json', '', /empty/],
      ['d.csv', 'a,b\n1,2\n', /no texts of localizations/],
      ['e.zip', 'PK\u0003\u0004rest', /zip archive: unpack it/],
    ] as const) {
      const { code, reasons } = await bring(folder.write(`813/${name}`, content), { app: '813' })
      assert.equal(code, 1, name)
      assert.match(reasons[0] ?? '', reason, name)
    }
    assert.deepEqual(await told('813'), {})
  })
})

describe('imports one after the other', () => {
  test('tell the newest of each text, in any order, and a whole one ends what it does not name', async () => {
    await storeTracked(world, { storeId: '821' })
    const file = (name: string, texts: object) => folder.write(`821/${name}.json`, JSON.stringify(texts))
    const options = (observedAt: string) => ({ app: '821', observedAt })
    await bring(file('b', { 'en-US': { name: 'Two', keywords: 'b' } }), options('2026-02-01'))
    await bring(
      file('a', { 'en-US': { name: 'One', subtitle: 'Old' }, it: { name: 'Uno' } }),
      options('2026-01-01'),
    )
    assert.deepEqual(await told('821'), {
      'en-US': { name: 'Two', subtitle: 'Old', 'keyword-field': 'b' },
      it: { name: 'Uno' },
    })
    const bad = file('bad', { 'en-US': { name: 'Three' }, de: { name: 'Drei' } })
    const refused = await bring(bad, { ...options('2026-03-01'), whole: true })
    assert.deepEqual([refused.code, refused.counts], [1, [1, 0, 0, 1]])
    assert.match(refused.notes, /Nothing was stored: with --whole/)
    await bring(file('c', { 'en-US': { name: 'Three' } }), { ...options('2026-03-01'), whole: true })
    assert.deepEqual(await told('821'), { 'en-US': { name: 'Three' } })
  })
})
