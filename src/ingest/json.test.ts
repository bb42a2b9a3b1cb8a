import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDocument, parseJson } from './json.ts'
import { UnfitPayload } from './unfit-payload.ts'

const read = (text: string) => parseDocument(Buffer.from(text))

test('every document is read, with blank lines around it and a byte order mark before it', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const meant = JSON.parse(json)
      assert.deepEqual(read(`\n\n\n${json}\r\n`), meant)
      assert.deepEqual(read(`\uFEFF${json}`), meant)
    }),
  )
})

test('ids that are numbers beyond 2^53 keep every digit', () => {
  assert.deepEqual(read('{"ids":[7318264509182736455, 12, -9223372036854775809, 1.5]}'), {
    ids: ['7318264509182736455', 12, '-9223372036854775809', 1.5],
  })
  assert.deepEqual(read('{"text":"id: 7318264509182736455, and"}'), { text: 'id: 7318264509182736455, and' })
})

test('wherever a list or an object is cut, it stops in the middle', () => {
  const composed = fc.oneof(
    fc.array(fc.jsonValue(), { minLength: 1 }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  )
  fc.assert(
    fc.property(composed, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
      const json = JSON.stringify(value)
      const end = 1 + Math.floor(share * (json.length - 2))
      assert.throws(() => read(json.slice(0, end).toWellFormed()), { name: 'UnfitPayload', kind: 'cut-off' })
    }),
  )
})

test('anything else is unfit, and never something worse', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        parseDocument(bytes)
      } catch (error) {
        assert.ok(error instanceof UnfitPayload)
      }
    }),
  )
})

test('whole numbers that JavaScript cannot hold come as their digits, wherever they stand; all others stay numbers', () => {
  assert.deepEqual(
    parseJson(
      '{"id":7312345678901234567,"list":[-9007199254740993, 9007199254740993],"exact":9007199254740992,"small":12}',
    ),
    {
      id: '7312345678901234567',
      list: ['-9007199254740993', '9007199254740993'],
      exact: 9007199254740992,
      small: 12,
    },
  )
  assert.equal(parseJson('7312345678901234567'), '7312345678901234567')
  assert.deepEqual(parseJson('[0.50000000000000000,1234567890123456]'), [0.5, 1_234_567_890_123_456])
  assert.deepEqual(parseJson('{"text":"see 7312345678901234567 ","id":1.5e300}'), {
    text: 'see 7312345678901234567 ',
    id: 1.5e300,
  })
})
