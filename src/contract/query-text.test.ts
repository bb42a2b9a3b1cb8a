import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { compileNormaliser, compileQueryReader } from './query-text.ts'
import { Country } from './shapes/primitives.ts'

const Search = z.strictObject({
  q: z.string().min(1).max(200).optional(),
  country: Country.default('us'),
  limit: z.int().min(1).max(100).default(25),
  minRating: z.number().min(0).optional(),
  saved: z.boolean().optional().describe('Wrapped twice.'),
  network: z
    .array(z.enum(['tiktok', 'x']))
    .min(1)
    .optional(),
  unit: z.enum(['kB', 'MB']).optional(),
  weeks: z.array(z.int()).optional(),
})
const read = compileQueryReader(Search)

test('text becomes the number, the boolean or the word that the field asks for', () => {
  assert.deepEqual(
    read({ q: ' tea ', country: 'US', limit: '50', minRating: '4.5', saved: 'false', unit: 'MB' }),
    {
      q: 'tea',
      country: 'us',
      limit: 50,
      minRating: 4.5,
      saved: false,
      unit: 'MB',
    },
  )
})

test('an id has one form, whatever the case it is written in', () => {
  const ids = z.strictObject({ appId: z.uuidv7() })
  assert.deepEqual(compileQueryReader(ids)({ appId: '01995A10-3C41-7F02-8A6E-52B7C19D0E31' }), {
    appId: '01995a10-3c41-7f02-8a6e-52b7c19d0e31',
  })
})

test('a list takes one value as well as several', () => {
  assert.deepEqual(read({ network: 'TikTok' }), { network: ['tiktok'] })
  assert.deepEqual(read({ network: ['tiktok', 'X'] }), { network: ['tiktok', 'x'] })
  assert.deepEqual(read({ weeks: ['1', '2'] }), { weeks: [1, 2] })
})

test('a single value given twice is refused under its name', () => {
  const answer = Search.safeParse(read({ limit: ['1', '2'] }))
  assert.deepEqual(answer.error?.issues[0]?.path, ['limit'])
})

test('an unknown parameter is refused by name, also one called __proto__', () => {
  for (const name of ['colour', '__proto__']) {
    const answer = Search.safeParse(read(Object.fromEntries([[name, 'red']])))
    assert.match(answer.error?.issues[0]?.message ?? '', new RegExp(name))
  }
})

test('only a plain JSON number is a number', () => {
  for (const text of [
    '',
    ' ',
    '+1',
    '01',
    '1.',
    '.5',
    '0x10',
    '1e',
    '1_000',
    '1,5',
    'NaN',
    'Infinity',
    '1e999',
  ]) {
    assert.equal(Search.safeParse(read({ minRating: text })).success, false, `"${text}" was taken`)
  }
  assert.deepEqual(read({ minRating: '1e2' }), { minRating: 100 })
})

test('only true and false are booleans', () => {
  for (const text of ['', '1', '0', 'yes', 'no', 'on', 'null'])
    assert.equal(Search.safeParse(read({ saved: text })).success, false, `"${text}" was taken`)
})

test('every number JSON can write is read as JSON reads it', () => {
  const readOne = compileQueryReader(z.strictObject({ x: z.number() }))
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const text = JSON.stringify(number)
      assert.equal(readOne({ x: text }).x, JSON.parse(text))
    }),
  )
})

test('whatever the parameters, reading never throws and leaves plain values', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'grapheme' })))
  const names = fc.oneof(fc.constantFrom(...Object.keys(Search.shape)), fc.string())
  fc.assert(
    fc.property(fc.dictionary(names, texts), (given) => {
      const values = read(given)
      assert.deepEqual(Object.keys(values).sort(), Object.keys(given).sort())
      Search.safeParse(values)
    }),
  )
})

test('reading and normalising a text agree', () => {
  const normalise = compileNormaliser(Search)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.deepEqual(read({ q: text, country: text }), normalise({ q: text, country: text }))
    }),
  )
})

const Body = z.strictObject({
  country: Country.default('us'),
  countries: z.array(Country).optional(),
  note: z.string().nullable().optional(),
  query: z.strictObject({ kinds: z.array(z.enum(['record', 'media'])) }).optional(),
  records: z.array(z.record(z.string(), z.unknown())).optional(),
})

test('texts of a body are trimmed, normalised and folded at every depth', () => {
  assert.deepEqual(
    compileNormaliser(Body)({
      country: 'US',
      countries: [' De', 'ＪＰ'],
      note: '  ①  \u00a0',
      query: { kinds: ['Record'] },
    }),
    { country: 'us', countries: ['de', 'jp'], note: '1', query: { kinds: ['record'] } },
  )
})

test('records in the words of an upstream stay exactly as they came', () => {
  const records = [{ text: '  ＡＤ™ ', nested: { list: [' x '] } }]
  assert.deepEqual(compileNormaliser(Body)({ records }), { records })
})

test('values of the wrong kind and unknown properties pass for the schema to refuse', () => {
  const normalise = compileNormaliser(Body)
  for (const value of [null, 7, 'text', [], { country: 7 }, { countries: 'US' }, { extra: ' x ' }])
    assert.deepEqual(normalise(value), value)
  const hostile = JSON.parse('{"__proto__": {"country": "de"}}')
  assert.equal(Body.safeParse(normalise(hostile)).success, false)
})

test('normalising twice changes nothing more', () => {
  const normalise = compileNormaliser(z.string())
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(normalise(normalise(text)), normalise(text))
    }),
  )
})

test('a shape that no text can express is refused when compiled, not when called', () => {
  assert.throws(() => compileQueryReader(z.object({ inner: z.object({}) })), /object/)
  assert.throws(() => compileNormaliser(z.union([z.string(), z.number()])), /union/)
})
