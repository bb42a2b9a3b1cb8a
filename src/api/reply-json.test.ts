import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepReplyAs, keepReplyJson, keptBytesOf, replyJsonOf, replyWithHead } from './reply-json.ts'

/** Values that replies hold, with those that JSON leaves out of objects and turns into null in lists. */
const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date())
const long = fc.array(value, { minLength: 195, maxLength: 430 })

test('written in turns a reply is the same text, whatever it holds', async () => {
  const reply = fc.oneof(fc.dictionary(fc.string(), fc.oneof(value, long)), value, long)
  await fc.assert(
    fc.asyncProperty(reply, async (given) => assert.equal(await replyJsonOf(given), JSON.stringify(given))),
    { numRuns: 50 },
  )
})

test('others have their turn while a long list is written', async () => {
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  await replyJsonOf({ items: Array.from({ length: 20_000 }, (_, at) => ({ at, text: 'x'.repeat(1_000) })) })
  clearImmediate(counting)
  assert.ok(turns >= 5, `${turns} turns`)
})

test('what was kept is what is sent', async () => {
  const reply = { items: [1, 2, 3] }
  const text = keepReplyJson(reply)
  reply.items.push(4)
  assert.equal(await replyJsonOf(reply), text)
})

test('a kept reply is sent as the same bytes, also under another head and where another object stands for it', async () => {
  const reply = { items: ['Fähre', 1], nextCursor: 'here' }
  keepReplyJson(reply)
  const signed = { ...reply, nextCursor: 'signed' }
  keepReplyAs(reply, signed)
  assert.equal(keptBytesOf(reply), undefined)
  const whole = replyWithHead(signed, { asOf: 'today' })
  const sent = keptBytesOf(whole) ?? assert.fail('It is not kept.')
  assert.equal(keptBytesOf(replyWithHead(signed, { asOf: 'today' })), sent)
  assert.equal(sent.bytes.toString(), await replyJsonOf(whole))
  assert.deepEqual(JSON.parse(sent.bytes.toString()), { asOf: 'today', ...signed })
  const later = keptBytesOf(replyWithHead(signed, { asOf: 'tomorrow' }))
  assert.deepEqual(JSON.parse(String(later?.bytes)), { asOf: 'tomorrow', ...signed })
  assert.notEqual(later?.etag, sent.etag)
})
