import type { Example } from '../operation.ts'
import {
  appId,
  focusTimerId,
  heron,
  measured,
  moved,
  newestPage,
  notCollected,
  quietly,
  ranked,
  score,
  searchedAt,
  surface,
} from './aso-shared.ts'

const difficultyOfFocusTimer = {
  state: 'measured',
  value: 58,
  formula: 'difficulty/1',
  parts: [
    {
      name: 'rating-strength',
      value: 66,
      weight: 0.5,
      text: 'The first 10 apps have 18,400 ratings in the middle.',
    },
    { name: 'title-targeting', value: 53, weight: 0.3, text: '5 of the first 10 names hold "focus timer".' },
    {
      name: 'entry-barrier',
      value: 45,
      weight: 0.2,
      text: 'The weaker ones among them have about 6,309 ratings.',
    },
  ],
  results: 10,
  observedAt: searchedAt,
}

const suggested = (observedAt: string, readingId: string) => ({
  source: 'apple-search-hints',
  origin: 'collected',
  surface: 'App Store search hints',
  country: 'us',
  observedAt,
  timeBasis: 'clock',
  readingId,
})

export const keywordExplorationExamples = {
  search_ios_apps: {
    body: { term: 'focus timer', country: 'us', limit: 1, live: true },
    reply: {
      term: 'focus timer',
      country: 'us',
      answeredFrom: 'stored',
      reason: 'source-throttled',
      detail:
        'Apple refuses searches for now, for about 42 more seconds, so this is the page of 2026-03-09 06:02 UTC.',
      basis: 'result-page',
      page: newestPage,
      depth: 200,
      stated: null,
      items: [
        {
          position: 1,
          app: {
            platform: 'ios',
            storeId: '1480077251',
            country: 'us',
            name: 'Quietly: Pomodoro Timer',
            namedIn: 'us',
            storeUrl: 'https://apps.apple.com/us/app/id1480077251',
            developer: measured('Oda Studio'),
            developerId: measured('1480077250'),
            bundleId: measured('studio.oda.quietly'),
            icon: measured(quietly.iconUrl),
            price: measured({ amount: 0, currency: 'USD' }),
            primaryCategory: measured({ categoryId: '6007', name: 'Productivity' }),
            rating: measured(4.81),
            ratingCount: measured(96214),
            releasedAt: measured('2019-11-04T08:00:00Z'),
            updatedAt: measured('2026-02-26T17:41:09Z'),
            evidence: [newestPage],
          },
        },
      ],
      trouble: [
        {
          source: 'itunes-search',
          surface,
          country: null,
          kind: 'throttled',
          since: '2026-03-09T07:10:02Z',
          text: 'Apple refuses searches from this address at the moment; the next try is in four minutes.',
        },
      ],
    },
  },
  explore_aso_keyword: {
    params: { query: 'Focus Timer' },
    query: { country: 'us', limit: 2 },
    reply: {
      term: 'focus timer',
      country: 'us',
      page: {
        state: 'measured',
        requested: 200,
        depth: 200,
        stated: null,
        results: [
          {
            position: 1,
            app: quietly,
            rating: measured(4.81),
            ratingCount: measured(96214),
            nameMatch: 'some-words',
            change: moved(1, '2026-03-08'),
            role: null,
          },
          {
            position: 2,
            app: heron,
            rating: { state: 'absent', evidence: 0 },
            ratingCount: measured(0),
            nameMatch: 'phrase',
            change: { state: 'entered', depth: 200, comparedOn: '2026-03-08' },
            role: null,
          },
        ],
        evidence: [newestPage],
      },
      pagesStored: 168,
      firstObservedAt: '2025-09-18T08:31:17Z',
      difficulty: difficultyOfFocusTimer,
      opportunity: score('opportunity', 55),
      autocomplete: {
        strength: score('autocomplete', 72),
        prefixes: [
          {
            typed: 'fo',
            rank: { state: 'absent', depth: 10 },
            observedAt: '2026-03-09T06:03:00Z',
            evidence: 2,
          },
          {
            typed: 'focus',
            rank: { state: 'measured', value: 2, depth: 10 },
            observedAt: '2026-03-09T06:03:03Z',
            evidence: 1,
          },
        ],
        continuations: measured(['focus timer', 'focus timer for studying', 'focus timer widget']),
        evidence: [
          suggested('2026-03-09T06:03:06Z', '019cd0f3-30e4-7f8a-a5d6-4b90e217c3f1'),
          suggested('2026-03-09T06:03:03Z', '019cd0f3-2530-7c11-9be0-2f6a85d0417c'),
          suggested('2026-03-09T06:03:00Z', '019cd0f3-1978-7e54-8d3c-70b1f49ce2a5'),
        ],
      },
      volatility: {
        score: score('volatility', 14),
        comparisons: 30,
        from: '2026-02-07T06:01:58Z',
        to: searchedAt,
      },
      changes: [
        {
          observedAt: searchedAt,
          comparedWith: '2026-03-08T06:02:04Z',
          surface,
          depth: 200,
          entered: 1,
          left: 1,
          entrants: [{ storeId: '6738815509', name: 'Focus Timer by Heron', position: 2 }],
          leavers: [{ storeId: '1211098733', name: 'Timebox Classic', position: 188 }],
          movers: [],
        },
      ],
      related: [
        {
          term: 'focus timer for studying',
          reasons: [
            { kind: 'autocomplete', text: 'Apple suggests it second for "focus timer".', storeId: null },
          ],
          difficulty: notCollected,
          autocomplete: score('autocomplete', 33),
          observedAt: null,
        },
      ],
      trackedApps: [{ appId, storeId: '6449120387', role: 'own', keywordId: focusTimerId, rank: ranked(7) }],
      refresh: null,
      trouble: [],
    },
  },
  refresh_aso_keyword: {
    params: { query: 'study timer' },
    body: { country: 'us' },
    reply: {
      term: 'study timer',
      country: 'us',
      workId: '019cd16c-2ea0-7b59-94f1-c07d38e6a214',
      status: 'running',
      progress: { done: 1, total: 2, unit: 'requests' },
      attempts: 1,
      lastError: null,
      createdAt: '2026-03-09T08:15:00Z',
      startedAt: '2026-03-09T08:15:01Z',
      finishedAt: null,
      expectedSeconds: 3,
    },
  },
} as const satisfies Record<string, Example>
