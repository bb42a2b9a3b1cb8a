import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createReadStream, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { constants, createZstdCompress, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
let installation: Installation
before(async () => {
  world = await openWorld()
  installation = await openInstallation()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const table = parseMapping(
  { fields: { storeId: 'id', name: 'name', developer: 'by' } },
  'catalogue',
  'table.json',
)
let next = 945_000_000
let files = 0
const write = (content: string | Uint8Array, name = `file-${++files}.csv`) => folder.write(name, content)

/** Imports a table of apps, and the names that are stored of these ids. */
async function names(content: string | Uint8Array, ids: readonly number[], more = {}) {
  const path = write(content)
  const outcome = await importInto(world, {
    kind: 'catalogue',
    paths: [path],
    observedAt: '2026-03-01',
    mapping: table,
    ...more,
  })
  const stored = await Promise.all(
    ids.map(async (id) => {
      const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(id) })
      return 'name' in body ? body.name : undefined
    }),
  )
  return { ...outcome, stored, count: outcome.stored }
}

describe('a table of another encoding', () => {
  const ids = () => [++next, ++next, ++next]
  const text = ([one, two, three]: number[], line = '\r\n') =>
    [
      'id\tname\tby',
      `${one}\tPlain\tMaker`,
      `${two}\tMüller & “Söhne”\tMaker`,
      `${three}\tLast\tMaker`,
      '',
    ].join(line)
  const latin = (apps: number[]) =>
    Buffer.from(text(apps).replace('“', '\u0093').replace('”', '\u0094'), 'latin1')
  const shown = ['Plain', 'Müller & “Söhne”', 'Last']
  const wide = (apps: number[], line?: string) => Buffer.from(`\uFEFF${text(apps, line)}`, 'utf16le')

  test('is read by its mark, in either order of bytes, and compressed as well', async () => {
    for (const form of [
      wide,
      (apps: number[]) => wide(apps).swap16(),
      (apps: number[]) => gzipSync(wide(apps)),
      (apps: number[]) => zstdCompressSync(wide(apps, '\r')),
      (apps: number[]) => Buffer.from(`\uFEFF${text(apps)}`),
    ]) {
      const apps = ids()
      const { stored, rejected } = await names(form(apps), apps)
      assert.deepEqual([stored, rejected], [shown, 0])
    }
  })

  test('that breaks off within a letter is refused as damaged, and one in UTF-32 by its name', async () => {
    const cut = await names(wide(ids()).subarray(0, -1), [])
    assert.match(cut.reasons.join(), /^document: not in utf-16le: .* the file is damaged$/)
    const four = Buffer.concat([Buffer.of(0xff, 0xfe, 0, 0), Buffer.from('i\0\0\0d\0\0\0')])
    assert.match((await names(four, [])).reasons.join(), /^document: in UTF-32: save it in UTF-8/)
  })

  test('and no mark is refused whole, never only its rows with an accent, and read by its name', async () => {
    for (const [form, encoding] of [
      [latin, 'windows-1252'],
      [(apps: number[]) => wide(apps).subarray(2), 'utf-16le'],
      [(apps: number[]) => wide(apps).swap16().subarray(2), 'utf-16be'],
    ] as const) {
      const apps = ids()
      const refused = await names(form(apps), apps)
      assert.deepEqual(
        [refused.read, refused.stored, refused.rejected],
        [1, [undefined, undefined, undefined], 1],
      )
      assert.ok(refused.reasons[0]?.includes(`--encoding ${encoding}`), refused.reasons[0])
      const read = await names(form(apps), apps, { encoding })
      assert.deepEqual([read.stored, read.rejected], [shown, 0])
    }
  })

  test('is refused whole also where its first accent stands far down, whatever its size', async () => {
    const apps = ids()
    const rows = Array.from({ length: 40_000 }, (_, index) => `${946_000_000 + index}\tPlain ${index}\tM`)
    const long = Buffer.concat([Buffer.from(`id\tname\tby\n${rows.join('\n')}\n`), latin(apps)])
    for (const content of [long, gzipSync(long), zstdCompressSync(long)]) {
      const { read, stored, reasons } = await names(content, [946_000_000])
      assert.deepEqual([read, stored], [1, [undefined]])
      assert.match(reasons[0] ?? '', /not UTF-8.*--encoding windows-1252/)
    }
  })

  test('is named where it comes over a pipe, which nobody can read twice', async () => {
    const apps = ids()
    const path = write(latin(apps))
    const order = { kind: 'catalogue', paths: ['-'], observedAt: '2026-03-01', mapping: table } as const
    const refused = await importInto(world, { ...order, stdin: createReadStream(path) })
    assert.match(refused.reasons.join(), /^document: not UTF-8.*--encoding windows-1252/)
    const read = await importInto(world, { ...order, encoding: 'latin1', stdin: createReadStream(path) })
    assert.deepEqual([read.rejected, read.stored], [0, 3])
  })

  test('stands beside others: what is UTF-8 is read as that, whatever --encoding says', async () => {
    const [one, other] = [ids(), ids()]
    const paths = [write(latin(one)), write(text(other))]
    const { rejected } = await importInto(world, {
      ...{ kind: 'catalogue', paths, observedAt: '2026-03-01', mapping: table, encoding: 'windows-1252' },
    })
    assert.equal(rejected, 0)
    for (const id of [one[1], other[1]]) {
      const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(id) })
      assert.equal(body.name, 'Müller & “Söhne”')
    }
  })

  test('by a name that is none is refused as wrong usage', async () => {
    const command = [
      'import',
      'catalogue',
      write(text(ids())),
      '--encoding',
      'klingon',
      ...installation.location,
    ]
    const { code, err } = await run(command)
    assert.equal(code, 2)
    assert.match(err, /"klingon" is no encoding such as windows-1252/)
  })
})

