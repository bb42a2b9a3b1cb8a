import type { Example } from '../operation.ts'
import { duskwell, mothlight, outside, pillowfort, ranked, topFree, topFreeFeed } from './sleep-apps.ts'

const captured = (observedAt: string) => ({ observedAt, source: 0 })
const { observedAt: _at, readingId: _reading, ...feed } = topFreeFeed

export const chartExamples = {
  get_apple_charts: {
    query: { country: 'us', chart: 'top-free', categoryId: '6013', device: 'iphone', limit: 3 },
    reply: {
      ...topFree,
      date: '2026-10-14',
      capturedAt: topFreeFeed.observedAt,
      previousCapturedAt: '2026-10-12T22:05:18Z',
      bound: 200,
      requested: 200,
      returned: 100,
      evidence: topFreeFeed,
      previousEvidence: {
        ...topFreeFeed,
        observedAt: '2026-10-12T22:05:18Z',
        readingId: '01a13227-28d8-7b05-8e6a-91c3d7f2640e',
      },
      items: [
        { rank: 1, app: mothlight, previousRank: ranked(1), change: 0, entry: 'same' },
        { rank: 2, app: duskwell, previousRank: ranked(4), change: 2, entry: 'up' },
        { rank: 3, app: pillowfort, previousRank: outside, change: null, entry: 'new' },
      ],
      trouble: [],
    },
  },
  get_apple_chart_history: {
    params: { storeId: duskwell.storeId },
    query: { country: 'us', chart: 'top-free', from: '2026-10-10', to: '2026-10-14' },
    reply: {
      app: duskwell,
      country: 'us',
      alsoIn: ['gb'],
      from: '2026-10-10',
      to: '2026-10-14',
      charts: [
        {
          ...topFree,
          best: { rank: 2, date: '2026-10-14', ...captured('2026-10-14T12:05:20Z') },
          current: ranked(2),
          daysInChart: 3,
          daysOutside: 1,
          daysWithoutSnapshot: 1,
          // Two captures on 12 October.
          snapshots: 5,
          evidence: topFreeFeed,
          series: [
            { date: '2026-10-10', rank: outside, ...captured('2026-10-10T12:05:09Z') },
            { date: '2026-10-11', rank: ranked(9), ...captured('2026-10-11T12:05:14Z') },
            { date: '2026-10-12', rank: ranked(4), ...captured('2026-10-12T22:05:18Z') },
            {
              date: '2026-10-13',
              rank: { state: 'not-measured', reason: 'no-snapshot' },
              observedAt: null,
              source: null,
            },
            { date: '2026-10-14', rank: ranked(2), ...captured('2026-10-14T12:05:20Z') },
          ],
        },
      ],
      sources: [feed],
      coverage: { chartsObserved: 2, chartsWithApp: 1 },
      trouble: [
        {
          source: 'apple-rss-legacy',
          surface: 'Apple RSS feed with genre',
          country: 'us',
          kind: 'throttled',
          since: '2026-10-14T22:40:03Z',
          text: 'Apple RSS feed with genre (us) is throttling us since 2026-10-14T22:40Z: apple-rss-legacy (us): answers 429: asked too often, asks to wait 600 s. What is shown was stored before.',
        },
      ],
    },
  },
} as const satisfies Record<string, Example>
