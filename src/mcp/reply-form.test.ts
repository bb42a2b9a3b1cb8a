import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contract } from '../contract/contract.ts'
import { summaryOf } from './calls.ts'
import { columnNamesOf } from './reply-form.ts'
import { mostBytes, withinBytes } from './reply-size.ts'
import { shortFormOf } from './short-form.ts'
import { similarTools } from './tool-server.ts'

test('a measured fact is its value; what is absent or not measured still says so, without its evidence', () => {
  const app = {
    rating: { state: 'measured', value: 4.5, evidence: 0 },
    subtitle: { state: 'absent', evidence: 1 },
    price: { state: 'not-measured', reason: 'never-collected' },
    rank: { state: 'measured', value: 3, depth: 100 },
    downloads: { state: 'measured', low: 1, mid: 2, high: 4 },
    evidence: [{ source: 'itunes-search' }],
  }
  assert.deepEqual(shortFormOf(app), {
    rating: 4.5,
    subtitle: { state: 'absent' },
    price: { state: 'not-measured', reason: 'never-collected' },
    rank: 3,
    downloads: { state: 'measured', low: 1, mid: 2, high: 4 },
  })
})

test('long lists are cut to their beginning, series to their newest days, and both are told', () => {
  const reported: string[] = []
  const cuts = {
    letters: 10,
    entries: 2,
    tell: (path: string, figures: string) => void reported.push(`${path}: ${figures}`),
  }
  const times = ['2026-01-05', '2026-01-12', '2026-01-19']
  const days = times.map((date) => ({ date }))
  const weeks = times.map((weekStartsOn) => ({ weekStartsOn, posts: 1 }))
  const ratings = times.map((observedAt) => ({ observedAt, ratingCount: 2 }))
  const byRank = [...ratings.slice(1), ...ratings.slice(0, 1)]
  assert.deepEqual(
    shortFormOf({ words: ['a', 'b', 'c'], days, weeks, ratings, byRank, text: 'a tide pool' }, cuts),
    {
      words: ['a', 'b'],
      days: days.slice(1),
      weeks: weeks.slice(1),
      ratings: ratings.slice(1),
      byRank: byRank.slice(0, 2),
      text: 'a tide poo…',
    },
  )
  assert.deepEqual(reported, [
    'words: 2 of 3',
    'days: newest 2 of 3',
    'weeks: newest 2 of 3',
    'ratings: newest 2 of 3',
    'byRank: 2 of 3',
    'text: 10 of 11 letters',
  ])
})

test('evidence that stands with something of its own keeps its surface and its time', () => {
  const observedAt = '2026-03-01T05:00:00.000Z'
  const evidence = { source: 'apple-rss-v2', surface: 'Apple RSS feed', observedAt, readingId: 'r' }
  assert.deepEqual(
    shortFormOf({ charts: [{ rank: { state: 'measured', value: 3 }, evidence }], evidence: [evidence] }),
    {
      charts: [{ rank: 3, surface: 'Apple RSS feed', observedAt }],
    },
  )
  assert.deepEqual(shortFormOf({ page: { depth: 50, evidence: [evidence] }, evidence: [evidence] }), {
    page: { depth: 50, surface: 'Apple RSS feed', observedAt },
  })
})

test('a list inside an entry of another is cut to half of its entries', () => {
  const reported: string[] = []
  const cuts = {
    letters: 10,
    entries: 4,
    tell: (path: string, figures: string) => void reported.push(`${path}: ${figures}`),
  }
  assert.deepEqual(shortFormOf({ days: [{ movers: [1, 2, 3] }] }, cuts), { days: [{ movers: [1, 2] }] })
  assert.deepEqual(reported, ['days.movers: 2 of 3'])
})

test('nothing is cut in the middle of a letter', () => {
  const cuts = { letters: 3, entries: 9, tell: () => {} }
  assert.equal((shortFormOf('ab😀cd', cuts) as string).isWellFormed(), true)
})

test('whatever a reply holds, the short form of it can be made and is no longer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const whole = JSON.stringify(value)
      assert.ok(JSON.stringify(shortFormOf(value)).length <= whole.length)
    }),
  )
})

test('columns have the shortest names that are clear', () => {
  const names = (...paths: string[]) => columnNamesOf(paths).map(({ name }) => name)
  assert.deepEqual(names('app.storeId', 'app.name'), ['storeId', 'name'])
  assert.deepEqual(names('name', 'primaryCategory.value.name'), ['name', 'primaryCategoryName'])
  assert.deepEqual(names('own.rank', 'rival.rank'), ['rank', 'rivalRank'])
})

test('however columns are chosen, no two have one name', () => {
  const word = fc.constantFrom('app', 'name', 'value', 'rank', 'own')
  const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('.'))
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
      const names = columnNamesOf(paths).map(({ name }) => name)
      assert.equal(new Set(names).size, paths.length)
    }),
  )
})

