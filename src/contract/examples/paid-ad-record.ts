export const evidence = [
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

export const measured = (value: unknown, index = 0) => ({ state: 'measured', value, evidence: index })
export const absent = { state: 'absent', evidence: 0 }
export const notMeasured = (reason: string) => ({ state: 'not-measured', reason })

export const ad = { platform: 'meta', archiveId: '1127384950617284' }

export const app = {
  platform: 'ios',
  storeId: '6449912345',
  name: 'Tidepool Habits',
  developer: 'Example Tidepool Ltd',
  iconUrl: 'https://media.example.com/tidepool/icon.png',
  namedIn: 'us',
  catalogued: true,
}

export const mediaId = 'b3e58a4e-f201-5f24-9a3b-1d8e5c0b7f46'
export const savedMark = { savedAt: '2026-03-12T10:30:00Z', note: null, tags: ['ugc', 'trial'] }

export const paidAd = {
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
      creativeId: 'e0956641-be81-5c90-8b62-5f3a9d1e4c07',
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

export const coverage = {
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

export const queued = {
  workId: '01958b45-9220-7d41-8a6e-3f5b20c9147d',
  status: 'queued',
  progress: null,
  attempts: 0,
  lastError: null,
  createdAt: '2026-03-12T10:31:00Z',
  startedAt: null,
  finishedAt: null,
}
