import { listingFieldGroups } from '../../src/vocabulary/listing-fields.ts'
import type { Said } from './agent.ts'
import {
  appNamed,
  bobbin,
  dayOf,
  daysBefore,
  entriesOf,
  estimated,
  type Get,
  gainedIn,
  measured,
  mostGained,
  type Question,
  tally,
  today,
  trackedApps,
  trackedTally,
  wombat,
} from './questions.ts'

const vicar = '9000000001'
const dumpling = '9000000284'

/** What a growth team asks every week, about the sample, with the goals of calls and kB that were set for it. */
export const tableQuestions: readonly Question[] = [
  {
    name: 'moved',
    question: 'What moved for Tally & Ferret in the US this week: search, charts, listing, ads and posts?',
    goal: { calls: 3, kB: 20 },
    async answer(ask) {
      const { items } = await ask('list_aso_apps', { country: 'us' })
      const { moves } = items.find((app: Said) => app.name.startsWith('Tally & Ferret'))
      const { keywords, charts, listing, ads, posts } = moves
      return {
        moved: [keywords.moved, charts.moved],
        keywords: keywords.items.map(({ term, from, to }: Said) => [term, from, to]),
        charts: charts.items.map(({ chart, from, to }: Said) => [chart, from, to]),
        listing: listing.items.map(({ field, to }: Said) => [field, to]),
        ads: ads.items.map(({ archiveId }: Said) => archiveId),
        posts: posts.items.map(({ postId }: Said) => postId),
        since: keywords.items[0].comparedOn,
      }
    },
    async truth(get) {
      const { keywords } = await get(`/v1/aso/apps/${trackedTally}?windowDays=7`)
      const terms = keywords.flatMap(({ term, rank, over7Days: { places } }: Said) =>
        places ? [[term, rank.value + places, rank.value]] : [],
      )
      const charts = [
        ['Top Free, Finance', 'top-free', '6015'],
        ['Top Free, all apps', 'top-free', '36'],
        ['Top Grossing, all apps', 'top-grossing', '36'],
      ].map(async ([name, chart, id]) => {
        const rankOn = async (day: string) =>
          (await get(`/v1/charts?country=us&chart=${chart}&categoryId=${id}&date=${day}`)).items.find(
            ({ app }: Said) => app.storeId === tally,
          ).rank
        return [name, await rankOn(daysBefore(today, 7)), await rankOn(today)]
      })
      const { listingHistory } = await get(`/v1/competitors/ios/${tally}?country=us`)
      const since = (day: string) => (item: Said) => item.firstSeenAt >= day || item.firstObservedAt >= day
      const changed = listingHistory.filter(since('2026-11-14'))
      // Ads were last looked at the day before: their week begins and ends a day earlier.
      const ads = (await get(`/v1/paid-ads?competitor=${tally}`)).items.filter(since('2026-11-12'))
      const posts = (await get(`/v1/organic?competitor=${tally}`)).items.filter(since('2026-11-14'))
      return {
        moved: [terms.length, charts.length],
        keywords: largestFirst(terms).slice(0, 5),
        charts: largestFirst(await Promise.all(charts)),
        listing: changed.map(({ field, value }: Said) => [field, measured(value)]),
        ads: ads.map(({ archiveId }: Said) => archiveId),
        posts: posts.map(({ postId }: Said) => postId),
        since: daysBefore(today, 7),
      }
    },
  },
  {
    name: 'gainer',
    question: 'Who gained most in the US top-free chart of Finance in 30 days?',
    goal: { calls: 1, kB: 8 },
    answer: async (ask) =>
      gainedIn(
        await ask('get_apple_charts', {
          categoryId: 'Finance',
          comparedWith: '30d',
          sort: 'gain',
          limit: 5,
        }),
      ),
    truth: (get) => mostGained(get, '/v1/charts?country=us&categoryId=6015', today, daysBefore(today, 30)),
  },
  {
    name: 'keywords',
    question: 'Which keywords should Tally & Ferret add in the US, and of which is the difficulty known?',
    goal: { calls: 2, kB: 15 },
    async answer(ask) {
      const { appId } = (await trackedApps(ask))('Tally & Ferret')
      const fields = ['term', 'relevance', 'difficulty', 'rank'].map((name) => `suggestions.${name}`)
      const {
        keywords: _own,
        asOf: _asOf,
        leftOut: _leftOut,
        ...columns
      } = await ask('get_aso_workstation', {
        appId,
        fields,
      })
      return toAdd(entriesOf(columns))
    },
    truth: async (get) => toAdd((await get(`/v1/aso/apps/${trackedTally}`)).suggestions),
  },
  {
    name: 'rival ahead',
    question: 'Where does Ledger Bobbin beat Tally & Ferret in the US?',
    goal: { calls: 2, kB: 4.5 },
    async answer(ask) {
      const named = await trackedApps(ask)
      const gap = await ask('get_aso_keyword_gap', {
        appId: named('Tally & Ferret').appId,
        rivalStoreId: named('Ledger Bobbin').storeId,
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
    question: `Which texts of https://apps.apple.com/us/app/id${dumpling} changed in the last 90 days, and how did it rank after?`,
    goal: { calls: 1, kB: 6 },
    async answer(ask) {
      const { asOf, timeline } = await ask('get_competitor_aso', {
        storeId: `https://apps.apple.com/us/app/id${dumpling}`,
        changed: 'texts',
      })
      return changesSince(daysBefore(asOf.today, 90), timeline)
    },
    async truth(get) {
      const { timeline } = await get(`/v1/competitors/ios/${dumpling}/aso?country=us`)
      const { listingHistory } = await get(`/v1/competitors/ios/${dumpling}?country=us`)
      const names = listingHistory.filter(({ field }: Said) => field === 'name').map(({ value }: Said) => value)
      const changes = changesSince(
        daysBefore(today, 90),
        timeline.filter(({ fields }: Said) => fields.some(({ field }: Said) => texts.includes(field))),
      )
      // The names are those of the listing's own history.
      const [, before, after] = changes[0]?.fields[0] ?? []
      return before === names[1] && after === names[0] && names.length === 2 ? changes : names
    },
  },
  {
    name: 'longest ads',
    question: 'Which ads of Finance apps ran longest: how long, with which hook and promise?',
    goal: { calls: 2, kB: 15 },
    async answer(ask) {
      const { items } = await ask('search_paid_ads', {
        categoryId: 'Finance',
        sort: 'longest-running',
        reading: true,
        limit: 3,
      })
      return items.map(({ archiveId, daysRunning, hook, promises }: Said) => [
        archiveId,
        daysRunning,
        hook,
        promises,
      ])
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?sort=longest-running&reading=true&limit=100')
      const found: Said[] = []
      for (const ad of items)
        if (
          found.length < 3 &&
          (await isOfFinance(
            get,
            ad.links.map(({ app }: Said) => app.storeId),
          ))
        )
          found.push([ad.archiveId, measured(ad.daysRunning), ad.reading.hook.value, ad.reading.promises.value])
      return found
    },
  },
  {
    name: 'best posts',
    question: 'Which posts did best for what their authors usually get, and with how many views?',
    goal: { calls: 1, kB: 8 },
    async answer(ask) {
      const { items } = await ask('search_organic_content', { sort: 'outlier', limit: 5 })
      return items.map(({ postId, outlierScore, views }: Said) => [postId, estimated(outlierScore), views])
    },
    async truth(get) {
      const { items } = await get('/v1/organic?limit=100&sort=views')
      const { items: scored } = await get('/v1/organic?limit=100&sort=outlier')
      const posts = new Map([...items, ...scored].map((post: Said) => [post.postId, post]))
      return [...posts.values()]
        .filter(({ outlierScore }) => typeof estimated(outlierScore) === 'number')
        .sort((one, other) => Number(estimated(other.outlierScore)) - Number(estimated(one.outlierScore)))
        .slice(0, 5)
        .map(({ postId, outlierScore, metrics }) => [postId, estimated(outlierScore), metrics.views.value])
    },
  },
  {
    name: 'downloads',
    question: `How many downloads a day has https://apps.apple.com/us/app/id${vicar} in the US, how sure is that, and what would make it surer?`,
    goal: { calls: 1, kB: 5 },
    async answer(ask) {
      const { latest } = await ask('get_competitor_estimate_history', {
        storeId: `https://apps.apple.com/us/app/id${vicar}`,
        metric: 'downloads',
      })
      const [{ date, estimate, startsFrom, chartsSeenUntil, surer }] = latest
      const { low, mid, high, method } = estimate
      const kinds = surer.map(({ kind }: Said) => kind).sort()
      return { date, low, mid, high, method, rank: startsFrom.rank, chartsSeenUntil, surer: kinds }
    },
    async truth(get) {
      const app = `/v1/competitors/ios/${vicar}`
      const { points, models } = await get(`${app}/estimates/history?country=us&metric=downloads`)
      const { date, estimate } = points.findLast(({ estimate }: Said) => estimate.state === 'estimated')
      const { low, mid, high, method } = estimate
      const chart = await get('/v1/charts?country=us&categoryId=6014')
      const { categories } = await get(`${app}?country=us`)
      const missing = []
      for (const { categoryId } of categories.value)
        if (await isRefused(get, `/v1/charts?country=us&categoryId=${categoryId}`)) missing.push(categoryId)
      const isCalibrated = models.some(({ calibration }: Said) => calibration?.used)
      return {
        date,
        low,
        mid,
        high,
        method,
        rank: chart.items.find(({ app }: Said) => app.storeId === vicar).rank,
        chartsSeenUntil: chart.date,
        surer: [...(missing.length > 0 ? ['missing-chart'] : []), ...(isCalibrated ? [] : ['own-sales'])],
      }
    },
  },
  {
    name: 'emerging',
    question: 'Which apps are emerging in Japan (jp), why, and in which days?',
    goal: { calls: 1, kB: 6 },
    async answer(ask) {
      const { lastRun, items } = await ask('list_emerging_ios_competitors', { country: 'jp', limit: 5 })
      const { from, to } = lastRun.period
      return {
        from,
        to,
        apps: items.map(({ storeId, score, detail }: Said) => [storeId, estimated(score), detail]),
      }
    },
    async truth(get) {
      const { items } = await get('/v1/competitors/intake/emerging?country=jp&limit=100')
      const apps = items
        .sort((one: Said, other: Said) => other.score - one.score)
        .slice(0, 5)
        .map(({ app, score, reasons }: Said) => [app.storeId, score, reasons.map(({ detail }: Said) => detail)])
      return { from: daysBefore(today, 29), to: today, apps }
    },
  },
  {
    name: 'stale',
    question:
      'Is anything stale or failing of the tracked apps: which listings and posts were seen when, and does anybody collect?',
    goal: { calls: 1, kB: 5 },
    async answer(ask) {
      const { items, collecting, trouble } = await ask('list_aso_apps', {
        fields: ['storeId', 'country', 'freshness'],
      })
      const seen = ({ state, lastAt }: Said) => [state, lastAt ?? null]
      return {
        worker: collecting.worker,
        failing: (trouble ?? []).map(({ source }: Said) => source),
        apps: items.map(({ storeId, country, freshness: { listing, posts } }: Said) => [
          storeId,
          country,
          ...seen(listing),
          ...seen(posts),
        ]),
      }
    },
    // Nothing is scheduled in the sample, and no worker runs.
    async truth(get) {
      const { items } = await get('/v1/aso/apps?limit=100')
      const seen = (at: unknown) => (at ? ['not-scheduled', at] : ['not-measured', null])
      const [apps, failing]: [unknown[], Set<string>] = [[], new Set()]
      for (const { app, country } of items) {
        const record = await get(`/v1/competitors/ios/${app.storeId}?country=${country}`).catch(() => undefined)
        const posts = record?.freshness.find(({ part }: Said) => part === 'organic').evidence?.observedAt
        apps.push([app.storeId, country, ...seen(record?.lastObservedAt), ...seen(posts)])
        for (const { source } of record?.trouble ?? []) failing.add(source)
      }
      return { worker: 'never-seen', failing: [...failing], apps }
    },
  },
  {
    name: 'request',
    question: 'Ask for charts of app 9000000009, and take the app 9000000987 in.',
    goal: { calls: 5, kB: 5 },
    async answer(ask) {
      const { items } = await ask('request_competitor_data', { storeId: '9000000009', kinds: ['charts'] })
      const { intakeId, status } = await ask('request_ios_competitor', { app: '9000000987' })
      return { asked: items.map(({ requestId, kind }: Said) => [requestId, kind]), intakeId, status }
    },
    async truth(get) {
      const { items } = await get('/v1/competitors/ios/9000000009/data-requests?status=open')
      const { intakes } = await get('/v1/competitors/ios/9000000987/data-requests')
      const [{ intakeId, status }] = intakes
      return { asked: items.map(({ requestId, kind }: Said) => [requestId, kind]), intakeId, status }
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
      const { query } = await ask('admin_get_paid_ad_import', { runId })
      const { items } = await ask('admin_search_paid_ad_advertisers', {
        platform: 'meta',
        q: sample[0].advertiserName,
      })
      const { advertiserId } = items[0]
      const app = { advertiserId, platform: 'meta', competitor: await appNamed(ask, 'Tidepool Habits') }
      const { storedAds } = await ask('admin_link_paid_ads', { ...app, action: 'link' })
      const { action } = await ask('admin_link_paid_ads', { ...app, action: 'withdraw' })
      return { runId, terms: query.terms, advertiserId, storedAds, isLinked: action !== 'withdraw' }
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?advertiser=Tidepool%20Habits&platform=meta&limit=100')
      const { items: runs } = await get('/ad-imports')
      const { runId, query } = runs.find(({ query }: Said) => query.terms)
      const grounds = items.flatMap(({ links }: Said) => links).flatMap(({ grounds }: Said) => grounds)
      return {
        runId,
        terms: query.terms,
        advertiserId: items[0].advertiser.advertiserId,
        storedAds: items.length,
        isLinked: grounds.some(({ kind }: Said) => kind === 'advertiser-link'),
      }
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
      for (const id of [tally, bobbin, wombat]) {
        const app = await get(`/v1/competitors/ios/${id}?country=us`)
        compared.push([app.rating.value, app.ratingCount.value, app.price.value.amount])
      }
      return compared
    },
  },
  {
    name: 'brief',
    question:
      'What do the longest running ads about a trial say, hook and promise, for a brief of the next creative?',
    goal: { calls: 6, kB: 20 },
    async answer(ask) {
      const { items } = await ask('search_paid_ads', {
        q: 'trial',
        sort: 'longest-running',
        reading: true,
        limit: 3,
      })
      return items.map(({ archiveId, body, hook, promises }: Said) => [archiveId, body, hook, promises])
    },
    async truth(get) {
      const { items } = await get('/v1/paid-ads?sort=longest-running&limit=100')
      const aTrial = ({ creatives }: Said) =>
        creatives.some(({ title, body }: Said) => /\btrial\b/i.test(`${measured(title)} ${measured(body)}`))
      const read = []
      for (const { platform, archiveId } of items.filter(aTrial).slice(0, 3)) {
        const { creatives } = await get(`/v1/paid-ads/${platform}/${archiveId}`)
        const bodies = creatives.map(({ body }: Said) => measured(body))
        // Of these ads the first sentence hooks, and the last one promises.
        const sentences = bodies[0].match(/[^.?!]+[.?!]/g).map((one: string) => one.trim())
        read.push([archiveId, bodies, sentences[0], [sentences.at(-1)]])
      }
      return read
    },
  },
]

const texts: readonly string[] = listingFieldGroups.texts

const nearness = (place: unknown) => (typeof place === 'number' ? 1 / place : 0)
const largestFirst = (moves: Said[]) =>
  moves.toSorted((one, other) => weight(other) - weight(one) || (one[0] < other[0] ? -1 : 1))
const weight = ([, from, to]: Said) => Math.abs(nearness(to) - nearness(from))

/** The likeliest suggestions that the app does not rank for, and how many have a difficulty. */
function toAdd(suggestions: Said[]) {
  const known = suggestions.filter(({ difficulty }) => difficulty?.state !== 'not-measured')
  const add = suggestions
    .map(({ term, relevance }) => [term, estimated(relevance)] as [string, number])
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  return { of: suggestions.length, add: add.slice(0, 5), withDifficulty: known.length }
}

const changesSince = (day: string, timeline: Said[]) =>
  timeline
    .filter(({ firstSeenAt }) => dayOf(firstSeenAt) >= day)
    .map(({ firstSeenAt, fields, keywords, impact }) => ({
      on: dayOf(firstSeenAt),
      fields: fields.map(({ field, from, to }: Said) => [field, measured(from), measured(to)]),
      fell: keywords
        .slice(0, 3)
        .map(({ term, before, after }: Said) => [term, measured(before), measured(after)]),
      charts: impact.map(({ afterDays, charts }: Said) => [afterDays, charts.places]),
    }))

async function isOfFinance(get: Get, apps: readonly string[]): Promise<boolean> {
  for (const id of apps) {
    const { items } = await get(`/v1/competitors?country=us&q=${id}&limit=1`)
    if (items[0]?.primaryCategory.value?.categoryId === '6015') return true
  }
  return false
}

const isRefused = (get: Get, path: string) =>
  get(path).then(
    () => false,
    () => true,
  )
