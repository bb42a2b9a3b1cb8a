import { openFolder } from './files.ts'
import type { World } from './world.ts'

/** What a test says of an ad; the rest is made up. */
export interface PlayedAd {
  archiveId?: string
  platform?: 'meta' | 'tiktok'
  title?: string | null
  text?: string | null
  callToAction?: string | null
  callToActionText?: string | null
  media?: object[]
  /** In place of the one that the fields above describe. */
  creatives?: object[]
  format?: string
}

/** Brings ads in, as an operator does with files of our own shape. */
export function adsOnFile(world: World) {
  const folder = openFolder()
  let files = 0
  return {
    async import(...ads: PlayedAd[]): Promise<void> {
      const lines = ads.map(({ archiveId, platform = 'meta', creatives, format, ...creative }) => ({
        platform,
        archiveId,
        advertiser: { id: '5001', name: 'Tidepool Habits' },
        creatives: creatives ?? [{ title: 'Small tides', text: 'Every day counts.', media: [], ...creative }],
        startedOn: '2026-02-20',
        active: true,
        countries: ['us'],
        observedAt: '2026-03-01T06:00:00Z',
        ...(format ? { format } : {}),
      }))
      const path = folder.write(
        `played-${++files}.ndjson`,
        lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      )
      const { stored, rejected } = await world.import({ kind: 'paid-ads', paths: [path] })
      if (rejected > 0 || stored === 0) throw new Error(`${stored} ads stored, ${rejected} rejected`)
    },
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
}
