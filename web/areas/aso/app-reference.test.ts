import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appReferenceIn } from './app-reference.ts'

test('addresses, ids and bundle ids are told from names', () => {
  const kinds = [
    'https://apps.apple.com/us/app/brook-focus-timer/id6449120387?l=de',
    '6449120387',
    'id6449120387',
    'com.example.brook',
    'Brook: Focus Timer',
    '2048',
    'notes.app',
    'https://example.com/id6449120387',
  ].map((text) => appReferenceIn(text)?.kind)
  assert.deepEqual(kinds, ['address', 'id', 'id', 'bundle id', undefined, undefined, undefined, undefined])
})
