import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { ImportRequest } from '../src/imports/import-request.ts'
import type { ImportSummary } from '../src/imports/run-import.ts'
import { MappingError, parseMapping } from '../src/ingest/mapping/mapping.ts'
import { cases } from './support/cases.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

let lastId = 1_000_000
const nextId = () => ++lastId

const record = (trackId: unknown, more: Record<string, unknown> = {}) => ({
  wrapperType: 'software',
  kind: 'software',
  trackId,
  trackName: `App ${trackId}`,
  artistName: 'Maker',
  releaseDate: '2020-01-01T08:00:00Z',
  price: 0,
  currency: 'USD',
  ...more,
})
const answer = (...results: unknown[]) => `${JSON.stringify({ resultCount: results.length, results })}\n`
const mapping = (document: unknown) => parseMapping(document, 'catalogue', 'map.json')

const bringIn = (paths: string[], order: Partial<ImportRequest> = {}) =>
  importInto(world, { kind: 'catalogue', paths, observedAt: '2026-03-01', ...order })

const counts = ({ read, stored, unchanged, rejected }: ImportSummary) => ({ read, stored, unchanged, rejected })

async function nameOf(storeId: number): Promise<string | undefined> {
  const { status, body } = await world.call('get_competitor', { platform: 'ios', storeId: String(storeId) })
  return status === 404 ? undefined : body.name
}

