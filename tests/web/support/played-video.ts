import type { Page } from 'playwright-core'
import { address } from './visitor.ts'

const path = '/media/played-video'

/**
 * Gives an ad the copy of its video that the demo lacks: the source of its media has none. The rest of the reply is the
 * service's own.
 */
export async function playVideoOf(page: Page, ad: string, seconds: number): Promise<void> {
  const body = silence(seconds)
  await page.route(`${address}${path}`, (route) => {
    const [, from = 0] = /bytes=(\d+)-/.exec(route.request().headers().range ?? '') ?? []
    const part = body.subarray(Number(from))
    const range = `bytes ${from}-${body.length - 1}/${body.length}`
    return route.fulfill({
      status: 206,
      body: part,
      contentType: 'audio/wav',
      headers: { 'accept-ranges': 'bytes', 'content-range': range },
    })
  })
  await page.route(`${address}/v1/paid-ads/${ad}`, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { creatives: { media: { kept: object }[] }[] }
    for (const medium of reply.creatives.flatMap(({ media }) => media))
      medium.kept = {
        status: 'stored',
        url: `${address}${path}`,
        contentType: 'video/mp4',
        sizeBytes: body.length,
        sha256: '0'.repeat(64),
        storedAt: '2026-11-20T20:00:00Z',
      }
    await route.fulfill({ response, json: reply })
  })
}

const samplesPerSecond = 8_000

/** A WAV file in which nothing is heard, which every browser plays. */
function silence(seconds: number): Buffer {
  const length = seconds * samplesPerSecond
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(samplesPerSecond, 24)
  head.writeUInt32LE(samplesPerSecond, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(length, 40)
  return Buffer.concat([head, Buffer.alloc(length, 0x80)])
}
