import type { Ask, Said } from './agent.ts'

/** The full reply of a GET of the service. */
export type Get = (path: string) => Promise<Said>

export interface Question {
  name: string
  question: string
  /** How an agent comes by the answer, with nothing but what tools and replies say. */
  answer(ask: Ask): Promise<unknown>
  /** The right answer, by full replies over HTTP. */
  truth(get: Get): Promise<unknown>
  /** What it may cost. */
  goal?: { calls: number; kB: number }
}

const estimated = (fact: Said): unknown => fact?.estimated ?? fact?.value ?? fact
const measured = (fact: Said): unknown => (typeof fact === 'object' ? (fact?.value ?? fact?.state) : fact)
const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

const tally = '9000000150'
const bobbin = '9000000137'
const vicar = '9000000001'
const trackedTally = '019aa0b6-5c00-7000-8000-000000000001'
const today = '2026-11-20'

/** An app by its name, as the store knows it. */
const appNamed = async (ask: Ask, name: string): Promise<string> =>
  (await ask('search_competitors', { q: name, limit: 1 })).items[0].storeId
const ownApp = async (ask: Ask, name: string) =>
  (await ask('list_aso_apps', { country: 'us' })).items.find((app: Said) => app.name.startsWith(name))

/** The questions about the sample. */
export const sampleQuestions: readonly Question[] = [
  {
    name: 'moved',
    question: 'What moved for my app Tally & Ferret in the US this week, in search, charts and listing?',
    goal: { calls: 3, kB: 20 },
    async answer(ask) {
      const { appId, storeId } = await ownApp(ask, 'Tally & Ferret')
      const station = await ask('get_aso_workstation', { appId, windowDays: 7 })
      const { climbed, fallen } = station.movement.over7Days
      const { to } = station.window
      const { primaryCategory, listingHistory } = await ask('get_competitor', { storeId })
      const charts = await ask('get_apple_chart_history', {
        storeId,
        categoryId: primaryCategory.categoryId,
        chart: 'top-free',
        from: daysBefore(to, 7),
        fields: ['series'],
      })
      const series = charts.charts[0].series
      const changed = listingHistory.filter(
        ({ firstSeenAt, comparison }: Said) =>
          firstSeenAt.slice(0, 10) > daysBefore(to, 7) && comparison === 'changed',
      )
      const rankOf = (point: Said) => measured(point.rank)
      return {
        climbed,
        fallen,
        chart: [rankOf(series[0]), rankOf(series.at(-1))],
        changed: changed.map(({ field }: Said) => field),
      }
    },
    async truth(get) {
      const { keywords } = await get(`/v1/aso/apps/${trackedTally}?windowDays=7`)
      const places = keywords.map(({ over7Days }: Said) => over7Days.places ?? 0)
      const rankOn = async (day: string) =>
        (await get(`/v1/charts?country=us&categoryId=6015&limit=200&date=${day}`)).items.find(
          ({ app }: Said) => app.storeId === tally,
        ).rank
      const { listingHistory } = await get(`/v1/competitors/ios/${tally}?country=us`)
      return {
        climbed: places.filter((by: number) => by > 0).length,
        fallen: places.filter((by: number) => by < 0).length,
        chart: [await rankOn(daysBefore(today, 7)), await rankOn(today)],
        changed: listingHistory
          .filter(
            ({ firstSeenAt, comparison }: Said) => firstSeenAt >= '2026-11-14' && comparison === 'changed',
          )
          .map(({ field }: Said) => field),
      }
    },
  },
  {
    name: 'gainer',
    question: 'Who gained most in the US top-free chart of Finance in 30 days?',
    goal: { calls: 1, kB: 8 },
    async answer(ask) {
      const { items } = await ask('list_competitor_categories')
      const { categoryId } = items.find(({ name }: Said) => name === 'Finance')
      const now = await ask('get_apple_charts', { categoryId, limit: 200 })
      const then = await ask('get_apple_charts', { categoryId, limit: 200, date: daysBefore(now.date, 30) })
      return mostGained(now.items, then.items, ({ storeId }) => storeId)
    },
    async truth(get) {
      const of = async (day: string) =>
        (await get(`/v1/charts?country=us&categoryId=6015&limit=200&date=${day}`)).items
      return mostGained(await of(today), await of('2026-10-21'), ({ app }) => app.storeId)
    },
  },
  {
    name: 'keywords',
    question: 'Which keywords should Tally & Ferret add in the US?',
    goal: { calls: 2, kB: 15 },
    async answer(ask) {
      const { appId } = await ownApp(ask, 'Tally & Ferret')
      const { suggestions } = await ask('get_aso_workstation', {
        appId,
        windowDays: 7,
        fields: ['suggestions'],
      })
      return suggestions.slice(0, 5).map(({ term, relevance }: Said) => [term, estimated(relevance)])
    },
    async truth(get) {
      const { suggestions } = await get(`/v1/aso/apps/${trackedTally}?windowDays=7`)
      return suggestions.slice(0, 5).map(({ term, relevance }: Said) => [term, estimated(relevance)])
    },
  },
  {
    name: 'rival ahead',
    question: 'Where does Ledger Bobbin beat Tally & Ferret in the US?',
    goal: { calls: 2, kB: 4.5 },
    async answer(ask) {
      const { items } = await ask('list_aso_apps', { country: 'us' })
      const named = (name: string) => items.find((app: Said) => app.name.startsWith(name))
      const gap = await ask('get_aso_keyword_gap', {
        appId: named('Tally').appId,
        rivalStoreId: named('Ledger').storeId,
        ahead: 'rival',
      })
      return gap.items.map(({ term, own, rival }: Said) => [term, measured(own), measured(rival)]).sort()
    },
    async truth(get) {
      const { items } = await get(`/v1/aso/apps/${trackedTally}/gap/${bobbin}?limit=100`)
      return items
        .map(({ term, own, rival }: Said) => [term, measured(own), measured(rival)])
        .filter(([, own, rival]: Said) => typeof rival === 'number' && (typeof own !== 'number' || rival < own))
        .sort()
    },
  },
  {
    name: 'rival changed',
    question: 'What did Tally & Ferret change in its listing in the last 90 days, besides versions?',
    goal: { calls: 1, kB: 6 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { listingHistory } = await ask('get_competitor', { storeId })
      return changesIn(listingHistory)
    },
    truth: async (get) => changesIn((await get(`/v1/competitors/ios/${tally}?country=us`)).listingHistory),
  },
  {
    name: 'longest ads',
    question: 'Which ads of finance apps ran longest: how long, and with which title?',
    goal: { calls: 2, kB: 15 },
    async answer(ask) {
      const first = await ask('search_paid_ads', { sort: 'longest-running', limit: 1 })
      const more = first.leftOut.filter((name: string) => ['links', 'creatives'].includes(name))
      const ads = await ask('search_paid_ads', {
        sort: 'longest-running',
        limit: 50,
        fields: ['archiveId', 'daysRunning', ...more],
      })
      const apps = [...new Set<string>(ads.items.flatMap(appsOf))]
      const categoryOf = new Map<string, string>()
      for (const storeId of apps) {
        const { items } = await ask('search_competitors', { q: storeId, limit: 1 })
        if (items[0]) categoryOf.set(storeId, items[0].primaryCategoryName)
      }
      return longest(ads.items.filter((ad: Said) => appsOf(ad).some((id) => categoryOf.get(id) === 'Finance')))
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?sort=longest-running&limit=100')
      const found: Said[] = []
      for (const ad of items)
        for (const id of appsOf(ad))
          if (
            (await get(`/v1/competitors?country=us&q=${id}&limit=1`)).items[0]?.primaryCategory.value
              ?.categoryId === '6015' &&
            !found.includes(ad)
          )
            found.push(ad)
      return longest(found)
    },
  },
  {
    name: 'best posts',
    question: 'Which posts did best for what their authors usually get?',
    goal: { calls: 1, kB: 8 },
    async answer(ask) {
      const { items } = await ask('search_organic_content', { sort: 'outlier', limit: 5 })
      return items.map(({ postId, outlierScore }: Said) => [postId, estimated(outlierScore)])
    },
    async truth(get) {
      const { items } = await get('/v1/organic?sort=outlier&limit=100')
      const scored = items.map(({ postId, outlierScore }: Said) => [postId, estimated(outlierScore)])
      return scored
        .filter(([, score]: Said) => typeof score === 'number')
        .sort((one: Said, other: Said) => other[1] - one[1])
        .slice(0, 5)
    },
  },
  {
    name: 'downloads',
    question: 'How many downloads did Vicar Bubble have last, in the US, and how sure is that?',
    goal: { calls: 1, kB: 5 },
    async answer(ask) {
      const storeId = await appNamed(ask, 'Vicar Bubble')
      const { estimates } = await ask('get_competitor', { storeId })
      return rangeOf(estimates)
    },
    async truth(get) {
      const { points } = await get(`/v1/competitors/ios/${vicar}/estimates/history?country=us&metric=downloads`)
      const newest = points.filter(({ estimate }: Said) => estimate.state === 'estimated').at(-1)
      return rangeOf({ date: newest.date, downloads: newest.estimate })
    },
  },
  {
    name: 'emerging',
    question: 'Which apps are emerging in Japan (jp), and why?',
    goal: { calls: 1, kB: 6 },
    async answer(ask) {
      const { items } = await ask('list_emerging_ios_competitors', { country: 'jp', limit: 5 })
      return items.map(({ storeId, score }: Said) => [storeId, estimated(score)])
    },
    async truth(get) {
      const { items } = await get('/v1/competitors/intake/emerging?country=jp&limit=100')
      return items.map(({ app, score }: Said) => [app.storeId, score]).slice(0, 5)
    },
  },
  {
    name: 'stale',
    question:
      'Is anything stale or failing of the tracked apps: of which part since when, and does anybody collect?',
    goal: { calls: 1, kB: 5 },
    async answer(ask) {
      const {
        items,
        collecting,
        trouble = [],
      } = await ask('list_aso_apps', {
        fields: ['storeId', 'country', 'freshness'],
      })
      return {
        worker: collecting.worker,
        failing: trouble.length,
        seen: items.map(({ storeId, country, freshness: { listing, posts } }: Said) => [
          storeId,
          country,
          listing.lastAt,
          posts.lastAt,
        ]),
      }
    },
    async truth(get) {
      const { items } = await get('/v1/aso/apps?limit=100')
      const seen = []
      for (const { app, country } of items) {
        const { lastObservedAt, freshness } = await get(
          `/v1/competitors/ios/${app.storeId}?country=${country}`,
        ).catch(() => ({ freshness: [] }))
        const posts = freshness.find(({ part }: Said) => part === 'organic')?.evidence
        seen.push([app.storeId, country, lastObservedAt ?? undefined, posts?.observedAt])
      }
      return { worker: 'never-seen', failing: 0, seen }
    },
  },
  {
    name: 'request',
    question: 'Ask for charts of app 9000000009, and take example.larkandloam.tidesong in.',
    goal: { calls: 5, kB: 5 },
    async answer(ask) {
      const wanted = { storeId: '9000000009', kinds: ['charts'] }
      const { items } = await ask('request_competitor_data', wanted)
      const intake = await ask('request_ios_competitor', { app: 'example.larkandloam.tidesong' })
      return [items[0].kind, intake.app]
    },
    async truth(get) {
      const { items } = await get('/v1/competitors/ios/9000000009/data-requests?limit=100')
      return [items.find(({ status }: Said) => status !== 'dismissed').kind, 'example.larkandloam.tidesong']
    },
  },
  {
    name: 'import',
    question: 'Import habit ads delivered in de from meta, link them to Tidepool Habits, and undo the link.',
    goal: { calls: 8, kB: 10 },
    async answer(ask) {
      const { previewToken, sample } = await ask('admin_preview_paid_ads', {
        platform: 'meta',
        terms: ['habit'],
        countries: ['de'],
      })
      const { runId } = await ask('admin_import_paid_ads', { previewToken })
      await ask('admin_get_paid_ad_import', { runId })
      const { items } = await ask('admin_search_paid_ad_advertisers', {
        platform: 'meta',
        q: sample[0].advertiserName,
      })
      const { advertiserId } = items[0]
      const app = { advertiserId, platform: 'meta', competitor: await appNamed(ask, 'Tidepool Habits') }
      await ask('admin_link_paid_ads', { ...app, action: 'link' })
      const { action } = await ask('admin_link_paid_ads', { ...app, action: 'withdraw' })
      return [sample.length, advertiserId, action]
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?advertiser=104829173650281&limit=100')
      return [items.length, items[0].advertiser.advertiserId, 'withdraw']
    },
  },
  {
    name: 'compare',
    question: 'Compare Tally & Ferret, Ledger Bobbin and Wombat Thrift in the US: rating, ratings and price.',
    goal: { calls: 3, kB: 6 },
    async answer(ask) {
      const compared = []
      for (const name of ['Tally & Ferret', 'Ledger Bobbin', 'Wombat Thrift']) {
        const { items } = await ask('search_competitors', { q: name, limit: 1 })
        compared.push([items[0].rating, items[0].ratingCount, items[0].price.amount])
      }
      return compared
    },
    async truth(get) {
      const compared = []
      for (const id of [tally, bobbin, '9000000218']) {
        const app = await get(`/v1/competitors/ios/${id}?country=us`)
        compared.push([app.rating.value, app.ratingCount.value, app.price.value.amount])
      }
      return compared
    },
  },
  {
    name: 'brief',
    question: 'What do the longest running ads about a trial say, for a brief of the next creative?',
    goal: { calls: 6, kB: 20 },
    async answer(ask) {
      const { items } = await ask('search_paid_ads', { q: 'trial', sort: 'longest-running', limit: 3 })
      const read = []
      for (const { platform, archiveId } of items) {
        const { creatives } = await ask('get_paid_ad', { platform, archiveId })
        read.push([archiveId, measured(creatives[0].title), measured(creatives[0].body)])
      }
      return read
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?q=trial&sort=longest-running&limit=3')
      return items.map(({ archiveId, creatives }: Said) => [
        archiveId,
        measured(creatives[0].title),
        measured(creatives[0].body),
      ])
    },
  },
  {
    name: 'rank',
    question: 'Where does Tally & Ferret stand for "budget planner" in the US, on which surface, seen when?',
    async answer(ask) {
      const { page, surface } = await ask('explore_aso_keyword', { query: 'budget planner' })
      const at = page.results.find(({ app }: Said) => app.name.startsWith('Tally & Ferret'))
      return [at.position, surface.name]
    },
    async truth(get) {
      const { keywords } = await get(`/v1/aso/apps/${trackedTally}?windowDays=7`)
      const { rank } = keywords.find(({ term }: Said) => term === 'budget planner')
      return [rank.value, 'itunes-search']
    },
  },
  {
    name: 'difficulty',
    question: 'How hard is "savings" in the US?',
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
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { items } = await ask('get_similar_competitors', { storeId, limit: 3 })
      return items.map((item: Said) => item.storeId ?? item.app.storeId)
    },
    async truth(get) {
      const { items } = await get(`/v1/competitors/ios/${tally}/similar?limit=100`)
      return items
        .sort((one: Said, other: Said) => (estimated(other.score) as number) - (estimated(one.score) as number))
        .slice(0, 3)
        .map(({ app }: Said) => app.storeId)
    },
  },
  {
    name: 'chart best',
    question: 'What was the best place of Tally & Ferret in the top-free chart of Finance in the US, and when?',
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { charts } = await ask('get_apple_chart_history', { storeId, chart: 'top-free' })
      const { best } = charts.find(({ categoryName }: Said) => categoryName === 'Finance')
      return [best.rank, best.date]
    },
    async truth(get) {
      const { charts } = await get(`/v1/charts/apps/${tally}/history?country=us&chart=top-free&categoryId=6015`)
      const seen = charts[0].series.filter(({ rank }: Said) => rank.state === 'measured')
      const least = Math.min(...seen.map(({ rank }: Said) => rank.value))
      return [least, seen.find(({ rank }: Said) => rank.value === least).date]
    },
  },
  {
    name: 'category',
    question: 'How many Finance apps are stored for Germany (de)?',
    async answer(ask) {
      const { items } = await ask('list_competitor_categories', { country: 'de' })
      return items.find(({ name }: Said) => name === 'Finance').apps
    },
    truth: async (get) => (await get('/v1/competitors?country=de&categoryId=6015&limit=1')).total.value,
  },
  {
    name: 'best rated',
    question: 'Which paid apps in the US with 100 ratings or more are rated best?',
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
    async answer(ask) {
      const storeId = await appNamed(ask, 'Tally & Ferret')
      const { changes } = await ask('get_competitor_media', { storeId, kind: 'screenshot' })
      return changes.filter(({ device }: Said) => device === 'iphone').map(({ at }: Said) => at.slice(0, 10))
    },
    async truth(get) {
      const { listingHistory } = await get(`/v1/competitors/ios/${tally}?country=us`)
      const shown = listingHistory.filter(({ field }: Said) => field === 'screenshots-iphone')
      return shown.slice(0, -1).map(({ firstSeenAt }: Said) => firstSeenAt.slice(0, 10))
    },
  },
  {
    name: 'saved',
    question: 'Which posts with the tag finance have we saved?',
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
    async answer(ask) {
      const { total, coverage } = await ask('search_paid_ads', { platform: 'apple', limit: 1 })
      return [total.value, coverage[0].newestObservationAt.slice(0, 10)]
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?platform=apple&limit=100')
      const seen = items.map(({ lastObservedAt }: Said) => lastObservedAt.slice(0, 10)).sort()
      return [items.length, seen.at(-1)]
    },
  },
  {
    name: 'posts about',
    question: 'How many posts about Tidepool Habits are known, and which has most views?',
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

/** The questions about the real files, where they are there: charts of 2026, fifteen months of one result page. */
export const realQuestions: readonly Question[] = [
  {
    name: 'real gainer',
    question: 'Who gained most in the US top-free chart of Games in 14 days?',
    goal: { calls: 1, kB: 8 },
    async answer(ask) {
      const { items } = await ask('list_competitor_categories')
      const { categoryId } = items.find(({ name }: Said) => name === 'Games')
      const now = await ask('get_apple_charts', { categoryId, limit: 200 })
      const then = await ask('get_apple_charts', { categoryId, limit: 200, date: daysBefore(now.date, 14) })
      return mostGained(now.items, then.items, ({ storeId }) => storeId)
    },
    async truth(get) {
      const of = async (day: string) =>
        (await get(`/v1/charts?country=us&categoryId=6014&limit=200&date=${day}`)).items
      return mostGained(await of('2026-03-07'), await of('2026-02-21'), ({ app }) => app.storeId)
    },
  },
  {
    name: 'real rank',
    question: 'Where does Reddit stand for "chat" in the US, and where did it stand before its last jump?',
    async answer(ask) {
      const storeId = await appNamed(ask, 'Reddit')
      const { keywords } = await ask('get_competitor_aso', { storeId })
      return measured(keywords.items.find(({ term }: Said) => term === 'chat').rank)
    },
    async truth(get) {
      const { page } = await get('/v1/aso/keywords/chat?country=us&limit=100')
      return page.results.find(({ app }: Said) => app.storeId === '1064216828').position
    },
  },
  {
    name: 'real page',
    question: 'Who are the first three for "chat" in the US?',
    async answer(ask) {
      const { items } = await ask('search_ios_apps', { term: 'chat', live: false, limit: 3 })
      return items.map((item: Said) => item.storeId ?? item.app.storeId)
    },
    async truth(get) {
      const { page } = await get('/v1/aso/keywords/chat?country=us&limit=100')
      return page.results.slice(0, 3).map(({ app }: Said) => app.storeId)
    },
  },
  {
    name: 'real best rated',
    question: 'Which apps in the US with 1000000 ratings or more are rated best?',
    async answer(ask) {
      const { items } = await ask('search_competitors', { minRatingCount: 1_000_000, sort: 'rating', limit: 3 })
      return items.map(({ storeId }: Said) => storeId)
    },
    async truth(get) {
      const { items } = await get('/v1/competitors?country=us&sort=rating&minRatingCount=900000&limit=100')
      const many = items.filter(({ ratingCount }: Said) => ratingCount.value >= 1_000_000)
      return many.slice(0, 3).map(({ storeId }: Said) => storeId)
    },
  },
]

function mostGained(now: Said[], then: Said[], idOf: (entry: Said) => string) {
  const before = new Map(then.map((entry) => [idOf(entry), entry.rank]))
  const gains = now.flatMap((entry) => {
    const was = before.get(idOf(entry))
    return was === undefined ? [] : [{ storeId: idOf(entry), from: was, to: entry.rank, by: was - entry.rank }]
  })
  return gains.sort((one, other) => other.by - one.by || one.to - other.to)[0]
}

const changesIn = (history: Said[]) =>
  history
    .filter(
      ({ field, firstSeenAt, comparison }) =>
        field !== 'version' && firstSeenAt >= '2026-08-24' && comparison === 'changed',
    )
    .map(({ field, firstSeenAt }) => [field, firstSeenAt.slice(0, 10)])

const appsOf = (ad: Said): string[] => (ad.links ?? []).map(({ app }: Said) => app.storeId)
const longest = (ads: Said[]) =>
  ads.slice(0, 3).map(({ archiveId, daysRunning }) => [archiveId, measured(daysRunning)])
const rangeOf = ({ date, downloads: { low, mid, high, method } }: Said) => ({ date, low, mid, high, method })