async function readingsStored(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from readings`.execute(
    world.store.db,
  )
  return rows[0]?.count ?? 0
}

test('a Mac app, a film and a developer are refused by what they are, and the app between them is stored', async () => {
  const [mac, app, film] = [nextId(), nextId(), nextId()]
  const file = folder.write(
    'mixed.json',
    answer(
      record(mac, { kind: 'mac-software' }),
      record(app),
      record(film, { wrapperType: 'track', kind: 'feature-movie' }),
      { wrapperType: 'software', artistId: 7, artistName: 'Maker' },
    ),
  )
  const outcome = await bringIn([file])
  assert.deepEqual(counts(outcome), { read: 4, stored: 1, unchanged: 0, rejected: 3 })
  assert.deepEqual(outcome.reasons, [
    'record 1: not an iOS app (mac-software)',
    'record 3: not an app (track)',
    'record 4: no trackId',
  ])
  assert.ok(outcome.lines.every((line) => line.file === file && line.record !== undefined))
  assert.deepEqual(
    [await nameOf(mac), await nameOf(app), await nameOf(film)],
    [undefined, `App ${app}`, undefined],
  )
})

test('a record without a name or with an id that cannot be is refused and its neighbours stay', async () => {
  const [first, last] = [nextId(), nextId()]
  const outcome = await bringIn([
    folder.write(
      'ids.json',
      answer(
        record(first),
        record('12a'),
        record(-4),
        record('9'.repeat(19)),
        record(nextId(), { trackName: ' ' }),
        record(nextId(), { trackName: 'long '.repeat(200) }),
        null,
        'text',
        record(String(last)),
      ),
    ),
  ])
  assert.deepEqual(counts(outcome), { read: 9, stored: 2, unchanged: 0, rejected: 7 })
  assert.deepEqual([await nameOf(first), await nameOf(last)], [`App ${first}`, `App ${last}`])
})

test('HTML-escaped names are decoded, and names with an ampersand of their own stay as they are', async () => {
  const names = ['AT&amp;T &#39;Mail&#39;', 'Q&A &copy it', 'Tom &amp; Jerry&nbsp;', 'AT&T', '5 &lt; 6']
  const ids = names.map(nextId)
  await bringIn([
    folder.write('escaped.json', answer(...ids.map((id, at) => record(id, { trackName: names[at] })))),
  ])
  const stored = await Promise.all(ids.map(nameOf))
  assert.deepEqual(stored, ["AT&T 'Mail'", 'Q&A &copy it', 'Tom & Jerry', 'AT&T', '5 < 6'])
})

test('a release date that cannot be refuses the record', async () => {
  const [wrong, right] = [nextId(), nextId()]
  const outcome = await bringIn([
    folder.write('dates.json', answer(record(wrong, { releaseDate: '2022-02-30T00:00:00Z' }), record(right))),
  ])
  assert.deepEqual(outcome.reasons, ['record 1: impossible releaseDate "2022-02-30T00:00:00Z"'])
  assert.deepEqual([await nameOf(wrong), await nameOf(right)], [undefined, `App ${right}`])
})

test('a field that cannot be read is not measured, one that was left out is absent, and neither is zero', async () => {
  const id = nextId()
  await bringIn([
    folder.write(
      'odd.json',
      answer(
        record(id, {
          currentVersionReleaseDate: '2022-13-01',
          fileSizeBytes: '',
          userRatingCount: 'many',
          price: -1,
        }),
      ),
    ),
  ])
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(id) })
  for (const field of ['updatedAt', 'sizeBytes', 'ratingCount', 'price'] as const)
    assert.deepEqual(body[field], { state: 'not-measured', reason: 'unreadable' }, field)
  assert.deepEqual(body.sellerUrl, { state: 'absent', evidence: 0 })
})

test('the same app twice in one file is one app', async () => {
  const id = nextId()
  const outcome = await bringIn([
    folder.write('twice.json', answer(record(id), record(id, { trackName: 'Later' }))),
  ])
  assert.deepEqual([outcome.read, outcome.stored], [2, 2])
  assert.equal(await nameOf(id), 'Later')
  const { body } = await world.call('search_competitors', { q: String(id) })
  assert.equal(body.items.length, 1)
})

test('blank lines before, a byte order mark and CRLF do not hurt a JSON answer', async () => {
  const ids = [nextId(), nextId(), nextId()]
  const [blank, marked, crlf] = ids.map((id) => answer(record(id)))
  const outcome = await bringIn([
    folder.write('blank.json', `\n\n\n \r\n${blank}\n\n`),
    folder.write('marked.json', `\uFEFF${marked}`),
    folder.write('crlf.json', JSON.stringify(JSON.parse(crlf ?? ''), null, 2).replaceAll('\n', '\r\n')),
  ])
  assert.deepEqual(counts(outcome), { read: 3, stored: 3, unchanged: 0, rejected: 0 })
  for (const id of ids) assert.equal(await nameOf(id), `App ${id}`)
})

test('a truncated answer is refused as one document: nothing of it is stored, and it counts as one', async () => {
  const ids = [nextId(), nextId()]
  const whole = answer(...ids.map((id) => record(id)))
  const before = await readingsStored()
  const outcome = await bringIn([folder.write('cut.json', whole.slice(0, -30))])
  assert.deepEqual(counts(outcome), { read: 1, stored: 0, unchanged: 0, rejected: 1 })
  assert.match(outcome.reasons[0] ?? '', /^line 1: broken or truncated JSON: /)
  assert.equal(await readingsStored(), before)
  assert.equal(await nameOf(ids[0] ?? 0), undefined)
})

test('gzip is known by its bytes, whatever the name says', async () => {
  const [odd, plain] = [nextId(), nextId()]
  const outcome = await bringIn([
    folder.write('odd-name.json', gzipSync(answer(record(odd)))),
    folder.write('not-zipped.json.gz', answer(record(plain))),
  ])
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  assert.deepEqual([await nameOf(odd), await nameOf(plain)], [`App ${odd}`, `App ${plain}`])
})

test('a truncated or damaged gzip of one document stores nothing and says so', async () => {
  const zipped = gzipSync(answer(record(nextId()), record(nextId())))
  const flipped = Buffer.from(zipped)
  flipped[flipped.length - 6] = (flipped.at(-6) ?? 0) ^ 0xff
  const before = await readingsStored()
  const outcome = await bringIn([
    folder.write('cut.json.gz', zipped.subarray(0, -10)),
    folder.write('flipped.json.gz', flipped),
  ])
  assert.deepEqual(counts(outcome), { read: 2, stored: 0, unchanged: 0, rejected: 2 })
  assert.ok(outcome.lines.every((line) => line.reason === 'the gzip stream is truncated or damaged'))
  assert.equal(await readingsStored(), before)
})

test('a truncated gzip of lines says so, and importing the whole file afterwards completes it', async () => {
  const ids = Array.from({ length: 400 }, nextId)
  const noise = (id: number) => Buffer.from(String(id * 7919).repeat(99)).toString('base64')
  const lines = ids.map((id) => `${JSON.stringify(record(id, { description: noise(id) }))}\n`).join('')
  const cut = await bringIn([folder.write('lines.ndjson.gz', gzipSync(lines).subarray(0, -2_000))])
  assert.deepEqual(cut.reasons, ['end of file: the gzip stream is truncated or damaged'])
  const whole = await bringIn([folder.write('lines.ndjson.gz', gzipSync(lines))])
  assert.deepEqual([whole.read, whole.rejected], [400, 0])
  for (const id of [ids[0], ids.at(-1)]) assert.equal(await nameOf(id ?? 0), `App ${id}`)
})

const table = mapping({ fields: { storeId: 'id', name: 'name', description: 'text', developer: 'by' } })

test('a table may hold line breaks, separators and quotes in quoted cells', async () => {
  const [first, second] = [nextId(), nextId()]
  const outcome = await bringIn(
    [
      folder.write(
        'quoted.csv',
        `\uFEFFid,name,text,by\r\n${first},"One, ""the first""","line\r\n\r\nline, two",Maker\r\n${second},Two 27" screen,"",Maker\r\n`,
      ),
    ],
    { mapping: table },
  )
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(first) })
  assert.equal(body.name, 'One, "the first"')
  assert.match(body.description.value, /^line\r?\n\r?\nline, two$/)
  assert.equal(await nameOf(second), 'Two 27" screen')
})

