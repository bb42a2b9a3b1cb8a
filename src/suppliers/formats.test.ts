import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayloadFormat } from '../ingest/format.ts'
import type { ReadingContext } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { formats, parsePayload } from './formats.ts'

const context: ReadingContext = { layout: 'document', country: 'us' }

test('a format that leaves something out does not compile, nor a payload of a format that has no row', () => {
  const { isMappable, parse, recognise } = formats['chart-feed']
  const whole: PayloadFormat = { isMappable, parse, recognise }
  // @ts-expect-error whether a mapping can explain it is not said
  const unexplained: PayloadFormat = { parse, recognise }
  // @ts-expect-error nothing parses it
  const unparsed: PayloadFormat = { isMappable, recognise }
  // @ts-expect-error nothing says which files are of it, or that none are
  const unrecognised: PayloadFormat = { isMappable, parse }
  // @ts-expect-error what a parser finds has a source, apps, charts, rejections and a count
  const vague: PayloadFormat = { isMappable, recognise, parse: () => ({ rejected: [], records: 0 }) }
  // @ts-expect-error the table has no such row
  const unknown = () => parsePayload('no-such-format', Buffer.from('{}'), context)
  assert.throws(unknown, TypeError)
  assert.deepEqual(
    [whole, unexplained, unparsed, unrecognised, vague].map((row) => Object.keys(row).length),
    [3, 2, 2, 2, 3],
  )
})

test('whatever is no payload of a format is unfit, and never something worse', () => {
  const texts = [
    '',
    ' ',
    '<html>',
    '{',
    '[',
    'null',
    '1',
    '"x"',
    '{}',
    '[{}]',
    '{"results":1}',
    '{"feed":{}}',
    '\u0000',
  ]
  for (const name of Object.keys(formats) as (keyof typeof formats)[])
    for (const text of texts)
      for (const layout of ['document', 'lines', 'csv'] as const)
        try {
          parsePayload(name, Buffer.from(text), { ...context, layout, term: 'chat', storeId: '1' })
        } catch (error) {
          assert.ok(error instanceof UnfitPayload, `${name} ${layout} ${text}: ${String(error)}`)
        }
})

test('a document that several look into is parsed once', () => {
  const payload = new RawPayload(Buffer.from('{"results":[]}'))
  assert.equal(payload.document(), payload.document())
})

test('an unfit payload tells without its content what logs may hold', () => {
  assert.throws(
    () => parsePayload('chart-feed', Buffer.from('{"feed": secret}'), context),
    (error) => error instanceof UnfitPayload && /secret/.test(error.message) && !/secret/.test(error.discreet),
  )
})
