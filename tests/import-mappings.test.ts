import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { ImportRequest } from '../src/imports/import-request.ts'
import type { MappedKind } from '../src/ingest/mapping/mappable-fields.ts'
import { MappingError, parseMapping } from '../src/ingest/mapping/mapping.ts'
import { rows } from '../src/storage/database.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
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

/** Imports a table through a mapping as it stands in a file. */
const bring = (
  kind: MappedKind,
  name: string,
  table: readonly string[],
  mapping: object,
  more: Partial<ImportRequest> = {},
) =>
  importContent(world, folder, kind, `${table.join('\n')}\n`, {
    name,
    observedAt: '2026-03-01T12:00:00Z',
    mapping: parseMapping(mapping, kind, 'the mapping'),
    ...more,
  })

const listingOf = async (storeId: string) =>
  (await world.call('get_competitor', { platform: 'ios', storeId })).body
const valuesOf = async (storeId: string, ...fields: string[]) => {
  const listing = (await listingOf(storeId)) as object as Record<string, { value?: unknown; state?: string }>
  return fields.map((field) => listing[field]?.value ?? listing[field]?.state)
}

const screenshotsOf = async (storeId: string) => {
  const { items } = (await world.call('get_competitor_media', { platform: 'ios', storeId })).body
  return items.map((item: { url: string }) => item.url)
}

