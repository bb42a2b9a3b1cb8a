import type { Said } from './agent.ts'
import {
  appNamed,
  bobbin,
  dayOf,
  daysBefore,
  estimated,
  firstThree,
  type Question,
  tally,
  trackedTally,
} from './questions.ts'

/** More questions about the sample; their goals are what they cost, rounded up. */
export const moreQuestions: readonly Question[] = [
  {
    name: 'compare visibility',
    question: 'Compare the visibility of Tally & Ferret and its rivals in the US, over the same keywords.',
    goal: { calls: 2, kB: 9 },
    async answer(ask) {
      const { items } = await ask('list_aso_apps', {
        country: 'us',
        fields: ['appId', 'storeId', 'name', 'visibility'],
      })
      const own = items.find(({ name }: Said) => name.startsWith('Tally & Ferret'))
      const { visibility, rivals } = await ask('get_aso_workstation', {
        appId: own.appId,
        fields: ['visibility', 'rivals'],
      })
      return {
        isListComparable: new Set(items.map(({ visibility }: Said) => visibility.termSet)).size === 1,
        ...sharesOf([visibility, ...rivals.map((rival: Said) => rival.visibility)]),
      }
    },
    async truth(get) {
      const { items } = await get('/v1/aso/apps?country=us&limit=100')
      const sets = new Set(items.map(({ visibility }: Said) => visibility.termSet))
      const { keywords, rivals } = await get(`/v1/aso/apps/${trackedTally}?windowDays=7`)
      const known = keywords.filter(({ rank }: Said) => rank.state !== 'not-measured')
      const own = items.find(({ appId }: Said) => appId === trackedTally)
      return {
        isListComparable: sets.size === 1,
        keywords: known.length,
        shares: [own, ...rivals].map(({ visibility }) => estimated(visibility.share)),
      }
    },
  },
  {
    name: 'rank',
    question: 'Where does Tally & Ferret stand for "budget planner" in the US, on which surface, seen when?',
    goal: { calls: 1, kB: 9 },
    async answer(ask) {
      const { page } = await ask('explore_aso_keyword', { query: 'budget planner' })
      const at = page.results.find(({ app }: Said) => app.name.startsWith('Tally & Ferret'))
      return [at.position, page.surface, page.observedAt]
    },
    async truth(get) {
      const { keywords } = await get(`/v1/aso/apps/${trackedTally}?windowDays=7`)
      const { rank, surface, observedAt } = keywords.find(({ term }: Said) => term === 'budget planner')
      return [rank.value, surface, observedAt]
    },
  },
  {
    name: 'difficulty',
    question: 'How hard is "savings" in the US?',
    goal: { calls: 1, kB: 7 },
    async answer(ask) {
      const { difficulty } = await ask('explore_aso_keyword', { query: 'savings', limit: 1 })
      return estimated(difficulty)
    },
    async truth(get) {
      const { items } = await get(`/v1/aso/apps/${trackedTally}/gap/${bobbin}?limit=100`)
      return estimated(items.find(({ term }: Said) => term === 'savings').difficulty)
    },
  },
  {
    name: 'similar',
    question: 'Who are the closest rivals of Tally & Ferret in the US?',
    goal: { calls: 2, kB: 5 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { items } = await ask('get_similar_competitors', { storeId, limit: 3 })
      return firstThree(items)
    },
    async truth(get) {
      const { items } = await get(`/v1/competitors/ios/${tally}/similar?limit=100`)
      return firstThree(
        items.sort((one: Said, other: Said) => Number(estimated(other.score)) - Number(estimated(one.score))),
      )
    },
  },
  {
    name: 'chart best',
    question:
      'What was the best place of Tally & Ferret in the top-free chart of Finance in the US in 90 days, and when?',
    goal: { calls: 2, kB: 3 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { charts } = await ask('get_apple_chart_history', { storeId, chart: 'top-free' })
      const { best } = charts.find(({ categoryName }: Said) => categoryName === 'Finance')
      return [best.rank, best.date]
    },
    async truth(get) {
      const { from, to, charts } = await get(
        `/v1/charts/apps/${tally}/history?country=us&chart=top-free&categoryId=6015`,
      )
      if (from !== daysBefore(to, 89)) return [from, to]
      const seen = charts[0].series.filter(({ rank }: Said) => rank.state === 'measured')
      const least = Math.min(...seen.map(({ rank }: Said) => rank.value))
      return [least, seen.find(({ rank }: Said) => rank.value === least).date]
    },
  },
  {
    name: 'category',
    question: 'How many Finance apps are stored for Germany (de)?',
    goal: { calls: 1, kB: 4 },
    async answer(ask) {
      const { items } = await ask('list_competitor_categories', { country: 'de' })
      return items.find(({ name }: Said) => name === 'Finance').apps
    },
    truth: async (get) => (await get('/v1/competitors?country=de&categoryId=6015&limit=1')).total.value,
  },
  {
    name: 'best rated',
    question: 'Which paid apps in the US with 100 ratings or more are rated best?',
    goal: { calls: 1, kB: 2 },
    async answer(ask) {
      const { items } = await ask('search_competitors', {
        price: 'paid',
        minRatingCount: 100,
        sort: 'rating',
        limit: 3,
      })
      return items.map(({ storeId, rating }: Said) => [storeId, rating])
    },
    async truth(get) {
      const { items } = await get('/v1/competitors?country=us&price=paid&sort=rating&limit=100')
      return items
        .filter(({ ratingCount, price }: Said) => ratingCount.value >= 100 && price.value.amount > 0)
        .slice(0, 3)
        .map(({ storeId, rating }: Said) => [storeId, rating.value])
    },
  },
  {
    name: 'screenshots',
    question: 'When did the iPhone screenshots of Tally & Ferret change in the US?',
    goal: { calls: 2, kB: 8 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { changes } = await ask('get_competitor_media', { storeId, kind: 'screenshot' })
      return changes.filter(({ device }: Said) => device === 'iphone').map(({ at }: Said) => dayOf(at))
    },
    async truth(get) {
      const { listingHistory } = await get(`/v1/competitors/ios/${tally}?country=us`)
      const shown = listingHistory.filter(({ field }: Said) => field === 'screenshots-iphone')
      return shown.slice(0, -1).map(({ firstSeenAt }: Said) => dayOf(firstSeenAt))
    },
  },
  {
    name: 'saved',
    question: 'Which posts with the tag finance have we saved?',
    goal: { calls: 1, kB: 2 },
    async answer(ask) {
      const { items } = await ask('list_saved_organic_content', { tag: ['finance'] })
      return items.map(({ postId }: Said) => postId).sort()
    },
    async truth(get) {
      const { items } = await get('/v1/organic/saved?limit=100')
      return items
        .filter(({ tags }: Said) => tags.includes('finance'))
        .map(({ post }: Said) => post.postId)
        .sort()
    },
  },
  {
    name: 'app store ads',
    question: 'How many ads in the App Store does the library know, and until when does it see?',
    goal: { calls: 1, kB: 2 },
    async answer(ask) {
      const { total, coverage } = await ask('search_paid_ads', { platform: 'apple', limit: 1 })
      return [total.value, dayOf(coverage[0].newestObservationAt)]
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?platform=apple&limit=100')
      const seen = items.map(({ lastObservedAt }: Said) => dayOf(lastObservedAt)).sort()
      return [items.length, seen.at(-1)]
    },
  },
  {
    name: 'posts about',
    question: 'How many posts about Tidepool Habits are known, and which has most views?',
    goal: { calls: 2, kB: 3 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tidepool Habits')
      const { total, items } = await ask('get_competitor_organic', { storeId, sort: 'views', limit: 1 })
      return [total.value, items[0].postId]
    },
    async truth(get) {
      const { items } = await get('/v1/organic?competitor=6449912345&limit=100')
      const views = ({ metrics }: Said) => metrics.views.value ?? 0
      return [items.length, items.sort((one: Said, other: Said) => views(other) - views(one))[0].postId]
    },
  },
]

/** Shares of visibility, if they are over the same keywords, and over how many that were measured. */
function sharesOf(visibilities: Said[]) {
  const isOfOneSet = new Set(visibilities.map(({ termSet }) => termSet)).size === 1
  if (!isOfOneSet) return { keywords: null, shares: [] }
  return { keywords: visibilities[0].measured, shares: visibilities.map(({ share }) => estimated(share)) }
}
