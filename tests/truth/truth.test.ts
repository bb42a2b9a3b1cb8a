import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Tool } from '../../src/contract/contract.ts'
import { type Input, type Item, openWorld, sharedData, type World } from '../support/world.ts'
import { answers, knownApps } from './apps.ts'
import { chartCaptures, daysBetween, placementOf, rankIn } from './charts.ts'
import { importEverything } from './import-everything.ts'
import { Comparison, factOf, jsonOf, plain } from './plain.ts'

const skip = existsSync(join(sharedData, 'catalogue'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

describe('What the service answers is what a second reading of the same files finds', {
  skip,
  timeout: 900_000,
}, () => {
  let world: World
  before(async () => {
    world = await openWorld()
    await importEverything(world)
  })
  after(() => world[Symbol.asyncDispose]())

  const ask = async <T extends Tool>(tool: T, input: Input<T>) => {
    const { status, body } = await world.call(tool, input)
    assert.equal(status, 200, `${tool} ${JSON.stringify(input)}: ${JSON.stringify(body)}`)
    return body
  }
  /** All items of a list. */
  const listed = async <T extends 'search_competitors' | 'search_organic_content' | 'search_paid_ads'>(
    tool: T,
    input: Input<T>,
  ) => {
    const items: Item<T>[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await ask<'search_competitors' | 'search_organic_content' | 'search_paid_ads'>(tool, {
        ...input,
        limit: 100,
        ...(cursor ? { cursor } : {}),
      })
      items.push(...(page.items as object as Item<T>[]))
      cursor = page.nextCursor
    }
    return items
  }
  const settled = (t: TestContext, { compared, differing }: Comparison) => {
    t.diagnostic(`${compared} values compared`)
    assert.ok(compared > 0)
    assert.deepEqual(differing.slice(0, 20), [], `${differing.length} of ${compared} differ`)
  }

  test('apps: every record of us, and no other', async (t) => {
    const comparison = new Comparison()
    const expected = knownApps()
    const newestName = new Map<string, string>()
    for (const [chart, captures] of chartCaptures())
      if (chart.startsWith('us'))
        for (const capture of captures) for (const [id, name] of capture.names) newestName.set(id, plain(name))
    const ids = new Set([...expected.keys(), ...newestName.keys()])
    const found = new Map(
      (await listed('search_competitors', { sort: 'name' })).map((item) => [item.storeId, item]),
    )
    comparison.same('apps', found.size, ids.size)
    for (const id of ids) {
      const [item, app] = [found.get(id), expected.get(id)]
      const said = (field: string, value: unknown, wanted: unknown) =>
        comparison.same(`${id} ${field}`, value, wanted)
      said('is listed', item !== undefined, true)
      if (!item) continue
      said('name', item.name, newestName.get(id) ?? app?.name)
      if (!app) continue
      said('price', (factOf(item.price) as { amount: number } | undefined)?.amount, app.price ?? undefined)
      said('rating', factOf(item.rating), app.rating)
      said('rating count', factOf(item.ratingCount), app.ratingCount)
      said('bundle', factOf(item.bundleId), app.bundleId)
    }
    settled(t, comparison)
  })

  test('records: every field of every app that was searched for, and of every eighth other one', async (t) => {
    const comparison = new Comparison()
    const searched = new Set(answers().flatMap(({ results }) => results.map(({ trackId }) => String(trackId))))
    const apps = [...knownApps()].filter(([id], index) => searched.has(id) || index % 8 === 0)
    for (const [storeId, app] of apps) {
      const record = await ask('get_competitor', { platform: 'ios', storeId })
      const said = (field: string, value: unknown, wanted: unknown) =>
        comparison.same(`${storeId} ${field}`, value, wanted)
      said('version', factOf(record.version), app.version)
      said('size', factOf(record.sizeBytes), app.sizeBytes)
      said('age', factOf(record.contentRating), app.contentRating)
      said('minimum', factOf(record.minimumOsVersion), app.minimumOsVersion)
      said(
        'description',
        factOf(record.description),
        app.description || (app.description === '' ? null : undefined),
      )
      const { ratings } = await ask('get_competitor_aso', { platform: 'ios', storeId })
      const history = ratings.history.map((one: Record<string, unknown>) => [
        one.observedAt,
        one.ratingCount,
        one.rating,
      ])
      said(
        'rating history',
        history,
        app.ratings.map(({ at, count, average }) => [at, count, average]),
      )
    }
    settled(t, comparison)
  })

  test('charts: every place of every snapshot, with what became of it since the one before', async (t) => {
    const comparison = new Comparison()
    for (const captures of chartCaptures().values()) {
      for (const [index, capture] of captures.entries()) {
        // Of two captures of a day, the later one is the day's.
        if (captures[index + 1]?.date === capture.date) continue
        const { country, kind, genre, date } = capture
        const input = { country, chart: kind, categoryId: genre, date, limit: 200 }
        const found = await ask('get_apple_charts', input)
        const what = `${country} ${kind} ${genre} ${date}`
        comparison.same(`${what} captured`, found.capturedAt, capture.at)
        comparison.same(`${what} before`, found.previousCapturedAt, captures[index - 1]?.at ?? null)
        comparison.same(`${what} places`, found.items.length, capture.places.size)
        for (const item of found.items) {
          const id = capture.places.get(item.rank) ?? ''
          const { previous, change, entry } = placementOf(captures, index, item.rank, id)
          comparison.same(`${what} ${item.rank}`, item.app.storeId, id)
          comparison.same(`${what} ${item.rank} previous`, factOf(item.previousRank), previous)
          comparison.same(`${what} ${item.rank} change`, [item.change, item.entry], [change, entry])
        }
      }
    }
    settled(t, comparison)
  })

  test('chart histories: every day of every app, in the chart, outside it and without a snapshot', async (t) => {
    const comparison = new Comparison()
    for (const captures of chartCaptures().values()) {
      const [first, last] = [captures[0], captures.at(-1)]
      if (!first || !last) continue
      const { country, kind, genre } = first
      const days = daysBetween(first.date, last.date)
      const ofDay = new Map(captures.map((capture) => [capture.date, capture]))
      const apps = new Set(captures.flatMap(({ places }) => [...places.values()]))
      for (const storeId of apps) {
        const input = { storeId, country, chart: kind, categoryId: genre, from: first.date, to: last.date }
        const { charts } = await ask('get_apple_chart_history', input)
        const expected = days.map((day) => {
          const capture = ofDay.get(day)
          return [day, capture ? rankIn(capture, storeId) : undefined]
        })
        const ranks = expected.flatMap(([, rank]) => (typeof rank === 'number' ? [rank] : []))
        const what = `${storeId} in ${country} ${kind} ${genre}`
        // Of a day the last capture counts: an app that only earlier ones have is shown by no day.
        comparison.same(`${what} charts`, charts.length, ranks.length > 0 ? 1 : 0)
        const [chart] = charts
        if (!chart) continue
        const series = chart.series.map((one: { date: string; rank: unknown }) => [one.date, factOf(one.rank)])
        comparison.same(what, series, expected)
        comparison.same(`${what} best`, chart.best.rank, Math.min(...ranks))
        comparison.same(`${what} days`, chart.daysInChart, ranks.length)
        comparison.compared += days.length
      }
    }
    settled(t, comparison)
  })

  test('result pages: every place of the newest one, and the rank of every app on every page', async (t) => {
    const comparison = new Comparison()
    const pages = answers()
    const newest = pages.at(-1)
    assert.ok(newest)
    const { page, pagesStored, difficulty } = await ask('explore_aso_keyword', { query: 'chat' })
    comparison.same('pages', pagesStored, pages.length)
    comparison.same(
      'places',
      page.results.map((one: { position: number; app: { storeId: string }; ratingCount: unknown }) => [
        one.position,
        one.app.storeId,
        factOf(one.ratingCount),
      ]),
      newest.results.map((one, index) => [index + 1, String(one.trackId), one.userRatingCount]),
    )
    const strongest = newest.results
      .slice(0, 10)
      .map(({ userRatingCount }) => userRatingCount)
      .sort((one, other) => one - other)
    const middle = Math.round(((strongest[4] ?? 0) + (strongest[5] ?? 0)) / 2)
    comparison.same(
      'median of ratings',
      /known number of ratings: ([\d,]+)\./.exec(difficulty.parts[0].text)?.[1],
      middle.toLocaleString('en'),
    )
    const days = new Map(pages.map((one) => [dayOfUs(one.at), one]))
    for (const storeId of new Set(
      pages.flatMap(({ results }) => results.map(({ trackId }) => String(trackId))),
    )) {
      const { keywords } = await ask('get_competitor_aso', { platform: 'ios', storeId })
      const chat = keywords.items.find(({ term }: { term: string }) => term === 'chat')
      const expected = [...days].map(([date, { results }]) => {
        const index = results.findIndex(({ trackId }) => String(trackId) === storeId)
        return [date, index === -1 ? null : index + 1]
      })
      const history = chat?.history.map((one: { date: string; rank: unknown }) => [one.date, factOf(one.rank)])
      const from = history?.[0]?.[0] ?? ''
      comparison.same(
        `${storeId} for chat`,
        history,
        expected.filter(([date]) => String(date) >= from),
      )
    }
    settled(t, comparison)
  })

  test('posts: every text and number, the engagement, and how far a post is above the rest of its author', async (t) => {
    const comparison = new Comparison()
    const { collector } = jsonOf('social/tiktok-trending-2020.json')
    const found = new Map(
      (await listed('search_organic_content', { network: 'tiktok', sort: 'recent' })).map((post) => [
        post.postId,
        post,
      ]),
    )
    const views = Map.groupBy(
      collector as { authorMeta: { name: string }; playCount: number; createTime: number }[],
      (post) => post.authorMeta.name,
    )
    comparison.same('posts', found.size, new Set(collector.map(({ id }: { id: string }) => id)).size)
    for (const post of collector) {
      const shown = found.get(`tiktok_${post.id}`) ?? assert.fail(`${post.id} is not found`)
      const said = (field: string, value: unknown, wanted: unknown) =>
        comparison.same(`${post.id} ${field}`, value, wanted)
      said('text', factOf(shown.text), post.text.trim() === '' ? null : post.text.trim())
      said('author', shown.author.handle, post.authorMeta.name.toLowerCase())
      said('published', factOf(shown.publishedAt), new Date(post.createTime * 1000).toISOString())
      const { views: seen, likes, comments, shares } = shown.metrics
      said('views', factOf(seen), post.playCount)
      said('likes', factOf(likes), post.diggCount)
      said('comments', factOf(comments), post.commentCount)
      said('shares', factOf(shares), post.shareCount)
      const rate = (post.diggCount + post.commentCount + post.shareCount) / post.playCount
      said('engagement', factOf(shown.engagementRate), Math.round(rate * 10_000) / 10_000)
      const own = (views.get(post.authorMeta.name) ?? []).map(({ playCount }) => playCount)
      said('median of the author', shown.author.medianViews.value, middleOf(own))
      said('posts of the author', shown.author.postsMeasured, own.length)
      if (shown.outlierScore.state !== 'measured') continue
      // Compared with posts that were as old when they were seen; with older ones too where it says "at least"; with all of
      // a week or more where it says so.
      const ageOf = ({ createTime }: { createTime: number }) => {
        const hours = Date.parse(shown.metrics.observedAt) / 3_600_000 - createTime / 3_600
        return [6, 24, 72, 168, 720].filter((limit) => hours >= limit).length
      }
      const oldEnough = (age: number) => {
        if (shown.outlierScore.formula.includes('at least')) return age >= ageOf(post)
        return shown.outlierScore.formula.includes('at 7 days or more') ? age >= 4 : age === ageOf(post)
      }
      const usual = middleOf(
        (views.get(post.authorMeta.name) ?? [])
          .filter((one) => oldEnough(ageOf(one)))
          .map(({ playCount }) => playCount),
      )
      // An outlier is never made by rounding.
      said('outlier', shown.outlierScore.value, Math.floor((post.playCount * 100) / usual) / 100)
    }
    const reddit = jsonOf('social/reddit-notion-2025.json')
    const shownReddit = new Map(
      (await listed('search_organic_content', { network: 'reddit', sort: 'recent' })).map((post) => [
        post.postId,
        post,
      ]),
    )
    for (const post of Array.isArray(reddit) ? reddit : reddit.posts) {
      const shown = shownReddit.get(`reddit_${post.id}`)
      comparison.same(`${post.id} is there`, shown !== undefined, true)
      if (!shown) continue
      comparison.same(`${post.id} title`, factOf(shown.title), plain(post.title))
      comparison.same(`${post.id} score`, factOf(shown.metrics.likes), post.score)
      comparison.same(`${post.id} comments`, factOf(shown.metrics.comments), post.num_comments)
      comparison.same(
        `${post.id} published`,
        factOf(shown.publishedAt),
        new Date(Math.floor(post.created_utc * 1000)).toISOString(),
      )
    }
    settled(t, comparison)
  })

  test('ads: every one of the files, with its advertiser, days and first text', async (t) => {
    const comparison = new Comparison()
    const found = new Map(
      (await listed('search_paid_ads', { platform: 'meta' })).map((ad) => [ad.archiveId, ad]),
    )
    const day = (seconds: number | null) =>
      seconds === null ? null : new Date(seconds * 1000).toISOString().slice(0, 10)
    const old = jsonOf('ads/meta/ads_library_search_laptop_VN_2024-04-15.json').data.payload.results.flat()
    for (const ad of old) {
      const shown = found.get(ad.adArchiveID)
      comparison.same(`${ad.adArchiveID} is there`, shown !== undefined, true)
      if (!shown) continue
      comparison.same(`${ad.adArchiveID} advertiser`, shown.advertiser.advertiserId, ad.pageID)
      comparison.same(`${ad.adArchiveID} name`, factOf(shown.advertiser.name), plain(ad.snapshot.page_name))
      comparison.same(`${ad.adArchiveID} start`, factOf(shown.deliveryStartedOn), day(ad.startDate))
      comparison.same(`${ad.adArchiveID} active`, factOf(shown.active), ad.isActive)
    }
    const archived = jsonOf('ads/meta/ads_archive_political_2021.json')
    const ad = found.get(String(archived.id ?? archived._id))
    comparison.same('political text', factOf(ad?.creatives[0].body), archived.ad_creative_bodies[0].trim())
    comparison.same('political start', factOf(ad?.deliveryStartedOn), archived.ad_delivery_start_time)
    comparison.same('no money', /spend|impressions/i.test(JSON.stringify(ad)), false)
    settled(t, comparison)
  })
})

/** The day in the United States, by the clock of the east coast. */
function dayOfUs(at: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(at))
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}