test('tools near an unknown one share its words, the rarest first, and not verbs alone', () => {
  const tools = ['get_paid_ad', 'search_paid_ads', 'search_competitors', 'get_competitor'].map((name) => ({
    name,
  }))
  assert.deepEqual(similarTools('searchPaidAd', tools), [
    'search_paid_ads',
    'get_paid_ad',
    'search_competitors',
  ])
  assert.deepEqual(similarTools('list_competitors', tools), ['search_competitors', 'get_competitor'])
  assert.deepEqual(similarTools('get_weather', tools), [])
  assert.deepEqual(similarTools('', tools), [])
})

test('the newest is kept of a list that begins with it, and of each of several series in one list', () => {
  const cuts = { letters: 10, entries: 4, tell: () => {} }
  const weeks = ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26']
  const totals = ['downloads', 'revenue'].flatMap((metric) =>
    weeks.map((from) => ({ metric, period: 'week', from, to: from, mid: 1 })),
  )
  const timeline = weeks.toReversed().map((observedAt) => ({ observedAt, field: 'name' }))
  assert.deepEqual(shortFormOf({ totals, timeline: [...timeline, timeline[3]] }, cuts), {
    totals: [...totals.slice(2, 4), ...totals.slice(6, 8)],
    timeline,
  })
})

test('many points without a value are one statement, with the reason and the span, also inside another list', () => {
  const rank = { state: 'not-measured', reason: 'no-snapshot' }
  const points = [1, 2, 3, 4, 5, 6].map((day) => ({ date: `2026-01-0${day}`, rank }))
  const one = [{ entries: 6, from: '2026-01-01', to: '2026-01-06', rank }]
  assert.deepEqual(shortFormOf({ series: [{ chart: 'top-free', points }] }), {
    series: [{ chart: 'top-free', points: one }],
  })
  const seen = [...points, { date: '2026-01-07', rank: { state: 'measured', value: 3 } }]
  assert.equal((shortFormOf(seen) as unknown[]).length, 7)
  assert.equal((shortFormOf(points.slice(0, 4)) as unknown[]).length, 4)
  const both = points.flatMap((point, at) => [
    { ...point, metric: 'revenue' },
    { date: point.date, metric: 'downloads', rank: { state: 'measured', value: at } },
  ])
  assert.deepEqual((shortFormOf(both) as unknown[]).slice(0, 2), [
    { ...one[0], metric: 'revenue' },
    { date: '2026-01-01', metric: 'downloads', rank: 0 },
  ])
})

test('what is said of a list counts entries that are told in one statement as so many', () => {
  const said = (keywords: object[]) =>
    summaryOf(contract.get_aso_workstation, 'read', { keywords }, undefined, {})
  const empty = { entries: 50, rank: { state: 'not-measured', reason: 'no-snapshot' } }
  assert.equal(said([empty]), '50 keywords, none with a value.')
  assert.equal(said([empty, { rank: 1 }, { rank: 2 }]), '2 keywords, and 50 without a value.')
  assert.equal(said([{ rank: 1 }]), '1 keywords.')
})

test('whatever a reply holds, at most 60 kB are shown, in whole items, and what it says of them is true', () => {
  const item = fc.record({
    date: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
    text: fc.nat(3_000).map((length) => 'é'.repeat(length)),
    parts: fc.nat(40).map((count) => Array.from({ length: count }, () => 'a tide pool '.repeat(20))),
  })
  const reply = fc.record({
    items: fc.array(item, { maxLength: 200, size: 'max' }),
    head: fc.nat(2_000).map((count) => Array.from({ length: count }, () => 'an estuary')),
    nextCursor: fc.constantFrom('next', null),
  })
  fc.assert(
    fc.property(reply, fc.boolean(), (whole, paged) => {
      const shown = withinBytes(whole, { at: 'items', paged }) as typeof whole & { leftOut?: string[] }
      assert.ok(Buffer.byteLength(JSON.stringify(shown)) <= mostBytes)
      const { items, leftOut = [] } = shown
      const told = leftOut.find((one) => one.startsWith('items: '))
      const isWhole = items.length === whole.items.length
      assert.equal(told === undefined, isWhole)
      assert.equal('nextCursor' in shown, isWhole)
      if (told) assert.match(told, new RegExp(`^items: (newest )?${items.length} of ${whole.items.length},`))
      if (items.length > 1) for (const one of items) assert.ok(whole.items.includes(one), 'a whole item')
      assert.equal(
        leftOut.some((one) => one.startsWith('head')),
        shown.head?.length !== whole.head.length,
      )
    }),
    { numRuns: 60 },
  )
})

test('a reply of any form is bounded, be it one text, one item or a thousand properties', () => {
  const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`property${at}`, 'é'.repeat(30)]))
  for (const whole of [{ text: 'é'.repeat(99_000) }, { items: [{ text: 'x'.repeat(99_000) }] }, wide, { wide }])
    for (const at of ['items', undefined]) {
      const shown = withinBytes(whole, { at, paged: false })
      assert.ok(Buffer.byteLength(JSON.stringify(shown)) <= mostBytes)
      assert.ok(Array.isArray(shown.leftOut) && shown.leftOut.length > 0)
    }
})