test('a table may be separated by semicolons or tabs and begin with blank lines', async () => {
  const [first, second] = [nextId(), nextId()]
  const outcome = await bringIn(
    [
      folder.write('semicolon.csv', `\n\nid;name;text;by\n${first};"Uno; dos";x,y;Maker\n`),
      folder.write('tabs.tsv', `id\tname\ttext\tby\n${second}\tTres\t"a\tb"\tMaker\n`),
    ],
    { mapping: table },
  )
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  assert.deepEqual([await nameOf(first), await nameOf(second)], ['Uno; dos', 'Tres'])
})

test('a row with another number of columns, or not in UTF-8, is refused with its line and its neighbours stay', async () => {
  const [first, last] = [nextId(), nextId()]
  const bytes = Buffer.concat([
    Buffer.from(`id,name,text,by\n${first},One,"two\nlines",Maker\n${nextId()},Short\n${nextId()},`),
    Buffer.from([0x4d, 0xfc, 0x6c, 0x6c]),
    Buffer.from(`,latin-1,Maker\n${last},M\uFFFDll,has a replacement character of its own,Maker\n`),
  ])
  const outcome = await bringIn([folder.write('columns.csv', bytes)], { mapping: table })
  assert.deepEqual(outcome.reasons, ['line 4: 2 columns where the header has 4', 'line 5: not UTF-8'])
  assert.deepEqual([await nameOf(first), await nameOf(last)], ['One', 'M\uFFFDll'])
})

test('a quote that is never closed ends the table there, tells the line, and keeps the rows before', async () => {
  const id = nextId()
  const outcome = await bringIn(
    [
      folder.write(
        'unclosed.csv',
        `id,name,text,by\n${id},One,,Maker\n${nextId()},"Two,,Maker\n${nextId()},Three,,Maker\n`,
      ),
    ],
    { mapping: table },
  )
  assert.deepEqual(outcome.reasons, ['line 3: a quote is opened here and the file ends before it is closed'])
  assert.equal(outcome.stored, 1)
  assert.equal(await nameOf(id), 'One')
})

