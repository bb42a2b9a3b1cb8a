import { openFolder } from './files.ts'
import type { World } from './world.ts'

/** The fields of an ad that matter to a test; the rest is filled in. */
export interface PlayedAd {
  archiveId?: string
  platform?: 'meta' | 'tiktok'
  title?: string | null
  text?: string | null
  callToAction?: string | null
  callToActionText?: string | null
  media?: object[]
  /** Replaces the creative that the fields above describe. */
  creatives?: object[]
  format?: string
}

/** Imports ads, as an operator does with files in Rivalscope's own format. */
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
