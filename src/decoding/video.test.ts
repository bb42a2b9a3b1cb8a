import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asWav, bytesPerSecond, splitSound } from './video.ts'

test('sound that fits is one piece; longer sound is cut where it is quiet, and nothing is lost', () => {
  const loud = new Uint8Array(100 * bytesPerSecond)
  new Int16Array(loud.buffer).fill(8_000)
  loud.fill(0, 54 * bytesPerSecond, 55 * bytesPerSecond)
  assert.deepEqual(splitSound(loud, loud.length + 44), [{ from: 0, to: loud.length, startSeconds: 0 }])
  const pieces = splitSound(loud, 60 * bytesPerSecond)
  assert.equal(pieces.length, 2)
  const [first, second] = pieces
  assert.ok(first && second && first.to === second.from && second.to === loud.length)
  assert.ok(second.startSeconds > 54 && second.startSeconds < 55, String(second.startSeconds))
  assert.deepEqual(splitSound(new Uint8Array(), 1_000_000), [])
})

test('a piece is a WAV file of 16 bits, mono, 16,000 a second', () => {
  const wav = Buffer.from(asWav(Uint8Array.of(1, 2, 3, 4)))
  assert.equal(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16), 'RIFFWAVEfmt ')
  assert.deepEqual(
    [wav.readUInt32LE(24), wav.readUInt16LE(34), wav.readUInt32LE(40), wav.length],
    [16_000, 16, 4, 48],
  )
})