describe('a list in one column', () => {
  const columns = {
    storeId: 'id',
    name: 'name',
    languages: 'langs',
    categories: 'genres',
    screenshotsIphone: 'shots',
  }
  const table = [
    'id\tname\tlangs\tgenres\tshots',
    '910000001\tCommas\ten, fr, de\t6014\t',
    '910000002\tOne\tEN\t6014\t',
    '910000003\tUsual\ten;pt-BR|zh-Hans\tGames;Finance\thttps://e.com/a,b.png https://e.com/2.png',
    '910000004\tWord\tEnglish\t6014\t',
    '910000005\tNobody\txx\t6014\t',
    '910000006\tShots\ten\t6014\thttps://e.com/1.png,https://e.com/2.png',
    '910000007\tNone\t\t6014\t',
  ]

  test('is never one value, and what is no language code refuses the row with the reason', async () => {
    const { reasons, ...summary } = await bring('catalogue', 'apps.tsv', table, { fields: columns })
    assert.deepEqual([summary.read, summary.stored, summary.rejected], [7, 3, 4])
    assert.match(
      reasons[0] ?? '',
      /^line 2: languages: "en, fr, de" is no language code.*"separators": \{"languages"/,
    )
    assert.match(reasons[1] ?? '', /^line 5: languages: "English" is no language code/)
    assert.match(reasons[2] ?? '', /^line 6: languages: "xx" is no language code/)
    assert.match(reasons[3] ?? '', /^line 7: screenshotsIphone: .* holds several addresses.*"separators"/)
    assert.deepEqual(await valuesOf('910000002', 'languages'), [['en']])
    assert.deepEqual(await valuesOf('910000003', 'languages'), [['en', 'pt-br', 'zh-hans']])
    assert.deepEqual(await screenshotsOf('910000003'), ['https://e.com/a,b.png', 'https://e.com/2.png'])
    assert.deepEqual(await valuesOf('910000007', 'languages'), ['absent'])
  })

  test('is parted by the separators its mapping names, and by no others', async () => {
    const separators = { languages: [',', ' and '], screenshotsIphone: ',' }
    const { reasons } = await bring(
      'catalogue',
      'named.tsv',
      [
        'id\tname\tlangs\tgenres\tshots',
        '910000011\tNamed\ten, fr and de\t6014\thttps://e.com/1.png,https://e.com/2.png',
        '910000012\tOther\ten;fr\t6014\t',
      ],
      { fields: columns, separators },
    )
    assert.deepEqual(await valuesOf('910000011', 'languages'), [['en', 'fr', 'de']])
    assert.deepEqual(await screenshotsOf('910000011'), ['https://e.com/1.png', 'https://e.com/2.png'])
    assert.match(reasons[0] ?? '', /^line 3: languages: "en;fr" is no language code/)
    await bring('catalogue', 'written.tsv', ['id\tname\tlangs', "910000013\tWritten\t['EN', 'FR']"], {
      fields: { storeId: 'id', name: 'name', languages: 'langs' },
      separators: { languages: ['[', ']', "'", ','] },
    })
    assert.deepEqual(await valuesOf('910000013', 'languages'), [['en', 'fr']])
  })

  test('of posts and ads is told as strictly', async () => {
    const posts = await bring(
      'organic',
      'posts.csv',
      [
        'id,lang,tags,text',
        'aaaaaaaam01,"en, fr",a,x',
        'aaaaaaaam02,en,"big day|small",x',
        'aaaaaaaam03,abcde,a,x',
      ],
      {
        fields: { id: 'id', language: 'lang', hashtags: 'tags', text: 'text' },
        constants: { network: 'youtube' },
        separators: { hashtags: '|' },
      },
    )
    assert.deepEqual(
      posts.reasons.map((reason) => reason.slice(0, 42)),
      ['line 2: language: "en, fr" is no language ', 'line 4: language: "abcde" is no language c'],
    )
    const [post] = await rows(
      world.store.db,
      sql<{
        hashtags: string[]
      }>`select facts->'hashtags' as hashtags from posts where post_id = 'youtube_aaaaaaaam02'`,
    )
    assert.deepEqual(post?.hashtags, ['big day', 'small'])
    const fields = {
      archiveId: 'id',
      countries: 'where',
      language: 'lang',
      publisherPlatforms: 'on',
      imageUrls: 'pics',
    }
    const ads = await bring(
      'paid-ads',
      'ads.csv',
      [
        'id,where,lang,on,pics',
        '7001,"DE, FR",en,facebook,',
        '7002,DE;FR,"en, fr",facebook,',
        '7003,DE,en,"facebook, instagram",',
        '7004,DE,en,facebook,"https://e.com/1.png,https://e.com/2.png"',
        '7005,DE;FR,en,facebook;audience_network,https://e.com/1.png https://e.com/2.png',
      ],
      { fields, constants: { platform: 'meta' } },
    )
    assert.deepEqual([ads.stored, ads.rejected], [1, 4])
    assert.deepEqual(ads.reasons.map((reason) => reason.slice(0, 60)).sort(), [
      'line 2: bad-value: countries: "DE, FR" is no country code su',
      'line 3: bad-value: languages: "en, fr" is no language code s',
      'line 4: bad-value: publisherPlatforms: "facebook, instagram"',
      'line 5: bad-value: imageUrls: "https://e.com/1.png,https://e',
    ])
    const ad = (await world.call('get_paid_ad', { platform: 'meta', archiveId: '7005' })).body
    assert.deepEqual(
      [ad.countries.value, ad.publisherPlatforms.value, ad.language.value, ad.creatives[0].media.length],
      [['de', 'fr'], ['facebook', 'audience-network'], 'en', 2],
    )
  })
})

describe('dates', () => {
  const columns = { storeId: 'id', name: 'name', releasedAt: 'from', updatedAt: 'to' }
  const apps = (name: string, lines: readonly string[], mapping: object) =>
    bring('catalogue', name, ['id;name;from;to', ...lines], { fields: columns, ...mapping })

  test('that can be read in two ways are refused until the mapping names their form', async () => {
    const { reasons } = await apps(
      'plain.csv',
      ['910000101;A;03/04/18;2018-04-03', '910000102;B;2018-04-03;'],
      {},
    )
    assert.equal(reasons.length, 1)
    assert.match(reasons[0] ?? '', /^line 2: releasedAt: cannot be "03\/04\/18"; .*"dates": \{"releasedAt"/)
    await apps('named.csv', ['910000101;A;03/04/18;2018-05-03'], { dates: { releasedAt: 'd/m/yy' } })
    assert.deepEqual(await valuesOf('910000101', 'releasedAt', 'updatedAt'), [
      '2018-04-03T00:00:00.000Z',
      '2018-05-03T00:00:00.000Z',
    ])
    await apps('american.csv', ['910000103;C;03/04/18;'], { dates: { releasedAt: 'MM/DD/YY' } })
    assert.deepEqual(await valuesOf('910000103', 'releasedAt'), ['2018-03-04T00:00:00.000Z'])
  })

  test('of two forms in one column are tried in order, and what has none of them is refused', async () => {
    const dates = { releasedAt: ['d.m.yyyy', 'mmm d, yyyy'], updatedAt: ['iso', 'm/d/yyyy h:mm am/pm', 'unix'] }
    const { reasons } = await apps(
      'two.csv',
      [
        '910000111;A;13.9.2018;2018-10-01T10:00:00+02:00',
        '910000112;B;Sep 13, 2018;10/1/2018 3:07 PM',
        '910000113;C;2018-09-13;',
        '910000114;D;31.2.2018;',
        '910000115;E;;1538395200',
      ],
      { dates },
    )
    assert.deepEqual(
      reasons.map((reason) => reason.slice(0, 40)),
      ['line 4: releasedAt: "2018-09-13" is of n', 'line 5: releasedAt: "31.2.2018" is of no'],
    )
    assert.match(reasons[0] ?? '', /d\.m\.yyyy.*mmm d, yyyy/)
    assert.deepEqual(await valuesOf('910000111', 'releasedAt', 'updatedAt'), [
      '2018-09-13T00:00:00.000Z',
      '2018-10-01T08:00:00.000Z',
    ])
    assert.deepEqual(await valuesOf('910000112', 'releasedAt', 'updatedAt'), [
      '2018-09-13T00:00:00.000Z',
      '2018-10-01T15:07:00.000Z',
    ])
    assert.deepEqual(await valuesOf('910000115', 'releasedAt', 'updatedAt'), [
      'absent',
      '2018-10-01T12:00:00.000Z',
    ])
  })

  test('without a year take it from the file name, from a column, or are refused', async () => {
    const sales = (name: string, table: readonly string[], mapping: object = {}) =>
      bring('sales', name, table, {
        fields: { storeId: 'app', day: 'day', downloads: 'units' },
        constants: { country: 'us' },
        dates: { day: 'dd.mm' },
        ...mapping,
      })
    const table = ['app,day,units', '910000121,13.09,4', '910000121,29.02,5']
    const named = await sales('report_2024.csv', table, { fileName: 'report_(?<year>\\d{4})' })
    assert.deepEqual(named.reasons, [])
    const untold = await sales('report.csv', table)
    assert.match(untold.reasons[0] ?? '', /^line 2: day: "13\.09" names no year.*"fileName"/)
    const noLeap = await sales('report_2023.csv', table, { fileName: 'report_(?<year>\\d{4})' })
    assert.deepEqual(
      noLeap.reasons.map((reason) => reason.slice(0, 25)),
      ['line 3: day: "29.02" is o'],
    )
    await sales('columns.csv', ['app,day,y,units', '910000122,01.03,2025,6'], {
      fields: { storeId: 'app', day: 'day', downloads: 'units', year: 'y' },
    })
    await sales('dated 2026-01-31.csv', ['app,day,units', '910000122,02.01,7'])
    const stored = await rows(
      world.store.db,
      sql<{ day: string; downloads: string }>`
        select day::text, downloads::text from own_sales where store_id in (910000121, 910000122) order by day`,
    )
    assert.deepEqual(
      stored.map(({ day, downloads }) => `${day} ${downloads}`),
      ['2023-09-13 4', '2024-02-29 5', '2024-09-13 4', '2025-03-01 6', '2026-01-02 7'],
    )
  })

  test('in charts, posts, ads and file names have the forms their mapping names', async () => {
    await bring(
      'charts',
      'top 2025 13.09.csv',
      ['id,rank,name', '910000131,1,First'],
      {
        fields: { storeId: 'id', rank: 'rank', name: 'name' },
        constants: { chart: 'top-free', category: '36', country: 'us' },
        fileName: 'top (?<year>\\d{4}) (?<capturedAt>\\d\\d\\.\\d\\d)',
        dates: { capturedAt: 'dd.mm' },
      },
      { observedAt: '' },
    )
    const { body } = await world.call('get_apple_charts', { date: '2025-09-13' })
    assert.equal(body.items[0].app.storeId, '910000131')
    await bring('organic', 'posts.csv', ['id,at,seen,text', 'aaaaaaaam11,17.14.11,17.15.11 08:30,x'], {
      fields: { id: 'id', publishedAt: 'at', observedAt: 'seen', text: 'text' },
      constants: { network: 'youtube' },
      dates: { publishedAt: 'yy.dd.mm', observedAt: 'yy.dd.mm hh:mm' },
    })
    const post = (await world.call('get_organic_content', { postId: 'youtube_aaaaaaaam11' })).body
    assert.deepEqual(
      [post.publishedAt.value, post.lastObservedAt],
      ['2017-11-14T00:00:00.000Z', '2017-11-15T08:30:00.000Z'],
    )
    await bring('paid-ads', 'ads.csv', ['id,from', '7011,13/9/24'], {
      fields: { archiveId: 'id', startedOn: 'from' },
      constants: { platform: 'meta' },
      dates: { startedOn: 'd/m/yy' },
    })
    const ad = (await world.call('get_paid_ad', { platform: 'meta', archiveId: '7011' })).body
    assert.equal(ad.deliveryStartedOn.value, '2024-09-13')
  })
})

test('a mapping that names a separator or a form of date which cannot be says what to change', () => {
  const wrong: [object, RegExp][] = [
    [{ separators: { name: ',' } }, /"name" is no list.*languages/s],
    [{ separators: { languages: '' } }, /separators\.languages/],
    [{ dates: { name: 'd/m/yy' } }, /"name" is no date.*releasedAt/s],
    [{ dates: { releasedAt: 'q/yy' } }, /"q\/yy".*"q"/],
    [{ dates: { releasedAt: 'm/yyyy' } }, /"m\/yyyy" names no day/],
    [{ dates: { releasedAt: 'd/yyyy' } }, /"d\/yyyy" names no month/],
    [{ dates: { releasedAt: [] } }, /dates\.releasedAt/],
    [{ constants: { releasedAt: '1/2/26' }, dates: { releasedAt: 'd.m.yy' } }, /constants.*"1\/2\/26"/],
  ]
  for (const [mapping, said] of wrong)
    assert.throws(
      () => parseMapping({ fields: { storeId: 'id' }, ...mapping }, 'catalogue', 'the mapping'),
      (error) => error instanceof MappingError && said.test(error.message),
      JSON.stringify(mapping),
    )
})

describe('numbers of another form', () => {
  const fields = { storeId: 'id', name: 'name', price: 'price', ratingCount: 'ratings' }
  const table = (id: number, price: string, ratings: string) => [
    'id\tname\tprice\tratings',
    `${id}\tApp\t${price}\t${ratings}`,
  ]
  let id = 911_000_000

  test('are read by the form that the mapping names, with and without marks between thousands', async () => {
    for (const [form, price, ratings] of [
      ['1.234,5', '1.299,99', '2.345.678'],
      ['1.234,5', '1299,99', '2345678'],
      ['1 234,5', '1\u202f299,99', '2\u00a0345 678'],
      ["1'234.5", '1’299.99', "2'345'678"],
      ['1,234.5', '1,299.99', '2,345,678'],
      ['1,23,456.7', '1,299.99', '23,45,678'],
      ['1234,5', '1299,99', '2345678'],
    ] as const) {
      const mapping = { fields, constants: { currency: 'EUR' }, numbers: form }
      const { reasons } = await bring('catalogue', 'numbers.tsv', table(++id, price, ratings), mapping)
      assert.deepEqual(reasons, [], form)
      const [amount, count] = await valuesOf(String(id), 'price', 'ratingCount')
      assert.deepEqual([(amount as { amount: number }).amount, count], [1299.99, 2_345_678], form)
    }
  })

  test('of no form or of another than is named refuse their row, and the reason tells how to name one', async () => {
    for (const [price, form] of [
      ['12.34', '1.234,5'],
      ['1,234.5', '1.234,5'],
      ['1.2345', '1.234,5'],
      ['3,50 €', '1.234,5'],
      ['1 2345', '1 234,5'],
      ['12,3456', '1,234'],
    ] as const) {
      const { reasons, stored } = await bring('catalogue', 'bad.tsv', table(++id, price, '1'), {
        fields,
        numbers: form,
      })
      assert.equal(stored, 0, price)
      assert.match(reasons.join(), /price: ".*" is not of the form that the mapping names: /)
    }
    const unnamed = await bring('catalogue', 'none.tsv', table(++id, '3,50', '1'), { fields })
    const [, hint = ''] = /such as ("numbers": \{.*\})$/.exec(unnamed.reasons.join()) ?? []
    const followed = { fields, ...(JSON.parse(`{${hint}}`) as object) }
    assert.deepEqual((await bring('catalogue', 'then.tsv', table(id, '3,50', '1'), followed)).reasons, [])
    for (const numbers of ['1.234.5', 'comma', { name: '1,5' }])
      assert.throws(() => parseMapping({ fields, numbers }, 'catalogue', 'x'), MappingError)
  })

  test('are those of own sales, posts and ranks too', async () => {
    const day = ['app;date;country;downloads;revenue;currency', '911000001;2026-02-01;de;1.234;2.345,67;EUR']
    assert.deepEqual(
      (await bring('sales', 'sales.csv', day, { numbers: { downloads: '1.234', revenue: '1.234,5' } })).reasons,
      [],
    )
    const stored = await rows<{ downloads: string; revenue: string }>(
      world.store.db,
      sql`select downloads::text, revenue::text from own_sales where country = 'de' and day = '2026-02-01'`,
    )
    assert.deepEqual([stored[0]?.downloads, Number(stored[0]?.revenue)], ['1234', 2345.67])
    const refused = await bring('sales', 'refused.csv', day, {})
    assert.match(refused.reasons.join(), /"numbers": \{"(downloads|revenue)"/)
    const post = ['id,likes', 'x,"1,234"'].join('\n').replace('x', '1900000000000009901').split('\n')
    const mapping = { fields: { id: 'id', likes: 'likes' }, constants: { network: 'x' } }
    assert.match(
      (await bring('organic', 'posts.csv', post, mapping)).reasons.join(),
      /metrics\.likes: .*"numbers": \{"likes"/,
    )
    assert.deepEqual(
      (await bring('organic', 'posts.csv', post, { ...mapping, numbers: { likes: '1,234' } })).reasons,
      [],
    )
    const { body } = await world.call('get_organic_content', { postId: 'x_1900000000000009901' })
    assert.equal(body.metrics.likes.value, 1234)
  })
})

describe('a list that a program wrote into one text', () => {
  const ad = {
    fields: { archiveId: 'id', title: 'titles', body: 'bodies', countries: 'countries', language: 'langs' },
    constants: { platform: 'meta' },
  }
  const bringAds = (rows: object[]) =>
    bring(
      'paid-ads',
      'ads.ndjson',
      rows.map((row) => JSON.stringify(row)),
      ad,
    )
  const textsOf = async (archiveId: string) => {
    const { body } = await world.call('get_paid_ad', { platform: 'meta', archiveId })
    return body.creatives.map(
      ({ title, body: text }: { title: { value?: string }; body: { value?: string } }) => [
        title.value,
        text.value,
      ],
    )
  }

  test('is a variant of the ad for each of its texts, whoever wrote it, and never a text itself', async () => {
    const bodies = ['Missed a day?', "It's here\n"]
    for (const [index, written] of [
      `['Missed a day?', "It's here\\n"]`,
      `['Missed a day?', 'It\\'s here\\n']`,
      `("Missed a day?", "It's here\\n")`,
      `['Missed a day?' "It's here\\n"]`,
      `[u'Missed a day?', None, u"It\\x27s here\\n",]`,
      JSON.stringify(bodies),
      bodies,
    ].entries()) {
      const id = `912000${index}`
      const row = { id, titles: "['Small tides']", bodies: written, countries: "['DE', 'FR']", langs: '["en"]' }
      assert.deepEqual((await bringAds([row])).reasons, [], String(written))
      assert.deepEqual(await textsOf(id), [
        ['Small tides', 'Missed a day?'],
        ['Small tides', "It's here"],
      ])
      const { body } = await world.call('get_paid_ad', { platform: 'meta', archiveId: id })
      assert.deepEqual([body.countries.value, body.language.value], [['de', 'fr'], 'en'])
    }
  })

  test('is absent where it is empty, and plain words in brackets stay words', async () => {
    const words = [
      '["Breaking"] news',
      "['Tis the season]",
      '[deleted]',
      '("Best app", says everybody)',
      '{curly} words',
    ]
    const rows = ['[]', "['']", '[None]', ...words].map((bodies, index) => ({
      ...{ id: `91300${index}`, titles: 'T', bodies, countries: 'de', langs: 'en' },
    }))
    assert.deepEqual((await bringAds(rows)).reasons, [])
    for (const [index, text] of [undefined, undefined, undefined, ...words].entries())
      assert.deepEqual(await textsOf(`91300${index}`), [['T', text]])
  })

  test('that is cut off, and what holds objects, refuse their row', async () => {
    const bad = ["['Missed a day?', 'Sec", '[{"text": "a"}]', "{'text': 'a'}", { text: 'a' }, [{ text: 'a' }]]
    const rows = bad.map((bodies, index) => ({
      id: `91400${index}`,
      titles: 'T',
      bodies,
      countries: 'de',
      langs: 'en',
    }))
    const { reasons, stored } = await bringAds(rows)
    assert.deepEqual([stored, reasons.length], [0, bad.length])
    for (const reason of reasons) assert.match(reason, /body: holds no text but .*such as "name\.0"/)
  })

  test('is several hashtags, categories, languages or addresses, and refuses the row of a field that takes one', async () => {
    const app = ['id\tname\tby\tgenres\tlangs', `915000001\tApp\tMaker\t['Games', 'Finance']\t["en", "pt-BR"]`]
    const columns = { storeId: 'id', name: 'name', developer: 'by', categories: 'genres', languages: 'langs' }
    assert.deepEqual((await bring('catalogue', 'lists.tsv', app, { fields: columns })).reasons, [])
    assert.deepEqual(await valuesOf('915000001', 'languages'), [['en', 'pt-br']])
    const two = app.map((line) => line.replace('Maker', "['One', 'Two']"))
    assert.match(
      (await bring('catalogue', 'two.tsv', two, { fields: columns })).reasons.join(),
      /developer: cannot be/,
    )
    const posts = {
      fields: { id: 'id', hashtags: 'tags', author: 'by', text: 'text' },
      constants: { network: 'x' },
    }
    const row = (id: number, by: unknown, text: unknown = 'a') =>
      JSON.stringify({ id: `190000000000091${id}`, tags: "['one', 'two words']", by, text })
    const read = await bring(
      'organic',
      'posts.ndjson',
      [row(1, "['maker']"), row(2, ['a', 'b']), row(3, 'a', ['a', 'b'])],
      posts,
    )
    assert.match(read.reasons[0] ?? '', /^line 2: author: holds 2 texts, and takes one/)
    assert.match(read.reasons[1] ?? '', /^line 3: text: holds 2 texts, and takes one/)
    const { body } = await world.call('get_organic_content', { postId: 'x_1900000000000911' })
    assert.deepEqual([body.author.handle, body.hashtags.value], ['maker', ['one', 'two words']])
  })
})
