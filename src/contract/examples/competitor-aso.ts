import {
  larkspur,
  measured,
  moved,
  newestPage,
  noSnapshot,
  notCollected,
  outside,
  ranked,
  score,
  searchedAt,
  searchPageOf,
} from './aso-shared.ts'

const lookups = {
  source: 'itunes-lookup',
  origin: 'collected',
  surface: 'iTunes Lookup API',
  country: 'us',
  timeBasis: 'clock',
} as const
const ofLookups = { fromSource: 0, toSource: 0 }

const newestLookup = {
  ...lookups,
  observedAt: '2026-03-09T06:00:40Z',
  readingId: '019cd0f0-f8b2-7c19-b3e5-26a9d4417c58',
}
const newestStorePage = {
  source: 'app-store-page',
  origin: 'collected',
  surface: 'App Store page on the web',
  country: 'us',
  observedAt: '2026-03-08T06:00:12Z',
  timeBasis: 'clock',
  readingId: '019ccbca-2f61-7d02-9b7c-8e13c05f4a29',
}

const larkspurDescription =
  'Larkspur keeps your deep work deep: a pomodoro timer, quiet sounds and a weekly review of where your hours went.'
const larkspurNotes = 'The widget now shows the time that is left.'
const textUse = (field: string, limit: number, searched: boolean, text: unknown, characters: unknown) => ({
  field,
  text,
  characters,
  limit,
  searched,
  terms: [] as unknown[],
})
const hidden = { state: 'not-measured', reason: 'hidden-upstream' }
const notCarried = { state: 'not-measured', reason: 'not-carried' }
const larkspurSubtitle = 'Pomodoro, sounds, review'

