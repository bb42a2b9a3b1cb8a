import type { Example } from '../operation.ts'
import { app, coverage, evidence, queued } from './paid-ad-record.ts'

const runId = '01958b60-1c40-7b38-9e02-6d5a4f3c2b18'
const previewToken = 'pv1.Zm9yLWRvY3VtZW50YXRpb24.3q2-7w'

const askedFor = {
  platform: 'meta',
  origin: 'library',
  query: {
    advertiserIds: ['104829173650281'],
    countries: ['de', 'fr'],
    active: true,
    limit: 200,
  },
}

const rejections = [
  {
    position: 17,
    archiveId: '1098273645501928',
    reason: 'impossible-date',
    message: 'ad_delivery_start_time is "2026-02-30".',
  },
]

const partialRun = {
  runId,
  ...askedFor,
  workId: runId,
  status: 'partial',
  progress: { done: 75, total: null, unit: 'ads' },
  attempts: 3,
  lastError: {
    at: '2026-03-12T11:04:00Z',
    code: 'unavailable',
    message: 'meta-ad-library: out of order, answers 500',
  },
  createdAt: '2026-03-12T11:00:00Z',
  startedAt: '2026-03-12T11:00:01Z',
  finishedAt: '2026-03-12T11:04:00Z',
  counts: { read: 75, stored: 61, updated: 4, unchanged: 9, rejected: 1 },
  rejections,
  upstream: { requests: 6, pages: 3, position: 'failed', resumesAt: null, resumable: true },
  coverage,
}

export const paidAdImportExamples = {
  admin_search_paid_ad_advertisers: {
    query: { q: 'tidepool', country: 'de', limit: 10 },
    reply: {
      items: [
        {
          platform: 'meta',
          advertiserId: '104829173650281',
          name: 'Tidepool Habits',
          country: null,
          foundIn: ['stored'],
          storedAds: 65,
          newestObservationAt: '2026-03-12T06:00:00Z',
          linkedApps: [app],
          evidence: [evidence[0]],
        },
        {
          platform: 'tiktok',
          advertiserId: '7318264509182736455',
          name: 'Example Tidepool Ltd',
          country: 'de',
          foundIn: ['upstream'],
          storedAds: 0,
          newestObservationAt: null,
          linkedApps: [],
          evidence: [],
        },
      ],
      nextCursor: null,
      lookups: [
        {
          platform: 'meta',
          outcome: 'cannot-be-asked',
          found: null,
          message: 'The Meta Ad Library API has no search for advertisers.',
        },
        { platform: 'tiktok', outcome: 'answered', found: 1, message: null },
      ],
    },
  },
  admin_preview_paid_ads: {
    body: { platform: 'meta', ...askedFor.query },
    reply: {
      ...askedFor,
      matching: { value: 25, relation: 'at-least' },
      examined: { ads: 25, new: 20, known: 3, changed: 1, rejected: 1 },
      rejections,
      sample: [
        {
          archiveId: '1127384950617284',
          advertiserId: '104829173650281',
          advertiserName: 'Tidepool Habits',
          text: 'Small tides, every day. Missed a day again? Tidepool forgives it. Try 7 days free.',
          deliveryStartedOn: '2026-02-20',
          standing: 'changed',
          changes: ['creatives', 'reachText'],
        },
      ],
      requestsUsed: 1,
      requestsNeeded: { value: 2, relation: 'at-least' },
      coverage,
      previewToken,
      expiresAt: '2026-03-12T11:14:30Z',
    },
  },
  admin_import_paid_ads: {
    body: { previewToken },
    reply: {
      runId,
      ...askedFor,
      ...queued,
      workId: runId,
      createdAt: '2026-03-12T11:00:00Z',
      counts: { read: 0, stored: 0, updated: 0, unchanged: 0, rejected: 0 },
      rejections: [],
      upstream: { requests: 0, pages: 0, position: 'not-started', resumesAt: null, resumable: false },
      coverage,
    },
  },
  admin_get_paid_ad_import: {
    params: { runId },
    reply: partialRun,
  },
  admin_retry_paid_ad_import: {
    params: { runId },
    reply: { ...partialRun, status: 'queued', finishedAt: null },
  },
  admin_link_paid_ads: {
    body: {
      action: 'link',
      platform: 'meta',
      advertiserId: '104829173650281',
      competitor: '6449912345',
      note: 'Official page of the app.',
    },
    reply: {
      decisionId: '01958b71-8f20-7d04-b6c3-0a9e8d7c6b51',
      action: 'link',
      platform: 'meta',
      advertiserId: '104829173650281',
      archiveIds: [],
      app,
      note: 'Official page of the app.',
      appliesToFutureAds: true,
      storedAds: 65,
      decidedAt: '2026-03-12T11:20:00Z',
    },
  },
} satisfies Record<string, Example>
