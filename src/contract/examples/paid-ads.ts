import type { Example } from '../operation.ts'
import { paidAdImportExamples } from './paid-ad-imports.ts'
import {
  absent,
  ad,
  coverage,
  measured,
  mediaId,
  notMeasured,
  paidAd,
  queued,
  savedMark,
} from './paid-ad-record.ts'

const done = {
  workId: '01958b45-9220-7d41-8a6e-3f5b20c9147d',
  status: 'succeeded',
  progress: { done: 1, total: 1, unit: 'ads' },
  attempts: 1,
  lastError: null,
  createdAt: '2026-03-12T10:31:00Z',
  startedAt: '2026-03-12T10:31:01Z',
  finishedAt: '2026-03-12T10:31:09Z',
}

const transcript = {
  ...done,
  languageHint: 'en',
  result: {
    outcome: 'available',
    provider: { name: 'studio-whisper', version: 'whisper-large-v3' },
    mediaId,
    madeAt: '2026-03-12T10:31:09Z',
    language: 'en',
    text: 'I missed one day and gave up. Then I found an app that lets you miss one.',
    segments: [
      { startSeconds: 0.2, endSeconds: 2.9, text: 'I missed one day and gave up.', confidence: 0.94 },
      {
        startSeconds: 3.1,
        endSeconds: 6.4,
        text: 'Then I found an app that lets you miss one.',
        confidence: 0.91,
      },
    ],
  },
}

const analysis = {
  ...done,
  workId: '01958b46-7c80-7f2a-b1d3-86e40a57c95f',
  createdAt: '2026-03-12T10:32:00Z',
  startedAt: '2026-03-12T10:32:01Z',
  finishedAt: '2026-03-12T10:32:05Z',
  result: {
    madeAt: '2026-03-12T10:32:05Z',
    factsBy: { name: 'local', version: '1' },
    facts: {
      format: measured('video'),
      durationSeconds: measured(14.8),
      width: measured(1080),
      height: measured(1920),
      aspectRatio: measured('9:16'),
      colours: measured(['#0f3b57', '#f2e8d5', '#e8735a']),
      sceneCount: measured(5),
      textWords: measured(15),
      spokenWords: measured(17),
      readingGrade: measured(2.1),
      language: measured('en'),
      questionCount: measured(1),
      emoji: absent,
    },
    readingBy: { name: 'local', version: '1' },
    reading: {
      hook: {
        state: 'read',
        statement: 'I missed one day and gave up.',
        quotes: [{ text: 'I missed one day and gave up.', foundIn: 'transcript', startSeconds: 0.2 }],
      },
      angle: notMeasured('not-configured'),
      offer: {
        state: 'read',
        statement: 'Free trial of 7 days.',
        quotes: [{ text: 'Try 7 days free.', foundIn: 'body', startSeconds: null }],
      },
      callToAction: {
        state: 'read',
        statement: 'Install the app.',
        quotes: [{ text: 'Install now', foundIn: 'call-to-action', startSeconds: null }],
      },
      urgency: { state: 'absent' },
      audience: notMeasured('not-configured'),
      claims: notMeasured('not-configured'),
    },
    evidence: [
      {
        source: 'derived',
        origin: 'collected',
        surface: 'Local analyser',
        country: null,
        observedAt: '2026-03-12T10:32:05Z',
        timeBasis: 'clock',
        readingId: '01958b48-3a90-7e5c-a7d1-8b2f6c4e0d93',
      },
    ],
  },
}

const savedAd = { ...savedMark, ad: { ...paidAd, saved: savedMark } }

export const paidAdExamples = {
  search_paid_ads: {
    query: {
      q: 'free trial habit',
      platform: 'meta',
      competitor: ['6449912345'],
      active: true,
      format: ['video'],
      minDaysRunning: 14,
      sort: 'longest-running',
      limit: 10,
    },
    reply: {
      items: [paidAd],
      total: { value: 1, relation: 'exact' },
      nextCursor: null,
      coverage: [coverage],
    },
  },
  get_paid_ad: {
    params: ad,
    reply: { ...paidAd, transcript, analysis, coverage },
  },
  generate_paid_ad_transcript: {
    params: ad,
    body: { language: 'en' },
    reply: { ...queued, languageHint: 'en', result: null },
  },
  analyze_paid_ad_creative: {
    params: ad,
    body: { force: true },
    reply: { ...queued, result: analysis.result },
  },
  save_paid_ad: {
    params: ad,
    body: { tags: ['ugc', 'trial'] },
    reply: savedAd,
  },
  remove_saved_paid_ad: {
    params: ad,
  },
  ...paidAdImportExamples,
} satisfies Record<string, Example>