test('a table without a mapping is refused with what to do, and one without rows as such', async () => {
  const bare = await bringIn([folder.write('bare.csv', 'id,name\n1,One\n')])
  assert.deepEqual(bare.reasons, ['line 2: a table needs a mapping: pass --map FILE'])
  for (const text of ['id,name,text,by\n', 'id,name,text,by', '\nService Unavailable\n\n']) {
    const empty = await bringIn([folder.write('header.csv', text)], { mapping: table })
    assert.match(empty.reasons[0] ?? '', /: the table has no rows$/)
  }
})

test('a broken line among JSON lines is refused with its number, wherever it stands', async () => {
  for (const broken of [0, 1, 2]) {
    const ids = [nextId(), nextId()]
    const lines = ids
      .map((id) => JSON.stringify(record(id)))
      .toSpliced(broken, 0, '{"trackId": 7, "trackName": oops}')
    const outcome = await bringIn([folder.write(`broken-${broken}.ndjson`, `${lines.join('\r\n')}\r\n`)])
    assert.deepEqual(counts(outcome), { read: 3, stored: 2, unchanged: 0, rejected: 1 })
    assert.match(outcome.reasons[0] ?? '', new RegExp(`^line ${broken + 1}: broken JSON: `))
    for (const id of ids) assert.equal(await nameOf(id), `App ${id}`)
  }
})

test('JSON lines may be blank, hold a replacement character, and end without a line break', async () => {
  const [first, last] = [nextId(), nextId()]
  const bytes = Buffer.concat([
    Buffer.from(`${JSON.stringify(record(first, { trackName: 'Kaf\uFFFD' }))}\n\n{"trackId":5,"trackName":"`),
    Buffer.from([0xe9]),
    Buffer.from(`"}\n${JSON.stringify(record(last))}`),
  ])
  const outcome = await bringIn([folder.write('blank.ndjson', bytes)])
  assert.deepEqual(outcome.reasons, ['line 3: not UTF-8'])
  assert.deepEqual([await nameOf(first), await nameOf(last)], ['Kaf\uFFFD', `App ${last}`])
})

test('an answer too long to be read whole is read record by record, and what breaks off keeps what came before', async () => {
  const ids = Array.from({ length: 40 }, nextId)
  const long = (id: number) => record(id, { description: `Nº ${id} `.repeat(25_000) })
  const whole = await bringIn([folder.write('long.json', answer(...ids.map(long), record('none')))])
  assert.deepEqual(counts(whole), { read: 41, stored: 40, unchanged: 0, rejected: 1 })
  assert.match(whole.reasons[0] ?? '', /^line 41: trackId/)
  for (const id of [ids[0], ids.at(-1)]) assert.equal(await nameOf(id ?? 0), `App ${id}`)

  const others = Array.from({ length: 40 }, nextId)
  const cut = await bringIn([folder.write('long-cut.json', answer(...others.map(long)).slice(0, -1_000))])
  assert.deepEqual([cut.stored, cut.rejected], [39, 1])
  assert.match(cut.reasons[0] ?? '', /^after element 39: the JSON breaks off: /)
  const bytes = Buffer.from(answer(...others.map(long)))
  bytes[bytes.length - 5_000] = 0xff
  const odd = await bringIn([folder.write('long-odd.json', bytes)])
  assert.equal(odd.unchanged, cut.stored)
  assert.match(odd.reasons[0] ?? '', /^after element 39: the JSON breaks off: .*utf-8/)
})

test('what no database text can hold does not stop an import', async () => {
  const ids = [nextId(), nextId(), nextId()]
  const outcome = await bringIn([
    folder.write(
      'halves.json',
      answer(
        record(ids[0], { trackName: 'Half \ud83d', screenshotUrls: ['https://example.com/\u0000.png'] }),
        record(ids[1], { trackName: 'Nu\u0000l', languageCodesISO2A: ['E\u0000'], currency: 'U\u0000D' }),
        record(ids[2], {
          primaryGenreId: 99_999_999_999,
          currentVersionReleaseDate: '9999-12-31T23:59:59-12:00',
        }),
      ),
    ),
  ])
  assert.equal(outcome.stored, 3)
  assert.equal(await nameOf(ids[1] ?? 0), 'Nul')
})

