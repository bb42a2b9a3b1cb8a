import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { readHints } from '../src/suppliers/apple/hints.ts'
import { parsePayload } from '../src/suppliers/formats.ts'
import { sampleApps } from './apps.ts'
import { dayText, firstDay, lastDay } from './calendar.ts'
import { collectorDownDays, sampleChartList, sampleCharts } from './charts.ts'
import { demoEvidence, documentsOf } from './demo/evidence.ts'
import { type SampleDocument, sampleCountries } from './document.ts'
import { sampleHints } from './hints.ts'
import { sampleLookups } from './lookups.ts'
import { samplePaidAds } from './paid-ads.ts'
import { samplePosts } from './posts.ts'
import { sampleEvidence } from './sample-evidence.ts'
import { hiccupOf, sampleSearches } from './searches.ts'

const span = { seed: 7, until: '2026-11-20' }
const apps = sampleApps(span)
const storeIds = new Set(apps.map((app) => String(app.storeId)))

type ITunesRecord = {
  trackId: number
  trackName: string
  version: string
  price?: number
  userRatingCount: number
  releaseDate: string
  currentVersionReleaseDate: string
  screenshotUrls: string[]
}

const records = (document: SampleDocument): ITunesRecord[] => JSON.parse(document.content).results
const lines = <T>(document: SampleDocument): T[] =>
  document.content
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Store ids of a chart, best rank first, from either of Apple's feeds. */
function idsOf(document: SampleDocument): string[] {
  const { feed } = JSON.parse(document.content)
  return document.format === 'apple-rss-v2'
    ? feed.results.map((entry: { id: string }) => entry.id)
    : feed.entry.map((entry: { id: { attributes: { 'im:id': string } } }) => entry.id.attributes['im:id'])
}

const fingerprint = (documents: Iterable<SampleDocument>) => {
  const hash = createHash('sha256')
  for (const { fileName, observedAt, content } of documents) hash.update(fileName + observedAt).update(content)
  return hash.digest('hex')
}

describe('The sample evidence', () => {
  test('is the same, byte for byte, for the same seed and day, and another for another seed', () => {
    const month = { ...span, days: 30 }
    assert.equal(fingerprint(sampleEvidence(month)), fingerprint(sampleEvidence(month)))
    assert.notEqual(fingerprint(sampleEvidence(month)), fingerprint(sampleEvidence({ ...month, seed: 8 })))
  })

  test('brings the catalogue first, never repeats a file name, and knows nothing after its last day', () => {
    const kinds: string[] = []
    const names = new Set<string>()
    for (const { kind, fileName, observedAt } of sampleEvidence(span)) {
      if (kinds.at(-1) !== kind) kinds.push(kind)
      assert.ok(!names.has(fileName), fileName)
      names.add(fileName)
      assert.ok(observedAt < `${span.until}T24` && observedAt >= dayText(firstDay(span)), observedAt)
    }
    assert.deepEqual(kinds, ['catalogue', 'charts', 'search-results', 'search-hints', 'organic', 'paid-ads'])
  })

  test('is counted as the demo tells it while it comes in, the part of the first pages and the whole', () => {
    for (const part of ['first', 'whole'] as const)
      assert.equal([...demoEvidence(part)].length, documentsOf[part], part)
  })
})

describe('The sample apps', () => {
  test('are about 400 by about 120 makers, each with ids and a name of its own', () => {
    assert.ok(apps.length >= 380 && apps.length <= 420, String(apps.length))
    const makers = new Set(apps.map((app) => app.developer.id)).size
    assert.ok(makers >= 110 && makers <= 130, String(makers))
    assert.equal(storeIds.size, apps.length)
    assert.equal(new Set(apps.map((app) => app.bundleId)).size, apps.length)
    assert.equal(new Set(apps.map((app) => app.names.us)).size, apps.length)
    assert.ok(apps.every((app) => app.storeId > 9_000_000_000 && app.bundleId.startsWith('com.example.')))
  })

  test('have names that Apple would accept and descriptions of 80 to 250 words', () => {
    for (const app of apps) {
      assert.ok(
        [app.names, app.plot.rename?.before ?? {}].flatMap(Object.values).every((name) => name.length <= 30),
        app.names.us,
      )
      const words = app.descriptions.us.split(/\s+/).length
      assert.ok(words >= 80 && words <= 250, `${app.names.us}: ${words} words`)
    }
  })

  test('are sold in the United States, and a third of them not in Japan, nor in Germany', () => {
    const soldIn = sampleCountries.map(
      (country) => apps.filter((app) => app.storefronts.includes(country)).length,
    )
    const [us = 0, jp = 0, de = 0] = soldIn.map((sold) => sold / apps.length)
    assert.equal(us, 1)
    assert.ok(jp > 0.55 && jp < 0.8 && de > 0.55 && de < 0.8, `${jp} ${de}`)
  })
})