describe('a table as spreadsheets write it', () => {
  test('may begin with the line that tells Excel what parts it, and end its lines by a carriage return', async () => {
    for (const [mark, line] of [
      [';', '\r\n'],
      ['|', '\n'],
      ['\t', '\r'],
      [',', '\r'],
    ] as const) {
      const [one, two] = [++next, ++next]
      const row = (...cells: unknown[]) => cells.join(mark)
      const rows = [row('id', 'name', 'by'), row(one, '"a; b, c"', 'M'), row(two, `"two${line}lines"`, 'M')]
      for (const first of [`sep=${mark}`, `"sep=${mark}"`, `SEP=${mark}`]) {
        const { stored, reasons } = await names([first, ...rows].join(line), [one, two])
        assert.deepEqual(reasons, [])
        assert.deepEqual(stored[0], 'a; b, c')
        assert.match(stored[1] ?? '', /^two\s+lines$/)
      }
    }
  })

  test('says of a bad row where it stands, and keeps its separator in every piece of a long file', async () => {
    const bad = await names(`sep=|\nid|name|by\n${++next}|One, a; b; c|M\n5|x\n`, [next])
    assert.deepEqual(bad.reasons, ['line 4: 2 columns where the header has 3'])
    const rows = Array.from(
      { length: 2_000 },
      (_, index) => `${947_000_000 + index}|App, ${index}; and so on|${'Maker '.repeat(60)}`,
    )
    const long = await names(`sep=|\nid|name|by\n${rows.join('\n')}\n`, [947_001_999])
    assert.deepEqual([long.rejected, long.count, long.stored[0]], [0, 2_000, 'App, 1999; and so on'])
  })
})

const lines = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, index) => `{"network":"x","id":"${from + index}","text":"t ${index}"}\n`,
  ).join('')

/** As `zstd --long=28` makes it of what comes over a pipe. */
function withWideWindow(content: Buffer): Promise<Buffer> {
  const packing = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: 28 } })
  packing.write(content)
  packing.end()
  return buffer(packing)
}