test('a mapping that names an unknown field is refused with the fields there are', () => {
  const refused = (document: unknown, expected: RegExp) =>
    assert.throws(
      () => mapping(document),
      (error) => error instanceof MappingError && expected.test(error.message),
    )
  refused({ fields: { storeId: 'id', nmae: 'name' } }, /"nmae"[\s\S]*name: name of the app/)
  refused({ constants: { rank: 1 } }, /"rank"/)
  refused({ document: { cuontry: 'cc' } }, /"cuontry"/)
  refused({ fileName: '(?<when>.+)' }, /"when"/)
  refused({ fileName: '(' }, /bad fileName pattern/)
  refused({ field: {} }, /not valid/)
})

test('a mapping follows dotted paths, a list, values around the list, the file name, and constants', async () => {
  const [first, second] = [nextId(), nextId()]
  const apps = [
    {
      app: { link: `https://apps.apple.com/de/app/eins/id${first}`, title: 'Eins' },
      stars: { all: '4.5', votes: 12 },
    },
    { app: { link: `id${second}`, title: 'Zwei' }, stars: {} },
    {
      app: { link: `https://apps.apple.com/app/id${second}?l=de`, title: 'Zwei' },
      stars: { votes: 0, all: 0 },
    },
  ]
  const file = folder.write('export-Games-2025.json', JSON.stringify({ meta: { cc: 'DE' }, data: { apps } }))
  const outcome = await bringIn([file], {
    mapping: mapping({
      list: 'data.apps',
      document: { country: 'meta.cc' },
      fields: { storeId: 'app.link', name: 'app.title', rating: 'stars.all', ratingCount: 'stars.votes' },
      constants: { currency: 'eur', price: 0 },
      fileName: '^export-(?<primaryCategory>[A-Za-z]+)-',
    }),
  })
  assert.deepEqual(counts(outcome), { read: 3, stored: 2, unchanged: 0, rejected: 1 })
  assert.deepEqual(outcome.reasons, [`record 2: no app id in "id${second}"`])
  const { body } = await world.call('get_competitor', {
    platform: 'ios',
    storeId: String(first),
    country: 'de',
  })
  assert.deepEqual(
    [body.country, body.name, body.rating.value, body.ratingCount.value],
    ['de', 'Eins', 4.5, 12],
  )
  assert.deepEqual(body.price.value, { amount: 0, currency: 'EUR' })
  assert.equal(body.primaryCategory.value.name, 'Games')
  const other = await world.call('get_competitor', { platform: 'ios', storeId: String(second), country: 'de' })
  assert.deepEqual(
    other.body.rating,
    { state: 'absent', evidence: 0 },
    'nobody rated: no rating, not a bad one',
  )
  assert.deepEqual(other.body.description, { state: 'not-measured', reason: 'not-carried' })
})

test('a mapped value that cannot be refuses its row and names the field', async () => {
  const id = nextId()
  const rows = [
    { id, name: 'Good', price: '1.99', when: '2020-02-29', where: 'us' },
    { id: nextId(), name: 'Price', price: 'cheap', when: '', where: 'us' },
    { id: nextId(), name: 'Date', price: '', when: '2021-02-29', where: 'us' },
    { id: nextId(), name: 'Country', price: '', when: '', where: 'zz' },
    { id: nextId(), name: 'x'.repeat(501), price: '', when: '', where: 'us' },
    { id: nextId(), name: { label: 'Inside' }, price: '', when: '', where: 'us' },
    { id: { toString: [] }, name: 'Object', price: '', when: '', where: 'us' },
    { id: nextId(), name: 'Object', price: { amount: 1 }, when: '', where: 'us' },
  ]
  const outcome = await bringIn([folder.write('values.json', JSON.stringify(rows))], {
    mapping: mapping({
      fields: { storeId: 'id', name: 'name', price: 'price', releasedAt: 'when', country: 'where' },
    }),
  })
  assert.deepEqual(outcome.reasons, [
    'record 2: price: cannot be "cheap"',
    'record 3: releasedAt: cannot be "2021-02-29"',
    'record 4: "zz" is not an App Store country',
    'record 5: the name is no text of at most 500 characters',
    'record 6: the name is no text of at most 500 characters',
    'record 7: no app id in "{"toString":[]}"',
    'record 8: price: cannot be "{"amount":1}"',
  ])
  assert.equal(await nameOf(id), 'Good')
})

