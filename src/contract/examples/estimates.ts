import type { Example } from '../operation.ts'
import { duskwell, topFreeFeed } from './sleep-apps.ts'

const estimated = (low: number, mid: number, high: number, version: string) => ({
  state: 'measured',
  low,
  mid,
  high,
  currency: null,
  method: 'chart-rank',
  version,
  validRanks: { from: 1, to: 12 },
})
const inputs = (rank: number) => [
  { name: 'rank', value: rank },
  { name: 'chart', value: 'us top-free 6013 iphone' },
]
const captured = (observedAt: string) => ({ observedAt, source: 0 })
const { observedAt: _at, readingId: _reading, ...feed } = topFreeFeed
const published = 'chart-rank/1'
const calibrated = 'chart-rank/1 (cal-3)'

export const newestDownloads = estimated(1690, 2280, 3070, calibrated)

const refresh = {
  workId: '01a13a64-1540-7a3f-8b52-d91e06c74f28',
  status: 'queued',
  progress: null,
  attempts: 0,
  lastError: null,
  createdAt: '2026-10-14T12:30:00Z',
  startedAt: null,
  finishedAt: null,
} as const

export const finishedRefresh = {
  ...refresh,
  status: 'succeeded',
  progress: { done: 5, total: 5, unit: 'days' },
  attempts: 1,
  startedAt: '2026-10-14T12:30:01Z',
  finishedAt: '2026-10-14T12:30:04Z',
}

const downloads = {
  metric: 'downloads',
  method: 'chart-rank',
  validRanks: { from: 1, to: 12 },
} as const

/** The days are those of the chart history example. */
export const estimateExamples = {
  get_competitor_estimate_history: {
    params: { platform: 'ios', storeId: duskwell.storeId },
    query: { country: 'us', from: '2026-10-10', to: '2026-10-14', metric: 'downloads' },
    reply: {
      app: duskwell,
      country: 'us',
      alsoIn: ['gb'],
      from: '2026-10-10',
      to: '2026-10-14',
      points: [
        {
          date: '2026-10-10',
          metric: 'downloads',
          estimate: { state: 'not-measured', reason: 'outside-valid-range' },
          inputs: [{ name: 'chart', value: 'us top-free 6013 iphone' }],
          ...captured('2026-10-10T12:05:09Z'),
        },
        {
          date: '2026-10-11',
          metric: 'downloads',
          estimate: estimated(400, 800, 1600, published),
          inputs: inputs(9),
          ...captured('2026-10-11T12:05:14Z'),
        },
        {
          date: '2026-10-12',
          metric: 'downloads',
          estimate: estimated(935, 1260, 1700, calibrated),
          inputs: inputs(4),
          ...captured('2026-10-12T22:05:18Z'),
        },
        {
          date: '2026-10-13',
          metric: 'downloads',
          estimate: { state: 'not-measured', reason: 'no-snapshot' },
          inputs: [],
          observedAt: null,
          source: null,
        },
        {
          date: '2026-10-14',
          metric: 'downloads',
          estimate: newestDownloads,
          inputs: inputs(2),
          ...captured('2026-10-14T12:05:20Z'),
        },
      ],
      sources: [feed],
      models: [
        {
          ...downloads,
          version: calibrated,
          from: '2026-10-12',
          to: '2026-10-14',
          shownDays: 2,
          calibration: {
            calibratedAt: '2026-10-12T08:30:00Z',
            country: 'us',
            chart: 'us top-free 6013 iphone',
            points: 42,
            heldOut: 14,
            medianErrorBefore: 0.61,
            medianErrorAfter: 0.22,
          },
        },
        {
          ...downloads,
          version: published,
          from: '2026-10-11',
          to: '2026-10-12',
          shownDays: 1,
          calibration: null,
        },
      ],
      refresh: finishedRefresh,
      trouble: [],
    },
  },
  refresh_competitor_estimates: {
    params: { platform: 'ios', storeId: duskwell.storeId },
    body: { country: 'us' },
    reply: refresh,
  },
} as const satisfies Record<string, Example>
