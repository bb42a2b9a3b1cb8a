import type { Example } from '../operation.ts'
import { pillowfort, topFreeFeed, unnamed } from './sleep-apps.ts'

const queued = {
  status: 'queued',
  progress: null,
  attempts: 0,
  lastError: null,
  startedAt: null,
  finishedAt: null,
} as const

const run = {
  runId: '01a13a7f-8c80-7085-af80-a1f7f0652bdf',
  country: 'us',
  categoryId: '6013',
  windowDays: 14,
  limit: 25,
  workId: '01a13a7f-8c80-7085-af80-a1f7f0652bdf',
  ...queued,
  createdAt: '2026-10-14T13:00:00Z',
  examined: 0,
  found: 0,
  takenIn: 0,
}

const finishedRun = {
  ...run,
  status: 'succeeded',
  progress: { done: 128, total: 128, unit: 'apps' },
  attempts: 1,
  startedAt: '2026-10-14T13:00:01Z',
  finishedAt: '2026-10-14T13:00:09Z',
  examined: 128,
  found: 2,
  takenIn: 1,
}

const chartFile = {
  source: 'chart-file',
  origin: 'imported',
  surface: 'chart file',
  country: 'us',
  observedAt: '2026-10-13T16:00:00Z',
  timeBasis: 'payload',
  readingId: '01a135fd-fc00-704d-8a61-e6301834c524',
}

const candidate = { country: 'us', discoveredAt: finishedRun.finishedAt }

export const intakeExamples = {
  request_ios_competitor: {
    body: { app: 'example.larkandloam.tidesong', country: 'us' },
    reply: {
      intakeId: '01a13a91-dc00-700f-a0a8-62e5b996de57',
      app: 'example.larkandloam.tidesong',
      storeId: null,
      country: 'us',
      workId: '01a13a91-dc00-700f-a0a8-62e5b996de57',
      ...queued,
      createdAt: '2026-10-14T13:20:00Z',
      failure: null,
    },
  },
  discover_emerging_ios_competitors: {
    body: { country: 'us', categoryId: '6013', windowDays: 14, limit: 25 },
    reply: run,
  },
  list_emerging_ios_competitors: {
    query: { country: 'us', categoryId: '6013', since: '2026-10-01', limit: 25 },
    reply: {
      items: [
        {
          ...candidate,
          app: pillowfort,
          score: 81,
          reasons: [
            {
              kind: 'new-entry',
              detail: 'entered the top 10 of Top Free Health & Fitness in 5 days',
              weight: 0.7,
            },
            { kind: 'young-app', detail: 'first released on 2026-09-28, rated 214 times since', weight: 0.3 },
          ],
          firstSeenAt: topFreeFeed.observedAt,
          intake: null,
          evidence: [topFreeFeed],
        },
        {
          ...candidate,
          app: unnamed,
          score: 46,
          reasons: [
            {
              kind: 'fast-climb',
              detail: 'climbed from 41 to 3 in Top Free Health & Fitness for iPad in 6 days',
              weight: 1,
            },
          ],
          firstSeenAt: '2026-10-07T16:00:00Z',
          intake: {
            intakeId: '01a13a7f-afa8-75d9-a0db-6c2ad8c19376',
            status: 'running',
            requestedAt: finishedRun.finishedAt,
          },
          evidence: [
            chartFile,
            {
              ...chartFile,
              observedAt: '2026-10-07T16:00:00Z',
              readingId: '01a11717-d400-7c21-8e4d-93b5f0a6d172',
            },
          ],
        },
      ],
      nextCursor: null,
      lastRun: finishedRun,
      trouble: [],
    },
  },
} as const satisfies Record<string, Example>
