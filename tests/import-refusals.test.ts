import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ImportRequest } from '../src/imports/import-request.ts'
import { openFolder, rejectedLines } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'
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

const bring = (
  kind: ImportRequest['kind'],
  name: string,
  content: unknown,
  more: Partial<ImportRequest> = {},
) => importContent(world, folder, kind, content, { name, ...more })

describe('the file of rejected records', () => {
  test('holds those of the last import alone, and nothing where none was refused', async () => {
    const rejectedFile = join(folder.path, 'refused.ndjson')
    const post = { network: 'x', id: '1900000000000000701', text: 'a' }
    const bad = await bring(
      'organic',
      'bad.json',
      [
        { ...post, id: 'x' },
        { ...post, id: 'y' },
      ],
      { rejectedFile },
    )
    assert.equal(rejectedLines(bad.rejectedFile).length, 2)
    await bring('organic', 'less.json', [{ ...post, id: 'z' }, post], { rejectedFile })
    assert.equal(rejectedLines(rejectedFile).length, 1)
    const fine = await bring('organic', 'fine.json', [{ ...post, text: 'b' }], { rejectedFile })
    assert.deepEqual([fine.rejectedFile, fine.firstRejection], [null, null])
    assert.equal(readFileSync(rejectedFile, 'utf8'), '')
    const none = join(folder.path, 'never.ndjson')
    await bring('organic', 'fine-too.json', [{ ...post, text: 'c' }], { rejectedFile: none })
    assert.ok(!existsSync(none), 'nothing is made where nothing lay')
  })

  test('never takes the place of what is to be imported', async () => {
    const path = folder.write('mine.json', '[]')
    await assert.rejects(
      world.import({ kind: 'organic', paths: [path], rejectedFile: path }),
      /cannot hold what is rejected/,
    )
    assert.equal(readFileSync(path, 'utf8'), '[]')
    const link = join(folder.path, 'link.ndjson')
    symlinkSync(path, link)
    await assert.rejects(
      world.import({ kind: 'organic', paths: [path], rejectedFile: link }),
      /cannot hold what is rejected/,
    )
    assert.equal(readFileSync(path, 'utf8'), '[]')
  })

  test('never takes the place of any other file than one of rejected records', async () => {
    const input = folder.write('input.json', '[{"network":"x"}]')
    for (const content of ['{"mine":1}\n', 'a,b\n1,2\n', '{"file":1,"position":2}\n']) {
      const mine = folder.write('kept.ndjson', content)
      await assert.rejects(
        world.import({ kind: 'organic', paths: [input], rejectedFile: mine }),
        /holds something else than rejected records: name another file with --rejected/,
      )
      assert.equal(readFileSync(mine, 'utf8'), content)
    }
  })

  test('grows to 16 MiB and no further, and the import says how many records stand in it', async () => {
    const bad = Array.from({ length: 2_000 }, (_, at) => ({
      network: 'x',
      id: `no-${at}`,
      text: 'a'.repeat(10_000),
    }))
    const paths = [folder.write('many.json', JSON.stringify(bad))]
    const summary = await world.import({ kind: 'organic', paths })
    assert.equal(summary.rejected, bad.length)
    const written = rejectedLines(summary.rejectedFile).length
    assert.ok(statSync(summary.rejectedFile ?? '').size <= 16 * 1024 * 1024)
    assert.ok(written > 1_000 && written < bad.length, `${written} are written`)
    assert.match(summary.notes.at(-1) ?? '', /holds the first 1,\d{3} of 2,000 rejected records$/)
  })

  test('has no field for what is never taken, however deep it stands', async () => {
    const secret = '4242'
    const paid = {
      spend: { lower_bound: secret },
      amountSpent: secret,
      Impressions: [secret],
      nested: [
        {
          deep: {
            search_volume: secret,
            searchVolume: secret,
            'Search Volume': secret,
            onboarding: { steps: secret },
          },
        },
      ],
      inner: JSON.stringify({ spend: secret, kept: 'yes' }),
      body: 'Spend less, save more',
    }
    const files: [ImportRequest['kind'], string, unknown][] = [
      ['paid-ads', 'ad.json', [{ id: 'none', ad_delivery_start_time: '2026-01-01', ...paid }]],
      [
        'paid-ads',
        'unknown.json',
        [
          { other: 1, ...paid },
          { ad_archive_id: '5', ...paid },
        ],
      ],
      [
        'paid-ads',
        'broken.ndjson',
        `{"archiveId":"1","spend":${secret},\n{"archiveId":"2","platform":"meta"}\n`,
      ],
      ['organic', 'post.json', [{ network: 'x', id: 'none', ...paid }]],
      ['catalogue', 'app.json', { results: [{ kind: 'software', trackName: 'x', ...paid }] }],
      ['sales', 'own.csv', `app,date,ad_spend,downloads\n1,never,${secret},1\n2,2026-01-01,${secret},1,1\n`],
    ]
    for (const [kind, name, content] of files) {
      const { rejectedFile } = await bring(kind, name, content)
      const text = readFileSync(rejectedFile ?? '', 'utf8')
      assert.ok(!text.includes(secret), `${name}: ${text}`)
      assert.doesNotMatch(
        text.replaceAll('Spend less, save more', ''),
        /spend|impression|onboarding|search.?volume/i,
        name,
      )
      if (name === 'ad.json') assert.match(text, /Spend less, save more.*/)
    }
  })
})