describe('a compressed file', () => {
  const bring = (content: Uint8Array) =>
    importInto(world, {
      kind: 'organic',
      paths: [write(content, `p-${++files}.zst`)],
      observedAt: '2026-03-01',
    })

  test('of zstd is read, all of its frames', async () => {
    const frame = (from: number, count: number) => zstdCompressSync(Buffer.from(lines(from, count)))
    const skipped = Buffer.concat([Buffer.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0), Buffer.from('abc')])
    const many = Array.from({ length: 50 }, (_, index) => frame(7_000_100 + index, 1))
    const content = Buffer.concat([skipped, frame(7_000_000, 2), skipped, frame(7_000_010, 30), ...many])
    const { stored, rejected } = await bring(content)
    assert.deepEqual([stored, rejected], [82, 0])
  })

  test('of zstd that is cut off or damaged keeps what came before, and says so', async () => {
    const whole = zstdCompressSync(Buffer.from(lines(7_100_000, 9)), {
      params: { [constants.ZSTD_c_checksumFlag]: 1 },
    })
    for (const content of [whole.subarray(0, -9), Buffer.concat([whole, Buffer.from('rubbish')])]) {
      const { reasons } = await bring(content)
      assert.equal(reasons.at(-1), 'end of file: the zstd stream is truncated or damaged')
    }
  })

  test('of xz is read, as instaloader and xz write it', async () => {
    const whole = Buffer.from(packed.xz, 'base64')
    const { read, stored, rejected } = await bring(whole)
    assert.deepEqual([read, stored, rejected], [2, 2, 0])
    const twice = await bring(Buffer.concat([whole, Buffer.alloc(4), whole]))
    assert.deepEqual([twice.read, twice.stored, twice.rejected], [4, 4, 0])
    assert.equal((await bring(whole)).unchanged, 2)
  })

  test('of xz that is cut off, damaged, or of another kind is refused by that', async () => {
    const whole = Buffer.from(packed.xz, 'base64')
    const damaged = Buffer.from(whole)
    damaged[60] = (damaged[60] ?? 0) ^ 0xff
    const rubbish = Buffer.concat([whole, Buffer.from('rubbish')])
    for (const content of [
      whole.subarray(0, -30),
      whole.subarray(0, 20),
      whole.subarray(0, 8),
      damaged,
      rubbish,
    ])
      assert.equal((await bring(content)).reasons.at(-1), 'end of file: the xz stream is truncated or damaged')
    for (const [name, reason] of [
      ['wideXz', /dictionary of over 64 MiB: unpack it with/],
      ['filteredXz', /a check or filter that is not read: unpack it with/],
      ['checkedXz', /a check or filter that is not read: unpack it with/],
    ] as const)
      assert.match((await bring(Buffer.from(packed[name], 'base64'))).reasons.join(), reason)
    // After each of these the decoder is free for the next.
    assert.equal((await bring(whole)).unchanged, 2)
  })

  test('that would take far more memory or disk than its size says is refused by that', async () => {
    const bomb = gunzipSync(Buffer.from(packed.zeros, 'base64'))
    assert.match((await bring(bomb)).reasons.join(), /unpacked, over 200 times as large as the file/)
    assert.match(
      (await bring(await withWideWindow(Buffer.from('{}')))).reasons.join(),
      /zstd with a window of over 128 MiB: .*zstd -d --long=31 FILE/,
    )
    const zeros = zstdCompressSync(Buffer.alloc(80 * 1024 * 1024))
    assert.match((await bring(zeros)).reasons.join(), /unpacked, over 200 times as large as the file/)
  })
})

/** The first bytes of kinds of files, and words of what is said of them. */
const foreign: readonly [content: Buffer, said: RegExp][] = [
  [Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0\0\0\x21\0[Content_Types].xml'), /Excel workbook.*"CSV UTF-8"/],
  [
    Buffer.from('PK\x03\x04\x0a\0\0\0\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    /spreadsheet: save its sheet as CSV/,
  ],
  [Buffer.from('PK\x03\x04\x0a\0\0\0posts.ndjson'), /zip archive: unpack it/],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), /\.xls\): save its sheet/],
  [Buffer.from('BZh91AY&SYabc'), /compressed by bzip2: .*`bzip2 -dk FILE`/],
  [Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x64]), /compressed by lz4: .*`lz4 -dk FILE`/],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]), /an archive \(7z or rar\)/],
  [Buffer.concat([Buffer.alloc(257, 'a'), Buffer.from('ustar\0'), Buffer.alloc(300)]), /a tar archive/],
  [gzipSync(Buffer.concat([Buffer.alloc(257, 'a'), Buffer.from('ustar\0')])), /a tar archive/],
  [gzipSync(gzipSync('{"a":1}')), /compressed twice/],
  [Buffer.from('PAR1\x15\x04'), /Parquet/],
  [Buffer.from('SQLite format 3\0\x10\0'), /an SQLite database/],
]

