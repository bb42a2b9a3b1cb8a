import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { readHints } from './hints.ts'

const list = (entries: string, head = '') =>
  readHints(
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>${head}<plist version="1.0"><dict><key>title</key><string>Suggestions</string><key>hints</key><array>${entries}</array></dict></plist>`,
    ),
  )
const entry = (term: string) => `<dict><key>term</key><string>${term}</string></dict>`
const terms = (entries: string, head?: string) => list(entries, head).hints.map(({ term }) => term)
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')

test('terms come in their order, with the weight where there is one', () => {
  const weighed = '<dict><key>term</key><string>chat</string><key>priority</key><integer>6859</integer></dict>'
  assert.deepEqual(list(weighed + entry('chat room')), {
    hints: [
      { position: 1, term: 'chat', priority: 6859 },
      { position: 2, term: 'chat room', priority: null },
    ],
    rejected: [],
  })
})

test('entities are decoded once, and no more', () => {
  assert.deepEqual(terms(entry('&#34;q&#x22; &amp;amp; &amp;#34; &lt;b&gt;')), ['"q" &amp; &#34; <b>'])
  assert.deepEqual(terms(entry('<![CDATA[a & b]]>')), ['a & b'])
})

test('a document type declares nothing: no entity is expanded, and none is fetched', () => {
  const nested = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join('')
  const head = `<!DOCTYPE plist [<!ENTITY e0 "ha">${nested}<!ENTITY file SYSTEM "file:///etc/passwd">]>`
  assert.deepEqual(terms(entry('&e30; &file;'), head), ['&e30; &file;'])
})

test('an entry that cannot be read keeps its place, and says why', () => {
  const odd = '<dict><key>url</key><string>x</string></dict><string>chat</string><dict/>'
  const { hints, rejected } = list(
    `${odd}${entry(' ')}${entry('x'.repeat(501))}<odd><dict/></odd>${entry('last')}`,
  )
  assert.deepEqual(hints, [{ position: 7, term: 'last', priority: null }])
  assert.deepEqual(
    rejected.map(({ position, reason }) => `${position} ${reason}`),
    [
      '1 no term',
      '2 not a dictionary',
      '3 no term',
      '4 a term of 0 letters',
      '5 a term of 501 letters',
      '6 not a dictionary',
    ],
  )
})

test('no hints are no failure', () => {
  assert.deepEqual(list(''), { hints: [], rejected: [] })
  const without = '<plist version="1.0"><dict><key>title</key><string/></dict></plist>'
  assert.deepEqual(readHints(Buffer.from(without)), { hints: [], rejected: [] })
})

test('what is no list, and what is half of one, is told apart', () => {
  const kinds: [string, UnfitPayload['kind']][] = [
    ['<!DOCTYPE html><html><body>Busy</body></html>', 'not-json'],
    ['{"hints":[]}', 'not-json'],
    ['<plist version="1.0"><string>x</string></plist>', 'unexpected-shape'],
    ['<plist version="1.0"><dict><key>hints</key><array><dict><key>te', 'cut-off'],
    ['', 'cut-off'],
  ]
  for (const [text, kind] of kinds)
    assert.throws(() => readHints(Buffer.from(text)), { name: 'UnfitPayload', kind })
})

test('every term arrives as it was written', () => {
  const term = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(fc.array(term), (written) => {
      assert.deepEqual(
        terms(written.map((text) => entry(escaped(text))).join('')),
        written.map((text) => text.trim()),
      )
    }),
  )
})

test('whatever arrives, it is hints or unfit', () => {
  const pieces = fc.constantFrom(
    '<plist>',
    '</plist>',
    '<dict>',
    '</dict>',
    '<array>',
    '</array>',
    '<key>hints</key>',
  )
  const bits = fc.oneof(
    pieces,
    fc.string(),
    fc.constantFrom('<key>term</key>', '<string>a', '</string>', '<!DOCTYPE [', '&#0;'),
  )
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
      try {
        readHints(Buffer.from(parts.join('').toWellFormed()))
      } catch (error) {
        assert.ok(error instanceof UnfitPayload, String(error))
      }
    }),
  )
})

test('a list of some levels more is read, one of a million is refused in a moment', () => {
  const nested = (deep: number) => '<array>'.repeat(deep) + '</array>'.repeat(deep)
  assert.equal(list(nested(500)).rejected.length, 1)
  assert.throws(() => list(nested(1_000_000)), { name: 'UnfitPayload', kind: 'unexpected-shape' })
})