test('a web page or other JSON in place of an answer is refused by what it is', async () => {
  const outcome = await bringIn([
    folder.write('page.json', '<!doctype html><title>Too many requests</title>'),
    folder.write('error.json', '{"errorMessage":"Invalid value(s) for key(s)"}'),
    folder.write('latin.json', Buffer.from('{"results":[{"trackId":1,"trackName":"Caf\xe9"}]}', 'latin1')),
  ])
  assert.deepEqual(outcome.reasons, [
    'line 1: HTML or XML where JSON was expected',
    'line 1: not an answer of the iTunes Search or Lookup API; other JSON needs a mapping: pass --map FILE',
    'document: not UTF-8, and no mark tells what else: name its encoding, as in --encoding windows-1252 (Latin-1) or --encoding shift_jis; with --encoding utf-8 only rows that are damaged are refused',
  ])
})

test('an empty file is no answer and is refused as empty', async () => {
  const outcome = await bringIn([
    folder.write('nothing.json', ''),
    folder.write('spaces.json', '\n \n'),
    folder.write('nothing.json.gz', gzipSync('')),
  ])
  assert.deepEqual(
    outcome.lines.map((line) => `${basename(line.file)}: ${line.reason}`),
    ['nothing.json: the file is empty', 'spaces.json: the file is empty', 'nothing.json.gz: the file is empty'],
  )
})

test('an empty answer is evidence: it is kept, with no records', async () => {
  const before = await readingsStored()
  const file = folder.write('empty.json', '\n\n\n{\n "resultCount":0,\n "results": []\n}\n\n\n')
  assert.deepEqual(counts(await bringIn([file])), { read: 0, stored: 0, unchanged: 0, rejected: 0 })
  assert.equal(await readingsStored(), before + 1)
  await bringIn([file])
  assert.equal(await readingsStored(), before + 1)
})

test('an absent file ends the import before anything is stored, and names the file', async () => {
  const id = nextId()
  const present = folder.write('present.json', answer(record(id)))
  await assert.rejects(bringIn([present, join(folder.path, 'absent.json')]), /ENOENT.*absent\.json/)
  assert.equal(await nameOf(id), undefined)
})

test('a directory is walked by name, and hidden files in it are left alone', async () => {
  const ids = [nextId(), nextId()]
  folder.write('walked/b.json', answer(record(ids[0])))
  folder.write('walked/deep/a.json', answer(record(ids[1])))
  folder.write('walked/.hidden.json', 'not for us')
  mkdirSync(join(folder.path, 'walked/void'))
  const outcome = await bringIn(['walked'], { directory: folder.path })
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  assert.equal(outcome.files, 2)
})

test('standard input is a file among others, however it arrives', async () => {
  const [file, piped] = [nextId(), nextId()]
  const whole = Buffer.from(`\n${answer(record(piped, { description: 'x'.repeat(3_000) }))}`)
  const bytes = async function* (of: Buffer, size: number) {
    for (let at = 0; at < of.length; at += size) yield of.subarray(at, at + size)
  }
  const outcome = await bringIn([folder.write('beside.json', answer(record(file))), '-'], {
    stdin: Readable.from(bytes(whole, 1)),
  })
  assert.deepEqual(counts(outcome), { read: 2, stored: 2, unchanged: 0, rejected: 0 })
  assert.equal(await nameOf(piped), `App ${piped}`)
  const zipped = await bringIn(['-'], { stdin: Readable.from(bytes(gzipSync(whole), 1)) })
  assert.deepEqual(counts(zipped), { read: 1, stored: 0, unchanged: 1, rejected: 0 })
})

