import type { Example } from '../operation.ts'

const evidence = [
  {
    source: 'derived',
    origin: 'collected',
    surface: 'Language detection',
    country: null,
    observedAt: '2026-03-10T08:00:04Z',
    timeBasis: 'clock',
    readingId: '0195806f-49a0-7b15-9c40-2f6a8e3d7b12',
  },
  {
    source: 'organic-file',
    origin: 'imported',
    surface: 'TikTok collector file',
    country: null,
    observedAt: '2026-03-10T08:00:00Z',
    timeBasis: 'payload',
    readingId: '0195806f-3a00-7c41-8d2e-5b7f0a1c9e31',
  },
]

const earlier = {
  source: 'organic-file',
  origin: 'imported',
  surface: 'TikTok collector file',
  country: null,
  observedAt: '2026-03-03T08:00:00Z',
  timeBasis: 'payload',
  readingId: '01955c62-c200-7e08-a1b4-7d90c2e5f344',
}

const notCarried = { state: 'not-measured', reason: 'not-carried' }
const absent = { state: 'absent', evidence: 1 }
const measured = (value: unknown) => ({ state: 'measured', value, evidence: 1 })

const newest = {
  observedAt: '2026-03-10T08:00:00Z',
  views: measured(184200),
  likes: measured(15310),
  comments: measured(412),
  shares: measured(1960),
  saves: { state: 'not-measured', reason: 'hidden-upstream' },
}

const savedMark = {
  savedAt: '2026-03-11T09:12:00Z',
  note: 'Opens with the failure, not the app.',
  tags: ['hook'],
}

const post = {
  postId: 'tiktok_7478123456789012345',
  network: 'tiktok',
  url: 'https://www.example.com/@mossandminutes/video/7478123456789012345',
  author: {
    handle: 'mossandminutes',
    name: measured('Moss & Minutes'),
    profileUrl: measured('https://www.example.com/@mossandminutes'),
    followers: measured(20400),
    medianViews: { state: 'measured', value: 9210, formula: 'median-views/1' },
    postsMeasured: 38,
  },
  community: notCarried,
  title: notCarried,
  text: measured(
    'I broke a 40 day streak so you don’t have to. Tidepool Habits: https://apps.apple.com/us/app/id6449912345 #habits #morningroutine',
  ),
  linkUrl: absent,
  language: { state: 'measured', value: 'en', evidence: 0 },
  hashtags: measured(['habits', 'morningroutine']),
  publishedAt: measured('2026-03-01T17:41:09Z'),
  mediaType: measured('video'),
  mediaStatus: { status: 'not-kept', reason: 'Media of posts are copied once a post is saved.' },
  media: [
    {
      mediaId: '7c1d806f-3a01-5a52-8f10-6c4d9b2e7a05',
      kind: 'video',
      position: 1,
      sourceUrl: 'https://media.example.com/v/7478123456789012345.mp4',
      width: measured(576),
      height: measured(1024),
      durationSeconds: measured(21.4),
      kept: {
        status: 'not-kept',
        reason: 'Media of posts are copied once a post is saved.',
        checkedAt: null,
      },
    },
  ],
  metrics: newest,
  engagementRate: { state: 'measured', value: 0.096, formula: 'engagement-rate/1' },
  outlierScore: { state: 'measured', value: 20, formula: 'outlier-score/1' },
  firstObservedAt: '2026-03-03T08:00:00Z',
  lastObservedAt: '2026-03-10T08:00:00Z',
  observationCount: 2,
  links: [
    {
      app: {
        platform: 'ios',
        storeId: '6449912345',
        name: 'Tidepool Habits',
        developer: 'Example Tidepool Ltd',
        iconUrl: 'https://media.example.com/tidepool/icon.png',
        namedIn: 'us',
        catalogued: true,
      },
      grounds: [
        {
          kind: 'store-url',
          text: 'https://apps.apple.com/us/app/id6449912345',
          foundIn: 'text',
          evidence: 1,
        },
      ],
      linkedAt: '2026-03-03T08:00:02Z',
    },
  ],
  saved: null,
  evidence,
}

/** Saving queues copies of the media. */
const savedPost = {
  ...savedMark,
  post: {
    ...post,
    mediaStatus: { status: 'pending', reason: null },
    media: post.media.map((item) => ({
      ...item,
      kept: { status: 'pending', reason: null, checkedAt: null },
    })),
    saved: savedMark,
  },
}

export const organicExamples = {
  search_organic_content: {
    query: {
      q: 'streak',
      network: ['tiktok', 'youtube'],
      competitor: ['6449912345'],
      publishedFrom: '2026-02-01',
      sort: 'outlier',
      limit: 10,
    },
    reply: { items: [post], total: { value: 1, relation: 'exact' }, nextCursor: null },
  },
  get_organic_content: {
    params: { postId: 'tiktok_7478123456789012345' },
    reply: {
      ...post,
      evidence: [...evidence, earlier],
      metricsHistory: [
        {
          observedAt: '2026-03-03T08:00:00Z',
          views: { state: 'measured', value: 61800, evidence: 2 },
          likes: { state: 'measured', value: 5120, evidence: 2 },
          comments: { state: 'measured', value: 139, evidence: 2 },
          shares: { state: 'measured', value: 602, evidence: 2 },
          saves: { state: 'not-measured', reason: 'hidden-upstream' },
        },
        newest,
      ],
    },
  },
  list_saved_organic_content: {
    query: { tag: ['hook'], limit: 25 },
    reply: { items: [savedPost], nextCursor: null },
  },
  save_organic_content: {
    params: { postId: 'tiktok_7478123456789012345' },
    body: { note: 'Opens with the failure, not the app.', tags: ['hook'] },
    reply: savedPost,
  },
  remove_saved_organic_content: {
    params: { postId: 'tiktok_7478123456789012345' },
  },
} satisfies Record<string, Example>
