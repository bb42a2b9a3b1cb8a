import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readModelAnswer } from './model.ts'
import { ServiceFailure } from './service.ts'
import { languageTag, readSpeechAnswer } from './speech.ts'

const read = (answer: unknown, seconds = 10) => readSpeechAnswer(answer, seconds, 'whisper')
const segments = (...all: object[]) => ({ text: '', segments: all })

test('answers that cannot be true of the sound are refused', () => {
  for (const lie of [
    segments({ start: 3, end: 1, text: 'Back.' }),
    segments({ start: -30, end: 1, text: 'Before.' }),
    segments({ start: 12, end: 13, text: 'After.' }),
    segments({ start: 1, end: 60, text: 'Far behind.' }),
    segments({ start: null, end: 1, text: 'x' }),
    segments({ start: '0', end: 1, text: 'x' }),
    segments({ start: Number.NaN, end: 1, text: 'x' }),
    segments({ start: 0, end: 1, text: 7 }),
    { words: [] },
    { text: 'word '.repeat(2_000) },
    null,
    [],
  ]) {
    assert.throws(() => read(lie), ServiceFailure, JSON.stringify(lie)?.slice(0, 80))
  }
})

test('segments come out in order, within the sound, and without control characters', () => {
  const { segments: out } = read(
    segments({ start: 5, end: 12, text: ' two\u0007 ' }, { start: -0.4, end: 4, text: 'one\u202e' }),
  )
  assert.deepEqual(
    out.map(({ startSeconds, endSeconds, text }) => [startSeconds, endSeconds, text]),
    [
      [0, 4, 'one'],
      [5, 10, 'two'],
    ],
  )
})

test('whatever a service answers is read within the sound or refused', () => {
  const answer = fc.record(
    {
      text: fc.oneof(fc.string(), fc.jsonValue()),
      language: fc.oneof(fc.string(), fc.constant(null)),
      segments: fc.oneof(
        fc.array(fc.record({ start: fc.double(), end: fc.double(), text: fc.string() })),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(answer, fc.double({ min: 0.1, max: 100, noNaN: true }), (given, seconds) => {
      try {
        for (const { startSeconds, endSeconds } of read(given, seconds).segments)
          assert.ok(startSeconds >= 0 && startSeconds <= endSeconds && endSeconds <= seconds + 0.01)
      } catch (error) {
        assert.ok(error instanceof ServiceFailure, String(error))
      }
    }),
  )
})

test('languages are known by the names services have for them, and by their codes', () => {
  assert.deepEqual(
    ['english', 'Japanese', 'pt', 'castilian', 'klingon', '', null, 'javascript:x'].map(languageTag),
    ['en', 'ja', 'pt', 'es', null, null, null, null],
  )
})

test('a model’s answer is found in what it writes around it, and nothing but our shape passes', () => {
  const none = {
    hook: null,
    angle: null,
    offer: null,
    callToAction: null,
    urgency: null,
    audience: null,
    claims: [],
  }
  assert.deepEqual(readModelAnswer(`Here you are:\n\`\`\`json\n${JSON.stringify(none)}\n\`\`\``), none)
  for (const wrong of [
    '',
    'no',
    '{',
    '[]',
    '{}',
    JSON.stringify({ ...none, spend: 5 }),
    JSON.stringify({ ...none, hook: 'Hi' }),
  ])
    assert.ok('wrong' in readModelAnswer(wrong), wrong)
})
