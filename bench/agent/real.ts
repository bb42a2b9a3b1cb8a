import type { Said } from './agent.ts'
import { appNamed, dayOf, firstThree, gainedIn, measured, mostGained, type Question } from './questions.ts'

/** The questions about the real files, where they are there: charts of 2026, fifteen months of one result page. */
export const realQuestions: readonly Question[] = [
  {
    name: 'real gainer',
    question: 'Who gained most in the US top-free chart of Games in 14 days?',
    goal: { calls: 1, kB: 8 },
    answer: async (ask) =>
      gainedIn(
        await ask('get_apple_charts', { categoryId: 'Games', comparedWith: '14d', sort: 'gain', limit: 5 }),
      ),
    truth: (get) => mostGained(get, '/v1/charts?country=us&categoryId=6014', '2026-03-07', '2026-02-21'),
  },
  {
    name: 'real rank',
    question: 'Where does Reddit stand for "chat" in the US, and where did it stand before its last jump?',
    goal: { calls: 2, kB: 5 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Reddit')
      const { keywords } = await ask('get_competitor_aso', { storeId, fields: 'keywords' })
      const { rank, history } = keywords.items.find(({ term }: Said) => term === 'chat')
      return [measured(rank), ...jumpIn(history.map(({ date, rank }: Said) => [date, measured(rank)]))]
    },
    async truth(get) {
      const { page, changes } = await get('/v1/aso/keywords/chat?country=us&limit=100')
      const moves = changes.flatMap(({ comparedWith, observedAt, movers }: Said) =>
        movers
          .filter(({ storeId, from, to }: Said) => storeId === '1064216828' && Math.abs(from - to) >= 10)
          .map(({ from, to }: Said) => [dayOf(comparedWith), from, dayOf(observedAt), to]),
      )
      return [page.results.find(({ app }: Said) => app.storeId === '1064216828').position, ...moves[0]]
    },
  },
  {
    name: 'real page',
    question: 'Who are the first three for "chat" in the US?',
    goal: { calls: 1, kB: 2 },
    async answer(ask) {
      const { items } = await ask('search_ios_apps', { term: 'chat', live: false, limit: 3 })
      return firstThree(items)
    },
    async truth(get) {
      const { page } = await get('/v1/aso/keywords/chat?country=us&limit=100')
      return firstThree(page.results)
    },
  },
  {
    name: 'real best rated',
    question: 'Which apps in the US with 1000000 ratings or more are rated best?',
    goal: { calls: 1, kB: 2 },
    async answer(ask) {
      const { items } = await ask('search_competitors', { minRatingCount: 1_000_000, sort: 'rating', limit: 3 })
      return firstThree(items)
    },
    async truth(get) {
      const { items } = await get('/v1/competitors?country=us&sort=rating&minRatingCount=900000&limit=100')
      const many = items.filter(({ ratingCount }: Said) => ratingCount.value >= 1_000_000)
      return firstThree(many)
    },
  },
]

/** The last move of ten places or more: when and where from, when and where to. */
function jumpIn(history: [date: string, rank: number][]): unknown[] {
  const at = history.findLastIndex(
    ([, rank], index) => Math.abs(rank - (history[index - 1]?.[1] ?? rank)) >= 10,
  )
  return [...(history[at - 1] ?? []), ...(history[at] ?? [])]
}
