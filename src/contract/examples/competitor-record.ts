import type { Example } from '../operation.ts'
import { asoRequest } from './data-requests.ts'
import { finishedRefresh, newestDownloads } from './estimates.ts'
import { duskwellMedia, firstObservedAt, firstScreenshot, secondScreenshot, update } from './media.ts'
import {
  absent,
  duskwell,
  duskwellSummary,
  health,
  lookup,
  measured,
  notCollected,
  outside,
  ranked,
  storePage,
  topFree,
  topFreeFeed,
} from './sleep-apps.ts'

const postFile = {
  source: 'organic-file',
  origin: 'imported',
  surface: 'TikTok collector file',
  country: null,
  observedAt: '2026-10-05T08:00:00Z',
  timeBasis: 'payload',
  readingId: '01a10b13-a800-7ac1-bdd0-efc5c76aec7e',
}
const estimate = {
  source: 'derived',
  origin: 'collected',
  surface: 'Estimate model',
  country: 'us',
  observedAt: finishedRefresh.finishedAt,
  timeBasis: 'clock',
  readingId: '01a13a64-24e0-703b-89b3-aa7201235ef4',
}
const topGrossingFeed = {
  ...topFreeFeed,
  observedAt: '2026-10-14T12:05:24Z',
  readingId: '01a13a4d-8fa0-7b3e-9d15-6f02c8a4e713',
}

const sinceUpdate = { firstSeenAt: update.firstAfter, lastSeenAt: lookup.observedAt, current: true }
const beforeUpdate = { firstSeenAt: firstObservedAt, lastSeenAt: update.lastBefore, current: false }

const fresh = (part: string, evidence: typeof topFreeFeed | typeof postFile) => ({
  part,
  state: 'measured',
  evidence,
})

const { namedIn: _namedIn, ...duskwellListing } = duskwellSummary

const record = {
  ...duskwellListing,
  subtitle: measured('Rain, wind and a slow dusk', 1),
  seller: measured('Fenwick Hollow Apps Ltd'),
  sellerUrl: absent(),
  description: measured(
    'Fall asleep to rain, wind and a dusk that dims your screen.\n\n• 40 white noise sounds\n• A timer that fades out',
  ),
  releaseNotes: measured('Rain on glass joins the sounds.'),
  version: measured('4.2.0'),
  categories: measured([health, { categoryId: '6012', name: 'Lifestyle' }]),
  ratingCurrentVersion: measured(4.72),
  ratingCountCurrentVersion: measured(18340),
  sizeBytes: measured(148635648),
  languages: measured(['de', 'en']),
  minimumOsVersion: measured('17.0'),
  contentRating: measured('4+'),
  inAppPurchases: measured(
    [
      { name: 'Duskwell Plus, a month', price: '$4.99' },
      { name: 'Duskwell Plus, a year', price: '$29.99' },
    ],
    1,
  ),
  compatibility: measured([{ device: 'iPhone', requirement: 'Requires iOS 17.0 or later.' }], 1),
  languagesShown: measured('English, German', 1),
  sizeShown: measured('148.6 MB', 1),
  copyright: measured('© 2026 Fenwick Hollow Apps Ltd', 1),
  evidence: [lookup, storePage],
  alsoIn: ['gb'],
  firstObservedAt,
  lastObservedAt: lookup.observedAt,
  listingHistory: [
    {
      field: 'screenshots-iphone',
      value: `${firstScreenshot.now}\n${secondScreenshot}`,
      ...sinceUpdate,
      comparison: 'not-compared',
    },
    { field: 'version', value: '4.2.0', ...sinceUpdate, comparison: 'changed' },
    {
      field: 'screenshots-iphone',
      value: `${firstScreenshot.before}\n${secondScreenshot}`,
      ...beforeUpdate,
      comparison: null,
    },
    { field: 'version', value: '4.1.3', ...beforeUpdate, comparison: null },
  ],
  chartPositions: [
    { ...topFree, rank: ranked(2), evidence: topFreeFeed },
    { ...topFree, chart: 'top-grossing', rank: outside, evidence: topGrossingFeed },
  ],
  estimates: {
    date: '2026-10-14',
    downloads: newestDownloads,
    revenue: { state: 'not-measured', reason: 'outside-valid-range' },
  },
  counts: {
    posts: { state: 'measured', value: 3 },
    paidAds: { state: 'measured', value: 0 },
    keywords: notCollected,
    media: { state: 'measured', value: duskwellMedia.length },
  },
  openDataRequests: [asoRequest],
  trouble: [],
  freshness: [
    fresh('record', lookup),
    fresh('similar', storePage),
    fresh('organic', postFile),
    { part: 'aso', ...notCollected },
    fresh('estimates', estimate),
    fresh('media', lookup),
    fresh('charts', topFreeFeed),
  ],
}

export const competitorRecordExamples = {
  get_competitor: {
    params: { platform: 'ios', storeId: duskwell.storeId },
    query: { country: 'us' },
    reply: record,
  },
} as const satisfies Record<string, Example>
