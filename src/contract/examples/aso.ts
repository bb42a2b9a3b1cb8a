import type { Example } from '../operation.ts'

const appId = '01995a10-3c41-7f02-8a6e-52b7c19d0e31'
const rivalAppId = '01995a12-90d7-7b1c-9f44-0c8e6a2d7b15'
const focusTimerId = '01995a1f-07aa-7d3e-b1c2-7e45f0a9d862'
const deepWorkId = '01995a1f-07ab-7c58-94d0-3af1b26c5e07'
const pomodoroId = '01995a1f-07ac-7e90-a3b7-61d84c2f9b50'

const notCollected = { state: 'not-measured', reason: 'never-collected' }
const noSnapshot = { state: 'not-measured', reason: 'no-snapshot' }

const measured = (value: unknown, evidence = 0) => ({ state: 'measured', value, evidence })
const ranked = (value: number) => ({ state: 'measured', value, depth: 200 })
const outside = { state: 'absent', depth: 200 }
const score = (formula: string, value: number) => ({ state: 'measured', value, formula: `${formula}/1` })
const moved = (places: number, comparedOn: string) => ({ state: 'measured', places, comparedOn })

const label = (storeId: string, name: string, developer: string) => ({
  platform: 'ios',
  storeId,
  name,
  developer,
  iconUrl: `https://is1-ssl.mzstatic.com/image/thumb/sample/${storeId}/100x100.png`,
  catalogued: true,
})
const brook = label('6449120387', 'Brook: Focus Timer', 'Brook Labs Ltd')
const larkspur = label('1573204466', 'Larkspur Deep Work & Pomodoro', 'Larkspur GmbH')
const quietly = label('1480077251', 'Quietly: Pomodoro Timer', 'Oda Studio')

const heron = label('6738815509', 'Focus Timer by Heron', 'Heron Apps')
const sprig = label('1620441907', 'Sprig Study Timer', 'Sprig Learning Inc.')
const hourstone = label('1356027714', 'Hourstone', 'Kaito Mori')

