import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithoutVideo } from './reading.ts'

type Ad = Parameters<typeof isWithoutVideo>[0]
const unknown = { state: 'not-measured', reason: 'not-carried' } as const
const adOf = (...kinds: string[]): Ad =>
  ({ format: unknown, creatives: [{ media: kinds.map((kind) => ({ kind })) }] }) as unknown as Ad

test('no transcript is offered for an ad of pictures, and one is where a video may be', () => {
  assert.equal(isWithoutVideo(adOf('image', 'image')), true)
  assert.equal(isWithoutVideo(adOf('image', 'video')), false)
  assert.equal(isWithoutVideo(adOf('thumbnail')), false)
  assert.equal(isWithoutVideo(adOf()), false)
  const video = { state: 'measured', value: 'video', evidence: 0 } as const
  assert.equal(isWithoutVideo({ ...adOf('image'), format: video }), false)
})
