import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aspectRatio, mainColours } from './media-facts.ts'

test('ratios are named by the nearest usual one', () => {
  assert.deepEqual(
    [aspectRatio(1080, 1920), aspectRatio(1080, 1080), aspectRatio(1200, 628), aspectRatio(1080, 1350)],
    ['9:16', '1:1', '1.91:1', '4:5'],
  )
})

test('main colours come by area, near ones as one, specks left out', () => {
  const pixels = [...Array(70).fill([250, 0, 0]), ...Array(28).fill([0, 0, 250]), [0, 255, 0], [244, 3, 4]]
  assert.deepEqual(mainColours(Uint8Array.from(pixels.flat())), ['#fa0000', '#0000fa'])
  assert.deepEqual(mainColours(new Uint8Array()), [])
})