test('the same file twice stores nothing new and says so, under another name too', async () => {
  const text = answer(record(nextId()), record(nextId()), record('none'))
  const first = await bringIn([folder.write('once.json', text)])
  assert.deepEqual(counts(first), { read: 3, stored: 2, unchanged: 0, rejected: 1 })
  const before = await readingsStored()
  const again = await bringIn([folder.write('once.json', text), folder.write('copy.json', text)])
  assert.deepEqual(counts(again), { read: 6, stored: 0, unchanged: 4, rejected: 2 })
  assert.equal(await readingsStored(), before)
})

test('the same answer observed at another time is another observation of one payload', async () => {
  const id = nextId()
  const file = folder.write('again.json', answer(record(id)))
  for (const observedAt of ['2026-03-02', '2026-03-05T10:00:00Z'])
    assert.equal((await bringIn([file], { observedAt })).stored, 1)
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(id) })
  assert.equal(body.firstObservedAt, '2026-03-02T00:00:00.000Z')
  assert.equal(body.lastObservedAt, '2026-03-05T10:00:00.000Z')
  assert.deepEqual([body.evidence[0].timeBasis, body.evidence[0].source], ['stated', 'itunes-search'])
  const { rows } = await sql<{ payloads: number }>`
    select count(distinct payload_hash)::int as payloads from readings
    where reading_id::text in (${body.evidence[0].readingId})`.execute(world.store.db)
  assert.equal(rows[0]?.payloads, 1)
})

test('without a stated time the date in the file name counts, and else the file is told to be weakly dated', async () => {
  const [named, bare] = [nextId(), nextId()]
  const files = [
    folder.write('chat_us_2022-02-15T2210Z_x.json', answer(record(named))),
    folder.write('chat.json', answer(record(bare))),
  ]
  const summary = await world.import({ kind: 'catalogue', paths: files })
  assert.equal(summary.weaklyDated, 1)
  const evidence = async (id: number) =>
    (await world.call('get_competitor', { platform: 'ios', storeId: String(id) })).body.evidence[0]
  assert.deepEqual(
    [(await evidence(named)).observedAt, (await evidence(named)).timeBasis],
    ['2022-02-15T22:10:00.000Z', 'file-name'],
  )
  assert.equal((await evidence(bare)).timeBasis, 'file-modified')
})

test('whatever the order in which files are imported, the record is the same', async () => {
  const [forward, backward] = [nextId(), nextId()]
  const captures = (id: number) =>
    ['2026-01-01', '2026-01-10', '2026-01-20'].map((day, at) => ({
      observedAt: day,
      file: folder.write(
        `capture-${id}-${at}.json`,
        answer(record(id, { trackName: `Name ${at}`, version: `${at}.0` })),
      ),
    }))
  for (const { file, observedAt } of captures(forward)) await bringIn([file], { observedAt })
  for (const { file, observedAt } of captures(backward).reverse()) await bringIn([file], { observedAt })
  const [one, other] = await Promise.all(
    [forward, backward].map(async (id) => {
      const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(id) })
      const { name, version, firstObservedAt, lastObservedAt, listingHistory } = body
      return { name, version, firstObservedAt, lastObservedAt, listingHistory }
    }),
  )
  assert.deepEqual(one, other)
  assert.equal(one?.name, 'Name 2')
  assert.equal(one?.listingHistory.length, 6)
})

