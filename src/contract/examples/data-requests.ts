import type { Example } from '../operation.ts'
import { duskwell } from './sleep-apps.ts'

export const asoRequest = {
  requestId: '01a12152-4450-7d42-ba5e-f11114ea82ae',
  platform: 'ios',
  storeId: duskwell.storeId,
  country: 'us',
  kind: 'aso',
  status: 'open',
  demand: 2,
  firstRequestedAt: '2026-10-09T15:40:02Z',
  lastRequestedAt: '2026-10-14T09:12:47Z',
  closedAt: null,
  note: 'Which keywords brought it into the top ten?',
  dismissalReason: null,
} as const

/** It was asked for the day before the app came into the catalogue. */
const mediaRequest = {
  ...asoRequest,
  requestId: '01a05c6b-cda0-75fe-92fd-a176da51427a',
  kind: 'media',
  status: 'fulfilled',
  demand: 1,
  firstRequestedAt: '2026-09-01T10:02:44Z',
  lastRequestedAt: '2026-09-01T10:02:44Z',
  closedAt: '2026-09-02T06:00:12Z',
  note: null,
}

const recordRequest = {
  ...asoRequest,
  requestId: '01a13a84-2060-7546-888e-ccbeae36687c',
  storeId: '9000000009',
  kind: 'record',
  demand: 1,
  firstRequestedAt: '2026-10-14T13:05:00Z',
  lastRequestedAt: '2026-10-14T13:05:00Z',
  note: 'Named by users who leave us.',
}

const intake = {
  intakeId: '01a06185-84c8-7f30-9b41-5d28c0e7a613',
  app: duskwell.storeId,
  storeId: duskwell.storeId,
  country: 'us',
  workId: '01a06185-84c8-7f30-9b41-5d28c0e7a613',
  status: 'succeeded',
  progress: { done: 1, total: 1, unit: 'apps' },
  attempts: 1,
  lastError: null,
  createdAt: '2026-09-02T09:50:11Z',
  startedAt: '2026-09-02T09:50:12Z',
  finishedAt: '2026-09-02T09:50:14Z',
  failure: null,
}

export const dataRequestExamples = {
  list_competitor_data_requests: {
    params: { platform: 'ios', storeId: duskwell.storeId },
    query: { limit: 25 },
    reply: { items: [asoRequest, mediaRequest], nextCursor: null, intakes: [intake] },
  },
  request_competitor_data: {
    params: { platform: 'ios', storeId: '9000000009' },
    body: { kinds: ['record', 'charts'], country: 'us', note: 'Named by users who leave us.' },
    reply: {
      items: [
        recordRequest,
        { ...recordRequest, requestId: '01a13a84-2060-7934-82a3-7fd495f7e13a', kind: 'charts' },
      ],
    },
  },
} as const satisfies Record<string, Example>