test('a captures table with columns nobody reads says so', async () => {
  const page = { resultCount: 1, results: [{ kind: 'software', trackId: 940000001, trackName: 'A', price: 0 }] }
  folder.write(
    'pages/captures.csv',
    'file,term,country,captured_at,note\npage.json,tea,us,2024-01-01T00:00:00Z,x\n',
  )
  const summary = await bring('search-results', 'pages/page.json', page)
  assert.equal(summary.notes.length, 1)
  assert.match(
    summary.notes[0] ?? '',
    /captures\.csv has columns that are not read: captured_at, note\..*capturedAt/,
  )
})

test('ranks of a keyword tracker are told to be none that can be taken', async () => {
  const summary = await bring(
    'search-results',
    'keyword-ranks.csv',
    'date,keyword,country,rank,app_id\n2026-01-15,tide planner,es,42,6551000099\n',
  )
  assert.deepEqual([summary.stored, summary.rejected], [0, 1])
  assert.match(summary.firstRejection?.reason ?? '', /ranks are taken from whole result pages alone/)
})

test('what holds a date later than its observation is refused, for apps, posts, ads and sales', async () => {
  const later = '2026-03-10T08:00:00Z'
  const app = { kind: 'software', trackName: 'A', price: 0, currency: 'USD' }
  const files: [ImportRequest['kind'], unknown, RegExp][] = [
    [
      'catalogue',
      {
        results: [
          { ...app, trackId: 941000001, currentVersionReleaseDate: later },
          { ...app, trackId: 941000002, price: undefined, releaseDate: later },
          { ...app, trackId: 941000003, currentVersionReleaseDate: '2026-03-02T08:00:00Z' },
        ],
      },
      /cannot have been observed at 2026-03-01T00:00:00\.000Z: its updatedAt is 2026-03-10/,
    ],
    [
      'organic',
      [
        { network: 'x', id: '1900000000000000801', publishedAt: later },
        { network: 'x', id: '1900000000000000802', publishedAt: '2026-02-01', observedAt: '2026-02-20' },
        { network: 'x', id: '1900000000000000803', publishedAt: '2026-02-01' },
      ],
      /its publishedAt is 2026-03-10/,
    ],
    [
      'paid-ads',
      [
        { platform: 'meta', archiveId: '88801', startedOn: '2026-03-10' },
        { platform: 'meta', archiveId: '88802', startedOn: '2026-03-02' },
        { platform: 'meta', archiveId: '88803', startedOn: '2026-02-02', endedOn: '2026-04-02' },
      ],
      /its startedOn is 2026-03-10/,
    ],
    [
      'sales',
      [
        { app: '941000004', country: 'us', date: '2026-03-10', downloads: 1 },
        { app: '941000004', country: 'us', date: '2026-03-01', downloads: 1 },
        { app: '941000004', country: 'us', date: '2026-02-01', downloads: 1 },
      ],
      /its day is 2026-03-10/,
    ],
  ]
  for (const [kind, content, said] of files) {
    const summary = await bring(kind, `later-${kind}.json`, content)
    assert.deepEqual([summary.read, summary.stored, summary.rejected], [3, 2, 1], kind)
    assert.match(rejectedLines(summary.rejectedFile)[0]?.reason ?? '', said)
  }
})

