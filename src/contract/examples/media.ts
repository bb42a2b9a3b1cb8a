import type { Example } from '../operation.ts'
import { duskwell, lookup, storePage } from './sleep-apps.ts'

const picture = (name: string) => `https://sample.invalid/${duskwell.storeId}/${name}/1290x2796.png`

/** The first screenshot was replaced with version 4.2.0. */
export const firstScreenshot = { now: picture('rain-on-glass'), before: picture('starry-night') }
export const secondScreenshot = picture('sleep-timer')

export const firstObservedAt = '2026-09-02T06:00:12Z'
/** The last observation of version 4.1.3 and the first of 4.2.0. */
export const update = { lastBefore: '2026-10-11T12:20:08Z', firstAfter: '2026-10-12T12:20:09Z' }

const screenshot = {
  kind: 'screenshot',
  device: 'iphone',
  width: 1290,
  height: 2796,
  firstSeenAt: firstObservedAt,
  lastSeenAt: lookup.observedAt,
  current: true,
} as const

const looked = (evidence: typeof lookup, state: 'measured' | 'absent', kind: string, device: string) => ({
  kind,
  device,
  state,
  sources: [evidence.source],
  lastLookedAt: evidence.observedAt,
})

const iconHash = '3c8e0a57d1f64b92a7350e6c18d9b24f70a1e5c3962d8b4f17c0a6e359d2b841'

export const duskwellMedia = [
  {
    ...screenshot,
    kind: 'icon',
    device: 'any',
    position: 1,
    url: duskwell.iconUrl,
    width: 512,
    height: 512,
    kept: {
      status: 'stored',
      url: `/media/${iconHash}`,
      contentType: 'image/png',
      sizeBytes: 48212,
      sha256: iconHash,
      storedAt: '2026-09-02T06:00:15Z',
    },
  },
  {
    ...screenshot,
    position: 1,
    url: firstScreenshot.now,
    firstSeenAt: update.firstAfter,
    kept: { status: 'pending', reason: null, checkedAt: null },
  },
  {
    ...screenshot,
    position: 2,
    url: secondScreenshot,
    kept: { status: 'not-kept', reason: 'Nobody asked for a copy.', checkedAt: null },
  },
  {
    ...screenshot,
    position: 1,
    url: firstScreenshot.before,
    lastSeenAt: update.lastBefore,
    current: false,
    kept: {
      status: 'removed-upstream',
      reason: 'The address answered 404 before a copy was made.',
      checkedAt: '2026-10-12T12:20:14Z',
    },
  },
]

export const mediaExamples = {
  get_competitor_media: {
    params: { platform: 'ios', storeId: duskwell.storeId },
    query: { country: 'us' },
    reply: {
      app: duskwell,
      country: 'us',
      alsoIn: ['gb'],
      items: duskwellMedia,
      changes: [
        {
          at: update.firstAfter,
          kind: 'screenshot',
          device: 'iphone',
          comparison: 'not-compared',
          added: [firstScreenshot.now],
          removed: [firstScreenshot.before],
          reordered: false,
        },
      ],
      coverage: [
        looked(lookup, 'measured', 'icon', 'any'),
        looked(lookup, 'measured', 'screenshot', 'iphone'),
        looked(lookup, 'absent', 'screenshot', 'ipad'),
        looked(lookup, 'absent', 'screenshot', 'tv'),
        looked(storePage, 'absent', 'preview', 'iphone'),
        looked(storePage, 'absent', 'preview', 'ipad'),
        { kind: 'preview', device: 'tv', state: 'not-measured', sources: [], lastLookedAt: null },
      ],
      evidence: [lookup, storePage],
    },
  },
} as const satisfies Record<string, Example>