test('two imports of the same file at once store it once, and neither fails', async () => {
  const ids = [nextId(), nextId()]
  const file = folder.write('raced.json', answer(...ids.map((id) => record(id))))
  const before = await readingsStored()
  const outcomes = await Promise.all([bringIn([file]), bringIn([file]), bringIn([file])])
  assert.equal(
    outcomes.reduce((sum, outcome) => sum + outcome.stored, 0),
    2,
  )
  assert.equal(await readingsStored(), before + 1)
})

test('a storefront of its own is another record of the app', async () => {
  const id = nextId()
  await bringIn([folder.write('us.json', answer(record(id)))])
  await bringIn([folder.write('de.json', answer(record(id, { trackName: 'Auf Deutsch', currency: 'EUR' })))], {
    country: 'de',
  })
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: String(id), country: 'de' })
  assert.deepEqual([body.name, body.country, body.alsoIn], ['Auf Deutsch', 'de', ['us']])
  assert.equal(await nameOf(id), `App ${id}`)
})

test('whatever happens to the bytes of an answer, an import never throws and stores all of its records or none', async () => {
  const ids = [nextId(), nextId(), nextId()]
  const plain = Buffer.from(
    answer(...ids.map((id) => record(id, { trackName: 'Ünï “quoted” \ud83d\ude80 & co' }))),
  )
  const originals = [plain, gzipSync(plain)]
  const damage = fc.record({
    zipped: fc.boolean(),
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    flips: fc.array(
      fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 1, max: 255 })),
      {
        maxLength: 3,
      },
    ),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ zipped, cut, flips }) => {
      const bytes = Buffer.from(originals[Number(zipped)] ?? plain)
      for (const [place, mask] of flips) {
        const at = Math.floor(place * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ mask
      }
      const file = folder.write(
        'damaged.json',
        cut === null ? bytes : bytes.subarray(0, Math.floor(cut * bytes.length)),
      )
      const { stored, unchanged, rejected, lines } = await bringIn([file])
      const taken = stored + unchanged
      const refusedRecords = lines.filter((line) => line.position.startsWith('record')).length
      assert.ok(taken === 0 || taken + refusedRecords === ids.length, `${taken} taken, ${rejected} rejected`)
      assert.ok(taken + rejected > 0)
    }),
    { numRuns: cases(120) },
  )
})

test('a field that is carried and cannot be read is not measured for that reason, until an answer tells it', async () => {
  const [before, later, alone] = [nextId(), nextId(), nextId()]
  const odd = { price: '2.99', screenshotUrls: [1], ipadScreenshotUrls: [] }
  const bring = (id: number, more: object, observedAt: string) =>
    bringIn([folder.write(`odd-${id}-${observedAt}.json`, answer(record(id, { ...more })))], { observedAt })
  const readable = { price: 2.99, screenshotUrls: ['https://is1-ssl.mzstatic.com/image/a/b.png'] }
  await bring(alone, odd, '2026-03-01')
  await bring(before, odd, '2026-03-01')
  await bring(before, readable, '2026-03-02')
  await bring(later, readable, '2026-03-02')
  await bring(later, odd, '2026-03-01')
  const said = async (id: number) => {
    const app = { platform: 'ios', storeId: String(id) }
    const { price, developerId, subtitle } = (await world.call('get_competitor', app)).body
    const { coverage } = (await world.call('get_competitor_media', { ...app, kind: 'screenshot' })).body
    return [
      price.state,
      price.reason,
      developerId.state,
      subtitle.reason,
      coverage[0].state,
      coverage[0].reason,
    ]
  }
  assert.deepEqual(await said(alone), [
    'not-measured',
    'unreadable',
    'absent',
    'not-carried',
    'not-measured',
    'unreadable',
  ])
  for (const id of [before, later])
    assert.deepEqual(await said(id), ['measured', undefined, 'absent', 'not-carried', 'measured', null])
})

test('a reason that quotes a line end stands on one line', async () => {
  const { firstRejection } = await bringIn([folder.write('broken.json', '{"resultCount":\n nope}\n')])
  assert.match(firstRejection?.reason ?? '', /\.\.\."Count": nope/)
})
