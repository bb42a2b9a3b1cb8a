import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'

const parts = new AsyncDisposableStack()
const installation = parts.use(await openInstallation())
const folder = parts.use(openFolder())
after(() => parts.disposeAsync())

const megabyte = 1024 * 1024
const repeated = (text: string, bytes: number) => Buffer.alloc(bytes, text)
const around = (before: string, inside: Buffer, behind: string) =>
  Buffer.concat([Buffer.from(before), inside, Buffer.from(behind)])
const record =
  '{"resultCount":1,"results":[{"trackId":1064216828,"trackName":"Reddit","kind":"software","wrapperType":"software"}]}'

/** Files that ask for far more memory than they are large, each with what is said of it. */
const files: Record<string, { name: string; content: () => Buffer; said: RegExp }> = {
  'lists in lists': {
    name: 'deep.json.gz',
    content: () => gzipSync(repeated('[', 100 * megabyte)),
    said: /nested deeper than 200 levels/,
  },
  'objects in objects': {
    name: 'objects.json.gz',
    content: () => gzipSync(repeated('{"results":', 60 * megabyte)),
    said: /nested deeper than 200 levels/,
  },
  'one element without end': {
    name: 'element.json.gz',
    content: () => gzipSync(around('{"results":[[', repeated('1,', 60 * megabyte), '1]]}')),
    said: /a value of over 8 MiB/,
  },
  'one text without end': {
    name: 'text.json.gz',
    content: () => gzipSync(around('{"results":["', repeated('a', 60 * megabyte), '"]}')),
    said: /a value of over 8 MiB/,
  },
  'more empty objects than a document holds': {
    name: 'many.json',
    content: () => around('{"results":[', repeated('{},', 7 * megabyte), '{}]}'),
    said: /more than 2,000,000 values/,
  },
  'nothing but blanks': {
    name: 'blanks.json.gz',
    content: () => gzipSync(repeated(' ', 100 * megabyte)),
    said: /a record of over 8 MiB/,
  },
  'line ends': {
    name: 'ends.json',
    content: () => around('{}', repeated('\n', 2 * megabyte), 'x'),
    said: /no trackId/,
  },
}

test('a file that would fill the memory is refused by its name, and those beside it are read', async () => {
  const good = folder.write('good.json', record)
  const paths = Object.values(files).map(({ name, content }) => folder.write(name, content()))
  const rejected = `${folder.path}/rejected.ndjson`
  const reported = await run(
    ['import', 'catalogue', ...paths, good, '--rejected', rejected, '--json', ...installation.location],
    { env: { NODE_OPTIONS: '--max-old-space-size=400' } },
  )
  assert.equal(reported.code, 0, reported.err)
  assert.equal(JSON.parse(reported.out).stored, 1, reported.out)
  const refusals = readFileSync(rejected, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const [what, { name, said }] of Object.entries(files)) {
    const refusal = refusals.find(({ file }) => file.endsWith(name))
    // What is packed is looked through for its encoding first, and may be refused for its size then.
    const packed = name.endsWith('.gz') && /over 200 times as large/.test(refusal?.reason ?? '')
    if (!packed) assert.match(refusal?.reason ?? 'not refused', said, what)
  }
})

test('a table with more columns than any has, or a header without end, is refused', async () => {
  const wide = folder.write('wide.csv', around('', repeated('a,', 20_000), `a\n1\n`))
  const header = folder.write('header.csv', around('', repeated('a,', 4 * megabyte), `a\n1\n`))
  const bomb = folder.write('bomb.csv.gz', gzipSync(repeated(`${'a'.repeat(8_191)}\n`, 80 * megabyte)))
  const map = folder.write('map.json', JSON.stringify({ fields: { storeId: 'id', name: 'name' } }))
  const rejected = `${folder.path}/tables.ndjson`
  const reported = await run(
    ['import', 'catalogue', wide, header, bomb, '--map', map, '--rejected', rejected, ...installation.location],
    { env: { NODE_OPTIONS: '--max-old-space-size=400' } },
  )
  assert.equal(reported.code, 1, reported.err)
  const lines = readFileSync(rejected, 'utf8')
  assert.match(lines, /at most 2000 are read/)
  assert.match(lines, /a header of over 64 kB/)
  assert.match(lines, /over 200 times as large as the file/)
})
