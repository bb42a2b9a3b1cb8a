import type { Example } from '../operation.ts'

const evidence = [
  {
    source: 'paid-ads-file',
    origin: 'imported',
    surface: 'Meta Ad Library web answer',
    country: null,
    observedAt: '2026-03-12T06:00:00Z',
    timeBasis: 'payload',
    readingId: '01958a4e-f200-7d63-b0a9-4e1c7f5d2a80',
  },
  {
    source: 'meta-ad-library',
    origin: 'collected',
    surface: 'Meta Graph API ads_archive',
    country: null,
    observedAt: '2026-03-05T06:00:00Z',
    timeBasis: 'clock',
    readingId: '01956641-be80-7a17-8c55-93d0e6b4f721',
  },
]

const measured = (value: unknown, index = 0) => ({ state: 'measured', value, evidence: index })
const absent = { state: 'absent', evidence: 0 }
const notMeasured = (reason: string) => ({ state: 'not-measured', reason })

const ad = { platform: 'meta', archiveId: '1127384950617284' }

const app = {
  platform: 'ios',
  storeId: '6449912345',
  name: 'Tidepool Habits',
  developer: 'Example Tidepool Ltd',
  iconUrl: 'https://media.example.com/tidepool/icon.png',
  catalogued: true,
}

const mediaId = '01958a4e-f201-7f24-9a3b-1d8e5c0b7f46'
const savedMark = { savedAt: '2026-03-12T10:30:00Z', note: null, tags: ['ugc', 'trial'] }

const paidAd = {
  ...ad,
  libraryUrl: 'https://www.facebook.com/ads/library/?id=1127384950617284',
  advertiser: {
    advertiserId: '104829173650281',
    name: measured('Tidepool Habits'),
    profileUrl: measured('https://www.example.com/tidepoolhabits'),
    paidBy: measured(['Example Tidepool Ltd'], 1),
    beneficiaries: measured(['Example Tidepool Ltd'], 1),
  },
  format: measured('video'),
  language: measured('en', 1),
  active: measured(true),
  deliveryStartedOn: measured('2026-02-20'),
  deliveryEndedOn: absent,
  reachText: measured('48213', 1),
  daysRunning: { state: 'measured', value: 21, formula: 'delivery-days/1' },
  countries: measured(['de', 'fr', 'ie'], 1),
  publisherPlatforms: measured(['facebook', 'instagram']),
  creatives: [
    {
      creativeId: '01956641-be81-7c90-8b62-5f3a9d1e4c07',
      position: 1,
      title: measured('Small tides, every day'),
      body: measured('Missed a day again? Tidepool forgives it. Try 7 days free.'),
      description: absent,
      displayLink: measured('apps.apple.com'),
      linkUrl: measured('https://apps.apple.com/us/app/id6449912345'),
      callToAction: measured('install-now'),
      callToActionText: measured('Install now'),
      mediaStatus: { status: 'stored', reason: null },
      media: [
        {
          mediaId,
          kind: 'video',
          position: 1,
          sourceUrl: 'https://media.example.com/ads/1127384950617284.mp4',
          width: measured(1080),
          height: measured(1920),
          durationSeconds: measured(14.8),
          kept: {
            status: 'stored',
            url: '/media/9f2b7c1d4e8a6035b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728',
            contentType: 'video/mp4',
            sizeBytes: 2841936,
            sha256: '9f2b7c1d4e8a6035b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728',
            storedAt: '2026-03-12T06:02:10Z',
          },
        },
      ],
      current: true,
      firstObservedAt: '2026-03-05T06:00:00Z',
      lastObservedAt: '2026-03-12T06:00:00Z',
    },
  ],
  observationCount: 2,
  firstObservedAt: '2026-03-05T06:00:00Z',
  lastObservedAt: '2026-03-12T06:00:00Z',
  observations: [
    {
      observedAt: '2026-03-12T06:00:00Z',
      active: measured(true),
      deliveryEndedOn: absent,
      reachText: notMeasured('not-carried'),
    },
    {
      observedAt: '2026-03-05T06:00:00Z',
      active: measured(true, 1),
      deliveryEndedOn: { state: 'absent', evidence: 1 },
      reachText: measured('48213', 1),
    },
  ],
  links: [
    {
      app,
      grounds: [
        {
          kind: 'landing-url',
          text: 'https://apps.apple.com/us/app/id6449912345',
          foundIn: 'link',
          evidence: 0,
        },
      ],
      linkedAt: '2026-03-12T06:00:03Z',
    },
  ],
  transcriptState: 'available',
  analysisState: 'available',
  saved: null,
  evidence,
}

const coverage = {
  platform: 'meta',
  newestObservationAt: '2026-03-12T06:00:00Z',
  notes: [
    {
      code: 'region-limited',
      message:
        'Outside the EU and the United Kingdom the Meta Ad Library API shows only ads about social issues, elections or politics.',
      since: null,
    },
  ],
}

const done = {
  status: 'succeeded',
  progress: { done: 1, total: 1, unit: 'ads' },
  attempts: 1,
  lastError: null,
  createdAt: '2026-03-12T10:31:00Z',
  startedAt: '2026-03-12T10:31:01Z',
  finishedAt: '2026-03-12T10:31:09Z',
}

const queued = {
  status: 'queued',
  progress: null,
  attempts: 0,
  lastError: null,
  createdAt: '2026-03-12T10:31:00Z',
  startedAt: null,
  finishedAt: null,
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
  status: 'partial',
  progress: { done: 75, total: null, unit: 'ads' },
  attempts: 3,
  lastError: {
    at: '2026-03-12T11:04:00Z',
    code: 'upstream-failed',
    message: 'The Meta Ad Library answered 500 three times for page 4.',
  },
  createdAt: '2026-03-12T11:00:00Z',
  startedAt: '2026-03-12T11:00:01Z',
  finishedAt: '2026-03-12T11:04:00Z',
  counts: { read: 75, stored: 61, updated: 4, unchanged: 9, rejected: 1 },
  rejections,
  upstream: { requests: 6, pages: 3, position: 'failed', resumesAt: null, resumable: true },
  coverage,
}

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
