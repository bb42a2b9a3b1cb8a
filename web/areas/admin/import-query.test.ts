import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedRecords, queryOf } from './import-query.ts'

test('records are read as a list, as an answer, alone and line by line', () => {
  const one = { records: [{ id: '1' }] }
  assert.deepEqual(pastedRecords('[{"id":"1"}]'), one)
  assert.deepEqual(pastedRecords('{"data":[{"id":"1"}],"paging":{}}'), one)
  assert.deepEqual(pastedRecords('{"id":"1"}'), one)
  assert.deepEqual(pastedRecords('{"id":"1"}\n\n{"id":"2"}\r\n'), { records: [{ id: '1' }, { id: '2' }] })
  assert.deepEqual(pastedRecords('  '), { records: [] })
})

test('what is no record is said with its place', () => {
  assert.deepEqual(pastedRecords('{"id":"1"}\n{"id":'), {
    problem: 'Line 2 is not valid JSON.',
  })
  assert.deepEqual(pastedRecords('[{"id":"1"},7]'), {
    problem: 'Entry 2 is not a record: a record is a JSON object in braces.',
  })
})

test('more than one preview takes is refused before it is sent', () => {
  assert(
    'problem' in pastedRecords(JSON.stringify(Array.from({ length: 1_001 }, (_, id) => ({ id: String(id) })))),
  )
  assert('problem' in pastedRecords(JSON.stringify([{ text: 'x'.repeat(1_048_576) }])))
})

test('a query needs an advertiser or a term, and leaves out what was not chosen', () => {
  assert.equal(queryOf({ countries: 'de' }), undefined)
  assert.deepEqual(queryOf({ terms: 'budget, savings', countries: 'de,xx', running: 'no' }), {
    platform: 'meta',
    terms: ['budget', 'savings'],
    countries: ['de'],
    active: false,
  })
})

test('TikTok is not asked for what it does not take', () => {
  assert.deepEqual(queryOf({ platform: 'tiktok', advertisers: '1', media: 'video', languages: 'de' }), {
    platform: 'tiktok',
    advertiserIds: ['1'],
  })
})