describe('the terminal', () => {
  let installation: Installation
  before(async () => {
    installation = await openInstallation()
  })
  after(() => installation[Symbol.asyncDispose]())

  test('names the fields that could not be read, of how many records, and none of them is told in part', async () => {
    const app = { kind: 'software', trackName: 'Tide', price: 0, currency: 'USD', primaryGenreId: 6014 }
    const answer = {
      results: [
        { ...app, trackId: 953000001, genreIds: ['6014', 'Games'], screenshotUrls: ['https://e.com/1.png', 7] },
        {
          ...app,
          trackId: 953000002,
          genreIds: ['6014', '6007'],
          averageUserRating: 'good',
          languageCodesISO2A: 'EN',
        },
        { ...app, trackId: 953000003, genreIds: 'Games', fileSizeBytes: '5 MB' },
      ],
    }
    const path = folder.write('unread.json', JSON.stringify(answer))
    const imported = await run(
      ['import', 'catalogue', path, '--observed-at', '2026-03-01', ...installation.location],
      {
        cwd: folder.path,
      },
    )
    assert.match(
      imported.err,
      /Not measured, for what stands there cannot be read: .*categoryIds of 2.* apps\./,
    )
    for (const field of ['screenshotsIphone', 'rating', 'languages', 'sizeBytes'])
      assert.match(imported.err, new RegExp(`${field} of 1`), field)
    assert.match(imported.out, /read 3, stored 3/)
    const here = await world.import({ kind: 'catalogue', paths: [path], observedAt: '2026-03-01' })
    assert.equal(here.unreadable.categoryIds, 2)
    const stored = async (storeId: string) =>
      (await world.call('get_competitor', { platform: 'ios', storeId })).body
    const [part, alone] = [await stored('953000001'), await stored('953000003')]
    for (const fact of [part.categories, alone.categories, alone.sizeBytes])
      assert.equal(fact.state, 'not-measured')
    const media = (await world.call('get_competitor_media', { platform: 'ios', storeId: '953000001' })).body
    assert.deepEqual(media.items, [])
    const chart = folder.write(
      'chart.csv',
      'id,rank,name,released,requested,icon\n953000001,1,Tide,soon,all,none\n953000002,2,Alder,2020-01-01,all,\n',
    )
    const named = ['--country', 'us', '--chart', 'top-free', '--category', '36', '--observed-at', '2026-03-01']
    const { err } = await run(['import', 'charts', chart, ...named, ...installation.location], {
      cwd: folder.path,
    })
    assert.match(err, /cannot be read: iconUrl of 1, releasedAt of 1, requested of 2 chart places\./)
    const bring = (kind: string, record: object, ...options: string[]) => {
      const file = folder.write(`unread-${kind}.json`, JSON.stringify([record]))
      return run(['import', kind, file, ...options, ...installation.location], { cwd: folder.path })
    }
    const video = { id: 'aaaaaaaaaaa', snippet: { title: 'Tide', thumbnails: { high: { url: 'none' } } } }
    const posts = await bring('organic', video)
    assert.match(posts.err, /cannot be read: media of 1 posts\./)
    const material = { id: '953', ad_title: 'Tide', country_code: ['Mars'], landing_page: 'none' }
    const ads = await bring('paid-ads', material, '--json')
    assert.deepEqual(JSON.parse(ads.out).unreadable, { countries: 1, linkUrl: 1 })
  })

  test('shows the first refusal with its reason, and the option that helps where a mapping is missing', async () => {
    const imported = (kind: string, path: string) =>
      run(['import', kind, path, ...installation.location], { cwd: folder.path })
    const table = folder.write('table.csv', 'a,b\n1,2\n')
    for (const kind of ['catalogue', 'charts', 'sales', 'organic', 'paid-ads']) {
      const { code, err } = await imported(kind, table)
      assert.equal(code, 1)
      assert.match(err, /First refused: table\.csv, line \d+: .*(--map FILE|in a mapping)/, kind)
    }
    const json = folder.write('list.json', '{"things":[{"a":1}]}')
    for (const kind of ['catalogue', 'organic', 'paid-ads'])
      assert.match((await imported(kind, json)).err, /First refused: list\.json, .*--map FILE/, kind)
    const posts = folder.write('posts.ndjson', '{"network":"x","id":"1"}\n{"network":"x","id":"?"}\n')
    const { code, err } = await imported('organic', posts)
    assert.equal(code, 0)
    assert.match(err, /First refused: posts\.ndjson, line 2: id: "\?" is not an id of x/)
    assert.doesNotMatch(err, /--map/)
  })
})