describe('The sample catalogue', () => {
  test('never loses a rating from one day to a later one', () => {
    const counts = new Map<string, number>()
    for (const document of sampleLookups(apps, span)) {
      for (const { trackId, userRatingCount } of records(document)) {
        const key = `${document.country} ${trackId}`
        assert.ok(userRatingCount >= (counts.get(key) ?? 0), key)
        counts.set(key, userRatingCount)
      }
    }
    assert.ok(Math.max(...counts.values()) > 100_000)
  })

  test('dates nothing later than it was seen, but for apps that are announced and have no price yet', () => {
    for (const document of sampleLookups(apps, span)) {
      for (const { trackName, price, releaseDate, currentVersionReleaseDate } of records(document)) {
        assert.equal(releaseDate > document.observedAt, price === undefined, trackName)
        if (price !== undefined) assert.ok(currentVersionReleaseDate < document.observedAt, trackName)
      }
    }
  })

  test('shows a dozen apps renamed, and versions, prices and screenshots that change', () => {
    const seen = new Map<number, Record<'names' | 'versions' | 'prices' | 'screenshots', Set<unknown>>>()
    for (const document of sampleLookups(apps, span)) {
      if (document.country !== 'us') continue
      for (const { trackId, trackName, version, price, screenshotUrls } of records(document)) {
        const app = seen.get(trackId) ?? {
          names: new Set(),
          versions: new Set(),
          prices: new Set(),
          screenshots: new Set(),
        }
        seen.set(trackId, app)
        app.names.add(trackName)
        app.versions.add(version)
        if (price !== undefined) app.prices.add(price)
        app.screenshots.add(screenshotUrls[0])
      }
    }
    const changed = (what: 'names' | 'versions' | 'prices' | 'screenshots') =>
      [...seen.values()].filter((app) => app[what].size > 1).length
    assert.ok(changed('names') >= 10 && changed('names') <= 12, `${changed('names')} renamed`)
    assert.ok(changed('versions') > 200)
    assert.ok(changed('prices') >= 8)
    assert.ok(changed('screenshots') > 60)
  })
})

describe('The sample charts', () => {
  const documents = [...sampleCharts(apps, span)]

  test('are missing on the two or three days the collector was down, and on no other', () => {
    for (const country of sampleCountries) {
      const down = collectorDownDays(country, span)
      assert.ok(down.length === 2 || down.length === 3)
      const perDay = new Map<string, number>()
      for (const { country: asked, observedAt } of documents) {
        const day = observedAt.slice(0, 10)
        if (asked === country) perDay.set(day, (perDay.get(day) ?? 0) + 1)
      }
      for (let day = firstDay(span); day <= lastDay(span); day++) {
        const expected = down.includes(dayText(day)) ? 0 : sampleChartList.length
        assert.equal(perDay.get(dayText(day)) ?? 0, expected, `${country} ${dayText(day)}`)
      }
    }
  })

  test('hold 40 to 100 sample apps, each once, and are now and then cut short', () => {
    let short = 0
    for (const document of documents) {
      const ids = idsOf(document)
      assert.ok(ids.length >= 40 && ids.length <= 100, `${document.fileName}: ${ids.length}`)
      assert.equal(new Set(ids).size, ids.length, document.fileName)
      assert.ok(
        ids.every((id) => storeIds.has(id)),
        document.fileName,
      )
      if (document.fileName.includes('top-grossing') && ids.length < 100) short += 1
    }
    assert.ok(short > 0 && short < 30, `${short} short charts`)
  })

  test('move a little every day: most of the first twenty stay, some places change', () => {
    const days = documents.filter(({ fileName }) => fileName.startsWith('chart-us-top-free-all'))
    for (const [at, document] of days.entries()) {
      const before = days[at - 1]
      if (!before) continue
      const [today, yesterday] = [idsOf(document).slice(0, 20), idsOf(before).slice(0, 20)]
      assert.ok(today.filter((id) => yesterday.includes(id)).length >= 14, document.fileName)
      assert.notDeepEqual(today, yesterday)
    }
  })

  test('show launches that reach the first thirty, and one app that falls out of them', () => {
    const days = documents.filter(({ fileName }) => fileName.startsWith('chart-us-top-free-all'))
    const reached = (storeId: number, from: number, to: number) =>
      days.slice(from, to).some((document) => idsOf(document).slice(0, 30).includes(String(storeId)))
    const launched = apps.filter((app) => app.plot.launch)
    assert.ok(launched.filter((app) => reached(app.storeId, 30, days.length)).length >= 2)
    assert.ok(launched.every((app) => !reached(app.storeId, 0, 30)))
    const fallen = apps.find((app) => app.plot.crashDay !== undefined)
    assert.ok(
      fallen && reached(fallen.storeId, 0, 30) && !reached(fallen.storeId, days.length - 8, days.length),
    )
  })
})

