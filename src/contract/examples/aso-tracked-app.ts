import {
  appId,
  brook,
  deepWorkId,
  focusTimerId,
  notCollected,
  outside,
  pomodoroId,
  ranked,
  score,
  searchedAt,
  surface,
} from './aso-shared.ts'

export const trackedBrook = {
  appId,
  app: brook,
  country: 'us',
  role: 'own',
  trackedAt: '2025-09-18T08:20:05Z',
  keywordCount: 3,
  intake: null,
}

export const visibility = {
  share: score('visibility', 41.3),
  keywords: 3,
  measured: 2,
  ranked: 1,
  coverage: 0.667,
  oldestPageAt: '2026-03-09T06:02:08Z',
  newestPageAt: searchedAt,
}
export const distribution = { keywords: 3, top3: 0, top10: 1, top50: 1, ranked: 1, absent: 1, notMeasured: 1 }
export const over7Days = { climbed: 1, fallen: 0, unchanged: 0, entered: 0, left: 1, absent: 0, notMeasured: 1 }

export const finishedRefresh = {
  appId,
  workId: '019cd0f0-5980-7d0f-9a26-e1874b3c50d8',
  status: 'partial',
  progress: { done: 2, total: 3, unit: 'keywords' },
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
export const focusTimer = {
  ...keyword(focusTimerId, 'focus timer'),
  rank: ranked(7),
  observedAt: searchedAt,
  surface,
}
export const deepWork = {
  ...keyword(deepWorkId, 'deep work'),
  rank: outside,
  observedAt: '2026-03-09T06:02:08Z',
  surface,
}
export const pomodoro = {
  ...keyword(pomodoroId, 'pomodoro タイマー', '2026-03-09T05:58:00Z'),
  rank: notCollected,
  observedAt: null,
  surface: null,
}