test('a file that no import reads is refused by what it is, with what to do, by each kind of import', async () => {
  await run([
    'keys',
    'create',
    '--name',
    'mine',
    '--scopes',
    'context:read',
    '--account',
    'studio',
    ...installation.location,
  ])
  for (const [content, said] of foreign)
    for (const kind of [
      'catalogue',
      'charts',
      'search-results',
      'keyword-ranks',
      'sales',
      'organic',
      'paid-ads',
      'saved',
    ]) {
      const more = kind === 'saved' ? ['--account', 'studio'] : []
      const path = write(content, `foreign-${++files}`)
      const command = ['import', kind, path, ...more, ...installation.location]
      const { code, err, out } = await run(command, { cwd: folder.path })
      assert.equal(code, 1, kind)
      assert.match(err, new RegExp(`First refused: foreign-\\d+, document: .*${said.source}`), kind)
      assert.match(out, /read 1, stored 0, .*rejected 1/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      assert.doesNotMatch(err + out, /[\0-\x08\x0e-\x1f]/, 'nothing of the file reaches the terminal')
    }
})

/** Two posts, packed by the programs themselves; one of xz with other settings. */
const packed = {
  xz: '/Td6WFoAAAFpIt42AgAhARwAAAAQz1jM4ABhADtdAD2IicaUZSZ/eHM1lTkKNS+VIoQroRRGnIaAszDoNzQfEO3MPauEfzL3mN1S5Hz6+Kg2vv8Gypu78vgAAACLi1jyAAFTYsi7rBKQQpkNAQAAAAABWVo=',
  /** With the 128 MiB of `--lzma2=dict=128MiB`, a filter for programs, and a check by SHA-256. */
  wideXz:
    '/Td6WFoAAATm1rRGAgAhAR4AAACbB1FmAQAYeyJuZXR3b3JrIjoieCIsImlkIjoiMSJ9CgAAAAByK27ENKdxSgABMRlZGrCCH7bzfQEAAAAABFla',
  filteredXz:
    '/Td6WFoAAATm1rRGAgEEACEBFgANhjUfAQAYeyJuZXR3b3JrIjoieCIsImlkIjoiMSJ9CgAAAAByK27ENKdxSgABMRlZGrCCH7bzfQEAAAAABFla',
  checkedXz:
    '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAYeyJuZXR3b3JrIjoieCIsImlkIjoiMSJ9CgAAAABxOn2suGznffbprlSzF3VAkGOLJl72N5Q8DjwrElAg7wABSRmn6VZlGJtLmgEAAAAAClla',
  /** 65 MiB of zeros by xz, and that by gzip. */
  zeros:
    'H4sIAAAAAAACA/trXhURxcDA8uzaFjcmBkVGMQYGhhL9p4v//xdkzIllYMj/+///4u3/3e08RIssEwN3TNJ4triN/ee7J3JNl/WPWtkwem+sO9nV5au/mPdm/bLHPcqCwQ8iJY6Wdj0q/7FtSj1P1oF7JZ4pj17GBG9iufHdhWd1PG+u28unh8s6tk8LX7PN92GmbP5v7w6BHKfTHfYxDP0X/NaraUwplLftV3lYMG+5cvwbjdOtF6fO6KrTmvhJvfS75AG2Gb4z/t5Yf3UC/xHV4B9fJ5oZsi7d8C7/YIGvO8/FiYKr1ibI7jq3UV0iJrLtZVpQxL6XZWsinzyNZuX4efzW2j+/g7RLzspFKzj9vBts+0MzhdO64bRWzv2t1h+O7NWLX8Vv553mNEGY77/A5B+FFZE/uM/+n6rhxr/yT82937MM9MIO9Ld+bm48kEplq/d4qD+LmP9fgFGb4U1x8PK/+9bVGErN395rmDdywoA0qwP57TeNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYQAXYBNl7DLMGZYD9m1D8iwEIgt9dOCa9g20JA+N0v4aGAwrGfrw3Nh5J/80EkmSJjAIAErNNejwnAAA=',
  bzip2:
    'QlpoOTFBWSZTWVQh5W4AADBZgEAQUARwkC4p1MogAFCgAGgZMgKqpvREPU2pk0eFNWVcKU3TXdKstUNFtuDd2oq5TF3T9Zp7Xcu7DCHE8pJLIZo2SQyh/F3JFOFCQVCHlbg=',
}

test('what a refusal says of bzip2, xz and zstd leads to a good import, where these programs are', async () => {
  const posts = lines(7_200_000, 2)
  for (const [name, content] of [
    ['a.ndjson.xz', Buffer.from(packed.wideXz, 'base64')],
    ['b.ndjson.bz2', Buffer.from(packed.bzip2, 'base64')],
    ['c.ndjson.zst', await withWideWindow(Buffer.from(posts))],
  ] as const) {
    const path = write(content, name)
    const order = { kind: 'organic', observedAt: '2026-03-01' } as const
    const { reasons } = await importInto(world, { ...order, paths: [path] })
    const [, command = ''] = /unpack it with `([^`]+)`/.exec(reasons.join()) ?? []
    const [program = '', ...words] = command.split(' ').map((word) => (word === 'FILE' ? path : word))
    const { error, status } = spawnSync(program, words)
    if (error) continue
    assert.equal(status, 0, command)
    const { read, rejected } = await importInto(world, { ...order, paths: [path.replace(/\.\w+$/, '')] })
    assert.deepEqual([read, rejected], [name.endsWith('.xz') ? 1 : 2, 0], command)
  }
})

describe('one object a file', () => {
  const wholeMap = (name: string) =>
    parseMapping(JSON.parse(readFileSync(`docs/maps/${name}.json`, 'utf8')), 'catalogue', name)
  const bring = (kind: 'organic' | 'catalogue' | 'sales' | 'paid-ads', content: unknown, more = {}) =>
    importInto(world, {
      ...{
        kind,
        paths: [write(JSON.stringify(content, null, 1), `one-${++files}.json`)],
        observedAt: '2026-03-01',
      },
      ...more,
    })

  test('of yt-dlp and instaloader comes in, and of app() of app-store-scraper by its mapping', async () => {
    const video = {
      ...{
        id: 'abcdEFGH_01',
        extractor_key: 'Youtube',
        title: 'Review',
        description: 'made up',
        channel: 'Rev',
        channel_id: null,
      },
      ...{
        upload_date: '20251203',
        view_count: 1000,
        like_count: 50,
        comment_count: null,
        epoch: 1_767_225_600,
      },
      ...{
        formats: [{ url: 'https://example.com/a' }],
        tags: ['a'],
        webpage_url: 'https://www.youtube.com/watch?v=abcdEFGH_01',
      },
    }
    const tube = await bring('organic', video, { observedAt: undefined })
    assert.deepEqual(tube.reasons, [])
    const { body: seen } = await world.call('get_organic_content', { postId: 'youtube_abcdEFGH_01' })
    assert.deepEqual(
      [seen.title.value, seen.metrics.views.value, seen.publishedAt.value, seen.metrics.comments.state],
      ['Review', 1000, '2025-12-03T00:00:00.000Z', 'not-measured'],
    )
    const node = {
      ...{
        __typename: 'GraphImage',
        id: '3500000000000000001',
        shortcode: 'C_one12345',
        taken_at_timestamp: 1_760_000_000,
      },
      ...{
        display_url: 'https://example.com/p.jpg',
        is_video: false,
        video_url: null,
        owner: { username: 'maker' },
      },
      edge_media_to_caption: { edges: [{ node: { text: 'A day' } }] },
      edge_media_preview_like: { count: 12 },
      edge_media_to_comment: { count: 3 },
    }
    const instaloader = { node, instaloader: { version: '4.14', node_type: 'Post' } }
    assert.deepEqual((await bring('organic', instaloader)).reasons, [])
    const { body: post } = await world.call('get_organic_content', { postId: 'instagram_C_one12345' })
    assert.deepEqual([post.text.value, post.metrics.likes.value, post.author.handle], ['A day', 12, 'maker'])
    const app = {
      ...{
        id: 948_000_001,
        appId: 'com.example.tide',
        title: 'Tide',
        url: 'https://apps.apple.com/us/app/id948000001',
      },
      ...{
        genres: ['Games'],
        genreIds: ['6014'],
        primaryGenre: 'Games',
        primaryGenreId: 6014,
        contentRating: '4+',
      },
      ...{
        languages: ['EN', 'PT-BR'],
        size: '73974859',
        requiredOsVersion: '15.0',
        released: '2020-01-02T08:00:00Z',
      },
      ...{
        updated: '2026-01-02T08:00:00Z',
        version: '2.1',
        price: 0,
        currency: 'USD',
        free: true,
        developer: 'Maker',
      },
      ...{
        developerId: 7,
        score: 4.5,
        reviews: 321,
        screenshots: ['https://example.com/1.png'],
        ipadScreenshots: [],
      },
    }
    const mapping = wholeMap('app-store-scraper')
    assert.deepEqual((await bring('catalogue', app, { mapping })).reasons, [])
    const { body: record } = await world.call('get_competitor', { platform: 'ios', storeId: '948000001' })
    assert.deepEqual([record.name, record.ratingCount.value, record.version.value], ['Tide', 321, '2.1'])
  })

  test('is read where a list of them would be, and NDJSON of one line is no other file than one of two', async () => {
    const result = (id: number) => ({ kind: 'software', trackId: id, trackName: `App ${id}` })
    const day = (date: string) => ({ date, app: '949000001', country: 'us', downloads: 3 })
    for (const [kind, one, other] of [
      ['catalogue', result(949_000_001), result(949_000_002)],
      ['sales', day('2026-02-01'), day('2026-02-02')],
      ['organic', { network: 'x', id: '7300001', text: 'a' }, { network: 'x', id: '7300002', text: 'b' }],
      ['paid-ads', { platform: 'meta', archiveId: '7300001' }, { platform: 'meta', archiveId: '7300002' }],
    ] as const) {
      const ofOne = await bring(kind, one)
      assert.deepEqual([ofOne.stored, ofOne.reasons], [1, []], kind)
      for (const end of ['', '\n', '\r\n\r\n']) {
        const line = write(`${JSON.stringify(other)}${end}`, `line-${++files}.ndjson`)
        const { read, reasons } = await importInto(world, { kind, paths: [line], observedAt: '2026-03-01' })
        assert.deepEqual([read, reasons], [1, []], `${kind} ${JSON.stringify(end)}`)
      }
    }
  })

  test('is read line by line also where its first line is long', async () => {
    const long = (id: number) =>
      JSON.stringify({ network: 'x', id: `${id}`, text: 'a', more: 'b'.repeat(700_000) })
    const path = write([7_300_010, 7_300_011, 7_300_012].map(long).join('\n'), 'long.ndjson')
    const { stored, reasons } = await importInto(world, {
      kind: 'organic',
      paths: [path],
      observedAt: '2026-03-01',
    })
    assert.deepEqual([stored, reasons], [3, []])
  })

  test('of none of the mapped fields is refused with the lists it has, or with what it holds', async () => {
    const mapping = parseMapping({ fields: { id: 'id' }, constants: { network: 'x' } }, 'organic', 'map.json')
    const inside = await bring('organic', { answer: { rows: [{ id: '7300020' }] }, total: 1 }, { mapping })
    assert.match(inside.reasons.join(), /it has lists at "answer\.rows": name one with "list" in a mapping/)
    const followed = await bring(
      'organic',
      { answer: { rows: [{ id: '7300020' }] }, total: 1 },
      { mapping: { ...mapping, list: 'answer.rows' } },
    )
    assert.deepEqual([followed.stored, followed.reasons], [1, []])
    const other = await bring('organic', { total: 1 }, { mapping })
    assert.match(
      other.reasons.join(),
      /neither a list nor a record with a field that the mapping names; it has total/,
    )
  })
})

describe('several charts in one document', () => {
  const items = (...ids: number[]) =>
    ids.map((id, index) => ({ rank: index + 1, id: `${id}`, name: `App ${id}` }))
  const chart = (country: string, ...ids: number[]) => ({
    country,
    feedType: 'top-free',
    genre: '6007',
    items: items(...ids),
  })
  const feed = (country: string, id: number) => ({
    feed: {
      id: `https://rss.marketingtools.apple.com/api/v2/${country}/apps/top-free/1/apps.json`,
      ...{ country, updated: 'Tue, 17 Feb 2026 10:00:00 +0000' },
      results: [{ id: `${id}`, name: `App ${id}`, artistName: 'Maker' }],
    },
  })
  const idsIn = async (country: string, categoryId: number) => {
    const { body } = await world.call('get_apple_charts', { country, chart: 'top-free', categoryId })
    return body.items.map(({ app }) => app.storeId)
  }
  const bring = (content: string | object, more = {}) =>
    importInto(world, {
      kind: 'charts',
      paths: [write(typeof content === 'string' ? content : JSON.stringify(content), `charts-${++files}.json`)],
      ...more,
    })

  test('are each read, with what the document says around them', async () => {
    const date = '2026-02-17'
    let day = 17
    for (const content of [
      { date, datasets: [chart('us', 951_000_001), chart('jp', 951_000_002)] },
      [
        { date, ...chart('us', 951_000_001) },
        { date, ...chart('jp', 951_000_002) },
      ],
      {
        data: { date, charts: [{ lists: [chart('us', 951_000_001)] }, { lists: [chart('jp', 951_000_002)] }] },
      },
      { us: { date, ...chart('us', 951_000_001) }, jp: { date, ...chart('jp', 951_000_002) } },
    ]) {
      const text = JSON.stringify(content).replaceAll(date, `2026-02-${++day}`)
      const { read, rejected, stored } = await bring(text)
      assert.deepEqual([read, rejected, stored], [2, 0, 2], text)
    }
    assert.deepEqual([await idsIn('us', 6007), await idsIn('jp', 6007)], [['951000001'], ['951000002']])
  })

  test('may be feeds of Apple, in a list or one a line, and lines of a collector', async () => {
    const feeds = [feed('fr', 951_000_011), feed('it', 951_000_012)]
    for (const [index, content] of [
      feeds,
      { feeds },
      feeds.map((one) => JSON.stringify(one)).join('\n'),
    ].entries()) {
      const { read, rejected } = await bring(content, { observedAt: `2026-02-2${index}` })
      assert.deepEqual([read, rejected], [2, 0])
    }
    assert.deepEqual([await idsIn('fr', 36), await idsIn('it', 36)], [['951000011'], ['951000012']])
    const lines = [chart('es', 951_000_013), chart('pt', 951_000_014)]
      .map((one) => JSON.stringify(one))
      .join('\n')
    assert.deepEqual((await bring(lines, { observedAt: '2026-02-20' })).reasons, [])
    assert.deepEqual(await idsIn('pt', 6007), ['951000014'])
  })

  test('say of which chart a refused place is, and what is no chart among them', async () => {
    const bad = {
      ...chart('se', 951_000_021),
      items: [{ rank: 1, id: 'none' }, ...items(951_000_022)].slice(0, 1),
    }
    const { reasons } = await bring(
      { datasets: [chart('no', 951_000_023), bad, { error: 'busy' }] },
      { observedAt: '2026-02-20' },
    )
    assert.match(reasons[0] ?? '', /^datasets 2, record 1: no app id/)
    assert.match(reasons[1] ?? '', /^datasets 3: no chart, where others of its list are/)
    assert.equal(reasons.length, 2)
  })
})