/** An example reply of get_competitor_aso: a rival that put "Pomodoro" into its name. */
export const competitorAsoReply = {
  app: larkspur,
  country: 'us',
  alsoIn: [],
  audit: {
    language: 'en',
    texts: [
      {
        ...textUse('name', 30, true, measured(larkspur.name), measured(larkspur.name.length)),
        terms: [
          { term: 'deep work', count: 1, telling: score('telling', 78) },
          { term: 'pomodoro', count: 1, telling: score('telling', 66) },
        ],
      },
      {
        ...textUse('subtitle', 30, true, measured(larkspurSubtitle, 1), measured(larkspurSubtitle.length, 1)),
        terms: [
          { term: 'pomodoro', count: 1, telling: score('telling', 66) },
          { term: 'sounds', count: 1, telling: score('telling', 24) },
        ],
      },
      textUse('keyword-field', 100, true, hidden, hidden),
      textUse('promotional-text', 170, false, notCarried, notCarried),
      {
        ...textUse(
          'description',
          4000,
          false,
          measured(larkspurDescription),
          measured(larkspurDescription.length),
        ),
        terms: [{ term: 'weekly review', count: 1, telling: score('telling', 83) }],
      },
      textUse('release-notes', 4000, false, measured(larkspurNotes), measured(larkspurNotes.length)),
    ],
    advice: [
      {
        kind: 'repeated-word',
        field: null,
        weight: 'high',
        terms: ['pomodoro'],
        text: 'The name and the subtitle both hold "pomodoro". Once is enough: the subtitle has room for another term.',
      },
      {
        kind: 'unused-space',
        field: 'subtitle',
        weight: 'medium',
        terms: [],
        text: 'The subtitle leaves 6 of its 30 characters unused.',
      },
    ],
  },
  keywords: {
    total: 4,
    ranked: 2,
    items: [
      {
        term: 'deep work',
        tracked: false,
        listedIn: ['name', 'description'],
        rank: ranked(1),
        page: searchPageOf('2026-03-09T06:02:08Z', '019cd0f2-4e86-7b31-92af-15d8c6e0347b'),
        over30Days: noSnapshot,
        best: { state: 'measured', value: 1, on: '2026-02-21' },
        difficulty: score('difficulty', 44),
        history: [
          { date: '2026-03-08', rank: ranked(1) },
          { date: '2026-03-09', rank: ranked(1) },
        ],
      },
      {
        term: 'focus timer',
        tracked: true,
        listedIn: [],
        rank: ranked(3),
        page: newestPage,
        over30Days: moved(6, '2026-02-07'),
        best: { state: 'measured', value: 3, on: '2026-03-09' },
        difficulty: score('difficulty', 58),
        history: [
          { date: '2026-02-07', rank: ranked(9) },
          { date: '2026-02-20', rank: ranked(9) },
          { date: '2026-03-09', rank: ranked(3) },
        ],
      },
      {
        term: 'study planner',
        tracked: false,
        listedIn: [],
        rank: outside,
        page: searchPageOf('2026-03-01T06:05:40Z', '019ca7c3-1c20-7e6d-8f15-a04b73d9e2c6'),
        over30Days: { state: 'left', from: 143, depth: 200, comparedOn: '2026-01-28' },
        best: { state: 'measured', value: 143, on: '2026-01-28' },
        difficulty: score('difficulty', 51),
        history: [
          { date: '2026-01-28', rank: ranked(143) },
          { date: '2026-03-01', rank: outside },
        ],
      },
      {
        term: 'sounds',
        tracked: false,
        listedIn: ['subtitle'],
        rank: notCollected,
        page: null,
        over30Days: notCollected,
        best: notCollected,
        difficulty: notCollected,
        history: [],
      },
    ],
  },
  visibility: {
    share: score('visibility', 34.6),
    keywords: 4,
    measured: 3,
    ranked: 2,
    coverage: 0.75,
    oldestPageAt: '2026-03-01T06:05:40Z',
    newestPageAt: searchedAt,
  },
  ratings: {
    rating: measured(4.66),
    ratingCount: measured(21873),
    ratingCurrentVersion: measured(4.66),
    ratingCountCurrentVersion: measured(21873),
    growth: [
      {
        days: 7,
        added: {
          state: 'measured',
          value: 212,
          from: '2026-03-02T06:00:39Z',
          to: '2026-03-09T06:00:40Z',
          ...ofLookups,
        },
      },
      {
        days: 30,
        added: {
          state: 'measured',
          value: 890,
          from: '2026-02-07T06:00:41Z',
          to: '2026-03-09T06:00:40Z',
          ...ofLookups,
        },
      },
      { days: 90, added: { state: 'not-measured', reason: 'too-little-evidence' } },
    ],
    history: [
      { observedAt: '2026-02-07T06:00:41Z', rating: 4.65, ratingCount: 20983, source: 0 },
      { observedAt: '2026-03-02T06:00:39Z', rating: 4.66, ratingCount: 21661, source: 0 },
      { observedAt: '2026-03-09T06:00:40Z', rating: 4.66, ratingCount: 21873, source: 0 },
    ],
    sources: [lookups],
  },
  timeline: [
    {
      lastSeenAt: '2026-02-20T06:00:38Z',
      firstSeenAt: '2026-02-21T06:00:41Z',
      fields: [
        {
          field: 'name',
          from: measured('Larkspur Deep Work', 1),
          to: measured(larkspur.name, 0),
          cut: false,
          comparison: 'changed',
          termsAdded: ['pomodoro'],
          termsRemoved: [],
        },
      ],
      keywords: [
        {
          term: 'focus timer',
          before: ranked(9),
          beforeAt: '2026-02-20T06:02:10Z',
          after: ranked(3),
          afterAt: searchedAt,
          surface: 'iTunes Search API',
          places: 6,
        },
      ],
      keywordsCompared: 1,
      evidence: [
        {
          ...newestLookup,
          observedAt: '2026-02-21T06:00:41Z',
          readingId: '019c7e8a-5d13-7c40-b6a1-90e2f45d8b37',
        },
        {
          ...newestLookup,
          observedAt: '2026-02-20T06:00:38Z',
          readingId: '019c7963-eed9-7ab8-83f4-6d17b0c29e54',
        },
      ],
    },
  ],
  listingObserved: { days: 31, firstAt: '2026-02-07T06:00:41Z', lastAt: '2026-03-09T06:00:40Z' },
  trouble: [],
  evidence: [newestLookup, newestStorePage],
} as const satisfies Record<string, unknown>