describe('The sample result pages', () => {
  const all = [...sampleSearches(apps, span)]
  const documents = all.filter(({ format }) => format === 'itunes-search')

  test('are there once a week, and on the two days before the last, for some thirty terms in the United States and six in Japan', () => {
    const terms = (country: string) =>
      new Set(documents.filter((each) => each.country === country).map((each) => each.term)).size
    assert.ok(terms('us') >= 30)
    assert.equal(terms('jp'), 6)
    assert.equal(documents.filter(({ term }) => term === '家計簿').length, 15)
  })

  test('hold at most 50 apps, nothing for a term nobody serves, and one empty answer that is not to be believed', () => {
    const hiccup = hiccupOf(span)
    assert.equal(all.length - documents.length, 4)
    for (const document of documents) {
      const ids = records(document).map(({ trackId }) => String(trackId))
      assert.ok(ids.length <= 50 && ids.every((id) => storeIds.has(id)))
      const failed = document.term === hiccup.term && document.observedAt.startsWith(dayText(hiccup.day))
      const unserved = document.term.startsWith('banjo')
      assert.equal(ids.length === 0, failed || unserved, document.fileName)
    }
  })
})

describe('The sample suggestions', () => {
  const documents = [...sampleHints(apps, span)]

  test('are lists as Apple sends them, of terms that begin with what was typed', () => {
    for (const { term, content } of documents) {
      const { hints, rejected } = readHints(Buffer.from(content))
      assert.deepEqual(rejected, [])
      assert.ok(hints.length <= 10 && hints.every((hint) => hint.term.startsWith(term)), term)
    }
    const whole = documents.filter(({ term }) => term === 'budget planner' || term === '家計簿')
    assert.equal(whole.length, 2)
  })
})

describe('The sample posts', () => {
  type Post = { postId: string; text: string; metrics: { views?: number } }
  const posts = [...samplePosts(apps, span)].flatMap((document) => lines<Post>(document))

  test('are about 300, some observed twice, and lose no views in between', () => {
    const views = new Map<string, number>()
    for (const { postId, metrics } of posts) {
      assert.ok((metrics.views ?? 0) >= (views.get(postId) ?? 0), postId)
      views.set(postId, metrics.views ?? 0)
    }
    assert.equal(views.size, 300)
    assert.ok(posts.length >= 350, `${posts.length} observations`)
  })

  test('leave out what a network hides, and link to sample apps only', () => {
    assert.ok(
      posts.filter(({ postId }) => postId.startsWith('reddit_')).every(({ metrics }) => !('views' in metrics)),
    )
    const links = posts.flatMap(({ text }) => [...text.matchAll(/apps\.apple\.com\/\S+\/id(\d+)/g)])
    assert.ok(links.length > 50)
    assert.ok(links.every(([, id = '']) => storeIds.has(id)))
  })
})

describe('The sample ads', () => {
  type Ad = {
    platform: string
    archiveId: string
    active: boolean
    endedOn?: string
    creatives: { linkUrl?: string }[]
  }
  const documents = [...samplePaidAds(apps, span)]
  const ads = documents.flatMap((document) => lines<Ad>(document))

  test('are 200, end when they are no longer active, and often lead to the store page of a sample app', () => {
    assert.equal(new Set(ads.map(({ platform, archiveId }) => `${platform} ${archiveId}`)).size, 200)
    assert.ok(ads.every(({ active, endedOn }) => active === (endedOn === undefined)))
    const links = ads.flatMap(({ creatives }) => creatives.map(({ linkUrl }) => linkUrl ?? ''))
    const landings = links.flatMap((url) => /^https:\/\/apps\.apple\.com\/.*\/id(\d+)$/.exec(url)?.[1] ?? [])
    assert.ok(landings.length > 60)
    assert.ok(landings.every((id) => storeIds.has(id)))
  })

  test('are read, those of every platform', () => {
    const platforms = new Set<string>()
    for (const { content } of documents) {
      const { rejected, ads = [] } = parsePayload('paid-ads', Buffer.from(content), {
        layout: 'lines',
        country: null,
      })
      assert.deepEqual(rejected, [])
      for (const { platform } of ads) platforms.add(platform)
    }
    assert.deepEqual([...platforms].sort(), ['meta', 'tiktok'])
  })

  test('say nothing of money or of how often they were shown', () => {
    for (const { content } of documents)
      assert.doesNotMatch(content, /"[^"]*(spend|impression|reach|budget)[^"]*":/i)
  })
})