const surface = 'iTunes Search API'
const searchedAt = '2026-03-09T06:02:11Z'
const searchPageOf = (observedAt: string, readingId: string) => ({
  source: 'itunes-search',
  origin: 'collected',
  surface,
  country: 'us',
  observedAt,
  timeBasis: 'clock',
  readingId,
})
const newestPage = searchPageOf(searchedAt, '019cd0f2-5a3e-7a64-8d0b-f2c4917e6a03')
const newestLookup = {
  source: 'itunes-lookup',
  origin: 'collected',
  surface: 'iTunes Lookup API',
  country: 'us',
  observedAt: '2026-03-09T06:00:40Z',
  timeBasis: 'clock',
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

const trackedBrook = {
  appId,
  app: brook,
  country: 'us',
  role: 'own',
  trackedAt: '2025-09-18T08:20:05Z',
  keywordCount: 3,
  intake: null,
}

const visibility = {
  share: score('visibility', 41.3),
  keywords: 3,
  measured: 2,
  ranked: 1,
  coverage: 0.667,
  oldestPageAt: '2026-03-09T06:02:08Z',
  newestPageAt: searchedAt,
}
const rivalVisibility = { ...visibility, share: score('visibility', 63.8), ranked: 2 }
const distribution = { keywords: 3, top3: 0, top10: 1, top50: 1, ranked: 1, absent: 1, notMeasured: 1 }
const over7Days = { climbed: 1, fallen: 0, unchanged: 0, entered: 0, left: 1, absent: 0, notMeasured: 1 }

const finishedRefresh = {
  appId,
  status: 'partial',
  progress: { done: 2, total: 3, unit: 'searches' },
  attempts: 1,
  lastError: {
    at: '2026-03-09T06:02:31Z',
    code: 'upstream-timeout',
    message: 'The iTunes Search API did not answer within 15 seconds for "pomodoro タイマー".',
  },
  createdAt: '2026-03-09T06:00:00Z',
  startedAt: '2026-03-09T06:00:38Z',
  finishedAt: '2026-03-09T06:02:31Z',
  searches: 3,
  skipped: 0,
  searchesPerMinute: 20,
  expectedSeconds: null,
  failures: [
    {
      term: 'pomodoro タイマー',
      code: 'upstream-timeout',
      message: 'The iTunes Search API did not answer within 15 seconds.',
      at: '2026-03-09T06:02:31Z',
    },
  ],
}

const keyword = (keywordId: string, term: string, addedAt = '2025-09-18T08:24:30Z') => ({
  keywordId,
  term,
  addedAt,
})
const focusTimer = { ...keyword(focusTimerId, 'focus timer'), rank: ranked(7), observedAt: searchedAt, surface }
const deepWork = {
  ...keyword(deepWorkId, 'deep work'),
  rank: outside,
  observedAt: '2026-03-09T06:02:08Z',
  surface,
}
const pomodoro = {
  ...keyword(pomodoroId, 'pomodoro タイマー', '2026-03-09T05:58:00Z'),
  rank: notCollected,
  observedAt: null,
  surface: null,
}

const difficultyOfFocusTimer = {
  state: 'measured',
  value: 58,
  formula: 'difficulty/1',
  parts: [
    {
      name: 'rating-strength',
      value: 61,
      weight: 0.6,
      text: 'The first ten apps have 18,400 ratings in the middle.',
    },
    { name: 'title-targeting', value: 53, weight: 0.4, text: '5 of the first ten names hold "focus timer".' },
  ],
  results: 10,
  observedAt: searchedAt,
}

const workstation = {
  tracked: trackedBrook,
  window: { from: '2026-03-03', to: '2026-03-09', days: 7 },
  visibility,
  visibilitySeries: [
    { date: '2026-03-03', share: score('visibility', 36.9), coverage: 0.667 },
    { date: '2026-03-04', share: score('visibility', 36.9), coverage: 0.667 },
    { date: '2026-03-05', share: noSnapshot, coverage: 0 },
    { date: '2026-03-06', share: score('visibility', 38.5), coverage: 0.667 },
    { date: '2026-03-07', share: score('visibility', 38.5), coverage: 0.667 },
    { date: '2026-03-08', share: score('visibility', 41.3), coverage: 0.667 },
    { date: '2026-03-09', share: score('visibility', 41.3), coverage: 0.667 },
  ],
  distribution,
  movement: {
    over1Day: { climbed: 0, fallen: 0, unchanged: 1, entered: 0, left: 0, absent: 1, notMeasured: 1 },
    over7Days,
    over30Days: { climbed: 1, fallen: 0, unchanged: 0, entered: 0, left: 0, absent: 0, notMeasured: 2 },
  },
  keywords: [
    {
      ...focusTimer,
      over1Day: moved(0, '2026-03-08'),
      over7Days: moved(4, '2026-03-02'),
      over30Days: moved(12, '2026-02-07'),
      best: { state: 'measured', value: 6, on: '2025-12-28' },
      series: [11, 11, null, 9, 9, 7, 7],
      difficulty: score('difficulty', 58),
      opportunity: score('opportunity', 37),
      autocomplete: score('autocomplete', 72),
      relevance: score('relevance', 94),
      above: [
        { storeId: '1573204466', position: 3 },
        { storeId: '1480077251', position: 1 },
        { storeId: '6738815509', position: 2 },
        { storeId: '1620441907', position: 4 },
        { storeId: '1356027714', position: 5 },
      ],
    },
    {
      ...deepWork,
      over1Day: { state: 'absent', comparedOn: '2026-03-08' },
      over7Days: { state: 'left', from: 164, depth: 200, comparedOn: '2026-03-02' },
      over30Days: noSnapshot,
      best: { state: 'measured', value: 131, on: '2026-02-21' },
      series: [171, 188, null, '>200', '>200', '>200', '>200'],
      difficulty: score('difficulty', 44),
      opportunity: score('opportunity', 29),
      autocomplete: score('autocomplete', 51),
      relevance: score('relevance', 62),
      above: [
        { storeId: '1573204466', position: 1 },
        { storeId: '1480077251', position: 2 },
        { storeId: '1356027714', position: 3 },
        { storeId: '1620441907', position: 4 },
        { storeId: '6738815509', position: 5 },
      ],
    },
    {
      ...pomodoro,
      over1Day: notCollected,
      over7Days: notCollected,
      over30Days: notCollected,
      best: notCollected,
      series: [null, null, null, null, null, null, null],
      difficulty: notCollected,
      opportunity: notCollected,
      autocomplete: notCollected,
      relevance: score('relevance', 57),
      above: [],
    },
  ],
  rivals: [
    {
      appId: rivalAppId,
      storeId: '1573204466',
      visibility: rivalVisibility,
      distribution: { keywords: 3, top3: 2, top10: 2, top50: 2, ranked: 2, absent: 0, notMeasured: 1 },
      ahead: 2,
      behind: 0,
      neither: 0,
      notMeasured: 1,
    },
  ],
  suggestions: [
    {
      term: 'study timer',
      reasons: [
        { kind: 'autocomplete', text: 'Apple suggests it second for "study t".', storeId: null },
        {
          kind: 'rival-ranks',
          text: 'Larkspur Deep Work & Pomodoro is 12th for it.',
          storeId: '1573204466',
        },
      ],
      relevance: score('relevance', 81),
      difficulty: score('difficulty', 39),
      opportunity: score('opportunity', 55),
      rank: ranked(48),
    },
  ],
  apps: [hourstone, quietly, larkspur, sprig, brook, heron],
  refresh: finishedRefresh,
  trouble: [
    {
      source: 'itunes-search',
      surface,
      country: 'us',
      kind: 'throttled',
      since: '2026-03-09T06:02:31Z',
      text: 'Apple slows searches down in this storefront, so one of three keywords could not be searched.',
    },
  ],
}

export const asoExamples = {
  list_aso_apps: {
    query: { role: 'own', limit: 25 },
    reply: {
      items: [{ ...trackedBrook, visibility, distribution, over7Days, refresh: finishedRefresh }],
      nextCursor: null,
    },
  },
  track_aso_app: {
    body: { app: 'https://apps.apple.com/us/app/id1573204466', country: 'us', role: 'rival' },
    reply: {
      appId: rivalAppId,
      app: { ...larkspur, name: null, developer: null, iconUrl: null, catalogued: false },
      country: 'us',
      role: 'rival',
      trackedAt: '2025-09-18T08:22:51Z',
      keywordCount: 0,
      intake: {
        intakeId: '01995a12-90d8-7e3a-8c51-d4f70b96a2e8',
        app: '1573204466',
        storeId: '1573204466',
        country: 'us',
        status: 'queued',
        progress: null,
        attempts: 0,
        lastError: null,
        createdAt: '2025-09-18T08:22:51Z',
        startedAt: null,
        finishedAt: null,
        failure: null,
      },
    },
  },
  get_aso_workstation: { params: { appId }, query: { windowDays: 7 }, reply: workstation },
  update_aso_app_role: {
    params: { appId },
    body: { role: 'watched' },
    reply: { ...trackedBrook, role: 'watched' },
  },
  remove_aso_app: { params: { appId } },
  add_aso_keywords: {
    params: { appId },
    body: { terms: ['Pomodoro  タイマー', 'Focus Timer', '🍅🍅'] },
    reply: {
      added: [{ given: 'Pomodoro  タイマー', keyword: pomodoro }],
      alreadyThere: [{ given: 'Focus Timer', keyword: focusTimer }],
      refused: [
        {
          given: '🍅🍅',
          reason: 'no-letters',
          message: 'A keyword needs a letter or a digit: write the word people would type.',
        },
      ],
      keywordCount: 3,
    },
  },
  remove_aso_keyword: { params: { appId, keywordId: deepWorkId } },
  refresh_aso_app: {
    params: { appId },
    reply: {
      ...finishedRefresh,
      status: 'queued',
      progress: null,
      attempts: 0,
      lastError: null,
      startedAt: null,
      finishedAt: null,
      expectedSeconds: 45,
      failures: [],
    },
  },
  get_aso_keyword_gap: {
    params: { appId, rivalStoreId: '1573204466' },
    query: { standing: ['rival-only', 'both'], maxDifficulty: 60, sort: 'opportunity', limit: 2 },
    reply: {
      appId,
      own: brook,
      rival: larkspur,
      country: 'us',
      counts: { rivalOnly: 18, ownOnly: 9, bothOwnAhead: 4, bothRivalAhead: 6, neither: 0, notMeasured: 1 },
      pages: { looked: 212, oldestAt: '2026-02-11T06:04:55Z', newestAt: searchedAt },
      items: [
        {
          term: 'focus timer',
          keywordId: focusTimerId,
          standing: 'both',
          own: ranked(7),
          rival: ranked(3),
          ahead: 'rival',
          distance: 4,
          difficulty: score('difficulty', 58),
          opportunity: score('opportunity', 37),
          relevance: score('relevance', 94),
          surface,
          observedAt: searchedAt,
        },
        {
          term: 'deep work',
          keywordId: deepWorkId,
          standing: 'rival-only',
          own: outside,
          rival: ranked(1),
          ahead: 'rival',
          distance: null,
          difficulty: score('difficulty', 44),
          opportunity: score('opportunity', 29),
          relevance: score('relevance', 62),
          surface,
          observedAt: '2026-03-09T06:02:08Z',
        },
      ],
      nextCursor: 'eyJrIjpbMjksImRlZXAgd29yayJdfQ',
      trouble: [],
    },
  },
  search_ios_apps: {
    body: { term: 'focus timer', country: 'us', limit: 1, live: true },
    reply: {
      term: 'focus timer',
      country: 'us',
      answeredFrom: 'stored',
      reason: 'source-throttled',
      detail: 'Apple refused the live search for now, so this is the page stored on 9 March 2026 at 06:02 UTC.',
      basis: 'result-page',
      page: newestPage,
      depth: 200,
      items: [
        {
          position: 1,
          app: {
            platform: 'ios',
            storeId: '1480077251',
            country: 'us',
            name: 'Quietly: Pomodoro Timer',
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
      opportunity: score('opportunity', 37),
      autocomplete: {
        strength: score('autocomplete', 72),
        prefixes: [
          { typed: 'fo', rank: { state: 'absent', depth: 10 }, observedAt: '2026-03-09T06:03:00Z' },
          {
            typed: 'focus',
            rank: { state: 'measured', value: 2, depth: 10 },
            observedAt: '2026-03-09T06:03:03Z',
          },
        ],
        continuations: measured(['focus timer', 'focus timer for studying', 'focus timer widget']),
        evidence: [
          {
            source: 'apple-search-hints',
            origin: 'collected',
            surface: 'App Store search hints',
            country: 'us',
            observedAt: '2026-03-09T06:03:06Z',
            timeBasis: 'clock',
            readingId: '019cd0f3-30e4-7f8a-a5d6-4b90e217c3f1',
          },
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
        added: { state: 'measured', value: 212, from: '2026-03-02T06:00:39Z', to: '2026-03-09T06:00:40Z' },
      },
      {
        days: 30,
        added: { state: 'measured', value: 890, from: '2026-02-07T06:00:41Z', to: '2026-03-09T06:00:40Z' },
      },
      { days: 90, added: { state: 'not-measured', reason: 'too-little-evidence' } },
    ],
    history: [
      { observedAt: '2026-02-07T06:00:41Z', rating: 4.65, ratingCount: 20983 },
      { observedAt: '2026-03-02T06:00:39Z', rating: 4.66, ratingCount: 21661 },
      { observedAt: '2026-03-09T06:00:40Z', rating: 4.66, ratingCount: 21873 },
    ],
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
  listingObserved: { times: 31, firstAt: '2026-02-07T06:00:41Z', lastAt: '2026-03-09T06:00:40Z' },
  trouble: [],
  evidence: [newestLookup, newestStorePage],
} as const satisfies Record<string, unknown>
